"""Pages: render them from their templates, and write their generated parts. ``make docs`` runs this module.

A page with figures of results, ``README.md``, is rendered from ``README.md.j2`` beside it, a template of Jinja;
``tables.md``, with tables that are too long or too wide for it, from ``tables.md.j2``. Their expressions make tables of
the results in the same folder (:mod:`~crossarc.experiments.harness.tables`) and name them, also before they are made:

    {{ table("las", "{treebank}/{parser}/las", ...) }}       the table
    {{ define("pairs", ...) }}                               nothing; a table for the expressions below
    {{ chart("las", x="LAS") }}                              nothing; charts of a table made before (:mod:`.charts`)
    {{ chart("speed", "{parser}/speed", ..., x="words") }}   nothing; charts of a table that is made for them
    {{ cell("las/Gothic/P1") | digits }}                     a figure: table, row, column; two decimals
    {{ (cell("A") - cell("B")) | digits(1, "+") }}           one decimal, with a sign
    {{ cell("results:Gothic/words") | digits(0) }}           a figure of results.json by its path
    {{ reduction("las/Danish/P0", "las/Danish/P1") | digits }}    error reduction in percent
    {{ count("las/*/P1", "las/*/P0") }}                      "8 of 9": the rows in which the first figure is higher
    {{ check(cell("las/Gothic/P1") < 90) }}                  nothing; an error if it does not hold
    {{ generated("learners") }}                              a part from the code
    {#- source: a command, or a paper #}                     the origin of figures without a committed result

Words for comparisons are written by functions, so that a page claims only what the results show:

    P1 is {{ better("las/Gothic/P1") }} than P0.             "better"; an error if the test of the cell does not show it
    P1 is {{ better("las/*/P1", than="P0") }}.               "better than P0 on Gothic and Danish", or "nowhere ..."
    P2 is {{ worse("las/*/P2", "uas/*/P2", level=0.01) }}.   "worse on 6 of 9 treebanks": in both tables
    P1 is {{ same("las/Gothic/P1") }}.                       "not significantly different"
    P1 is {{ differs("las/*/P1") }}.                         "significantly different on Gothic"
    LAS is {{ higher("las/*/P1", "las/*/P0") }} (not tested).  figures of two cells; or lower
    {{ tests("las") }} tests                                 the number over which the tests of a table are corrected
    P1 gains {{ gain("las/Gothic/P1", "las/Gothic/P0") }}.   a positive difference with two decimals; or gain(A, B, 1)

One ``*`` stands for each value of a variable of the table's rows, and several cells must all fit. These functions
follow the corrected tests of the tables, which the arrows show as well. ``at="at", of="rates"`` replaces "on" and
"treebanks".

``FOLDER:NAME`` is a table of another folder, by the last part of its path: ``table("ud25:costs")``. Pages
outside of ``experiments`` have no templates. Their generated parts stand between ``<!-- generated: NAME -->`` or
``<!-- table: FOLDER:NAME -->`` and ``<!-- end -->``.

    python -m crossarc.experiments.harness.pages [--check]
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ...parser.base.errors import CrossarcError, choices
from ...parser.evaluate.percent import error_reduction
from .charts import Chart, charts_of
from .comparisons import RATIO, Entry
from .documentation import generated_parts
from .figures import Figure, as_figure, number
from .registry import ROOT
from .tables import MCNEMAR, Table, TableMaker
from .templates import rendered

FOLDERS = ("transitions", "oracles", "features", "parser", "configs", "experiments", "tests")
TEMPLATE = ".j2"
WIDEST = 8
"""Maximum number of columns of a table on a page, except for the tables of papers on ``tables.md``."""
WORDS = {
    "better": ("better", (1,)),
    "worse": ("worse", (-1,)),
    "same": ("not significantly different", (0,)),
    "differs": ("significantly different", (1, -1)),
    "higher": ("higher", ()),
    "lower": ("lower", ()),
}
"""Functions of templates: the words that each writes, and what the tests of its cells show."""
TREEBANK = re.compile(r"^([A-Z][A-Za-z_]+)-[\w-]+(?:,.*)?$")
MIX = re.compile(r"(?:German|Czech)-mix")
COMPOSITES = "\nGerman-mix and Czech-mix are [composites](../../README.md#treebanks): compare UAS.\n"
MOST_NAMES = 4  # names in one phrase; more are counted
PART = re.compile(r"<!-- (table|generated): (.*?) -->\n(?:(?!<!-- (?:table|generated): ).)*?<!-- end -->", re.S)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the templates of a folder make of its results.

    maker: makes tables from the results.
    tables: by name; those of other folders, too, as ``FOLDER:NAME``.
    charts: SVG by file name.
    """

    maker: TableMaker
    tables: MutableMapping[str, Table] = field(default_factory=dict)
    charts: dict[str, str] = field(default_factory=dict)

    def define(self, name: str, *arguments: Any, **more: Any) -> str:
        """Make a table, see :meth:`.TableMaker.make`. Raises CrossarcError for a name that another table has."""
        if name in self.tables:
            raise CrossarcError(f"{name}: is made twice; give one of the tables another name")
        if LATER in f"{arguments} {more}".replace("\\x00", LATER):
            raise CrossarcError(f"{name}: arguments depend on figures, which are not known yet")
        try:
            self.tables[name] = self.maker.make(*arguments, **more)
        except CrossarcError as error:
            raise CrossarcError(f"{name}: {error}") from error
        return ""

    def draw(self, name: str, *arguments: Any, **more: Any) -> str:
        """Draw the charts of a table, which is made if there are further arguments. more: of :class:`Chart` as well."""
        chart = Chart(**{key: more.pop(key) for key in Chart.__slots__ if key in more})
        if arguments or more:
            self.define(name, *arguments, **more, whole=True)
        self.charts.update(charts_of(name, self.table(name), chart))
        return ""

    def gather(self, template: Path) -> None:
        """Make the tables and charts of a template. Raises CrossarcError with the line of an error."""
        later = dict.fromkeys(self._functions(template), _later)

        def table(name: str, *arguments: Any, **more: Any) -> str:
            return self.define(name, *arguments, **more) if arguments or more else ""

        rendered(template, {**later, "table": table, "define": self.define, "chart": self.draw})

    def table(self, name: str) -> Table:
        """A table. Raises CrossarcError if there is none of this name."""
        if name not in self.tables:
            near = [table for table in self.tables if table.count(":") == name.count(":")]
            raise CrossarcError(f"table {choices(name, near)}")
        return self.tables[name]

    def entry(self, name: str) -> Entry:
        """The cell ``TABLE/ROW/COLUMN``. Raises CrossarcError if there is none."""
        table, *rest = name.split("/")
        try:
            return self.table(table).cell(rest)
        except CrossarcError as error:
            raise CrossarcError(f"{name}: {error}") from error

    def figure(self, name: str) -> Figure:
        """The figure of a cell, or of ``FILE:PATH`` in one of the results. Raises CrossarcError if there is none."""
        file, _, path = name.partition(":")
        if "/" in file or not path or name.partition("/")[0] in self.tables:
            return self.entry(name).figure
        return as_figure(self.maker.document(file), path, name)

    def cell(self, name: str) -> float:
        """As :meth:`figure`, as a number. Raises CrossarcError if the figure is undefined."""
        return number(self.figure(name), name)

    def count(self, higher: str | float, lower: str | float) -> str:
        """The number of rows in which the first figure is above the second, and the number of rows, as text.

        Each is a number, or the name of a cell in which ``*`` stands for each value of a variable of the rows. Rows
        with undefined figures do not count.
        """
        rows = self.rows(str(higher if isinstance(higher, str) else lower))
        held = [gain for row in rows if (gain := self.above(higher, lower, row)) is not None]
        return f"{sum(held)} of {len(held)}"

    def rows(self, cell: str) -> list[str]:
        """The titles that ``*`` stands for in the name of a cell."""
        table, *row, _ = cell.split("/")
        if row.count("*") != 1:
            raise CrossarcError(f"{cell}: expected one *")
        keys = [
            key
            for key in self.table(table).rows
            if len(key) == len(row) and all(map(lambda value, pair: value in (*pair, "*"), row, key))
        ]
        if not keys:
            raise CrossarcError(f"{cell}: fits no row")
        return list(dict.fromkeys(key[row.index("*")][1] for key in keys))

    def above(self, higher: str | float, lower: str | float, row: str) -> bool | None:
        """Whether the first figure is above the second; None if one is undefined. row: the value of ``*``."""
        first, second = (self.figure(named(side, row)) if isinstance(side, str) else side for side in (higher, lower))
        return None if first is None or second is None else number(first, row) > number(second, row)

    def tested(self, cell: str, level: float) -> int | None:
        """What the test of a cell shows: 1 for better, -1 for worse, 0 for neither at a level; None without a test."""
        test = self.entry(cell).test
        return test and (test.p < level) * ((test.difference > 0) - (test.difference < 0))

    def claim(
        self, word: str, *cells: str, level: float = 0.05, than: str = "", at: str = "on", of: str = "treebanks"
    ) -> str:
        """The words of a comparison (see the top of this module). Raises CrossarcError if it does not hold.

        level: largest probability. than: the other parser. at, of: words before and after the rows.
        """

        def shown(row: str) -> list[bool | None]:
            """For each cell, or for the two figures, whether the word holds; None if that is undefined."""
            if word in ("higher", "lower"):
                first, second = cells if word == "higher" else cells[::-1]
                return [self.above(first, second, row)]
            signs = [self.tested(named(cell, row), level) for cell in cells]
            return [None if sign is None else sign in WORDS[word][1] for sign in signs]

        phrase = f"{WORDS[word][0]} than {than}" if than else WORDS[word][0]
        if "*" not in cells[0].split("/"):
            if not all(shown("")):
                raise CrossarcError(f"{', '.join(cells)}: the results do not show {phrase!r}")
            return phrase
        rows_shown = {row: held for row in self.rows(cells[0]) if set(held := shown(row)) != {None}}
        if not rows_shown:
            raise CrossarcError(f"{', '.join(cells)}: no row has such a figure or test")
        names = [TREEBANK.sub(r"\1", row).replace("_", " ") for row, held in rows_shown.items() if all(held)]
        if not names and any(map(any, rows_shown.values())):
            raise CrossarcError(f"{', '.join(cells)}: the results show {phrase!r} for some of the cells only")
        if not names:
            return f"nowhere {'significantly ' if word in ('better', 'worse') else ''}{phrase}"
        if len(names) == len(rows_shown) > 2:
            return f"{phrase} {at} all {len(rows_shown)} {of}"
        if len(names) > MOST_NAMES:
            return f"{phrase} {at} {len(names)} of {len(rows_shown)} {of}"
        return f"{phrase} {at} {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"

    def gain(self, higher: str, lower: str, places: int = 2) -> str:
        """The first figure minus the second. Raises CrossarcError if it is not positive as printed."""
        difference = f"{self.cell(higher) - self.cell(lower):.{places}f}"
        if float(difference) <= 0:
            raise CrossarcError(f"{higher}: {difference} is no gain over {lower}")
        return difference

    def printed(self, name: str, *arguments: Any, widest: int | None = WIDEST, **more: Any) -> str:
        """A table of at most so many columns side by side, and to what its arrows refer.

        arguments, more: how the table was made.
        """
        table = self.table(name)
        other, _, test = table.arrows.partition(", ")
        if not other:
            return table.markdown(widest).rstrip("\n")
        wide = f", variance times {RATIO}" * test.endswith(MCNEMAR)
        tests = f"{table.family} tests" if table.family else "all tests of the experiment"
        legend = Path(os.path.relpath(ROOT / "experiments" / "README.md", self.maker.folder)).as_posix()
        arrows = f"[Arrows]({legend}#arrows): against {other}; {test}{wide}, {tests}."
        return f"{table.markdown(widest).rstrip()}\n\n{arrows}"

    def render(self, template: Path) -> str:
        """The page of a template, whose tables are made. Raises CrossarcError with the line of an error."""
        return with_composites(rendered(template, self._functions(template)))

    def _functions(self, template: Path) -> dict[str, Callable[..., Any]]:
        """The functions of the expressions in a template whose tables are made."""
        of_paper = template.parent.parent.name == "papers" and template.name == "tables.md.j2"
        return {
            "table": partial(self.printed, widest=None if of_paper else WIDEST),
            **dict.fromkeys(("define", "chart"), lambda *arguments, **more: ""),
            "generated": generated,
            "cell": self.cell,
            "count": self.count,
            "reduction": lambda before, after: error_reduction(self.cell(before), self.cell(after)),
            "check": check,
            "gain": self.gain,
            "tests": lambda name: self.table(name).family,
            **{word: partial(self.claim, word) for word in WORDS},
        }


