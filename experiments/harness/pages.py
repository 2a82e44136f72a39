"""Pages: render them from their templates, and write their generated parts. ``make docs`` runs this module.

A page with figures of results, ``README.md``, is rendered from ``README.md.j2`` beside it, a template of Jinja;
``tables.md``, with tables that are too long or too wide for it, from ``tables.md.j2``. Their expressions name tables of
``tables.yaml`` in the same folder (see :mod:`~crossarc.experiments.harness.tables`):

    {{ table("las") }}                                       the table
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

``*`` stands for each value of a variable of the table's rows, and several cells must all fit. These functions follow
the corrected tests of the tables, which the arrows show as well. A table that no page prints can hold tests of pairs.
``at="at", of="rates"`` replaces "on" and "treebanks".

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any

from ...parser.base.errors import CrossarcError, choices
from ...parser.evaluate.percent import error_reduction
from .charts import charts_of
from .comparisons import RATIO, Entry
from .documentation import generated_parts
from .figures import Figure, as_figure, number
from .registry import ROOT
from .tables import MCNEMAR, Table, documents_in, load_specs, make_table

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
    """The tables of a folder by name, and its results by file."""

    tables: Mapping[str, Table]
    results: Mapping[str, Any]

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
        return as_figure(self.results[file], path, name) if file in self.results else self.entry(name).figure

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
        keys = [key for key in self.table(table).rows if all(map(lambda value, pair: value in (*pair, "*"), row, key))]
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

    def printed(self, name: str, home: Path, widest: int | None = WIDEST) -> str:
        """A table of at most so many columns side by side, and to what its arrows refer. home: folder of the page."""
        table = self.table(name)
        other, _, test = table.spec.get("arrows", "").partition(", ")
        if not other:
            return table.markdown(widest).rstrip("\n")
        wide = f", variance times {RATIO}" * test.endswith(MCNEMAR)
        tests = f"{table.family} tests" if table.family else "all tests of the experiment"
        legend = Path(os.path.relpath(ROOT / "experiments" / "README.md", home)).as_posix()
        arrows = f"[Arrows]({legend}#arrows): against {other}; {test}{wide}, {tests}."
        return f"{table.markdown(widest).rstrip()}\n\n{arrows}"

    def render(self, template: Path) -> str:
        """The page of a template. Raises CrossarcError with the line of an error."""
        from jinja2 import Environment, StrictUndefined, TemplateError

        of_paper = template.parent.parent.name == "papers" and template.name == "tables.md.j2"
        widest = None if of_paper else WIDEST
        jinja = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
        jinja.filters["digits"] = lambda value, places=2, sign="": f"{value:{sign}.{places}f}"
        jinja.globals |= {
            "table": partial(self.printed, home=template.parent, widest=widest),
            "generated": generated,
            "cell": self.cell,
            "count": self.count,
            "reduction": lambda before, after: error_reduction(self.cell(before), self.cell(after)),
            "check": check,
            "gain": self.gain,
            "tests": lambda name: self.table(name).family,
            **{word: partial(self.claim, word) for word in WORDS},
        }
        try:
            return with_composites(jinja.from_string(template.read_text("utf-8")).render())
        except (TemplateError, CrossarcError) as error:
            places = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == "<template>"]
            raise CrossarcError(f"line {getattr(error, 'lineno', None) or places[-1]}: {error}") from error


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
    findings_in = {file.parent: load_findings(file.parent) for file in sorted(ROOT.glob("experiments/**/tables.yaml"))}
    others = {
        f"{home.name}:{name}": table
        for home, findings in findings_in.items()
        for name, table in findings.tables.items()
    }
    everywhere = Findings(others, {})
    folders = [ROOT / name for name in FOLDERS]
    for home, tables_of in findings_in.items():
        for name, table in tables_of.tables.items():
            for file, chart in charts_of(name, table).items() if "chart" in table.spec else ():
                yield home / "charts" / file, partial(str, chart)
            if table.spec.get("file"):
                yield home / "figures" / f"{name}.csv", table.csv
    for template in sorted((ROOT / "experiments").rglob(f"*{TEMPLATE}")):
        tables_of = findings_in.get(template.parent, everywhere)
        findings = Findings({**tables_of.tables, **others}, tables_of.results)
        yield template.with_suffix(""), partial(findings.render, template)
    for page in [ROOT / "README.md", *(page for home in folders for page in sorted(home.rglob("*.md")))]:
        if not page.with_name(page.name + TEMPLATE).exists():
            yield page, partial(with_parts, page.read_text("utf-8"), everywhere)


if __name__ == "__main__":
    sys.exit(main())
