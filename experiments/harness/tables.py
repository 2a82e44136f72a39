"""Tables: figures laid out as ``tables.yaml`` says, on the pages of findings and in the reports of runs.

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

A column may be a mapping with ``title`` and its own ``cell``, ``test``, ``digits`` and ``results``. ``"*"`` in place of
the values of a variable, or of the columns, stands for all that the figures have at that place.

A table with the key ``report`` is in the report of a run, and on no page; with YAML's ``<<`` it is one of a page with
other rows:

    report-4:
      <<: *table-4
      report: kuhlmann-nivre-2010         # the experiment
      title: "Table 4: performance"       # its heading
      note: All tokens are counted.       # optional: the paragraph below that
      rows: {treebank: "*", parser: "*"}
      published: "tables/4/rows/language={treebank},parser={parser}/{column}"    # optional

There the figures are those of the run instead of ``results.json`` and its like, and rows without any figure are left
out. ``published`` is the place in ``published.json`` of what stands below a row, for treebanks whose entry has
``published`` or ``beside``: {treebank} is the name given there, {set title} the title of a set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ...parser.base.errors import CrossarcError, choices

KEYS = ("results", "corner", "rows", "columns", "cell", "test", "digits", "report", "title", "note", "published")
COLUMN_KEYS = ("title", "results", "cell", "test", "digits")
ARROWS = {("second", 0.01): "⇑", ("second", 0.05): "↑", ("first", 0.01): "⇓", ("first", 0.05): "↓"}
"""The result of a test between a first parser and that of the cell, for the latter."""
ALL = "*"
Figure = float | int | str | None
Key = tuple[tuple[str, str], ...]


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

    def cell(self, names: Sequence[str]) -> tuple[Figure, str]:
        """The figure and the text of a row and a column, named by key, or else by title.

        Raises CrossarcError if there is none.
        """
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
        return rows[0][columns[0]]


def load_specs(folder: Path) -> dict[str, Any]:
    """The tables that ``tables.yaml`` of a folder describes, as they stand there."""
    specs: dict[str, Any] = yaml.safe_load((folder / "tables.yaml").read_text("utf-8"))
    return specs


def documents_in(folder: Path) -> dict[str, Any]:
    """The figures of the JSON files of a folder, by their names without the ending."""
    documents = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*.json"))}
    return {name: document.get("figures", document) for name, document in documents.items()}


def make_table(
    spec: Mapping[str, Any], documents: Mapping[str, Any], called: Mapping[str, tuple[str, str]] | None = None
) -> Table:
    """The table that ``spec`` describes. Raises CrossarcError for errors in it.

    documents: figures by file.
    called: for the report of a run, whose figures may be missing: by treebank with figures in a paper (its own, or
        those of another treebank beside them), the paper's name and the title of the row with the published figures.
    """
    layout = _Layout(spec, documents, missing=called is not None)
    found = list(layout.rows())
    columns = layout.columns(found)
    for place, own, known in (("", spec, KEYS), *(("column: ", own, COLUMN_KEYS) for own in columns.values())):
        for name in own:
            if name not in known:
                raise CrossarcError(f"{place}unknown key {choices(name, known)}")
    keys: list[Key] = []
    cells: list[Sequence[tuple[Figure, str]]] = []
    for key in found:
        row = dict(zip(spec["rows"], (value for value, _ in key), strict=True))
        ours = [layout.cell({**spec, **own}, {**row, "column": column}) for column, own in columns.items()]
        if called is not None and all(figure is None for figure, _ in ours):
            continue
        keys.append(key)
        cells.append(ours)
        name, title = (called or {}).get(row.get("treebank", ""), ("", ""))
        if name and "published" in spec:
            beside = {**spec, "results": "published", "cell": spec["published"], "test": ""}
            titles = {f"{variable} title": title for variable, (_, title) in zip(spec["rows"], key, strict=True)}
            names = {**row, **titles, "treebank": name}
            theirs = [layout.cell(beside, {**names, "column": column}) for column in columns]
            more = {title: theirs} if any(figure is not None for figure, _ in theirs) else {}
            if more and title == "published":
                more["difference"] = [_minus(own[0], other[0]) for own, other in zip(ours, theirs, strict=True)]
            keys += [(*key[:-1], (key[-1][0], f"*{key[-1][1]}, {own}*")) for own in more]
            cells += more.values()
    if called is not None and spec["columns"] == ALL:
        there = [place for place in range(len(columns)) if any(row[place][0] is not None for row in cells)]
        columns = {name: own for place, (name, own) in enumerate(columns.items()) if place in there}
        cells = [[row[place] for place in there] for row in cells]
    corner = spec.get("corner")
    left = list(spec["rows"]) if corner is None else [corner, *[""] * (len(spec["rows"]) - 1)]
    return Table(left, {key: own["title"] for key, own in columns.items()}, keys, cells)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Rows, columns and cells of a table. missing: whether figures may be missing."""

    spec: Mapping[str, Any]
    documents: Mapping[str, Any]
    missing: bool

    def rows(self, bound: Key = ()) -> Iterator[Key]:
        """Every combination of the variables' values, each with its title."""
        if len(bound) == len(self.spec["rows"]):
            yield bound
            return
        variable = list(self.spec["rows"])[len(bound)]
        for own in self._titled(variable, self.spec["rows"][variable], bound).items():
            yield from self.rows((*bound, own))

    def columns(self, rows: Sequence[Key]) -> dict[str, Mapping[str, Any]]:
        """By what stands for {column}, the title and whatever differs from the table."""
        given = self.spec["columns"]
        found: dict[str, Any] = {}
        for bound in rows if given == ALL else ((),):
            found |= self._titled("column", given, bound)
        return {key: own if isinstance(own, Mapping) else {"title": own} for key, own in found.items()}

    def cell(self, spec: Mapping[str, Any], names: Mapping[str, str]) -> tuple[Figure, str]:
        """The figure of a cell, and the text that is printed."""
        try:
            figures = self._document(spec)
            value = difference(spec["cell"].format(**names), lambda path: as_figure(figures, path, path))
        except CrossarcError:
            if not self.missing:
                raise
            return None, "–"
        text = (
            f"{value:.{spec.get('digits', 2)}f}" if isinstance(value, float) else "–" if value is None else str(value)
        )
        return value, f"{text} {self._arrow(spec['test'].format(**names), figures)}" if spec.get("test") else text

    def _titled(self, variable: str, values: Any, bound: Key) -> dict[str, Any]:
        """Keys and their titles, from a mapping, a list, or the figures that there are."""
        if values == ALL:
            own = self.spec["columns"].values() if isinstance(self.spec["columns"], Mapping) else ()
            specs = [self.spec, *({**self.spec, **column} for column in own if isinstance(column, Mapping))]
            spec = next(spec for spec in specs if f"{{{variable}}}" in spec.get("cell", ""))
            names = {name: value for name, (value, _) in zip(self.spec["rows"], bound, strict=False)}
            values = _names_at(spec["cell"], variable, names, self._document(spec))
        pairs = values.items() if isinstance(values, Mapping) else ((value, str(value)) for value in values)
        return {str(key): title for key, title in pairs}

    def _document(self, spec: Mapping[str, Any]) -> Any:
        file = spec.get("results", "results")
        file = "results" if self.missing and file.startswith("results") else file
        if file not in self.documents:
            raise CrossarcError(f"no results in {file}.json")
        return self.documents[file]

    def _arrow(self, path: str, figures: Any) -> str:
        """The arrow of a pairwise test; a blank if nothing differs or the pair is a parser and itself."""
        pair = dict(part.split("=", 1) for part in path.rpartition("/")[2].split(","))
        if pair.get("first") == pair.get("second"):
            return " "
        try:
            test = lookup(figures, path)
        except CrossarcError:
            if not self.missing:
                raise
            return " "
        return ARROWS.get((test["winner"], test["level"]), " ")


