"""Tables on pages and in reports: each is a call in the template of its page.

    {{ table("las", "{treebank}/performance/{parser}/{score}", corner="LAS",
       rows={"treebank": ["Gothic-PROIEL", "Danish-CDT"]}, columns={"parser": ["P0", "P1"]}, score="las",
       test="{treebank}/significance/{score}/first=P0,second={parser}", arrows="P0, McNemar's test") }}

The first two arguments are the name of the table, and the path of a figure in the results of the folder, with variables
(see :func:`~.figures.lookup`). There is one row for each combination of the values of the variables in ``rows``, one
column for each combination of those in ``columns``; other variables have one value for all cells. Values are a list, a
mapping to titles, or ``"*"``: all values in the results, except those that begin with ``by_``, which are figures of
charts that ``results.json`` lacks. Further arguments:

- ``results``: file without .json (default: results), also of a page in the folder beside: ``raw_text:results``.
- ``corner``: heading above the titles of the rows (default: the names of their variables).
- ``digits``: number of decimals (default: 2).
- ``per``: path of a figure by which that of the cell is divided, so that costs of one run can be compared.
- ``missing``: whether figures that the results lack are dashes.
- ``test``: path of a pairwise test, shown by an arrow. ``arrows``: the other parser, and the kind of test.
- ``p`` and ``base``, where results have no list of pairwise tests: paths of the probability, and of the figure of the
  other parser (without it, the cell's figure is a difference).
- ``bold``: the columns whose highest figure in each row is bold, or true for all. ``best``: columns whose highest
  figure of each treebank is bold: of the rows that differ in the last variable only.
- ``file``: whether all figures are written as CSV beside the page, ``figures/NAME.csv``.
- ``published``: in reports, the path in ``published.json`` of the published figures, which are shown below each row.

Columns that differ in more than one variable are a sum of lists:

    columns=column("arcs", "crossing arcs, %", "{treebank}/statistics/arcs_percent", test="")
            + each("parser", ["P0", "P1"])

Probabilities are corrected by Holm's method over the tests of the table, except those of pairwise tests without the
counts b and c, which are corrected already. Arrows, and words of pages such as "better", follow the corrected ones.
McNemar's tests over words are made less sensitive first, see :func:`.comparisons.over_sentences`.

Arguments must not depend on figures, which are known when all tables are made.

A report is a page, too: ``NAME.report.j2`` beside the YAML file of its experiment. Its tables have the figures of the
run in place of those in ``results.json`` and similar files, and omit rows without figures. Only treebanks with the key
``published`` or ``beside`` have rows with published figures; {treebank} is then the value of this key, and {set title}
the title of a set.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress, pairwise
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple, TypeVar

from ...parser.base.errors import CrossarcError, check_names, choices
from ...parser.base.latex import SPECIAL
from ...parser.evaluate.percent import Json, Result, percentage
from .comparisons import Entry, Test, base_test, correct, embolden, pair_test
from .figures import Figure, as_figure, fitting, lookup, number, of_treebank, selection
from .registry import published_file

MCNEMAR = "McNemar's test"
"""The end of ``arrows`` of tables whose tests are over words, as are those of tables without this argument."""
ALL = "*"
ARGUMENTS = ("rows", "columns", "corner", "arrows", "bold", "best", "file", "published")
TEX = str.maketrans(
    {**SPECIAL, "–": "--", "−": "$-$"}
    | {"⇑": "$\\Uparrow$", "↑": "$\\uparrow$", "⇓": "$\\Downarrow$", "↓": "$\\downarrow$", "σ": "$\\sigma$"}
)
"""Characters that LaTeX writes otherwise."""
Key = tuple[tuple[str, str], ...]
"""The value and the title of each variable of a row."""
Values = Mapping[str, str] | Sequence[str]
"""The values of a variable, with or without titles; the text ``"*"`` for all."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CellOptions:
    """Where the figure and the test of a cell are, see the top of this module."""

    cell: str
    results: str = "results"
    digits: int = 2
    per: str = ""
    test: str = ""
    p: str = ""
    base: str = ""
    missing: bool = False


class Column(NamedTuple):
    """A column: key, title, values of variables, and how its cells differ from the others of the table."""

    key: str
    title: str
    values: Mapping[str, str]
    changes: Mapping[str, Any]


def column(key: str, title: str = "", cell: str = "", **more: Any) -> list[Column]:
    """One column. title: default: the key. more: arguments of :class:`CellOptions`, and values of variables."""
    changes = {name: more.pop(name) for name in CellOptions.__slots__ if name in more}
    return [Column(key, title or key, more, {**changes, **({"cell": cell} if cell else {})})]


