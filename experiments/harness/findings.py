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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from ...parser.errors import CrossarcError, choices
from ...parser.evaluate.percent import error_reduction
from .tables import markdown_table

__all__ = ["Findings", "Table", "load_findings", "lookup"]

KEYS = ("results", "corner", "rows", "columns", "cell", "test", "digits")
COLUMN_KEYS = ("title", "results", "cell", "test", "digits")
ARROWS = {("second", 0.01): "⇑", ("second", 0.05): "↑", ("first", 0.01): "⇓", ("first", 0.05): "↓"}
"""What a test between a first parser and the one of the cell says of the latter."""
Figure = float | int | str | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the titles of its left columns and of the others, and the rows.

    keys: of each row, the values of the rows' variables with the titles shown for them. cells: figures by row and
    column; shown: the same as they are printed.
    """

    left: Sequence[str]
    columns: Mapping[str, str]
    keys: Sequence[Sequence[tuple[str, str]]]
    cells: Sequence[Sequence[Figure]]
    shown: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """The table on a page."""
        body = [[title for _, title in key] for key in self.keys]
        rows = [[*names, *own] for names, own in zip(body, self.shown, strict=True)]
        return markdown_table([*self.left, *self.columns.values()], rows, left=len(self.left))

    def cell(self, names: Sequence[str]) -> Figure:
        """The figure of a row and a column, named by key, or else by title. Raises CrossarcError if there is none."""
        *row, column = names
        rows = [k for k, key in enumerate(self.keys) if len(row) == len(key) and _matches(row, key)]
        titled = [k for k, title in enumerate(self.columns.values()) if title == column]
        columns = [list(self.columns).index(column)] if column in self.columns else titled
        if len(rows) != 1:
            known = ["/".join(title for _, title in key) for key in self.keys]
            raise CrossarcError(f"row {choices('/'.join(row), known)}")
        if len(columns) != 1:
            raise CrossarcError(f"column {choices(column, list(self.columns))}")
        return self.cells[rows[0]][columns[0]]


@dataclass(frozen=True, slots=True)
class Findings:
    """The tables of a folder by name, and its results by file."""

    tables: Mapping[str, Table]
    results: Mapping[str, Any]

    def figure(self, name: str) -> Figure:
        """What a cell holds: ``TABLE/ROW/COLUMN``, or ``FILE:PATH`` for one of the results, or a difference of two.

        ``A for B`` is by how many per cent of the errors the score A has fewer than B (Nilsson 2009, section 3.1).
        Raises CrossarcError if there is no such cell.
        """
        if " for " in name:
            after, before = (_number(self.figure(own), own) for own in name.split(" for ", 1))
            return error_reduction(before, after)
        if " - " in name:
            first, second = (_number(self.figure(own), own) for own in name.split(" - ", 1))
            return first - second
        file, colon, path = name.partition(":")
        if colon and file in self.results:
            return _figure(lookup(self.results[file], path), name)
        table, *rest = name.split("/")
        if table not in self.tables:
            raise CrossarcError(f"{name}: table {choices(table, list(self.tables))}")
        try:
            return self.tables[table].cell(rest)
        except CrossarcError as error:
            raise CrossarcError(f"{name}: {error}") from error


def load_findings(folder: Path) -> Findings:
    """The tables that ``tables.yaml`` of a folder describes. Raises CrossarcError for whatever is wrong with it."""
    where = folder / "tables.yaml"
    specs = yaml.safe_load(where.read_text("utf-8"))
    results: dict[str, Any] = {}
    for file in sorted(folder.glob("*.json")):
        document = json.loads(file.read_text("utf-8"))
        results[file.stem] = document.get("figures", document)
    tables = {}
    for name, spec in specs.items():
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


def _table(spec: Mapping[str, Any], results: Mapping[str, Any]) -> Table:
    for key in spec:
        if key not in KEYS:
            raise CrossarcError(f"unknown key {choices(key, KEYS)}")
    variables = {name: _titled(values) for name, values in spec["rows"].items()}
    columns = _titled(spec["columns"])
    for own in columns.values():
        for key in own if isinstance(own, Mapping) else ():
            if key not in COLUMN_KEYS:
                raise CrossarcError(f"column: unknown key {choices(key, COLUMN_KEYS)}")
    keys: list[tuple[tuple[str, str], ...]] = []
    cells, shown = [], []
    for combination in product(*(values.items() for values in variables.values())):
        row = dict(zip(variables, (value for value, _ in combination), strict=True))
        own_cells: list[Figure] = []
        own_shown = []
        for column, heading in columns.items():
            own = {**spec, **heading} if isinstance(heading, Mapping) else spec
            names = {**row, "column": column}
            file = own.get("results", "results")
            if file not in results:
                raise CrossarcError(f"no results in {file}.json")
            figures = results[file]
            value = _evaluated(own["cell"].format(**names), figures)
            text = _shown(value, own.get("digits", 2))
            if own.get("test"):
                text += f" {_arrow(own['test'].format(**names), figures)}"
            own_cells.append(value)
            own_shown.append(text)
        keys.append(combination)
        cells.append(own_cells)
        shown.append(own_shown)
    corner = spec.get("corner")
    left = list(variables) if corner is None else [corner, *[""] * (len(variables) - 1)]
    titles = {key: own["title"] if isinstance(own, Mapping) else own for key, own in columns.items()}
    return Table(left, titles, keys, cells, shown)


def _titled(values: Any) -> dict[str, Any]:
    """Keys and their titles, from a mapping or a list."""
    return {str(key): value for key, value in values.items()} if isinstance(values, Mapping) else {
        str(value): str(value) for value in values
    }  # fmt: skip


def _evaluated(expression: str, figures: Any) -> Figure:
    """The figure at a path, or the difference of those at two paths."""
    first, minus, second = expression.partition(" - ")
    value = _figure(lookup(figures, first), first)
    if not minus:
        return value
    other = _figure(lookup(figures, second), second)
    return None if value is None or other is None else _number(value, first) - _number(other, second)


def _figure(value: Any, path: str) -> Figure:
    if value is None or isinstance(value, (int, float, str)):
        return value
    raise CrossarcError(f"{path}: not a figure")


def _number(value: Figure, path: str) -> float:
    """A figure as a number: of a text, the first one in it."""
    found = re.search(r"-?\d+(?:\.\d+)?", value) if isinstance(value, str) else None
    if found:
        return float(found.group())
    if value is None or isinstance(value, str):
        raise CrossarcError(f"{path}: not a number")
    return float(value)


def _shown(value: Figure, digits: int) -> str:
    if value is None:
        return "–"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def _arrow(path: str, figures: Any) -> str:
    """The arrow of a pairwise test; a blank if nothing differs or the pair is a parser and itself."""
    pair = dict(part.split("=", 1) for part in path.rpartition("/")[2].split(","))
    if pair.get("first") == pair.get("second"):
        return " "
    test = lookup(figures, path)
    return ARROWS.get((test["winner"], test["level"]), " ")


def _matches(row: Sequence[str], key: Sequence[tuple[str, str]]) -> bool:
    return all(name in own for name, own in zip(row, key, strict=True))