def _names_at(path: str, variable: str, names: Mapping[str, str], figures: Any) -> list[str]:
    """Possible values of a variable in a path, given the variables before it."""
    steps = path.partition(" - ")[0].split("/")
    place = next(k for k, step in enumerate(steps) if f"{{{variable}}}" in step)
    try:
        value = lookup(figures, "/".join(steps[:place]).format(**names)) if place else figures
    except (CrossarcError, KeyError):
        return []
    if isinstance(value, Mapping):
        return [str(key) for key in value]
    wanted = dict(part.split("=", 1) for part in steps[place].split(","))
    known = {key: text.format(**names) for key, text in wanted.items() if text.strip("{}") in names or "{" not in text}
    (own,) = (key for key, text in wanted.items() if text == f"{{{variable}}}")
    fitting = [row for row in value if all(str(row.get(key)) == text for key, text in known.items())]
    return list(dict.fromkeys(str(row[own]) for row in fitting))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A Markdown table, the first ``left`` columns flush left, the others flush right."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)]
    widths = [max(3, *(len(row[k]) for row in cells)) for k in range(len(header))]
    rule = ["-" * width if k < left else "-" * (width - 1) + ":" for k, width in enumerate(widths)]
    lines = [
        [
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in cells
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]]) + "\n"


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


def difference(expression: str, figure: Callable[[str], Figure]) -> Figure:
    """The figure of a cell, or the difference of two, None if one of them is."""
    names = expression.split(" - ", 1)
    values = [figure(name) for name in names]
    if len(values) == 1 or None in values:
        return None if None in values else values[0]
    first, second = map(number, values, names)
    return first - second


def as_figure(figures: Any, path: str, name: str) -> Figure:
    """The figure at a path; None if it is undefined. Raises CrossarcError if there is none."""
    value = lookup(figures, path)
    if value is None or isinstance(value, (int, float, str)):
        return value
    raise CrossarcError(f"{name}: not a figure")


def _minus(ours: Figure, theirs: Figure) -> tuple[Figure, str]:
    if not isinstance(ours, int | float) or not isinstance(theirs, int | float):
        return None, "–"
    minus = ours - theirs
    return minus, f"{minus:+d}" if isinstance(minus, int) else f"{minus:+.2f}"