def each(variable: str, values: Values, cell: str = "", **more: Any) -> list[Column]:
    """A column for each value of a variable. more: as for :func:`column`.

    Raises CrossarcError for a variable with the name of an argument.
    """
    if variable in CellOptions.__slots__:
        raise CrossarcError(f"variable {variable!r} is an argument; choose another name")
    of_values = (column(value, title, cell, **{**more, variable: value}) for value, title in titled(values).items())
    return list(chain.from_iterable(of_values))


def titled(values: Values) -> dict[str, str]:
    """Values and their titles."""
    pairs = values.items() if isinstance(values, Mapping) else ((value, value) for value in values)
    return {str(value): str(title) for value, title in pairs}


@dataclass(frozen=True, slots=True)
class Table:
    """The contents of a table.

    left: titles of the columns with row names.
    columns: titles of the other columns, by key.
    rows: the cells of each row, by the values and titles of its variables.
    variables: the variables of the rows.
    family: number of tests over which probabilities are corrected; 0 if they were corrected before.
    arrows: the other parser of each test, and the kind of test ("": no legend).
    file: whether all figures are written as CSV.
    """

    left: Sequence[str]
    columns: Mapping[str, str]
    rows: Mapping[Key, Sequence[Entry]]
    variables: Sequence[str]
    family: int
    arrows: str = ""
    file: bool = False

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
        *row, name = names
        rows = [
            entries
            for key, entries in self.rows.items()
            if len(row) == len(key) and all(text in titles for text, titles in zip(row, key, strict=True))
        ]
        places = [place for place, key in enumerate(self.columns) if key == name]
        places = places or [place for place, title in enumerate(self.columns.values()) if title == name]
        if len(rows) != 1:
            known = ["/".join(title for _, title in key) for key in self.rows]
            raise CrossarcError(f"row {choices('/'.join(row), known)}")
        if len(places) != 1:
            raise CrossarcError(f"column {choices(name, list(self.columns))}")
        return rows[0][places[0]]


@dataclass(frozen=True)
class TableMaker:
    """Makes tables from the results of a folder, or from those of a run.

    folder: the folder of the page, or of the experiment.
    run: the figures of a run, some of which may be missing (None: the tables belong to a page).
    twins: for each treebank of a run with published figures, its name in the paper and the title of the row with them.
    documents: the figures in files that were read, by the name of :meth:`document`.
    """

    folder: Path
    run: Any = None
    twins: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    documents: dict[str, Any] = field(default_factory=dict)

    def make(
        self,
        cell: str,
        rows: Mapping[str, Values],
        columns: Mapping[str, Values] | Sequence[Column],
        *,
        corner: str | None = None,
        arrows: str = "",
        bold: Sequence[str] | bool = (),
        best: Sequence[str] = (),
        file: bool = False,
        published: str = "",
        whole: bool = False,
        **more: Any,
    ) -> Table:
        """A table, see the top of this module. more: arguments of :class:`CellOptions`, and values of variables.

        whole: whether rows without figures stay in reports, as the points of charts do.

        Raises CrossarcError for figures that the results lack, and for arguments and variables without effect.
        """
        cells = CellOptions(cell, **{name: more.pop(name) for name in CellOptions.__slots__ if name in more})
        if published and (self.run is None or "treebank" not in rows or cells.results == "published"):
            raise CrossarcError("published: is for tables of reports with a row for each treebank")
        figures = _TableFigures(self, cells, arrows)
        listed: Any = columns
        if isinstance(columns, Mapping):
            listed = {name: values for name, values in columns.items() if values != ALL}
        keys = list(figures.keys(rows, figures.columns(listed, ())))
        shown = figures.columns(columns, [bound_values(rows, key) for key in keys])
        check_variables(cells, rows, shown, more)
        column_keys = [spec.key for spec in shown]
        if repeated := sorted({key for key in column_keys if column_keys.count(key) > 1}):
            raise CrossarcError(f"found several columns {', '.join(repeated)}; give them different keys")
        compared = column_keys if bold is True else bold or ()
        check_names("bold: column", compared, column_keys)
        check_names("best: column", best, column_keys)
        table: dict[Key, Sequence[Entry]] = {
            key: [figures.entry(spec, {**more, **spec.values, **bound_values(rows, key)}) for spec in shown]
            for key in keys
        }
        if self.run is not None and not whole:
            table = {key: row for key, row in table.items() if any(entry.figure is not None for entry in row)}
        groups: dict[Key, list[Sequence[Entry]]] = {}
        for key, row in table.items():
            groups.setdefault(key[:-1], []).append(row)
            embolden([entry for entry, spec in zip(row, shown, strict=True) if spec.key in compared])
        for place, spec in enumerate(shown):
            for group in groups.values() if spec.key in best else ():
                embolden([row[place] for row in group])
        family = correct(list(table.values()))
        if published:
            table = {
                name: row
                for key in table
                for name, row in figures.with_published(key, table[key], rows, shown, published)
            }
        if self.run is not None and isinstance(columns, Mapping) and ALL in columns.values():
            there = [any(entry.figure is not None for entry in place) for place in zip(*table.values(), strict=True)]
            shown = list(compress(shown, there))
            table = {key: list(compress(row, there)) for key, row in table.items()}
        left = list(rows) if corner is None else [corner, *[""] * (len(rows) - 1)]
        return Table(left, {spec.key: spec.title for spec in shown}, table, list(rows), family, arrows, file)

    def document(self, name: str) -> Any:
        """The figures in a file of the folder: its name without .json, or ``FOLDER:NAME`` for one of a folder beside.

        Those of a run stand for all results. A module in a folder of its own finds ``published.json`` in the one above.

        Raises CrossarcError if there is no such file.
        """
        if self.run is not None and name != "published":
            check_names("results: found", [name.partition("-")[0]], ["results", "published"])
            return self.run
        if name not in self.documents:
            beside, colon, stem = name.rpartition(":")
            folders = [self.folder.with_name(beside)] if colon else [self.folder, self.folder.parent]
            file = next((file for folder in folders if (file := folder / f"{stem}.json").is_file()), None)
            if file is None:
                raise CrossarcError(f"no results in {stem}.json")
            document = json.loads(file.read_text("utf-8"))
            self.documents[name] = document.get("figures", document)
        return self.documents[name]


