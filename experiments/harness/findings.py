"""Tables of findings: made from committed results as ``tables.yaml`` says.

A folder of findings holds, beside its page, what an experiment has written (``results.json``, or several such files)
and ``tables.yaml``, which says which figures make up which table:

    las:                                  # the table's name
      results: results                    # the file without .json; this is the default
      corner: LAS                         # the heading above the row names; the names of the rows' variables without it
      rows: {treebank: [Gothic, Danish], parser: [P0, P1]}    # every combination is a row; a mapping gives titles
      columns: {las: LAS, uas: UAS}       # by what stands for {column}; a list if these are the titles, too
      cell: "{treebank}/performance/{parser}/{column}"        # where the figure stands; "A - B" is a difference
      test: "{treebank}/significance/las/first=P0,second={column}"    # optional: arrows by a pairwise test
      digits: 2

A column may be a mapping with ``title`` and its own ``cell``, ``test``, ``digits`` and ``results``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from ...parser.base.errors import CrossarcError, choices
from ...parser.evaluate.percent import error_reduction
from .tables import markdown_table

__all__ = ["Findings", "Table", "load_findings", "lookup", "number"]

KEYS = ("results", "corner", "rows", "columns", "cell", "test", "digits")
COLUMN_KEYS = ("title", "results", "cell", "test", "digits")
ARROWS = {("second", 0.01): "⇑", ("second", 0.05): "↑", ("first", 0.01): "⇓", ("first", 0.05): "↓"}
"""What a test between a first parser and the one of the cell says of the latter."""
Figure = float | int | str | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the titles of its left columns and of the others, and the rows.

    keys: of each row, the values of the rows' variables with the titles shown for them. cells: figures by row and
    column, each with the text that is printed.
    """

    left: Sequence[str]
    columns: Mapping[str, str]
    keys: Sequence[Sequence[tuple[str, str]]]
    cells: Sequence[Sequence[tuple[Figure, str]]]

    def markdown(self) -> str:
        """The table on a page."""
        rows = [
            [*(title for _, title in key), *(text for _, text in own)]
            for key, own in zip(self.keys, self.cells, strict=True)
        ]
        return markdown_table([*self.left, *self.columns.values()], rows, left=len(self.left))

    def cell(self, names: Sequence[str]) -> Figure:
        """The figure of a row and a column, named by key, or else by title. Raises CrossarcError if there is none."""
        *row, column = names
        rows = [
            own
            for key, own in zip(self.keys, self.cells, strict=True)
            if len(row) == len(key) and all(name in pair for name, pair in zip(row, key, strict=True))
        ]
        titled = [k for k, title in enumerate(self.columns.values()) if title == column]
        columns = [list(self.columns).index(column)] if column in self.columns else titled
        if len(rows) != 1:
            known = ["/".join(title for _, title in key) for key in self.keys]
            raise CrossarcError(f"row {choices('/'.join(row), known)}")
        if len(columns) != 1:
            raise CrossarcError(f"column {choices(column, list(self.columns))}")
        return rows[0][columns[0]][0]


@dataclass(frozen=True, slots=True)
class Findings:
    """The tables of a folder by name, and its results by file."""

    tables: Mapping[str, Table]
    results: Mapping[str, Any]

    def figure(self, name: str) -> Figure:
        """The figure of a cell: ``TABLE/ROW/COLUMN``, ``FILE:PATH`` in one of the results, or ``A - B`` of two cells.

        ``A for B`` is by how many per cent of the errors the score A has fewer than B (Nilsson 2009, section 3.1).
        Raises CrossarcError if there is no such cell.
        """
        if " for " in name:
            after, before = (number(self.figure(own), own) for own in name.split(" for ", 1))
            return error_reduction(before, after)
        if " - " in name:
            return _difference(name, self.figure)
        file, colon, path = name.partition(":")
        if colon and file in self.results:
            return _figure(self.results[file], path, name)
        table, *rest = name.split("/")
        if table not in self.tables:
            raise CrossarcError(
                f"{name}: table {choices(table, [own for own in self.tables if own.count(':') == table.count(':')])}"
            )
        try:
            return self.tables[table].cell(rest)
        except CrossarcError as error:
            raise CrossarcError(f"{name}: {error}") from error


