"""Findings: the tables of a folder, computed from committed results, and their figures by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...parser.base.errors import CrossarcError, choices
from ...parser.evaluate.percent import error_reduction
from .tables import Figure, Table, as_figure, difference, documents_in, load_specs, make_table, number


@dataclass(frozen=True, slots=True)
class Findings:
    """The tables of a folder by name, and its results by file."""

    tables: Mapping[str, Table]
    results: Mapping[str, Any]

    def figure(self, name: str) -> Figure:
        """The figure of a cell: ``TABLE/ROW/COLUMN``, ``FILE:PATH`` in one of the results, or ``A - B`` of two cells.

        ``A for B`` is the error reduction of score A against score B in percent (Nilsson 2009, section 3.1). Raises
        CrossarcError if there is no such cell.
        """
        if " for " in name:
            after, before = (number(self.figure(own), own) for own in name.split(" for ", 1))
            return error_reduction(before, after)
        if " - " in name:
            return difference(name, self.figure)
        file, colon, path = name.partition(":")
        if colon and file in self.results:
            return as_figure(self.results[file], path, name)
        return self.cell(name)[0]

    def cell(self, name: str) -> tuple[Figure, str]:
        """The figure and the text of the cell ``TABLE/ROW/COLUMN``. Raises CrossarcError if there is none."""
        table, *rest = name.split("/")
        if table not in self.tables:
            raise CrossarcError(
                f"{name}: table {choices(table, [own for own in self.tables if own.count(':') == table.count(':')])}"
            )
        try:
            return self.tables[table].cell(rest)
        except CrossarcError as error:
            raise CrossarcError(f"{name}: {error}") from error

    def count(self, condition: str) -> tuple[int, int]:
        """The number of rows for which ``TABLE/*/COLUMN > NAME`` holds, and the number of rows.

        ``*`` stands for each value of the first variable. The sign is one of < > <= >=. NAME is a number or a figure,
        also with ``*``. Rows with undefined figures do not count.
        """
        found = re.fullmatch(r"(.*) ([<>]=?) (.*)", condition)
        if found is None or found[1].partition("/")[0] not in self.tables:
            raise CrossarcError(f"count: found {condition!r}, expected TABLE/*/COLUMN, a sign and a figure")
        table = self.tables[found[1].partition("/")[0]]
        held = []
        for row in dict.fromkeys(key[0][0] for key in table.keys):
            left, right = (self._value(side.replace("*", row)) for side in (found[1], found[3]))
            if left is not None and right is not None:
                held.append(compared(left, found[2], right))
        return sum(held), len(held)

    def _value(self, name: str) -> float | None:
        figure = name if re.fullmatch(r"-?\d+(\.\d+)?", name) else self.figure(name)
        return None if figure is None else number(figure, name)


def compared(left: float, sign: str, right: float) -> bool:
    """Whether the comparison holds. sign: one of < > <= >=."""
    return left == right if "=" in sign and left == right else left < right if "<" in sign else left > right


def load_findings(folder: Path) -> Findings:
    """The tables of pages that ``tables.yaml`` of a folder describes. Raises CrossarcError for an invalid file."""
    results = documents_in(folder)
    tables = {}
    for name, spec in load_specs(folder).items():
        try:
            if "report" not in spec:
                tables[name] = make_table(spec, results)
        except CrossarcError as error:
            raise CrossarcError(f"{folder / 'tables.yaml'}: {name}: {error}") from error
    return Findings(tables, results)