def bound_values(variables: Mapping[str, Values], key: Key) -> dict[str, str]:
    """The values of the variables, or of the first of them."""
    return dict(zip(variables, (value for value, _ in key), strict=False))


def variables_of(*paths: str) -> set[str]:
    """The names of the variables in paths."""
    return {name for path in paths for _, name, _, _ in Formatter().parse(path) if name}


def check_variables(
    cells: CellOptions, rows: Mapping[str, Values], columns: Sequence[Column], more: Mapping[str, str]
) -> None:
    """Raise CrossarcError for variables without effect: not in the paths of a cell, or with two values for one cell.

    columns: of the table. more: the variables with one value for all cells.
    """

    of_columns = [
        variables_of(options.cell, options.per, options.test, options.p, options.base)
        for options in (replace(cells, **spec.changes) for spec in columns)
    ]
    allowed = [*ARGUMENTS, *CellOptions.__slots__[1:]]
    for spec, names in zip(columns, of_columns, strict=True):
        check_names(f"column {spec.key}: unknown argument", spec.values.keys() - names, allowed)
        if twice := sorted(rows.keys() & spec.values.keys()):
            raise CrossarcError(f"column {spec.key}: {', '.join(twice)}: has values in the rows, too")
    check_names("unknown argument", more.keys() - set().union(*of_columns), allowed)
    if twice := sorted(rows.keys() & more.keys()):
        raise CrossarcError(f"{', '.join(twice)}: has values in the rows, too")


def _path(text: str, names: Mapping[str, str]) -> str:
    """A path with the values of its variables. Raises CrossarcError for unknown ones."""
    try:
        return text.format(**names)
    except KeyError as error:
        raise CrossarcError(f"{text}: no variable {error}; allowed: {', '.join(names)}") from error
    except (IndexError, ValueError) as error:
        raise CrossarcError(f"{text}: {error}; write {{variable}}") from error