def load_findings(folder: Path) -> Findings:
    """The tables that ``tables.yaml`` of a folder describes. Raises CrossarcError for whatever is wrong with it."""
    where = folder / "tables.yaml"
    documents = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*.json"))}
    results = {name: document.get("figures", document) for name, document in documents.items()}
    tables = {}
    for name, spec in yaml.safe_load(where.read_text("utf-8")).items():
        try:
            tables[name] = _table(spec, results)
        except CrossarcError as error:
            raise CrossarcError(f"{where}: {name}: {error}") from error
    return Findings(tables, results)


def lookup(figures: Any, path: str) -> Any:
    """The value at a path of keys joined by ``/``; of a list of mappings ``KEY=VALUE,...`` takes the one that fits."""
    value = figures
    for step in path.split("/"):
        if isinstance(value, Mapping):
            if step not in value:
                raise CrossarcError(f"{path}: {choices(step, [str(key) for key in value])}")
            value = value[step]
        elif isinstance(value, list) and "=" in step:
            wanted = dict(part.split("=", 1) for part in step.split(","))
            fitting = [own for own in value if all(str(own.get(key)) == text for key, text in wanted.items())]
            if len(fitting) != 1:
                raise CrossarcError(f"{path}: {step} fits {len(fitting)} of {len(value)}, not one")
            value = fitting[0]
        else:
            raise CrossarcError(f"{path}: nothing below {step!r}")
    return value


def number(value: Figure, path: str) -> float:
    """A figure as a number: of a text, the first one in it. Raises CrossarcError if there is none."""
    found = re.search(r"-?\d+(?:\.\d+)?", str(value))
    if found is None:
        raise CrossarcError(f"{path}: not a number")
    return float(value if isinstance(value, int | float) else found.group())


def _table(spec: Mapping[str, Any], results: Mapping[str, Any]) -> Table:
    variables = {name: _titled(values) for name, values in spec["rows"].items()}
    columns = {
        key: own if isinstance(own, Mapping) else {"title": own} for key, own in _titled(spec["columns"]).items()
    }
    for place, found, known in (("", spec, KEYS), *(("column: ", own, COLUMN_KEYS) for own in columns.values())):
        for key in found:
            if key not in known:
                raise CrossarcError(f"{place}unknown key {choices(key, known)}")
    keys = list(product(*(values.items() for values in variables.values())))
    rows = [dict(zip(variables, (value for value, _ in key), strict=True)) for key in keys]
    cells = [[_cell({**spec, **own}, {**row, "column": key}, results) for key, own in columns.items()] for row in rows]
    corner = spec.get("corner")
    left = list(variables) if corner is None else [corner, *[""] * (len(variables) - 1)]
    return Table(left, {key: own["title"] for key, own in columns.items()}, keys, cells)


def _titled(values: Any) -> dict[str, Any]:
    """Keys and their titles, from a mapping or a list."""
    pairs = values.items() if isinstance(values, Mapping) else ((value, str(value)) for value in values)
    return {str(key): title for key, title in pairs}


def _cell(spec: Mapping[str, Any], names: Mapping[str, str], results: Mapping[str, Any]) -> tuple[Figure, str]:
    """The figure of a cell, and the text that is printed."""
    file = spec.get("results", "results")
    if file not in results:
        raise CrossarcError(f"no results in {file}.json")
    value = _difference(spec["cell"].format(**names), lambda path: _figure(results[file], path, path))
    text = f"{value:.{spec.get('digits', 2)}f}" if isinstance(value, float) else "–" if value is None else str(value)
    return value, f"{text} {_arrow(spec['test'].format(**names), results[file])}" if spec.get("test") else text


def _difference(expression: str, figure: Callable[[str], Figure]) -> Figure:
    """The figure of a cell, or the difference of two, None if one of them is."""
    names = expression.split(" - ", 1)
    values = [figure(name) for name in names]
    if len(values) == 1 or None in values:
        return None if None in values else values[0]
    first, second = map(number, values, names)
    return first - second


def _figure(figures: Any, path: str, name: str) -> Figure:
    value = lookup(figures, path)
    if value is None or isinstance(value, (int, float, str)):
        return value
    raise CrossarcError(f"{name}: not a figure")


def _arrow(path: str, figures: Any) -> str:
    """The arrow of a pairwise test; a blank if nothing differs or the pair is a parser and itself."""
    pair = dict(part.split("=", 1) for part in path.rpartition("/")[2].split(","))
    if pair.get("first") == pair.get("second"):
        return " "
    test = lookup(figures, path)
    return ARROWS.get((test["winner"], test["level"]), " ")