LATER = "\0"
"""What stands for a text while tables are gathered."""


class _Later(float):
    """What stands for a figure while tables are gathered."""

    def __str__(self) -> str:
        return LATER

    def __format__(self, spec: str) -> str:
        return LATER

    def _same(self, other: float) -> _Later:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _same


def _later(*arguments: Any, **more: Any) -> _Later:
    return _Later(1)


def with_composites(text: str) -> str:
    """The text of a page, and a note if it has figures of composite treebanks."""
    composites = MIX.search(text) and "[composites]" not in text and "## Treebanks" not in text
    return f"{text.rstrip()}\n{COMPOSITES}" if composites else text


def named(cell: str, row: str) -> str:
    """The name of a cell with a title instead of ``*``."""
    return "/".join(row if part == "*" else part for part in cell.split("/"))


def check(holds: bool) -> str:
    """No text. Raises CrossarcError if a statement of a page does not hold."""
    if not holds:
        raise CrossarcError("check does not hold")
    return ""


def generated(name: str) -> str:
    """A part of a page that the code generates. Raises CrossarcError if there is none of this name."""
    if name not in generated_parts():
        raise CrossarcError(f"generated part {choices(name, generated_parts())}")
    return generated_parts()[name]().rstrip("\n")


def load_findings(folder: Path) -> Findings:
    """The tables and charts of the templates in a folder. Raises CrossarcError for invalid ones."""
    findings = Findings(TableMaker(folder))
    for template in sorted(folder.glob(f"*.md{TEMPLATE}")):
        try:
            findings.gather(template)
        except CrossarcError as error:
            raise CrossarcError(f"{template}: {error}") from error
    return findings