@dataclass(frozen=True, slots=True)
class _TableFigures:
    """Rows, columns and cells of one table in the results."""

    maker: TableMaker
    cells: CellOptions
    arrows: str

    def keys(self, rows: Mapping[str, Values], columns: Sequence[Column], bound: Key = ()) -> Iterator[Key]:
        """All combinations of the variables' values with their titles.

        columns: some or all columns of the table, whose cells show what values there are.
        bound: values of the first variables.
        """
        if len(bound) == len(rows):
            yield bound
            return
        variable = list(rows)[len(bound)]
        for value in self._chosen(variable, rows[variable], bound_values(rows, bound), columns).items():
            yield from self.keys(rows, columns, (*bound, value))

    def columns(self, columns: Any, rows: Sequence[Mapping[str, str]]) -> list[Column]:
        """The columns of a table. rows: the values of the variables of each row."""
        if not isinstance(columns, Mapping):
            return list(columns)
        combinations: dict[Key, None] = {(): None}
        for variable, values in columns.items():
            combinations = dict.fromkeys(
                (*pairs, pair)
                for pairs in combinations
                for names in (rows if values == ALL else ({},))
                for pair in self._chosen(variable, values, {**names, **bound_values(columns, pairs)}, ()).items()
            )
        specs = []
        for pairs in combinations:
            key, title = ", ".join(key for key, _ in pairs), ": ".join(title for _, title in pairs)
            specs.append(Column(key, title, bound_values(columns, pairs), {}))
        return specs

    def entry(self, spec: Column, names: Mapping[str, str]) -> Entry:
        """A cell with its test. names: the values of variables."""
        cells = replace(self.cells, **spec.changes)
        path, figures = _path(cells.cell, names), self.maker.document(cells.results)
        value = self._unless_missing(cells, lambda: as_figure(figures, path, path))
        if cells.per and value is not None:
            per = _path(cells.per, names)
            value = number(value, path) / number(as_figure(figures, per, per), per)
        text = "–" if value is None else f"{value:.{cells.digits}f}" if isinstance(value, float) else str(value)
        test, p, base = (_path(path, names) for path in (cells.test, cells.p, cells.base))
        filled = replace(cells, test=test, p=p, base=base)
        return Entry(value, text, self._unless_missing(cells, lambda: self._test(filled, value)))

    def with_published(
        self, key: Key, ours: Sequence[Entry], rows: Mapping[str, Values], columns: Sequence[Column], path: str
    ) -> Iterator[tuple[Key, Sequence[Entry]]]:
        """A row and the rows below it: of published figures, if there are any, and of differences."""
        yield key, ours
        names = bound_values(rows, key)
        treebank, title = self.maker.twins.get(names.get("treebank", ""), ("", ""))
        names |= {f"{variable} title": shown for variable, (_, shown) in zip(rows, key, strict=True)}
        cells = {"cell": path, "results": "published", "per": "", "test": "", "p": "", "missing": True}
        theirs = []
        for spec in columns if treebank else ():
            values = {**names, **spec.values, "treebank": treebank}
            known = variables_of(path) <= values.keys()
            changed = spec._replace(changes={**spec.changes, **cells})
            theirs.append(self.entry(changed, values) if known else Entry(None, "–"))
        below = (*key[:-1], (key[-1][0], f"*{key[-1][1]}, {title}*"))
        if any(entry.figure is not None for entry in theirs):
            yield below, theirs
            if title == "published":
                both = zip(ours, theirs, strict=True)
                difference = (key[-1][0], f"*{key[-1][1]}, difference*")
                yield (*key[:-1], difference), [_minus(entry.figure, other.figure) for entry, other in both]

    def _test(self, cells: CellOptions, figure: Figure) -> Test | None:
        """The test of a cell with the given paths; None without one, and for a parser and itself."""
        if cells.test:
            return pair_test(self.maker.document(cells.results), cells.test)
        if cells.p:
            mcnemar = (self.arrows or MCNEMAR).endswith(MCNEMAR)
            return base_test(self.maker.document(cells.results), cells.p, figure, cells.base or None, mcnemar)
        return None

    def _unless_missing(self, cells: CellOptions, find: Callable[[], T]) -> T | None:
        """What is found; None if it is missing and may be."""
        try:
            return find()
        except CrossarcError:
            if self.maker.run is None and not cells.missing:
                raise
        return None

    def _chosen(
        self, variable: str, values: Any, names: Mapping[str, str], columns: Sequence[Column]
    ) -> dict[str, str]:
        """Values and titles; for "*" from the results. names: values of the variables before."""
        if values != ALL:
            return titled(values)
        shown: dict[str, None] = {}
        for changes, more in [({}, {}), *((spec.changes, spec.values) for spec in columns)]:
            cells = replace(self.cells, **changes)
            if f"{{{variable}}}" in cells.cell:
                document = self.maker.document(cells.results)
                shown |= dict.fromkeys(_values_of(variable, cells.cell, {**more, **names}, document))
        return titled(list(shown))


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
        before, _, behind = steps[place].partition(f"{{{variable}}}")
        if "{" in before + behind:
            return []
        whole = re.compile(f"{re.escape(before)}(.*){re.escape(behind)}")
        matches = (whole.fullmatch(str(key)) for key in value if not str(key).startswith("by_"))
        return [match[1] for match in matches if match]
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
