"""Tables on pages and in reports, described by ``tables.yaml``.

The folder of a page has the results of an experiment (``results.json``, or several such files) and ``tables.yaml``,
which selects figures for each table:

    las:                                  # name of the table
      results: results                    # file without .json (default: results)
      corner: LAS                         # heading above the row names (default: names of the rows' variables)
      rows: {treebank: [Gothic, Danish], parser: [P0, P1]}    # one row per combination; a mapping also gives titles
      columns: {las: LAS, uas: UAS}       # value of {column} and title; a list if both are the same
      cell: "{treebank}/performance/{parser}/{column}"        # path of the figure
      test: "{treebank}/significance/las/first=P0,second={column}"    # optional: a pairwise test, shown by an arrow
      arrows: P0, McNemar's test          # if there are tests: the other parser of each, and the kind of test
      digits: 2
      file: true                          # optional: all figures as CSV beside the page, figures/NAME.csv
      chart: {x: gain in LAS}             # optional: a dot chart, charts/NAME.svg, with the label of its axis
      bold: [las, uas]                    # optional: columns whose highest figure in each row is bold
      best: [las, uas]                    # optional: columns whose highest figure of each treebank is bold: of the rows
                                          # that differ in the last variable only

A column may be a mapping with ``title`` and its own ``cell``, ``test``, ``digits`` and ``results``; these may be of a
page in the folder beside: ``raw_text:results``. Its figures are divided by the one at the path ``per``, so that costs
of one run can be compared. With ``missing: true``, figures that the results lack are dashes. ``"*"`` instead of the
values of a variable, or instead of the columns, means all values in the results, except those that begin with ``by_``:
figures of charts, which are not in ``results.json``.

Where results have no list of pairwise tests, ``p`` instead of ``test`` is the path of the probability, and ``base``
that of the figure of the other parser (without it, the cell's figure is a difference). Probabilities are corrected by
Holm's method over the tests of the table, except those of pairwise tests without the counts b and c, which are
corrected already. Arrows, and words of pages such as "better", follow the corrected ones. McNemar's tests over words
are made less sensitive first, see :func:`.comparisons.over_sentences`.

A chart with ``across: VARIABLE`` has lines over the values of that variable, or over the figures of a column of this
name: one line for each other column and each combination of other variables. Further keys are ``title``, the labels
``x`` and ``y`` of the axes, and ``log`` (``x`` or ``xy``) for logarithmic axes. If the name of the table has variables,
as in "{treebank}-las", each of their values has its own chart, whose title and labels may name them, too. A report only
draws a table without ``title``.

A table with the key ``report`` belongs to the report of a run instead of a page. With YAML's ``<<`` it can share the
description of a table of a page:

    report-4:
      <<: *table-4
      report: kuhlmann-nivre-2010         # the experiment
      title: "Table 4: performance"       # heading of the table
      note: All tokens are counted.       # optional paragraph below the heading
      rows: {treebank: "*", parser: "*"}
      published: "tables/4/rows/language={treebank},parser={parser}/{column}"    # optional

Tables of reports use the figures of the run instead of ``results.json`` and similar files, and omit rows without
figures. ``published`` is the path in ``published.json`` of the published figures, which are shown below the row. Only
treebanks with the key ``published`` or ``beside`` have such rows; {treebank} is then the value of this key, and {set
title} the title of a set.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from pathlib import Path
from typing import Any, TypeVar

import yaml

from ...parser.base.errors import CrossarcError, check_names, choices
from ...parser.base.latex import SPECIAL
from ...parser.evaluate.percent import Json, Result, percentage
from .comparisons import Entry, Test, base_test, correct, embolden, pair_test
from .figures import Figure, as_figure, fitting, lookup, number, of_treebank, selection
from .registry import published_file

MCNEMAR = "McNemar's test"
"""The end of ``arrows`` of tables whose tests are over words, as are those of tables without this key."""
COLUMN_KEYS = ("title", "results", "cell", "per", "test", "p", "base", "digits", "missing")
KEYS = (
    *COLUMN_KEYS, "corner", "rows", "columns", "report", "note", "published", "bold", "best", "arrows", "chart", "file",
)  # fmt: skip
ALL = "*"
TEX = str.maketrans(
    {**SPECIAL, "–": "--", "−": "$-$"}
    | {"⇑": "$\\Uparrow$", "↑": "$\\uparrow$", "⇓": "$\\Downarrow$", "↓": "$\\downarrow$", "σ": "$\\sigma$"}
)
"""Characters that LaTeX writes otherwise."""
Key = tuple[tuple[str, str], ...]
"""The value and the title of each variable of a row."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Table:
    """The contents of a table.

    left: titles of the columns with row names.
    columns: titles of the other columns, by key.
    rows: the cells of each row, by the values and titles of its variables.
    family: number of tests over which probabilities are corrected; 0 if they were corrected before.
    spec: the description of the table.
    """

    left: Sequence[str]
    columns: Mapping[str, str]
    rows: Mapping[Key, Sequence[Entry]]
    family: int
    spec: Mapping[str, Any]

    def markdown(self, widest: int | None = None) -> str:
        """The table on a page. widest: maximum number of columns; a wider table is transposed or printed in parts."""
        (header, *rows), left = self._rows("text"), len(self.left)
        if widest is None or len(header) <= widest:
            return markdown_table(header, rows, left)
        if left == 1 and len(rows) < widest:
            header, *rows = map(list, zip(header, *rows, strict=True))
            return markdown_table(header, rows)
        parts = -(-len(self.columns) // (widest - left))
        ends = [left + len(self.columns) * part // parts for part in range(parts + 1)]
        kept = ([[*row[:left], *row[begin:end]] for row in (header, *rows)] for begin, end in pairwise(ends))
        return "\n".join(markdown_table(head, cells, left) for head, *cells in kept)

    def csv(self) -> str:
        """The table as CSV, with unrounded figures and without arrows."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(self._rows("figure"))
        return out.getvalue()

    def latex(self, caption: str) -> str:
        """The table for LaTeX with the package ``booktabs``."""
        lines = (" & ".join(str(cell).strip().translate(TEX) for cell in row) for row in self._rows("text"))
        head, *rows = (f"{line} \\\\" for line in lines)
        columns = "l" * len(self.left) + "r" * len(self.columns)
        begin = ["\\begin{table}", "\\centering", f"\\begin{{tabular}}{{{columns}}}", "\\toprule", head, "\\midrule"]
        end = ["\\bottomrule", "\\end{tabular}", f"\\caption{{{caption.translate(TEX)}}}", "\\end{table}", ""]
        return "\n".join([*begin, *rows, *end])

    def _rows(self, side: str) -> list[list[Any]]:
        """The titles of the columns, then each row with its titles. side: ``figure`` or ``text``."""
        rows = (
            [*(title for _, title in key), *(getattr(entry, side) for entry in entries)]
            for key, entries in self.rows.items()
        )
        return [[*self.left, *self.columns.values()], *rows]

    def cell(self, names: Sequence[str]) -> Entry:
        """A cell. Raises CrossarcError if there is no such cell, or if there are several.

        names: the values or titles of the row's variables, then the key or title of the column.
        """
        *row, column = names
        rows = [
            entries
            for key, entries in self.rows.items()
            if len(row) == len(key) and all(name in titles for name, titles in zip(row, key, strict=True))
        ]
        columns = [place for place, key in enumerate(self.columns) if key == column]
        columns = columns or [place for place, title in enumerate(self.columns.values()) if title == column]
        if len(rows) != 1:
            known = ["/".join(title for _, title in key) for key in self.rows]
            raise CrossarcError(f"row {choices('/'.join(row), known)}")
        if len(columns) != 1:
            raise CrossarcError(f"column {choices(column, list(self.columns))}")
        return rows[0][columns[0]]


def load_specs(folder: Path) -> dict[str, Any]:
    """The descriptions of tables in ``tables.yaml`` of a folder."""
    return yaml.safe_load((folder / "tables.yaml").read_text("utf-8"))


def documents_in(folder: Path) -> dict[str, Any]:
    """The figures of the JSON files in a folder, by file name without extension, and of pages that tables name."""
    files = {file.stem: file for file in sorted(folder.glob("*.json"))}
    for spec in load_specs(folder).values() if (folder / "tables.yaml").exists() else ():
        for part in (spec, *_column_specs(spec)):
            page, colon, name = part.get("results", "").partition(":")
            if colon:
                files[part["results"]] = folder.with_name(page) / f"{name}.json"
    documents = {name: json.loads(file.read_text("utf-8")) for name, file in files.items()}
    return {name: document.get("figures", document) for name, document in documents.items()}


def _column_specs(spec: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The descriptions of columns that have one of their own."""
    columns = spec.get("columns")
    described = columns.values() if isinstance(columns, Mapping) else ()
    return [column for column in described if isinstance(column, Mapping)]


def make_table(
    spec: Mapping[str, Any], documents: Mapping[str, Any], called: Mapping[str, tuple[str, str]] | None = None
) -> Table:
    """The table that ``spec`` describes.

    documents: figures by file.
    called: for the report of a run, whose figures may be missing: for each treebank with published figures, its name
        in the paper and the title of the row with these figures (None: the table belongs to a page).

    Raises CrossarcError for errors in ``spec``.
    """
    layout = _Layout(spec, documents, missing=called is not None)
    keys = list(layout.rows())
    columns = layout.columns(keys)
    for place, given_keys, known in (
        ("", spec, KEYS),
        *(("column: ", given_keys, COLUMN_KEYS) for given_keys in columns.values()),
    ):
        check_names(f"{place}unknown key", given_keys, known)
    rows: dict[Key, Sequence[Entry]] = {
        key: [
            layout.entry({**spec, **column}, {**layout.values(key), "column": name}) for name, column in columns.items()
        ]
        for key in keys
    }
    if called is not None and "chart" not in spec:
        rows = {key: cells for key, cells in rows.items() if any(cell.figure is not None for cell in cells)}
    groups: dict[Key, list[Sequence[Entry]]] = {}
    for key, cells in rows.items():
        groups.setdefault(key[:-1], []).append(cells)
        embolden([cell for cell, name in zip(cells, columns, strict=True) if name in spec.get("bold", ())])
    for column, name in enumerate(columns):
        for group in groups.values() if name in spec.get("best", ()) else ():
            embolden([cells[column] for cells in group])
    family = correct(list(rows.values()))
    if called and "published" in spec:
        rows = {
            name: entries for key in rows for name, entries in layout.published(key, rows[key], columns, called).items()
        }
    if called is not None and spec["columns"] == ALL:
        there = [any(cell.figure is not None for cell in cells) for cells in zip(*rows.values(), strict=True)]
        columns = dict(compress(columns.items(), there))
        rows = {key: list(compress(cells, there)) for key, cells in rows.items()}
    corner = spec.get("corner")
    left = list(spec["rows"]) if corner is None else [corner, *[""] * (len(spec["rows"]) - 1)]
    return Table(left, {key: column["title"] for key, column in columns.items()}, rows, family, spec)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Rows, columns and cells of a table. missing: whether figures may be missing."""

    spec: Mapping[str, Any]
    documents: Mapping[str, Any]
    missing: bool

    def rows(self, bound: Key = ()) -> Iterator[Key]:
        """All combinations of the variables' values with their titles. bound: values of the first variables."""
        if len(bound) == len(self.spec["rows"]):
            yield bound
            return
        variable = list(self.spec["rows"])[len(bound)]
        for value in self._titled(variable, self.spec["rows"][variable], bound).items():
            yield from self.rows((*bound, value))

    def columns(self, rows: Sequence[Key]) -> dict[str, Mapping[str, Any]]:
        """For each value of {column}, its title and the keys that differ from those of the table."""
        columns_spec = self.spec["columns"]
        titled: dict[str, Any] = {}
        for bound in rows if columns_spec == ALL else ((),):
            titled |= self._titled("column", columns_spec, bound)
        return {key: value if isinstance(value, Mapping) else {"title": value} for key, value in titled.items()}

    def values(self, key: Key) -> dict[str, str]:
        """The values of the variables of a row."""
        return dict(zip(self.spec["rows"], (value for value, _ in key), strict=True))

    def entry(self, spec: Mapping[str, Any], names: Mapping[str, str]) -> Entry:
        """A cell with its test."""
        path = spec["cell"].format(**names)
        value = self._found(spec, lambda: as_figure(self._document(spec), path, path))
        if spec.get("per") and value is not None:
            per = spec["per"].format(**names)
            value = number(value, path) / number(as_figure(self._document(spec), per, per), per)
        text = "–" if value is None else str(value)
        return Entry(
            value,
            f"{value:.{spec.get('digits', 2)}f}" if isinstance(value, float) else text,
            self._found(spec, lambda: self._test(spec, names, value)),
        )

    def published(
        self, key: Key, ours: Sequence[Entry], columns: Iterable[str], called: Mapping[str, tuple[str, str]]
    ) -> dict[Key, Sequence[Entry]]:
        """A row and the rows below it: of published figures, if there are any, and of differences."""
        names = self.values(key)
        treebank, title = called.get(names.get("treebank", ""), ("", ""))
        names |= {f"{variable} title": value for variable, (_, value) in zip(self.spec["rows"], key, strict=True)}
        spec = {"digits": self.spec.get("digits", 2), "results": "published", "cell": self.spec["published"]}
        rows: dict[str, Sequence[Entry]] = {}
        theirs = [self.entry(spec, {**names, "treebank": treebank, "column": column}) for column in columns if treebank]
        if any(entry.figure is not None for entry in theirs):
            rows = {title: theirs}
            if title == "published":
                rows["difference"] = [
                    _minus(entry.figure, other.figure) for entry, other in zip(ours, theirs, strict=True)
                ]
        return {key: ours} | {
            (*key[:-1], (key[-1][0], f"*{key[-1][1]}, {name}*")): entries for name, entries in rows.items()
        }

    def _test(self, spec: Mapping[str, Any], names: Mapping[str, str], figure: Figure) -> Test | None:
        """The test of a cell; None without one, and for a parser and itself."""
        if spec.get("test"):
            return pair_test(self._document(spec), spec["test"].format(**names))
        if spec.get("p"):
            base, mcnemar = spec.get("base"), self.spec.get("arrows", MCNEMAR).endswith(MCNEMAR)
            base = base and base.format(**names)
            return base_test(self._document(spec), spec["p"].format(**names), figure, base, mcnemar)
        return None

    def _found(self, spec: Mapping[str, Any], find: Callable[[], T]) -> T | None:
        """What is found; None if it is missing and may be."""
        try:
            return find()
        except CrossarcError:
            if not (self.missing or spec.get("missing")):
                raise
        return None

    def _titled(self, variable: str, values: Any, bound: Key) -> dict[str, Any]:
        """Keys and their titles, from a mapping, from a list, or for "*" from the results."""
        if values == ALL:
            specs = [self.spec, *({**self.spec, **column} for column in _column_specs(self.spec))]
            spec = next(spec for spec in specs if f"{{{variable}}}" in spec.get("cell", ""))
            names = {name: value for name, (value, _) in zip(self.spec["rows"], bound, strict=False)}
            values = _values_of(variable, spec["cell"], names, self._document(spec))
        pairs = values.items() if isinstance(values, Mapping) else ((value, str(value)) for value in values)
        return {str(key): title for key, title in pairs}

    def _document(self, spec: Mapping[str, Any]) -> Any:
        file = spec.get("results", "results")
        file = "results" if self.missing and file.startswith("results") else file
        if file not in self.documents:
            raise CrossarcError(f"no results in {file}.json")
        return self.documents[file]


def _values_of(variable: str, path: str, names: Mapping[str, str], figures: Any) -> list[str]:
    """Possible values of a variable in a path. names: values of the variables before it.

    They are the keys of a mapping, the numbers of the items of a list, or the values of a column of a list of rows.
    """
    steps = path.split("/")
    place = next(k for k, step in enumerate(steps) if f"{{{variable}}}" in step)
    try:
        value = lookup(figures, "/".join(steps[:place]).format(**names)) if place else figures
    except (CrossarcError, KeyError):
        return []
    if isinstance(value, Mapping):
        return [str(key) for key in value if not str(key).startswith("by_")]
    if "=" not in steps[place]:
        return [str(number) for number in range(1, 1 + len(value))]
    wanted = selection(steps[place])
    known = {key: text.format(**names) for key, text in wanted.items() if text.strip("{}") in names or "{" not in text}
    column = next(key for key, text in wanted.items() if text == f"{{{variable}}}")
    return list(dict.fromkeys(str(row[column]) for row in fitting(value, known)))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A Markdown table. left: number of columns that are aligned left; the others are aligned right."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)]
    widths = [max(3, *(len(row[k]) for row in cells)) for k in range(len(header))]
    rule = ["-" * width if k < left else "-" * (width - 1) + ":" for k, width in enumerate(widths)]

    def line(row: Sequence[str]) -> str:
        places = enumerate(zip(row, widths, strict=True))
        return (
            f"| {' | '.join(cell.ljust(width) if k < left else cell.rjust(width) for k, (cell, width) in places)} |\n"
        )

    return "".join(map(line, [cells[0], rule, *cells[1:]]))


def _minus(ours: Figure, theirs: Figure) -> Entry:
    if not isinstance(ours, int | float) or not isinstance(theirs, int | float):
        return Entry(None, "–")
    minus = ours - theirs
    return Entry(minus, f"{minus:+d}" if isinstance(minus, int) else f"{minus:+.2f}")


def picked(result: Result | Mapping[str, Any], paths: Mapping[str, str]) -> dict[str, Json]:
    """Figures of a result by name, each from its path in the result as JSON (see :func:`lookup`).

    Figures of labels and other values that the treebank lacks are None.
    """
    values = result.to_json() if isinstance(result, Result) else result
    return {name: _figure_of(values, path) for name, path in paths.items()}


def _figure_of(values: Any, path: str) -> Any:
    try:
        return lookup(values, path)
    except CrossarcError:
        if of_treebank(path):
            return None
        raise


def lift_shares(lifts: Mapping[str, int], arcs: int) -> dict[str, Json]:
    """The percentages of arcs that need 1, 2, 3 and more lifts, from the number of arcs for each number of lifts."""
    few: dict[str, Json] = {f"lifts_{steps}": percentage(lifts.get(steps, 0), arcs) for steps in "123"}
    return {**few, "lifts_more": percentage(sum(count for steps, count in lifts.items() if int(steps) > 3), arcs)}


def published_rows(paper: str, table: str, **where: str) -> list[dict[str, Any]]:
    """The rows of a published table whose columns have the given values."""
    text = published_file(paper).read_text("utf-8")
    rows = json.loads(text)["tables"][table]["rows"]
    return [row for row in rows if all(row[key] == value for key, value in where.items())]