def with_parts(text: str, findings: Findings) -> str:
    """A page with its generated parts written anew. Raises CrossarcError for unknown parts."""

    def made(part: re.Match[str]) -> str:
        kind, name = part.groups()
        content = generated(name) if kind == "generated" else findings.table(name).markdown(WIDEST).rstrip("\n")
        return f"<!-- {kind}: {name} -->\n\n{content}\n\n<!-- end -->"

    return PART.sub(made, text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all pages, and report errors on standard error; return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Write the generated parts of all pages.")
    parser.add_argument("--check", action="store_true", help="write nothing, report pages that are not up to date")
    check_only = parser.parse_args(arguments).check
    wrong: list[str] = []
    try:
        pages = list(written_pages())
    except CrossarcError as error:
        pages, wrong = [], [str(error)]
    for page, make in pages:
        try:
            new = make()
        except CrossarcError as error:
            wrong.append(f"{page}: {error}")
            continue
        old = page.read_text("utf-8") if page.exists() else ""
        if new != old and check_only:
            wrong.append(f"{page}: not up to date; run: make docs (edit {page.name}{TEMPLATE} if there is one)")
        elif new != old:
            page.parent.mkdir(exist_ok=True)
            page.write_text(new, "utf-8")
            print(f"wrote {page}", file=sys.stderr)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


def written_pages() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Each page and each chart of a table, with the function that writes it."""
    templates = sorted((ROOT / "experiments").rglob(f"*.md{TEMPLATE}"))
    findings_in = {folder: load_findings(folder) for folder in dict.fromkeys(file.parent for file in templates)}
    others = {
        f"{home.name}:{name}": table
        for home, findings in findings_in.items()
        for name, table in findings.tables.items()
    }
    everywhere = Findings(TableMaker(ROOT), others)
    folders = [ROOT / name for name in FOLDERS]
    for home, findings in findings_in.items():
        for file, chart in findings.charts.items():
            yield home / "charts" / file, partial(str, chart)
        for name, table in findings.tables.items():
            if table.file:
                yield home / "figures" / f"{name}.csv", table.csv
        findings.tables.update(others)
    for template in templates:
        yield template.with_suffix(""), partial(findings_in[template.parent].render, template)
    for page in [ROOT / "README.md", *(page for home in folders for page in sorted(home.rglob("*.md")))]:
        if not page.with_name(page.name + TEMPLATE).exists():
            yield page, partial(with_parts, page.read_text("utf-8"), everywhere)


if __name__ == "__main__":
    sys.exit(main())
