"""Pages of findings: their tables are generated, the figures in their sentences name the cells they come from.

A page has each table between ``<!-- table: NAME -->`` and ``<!-- end -->``; what stands there is replaced by the
table of that name (see :mod:`~crossarc.experiments.harness.findings`). A figure in a sentence is followed by a
comment that names its cell: ``97.36<!-- recovered/Gothic/head/recovered -->``, or the difference of two: ``1.08<!--
A - B -->``, or the share of B's errors that A has fewer: ``18.3<!-- A for B -->``. It is stale if rounding the cell
to as many digits gives another figure (the sign counts only where one is written). A figure that no committed
result has needs a source, ``<!-- source: ... -->``, in its paragraph or point, or, in a paragraph of its own, for
all up to the next heading.

Pages outside the folders of findings may have tables and figures of theirs as well, named ``FOLDER:NAME``, by the last
part of the folder's path: ``<!-- table: dynamic_oracles:cost -->``.

    python -m crossarc.experiments.harness.pages    # writes the tables of all pages, and says which figures are stale
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ...parser.errors import CrossarcError
from .findings import Findings, load_findings

__all__ = [
    "findings_of",
    "main",
    "page_folders",
    "pages_with_tables",
    "stale_figures",
    "unsourced_figures",
    "unsourced_tables",
    "with_tables",
]

ROOT = Path(__file__).parents[2]
ROOMS = ("transitions", "oracles", "features", "parser", "configs", "experiments", "tests")

COMMENT = re.compile(r"<!-- (.*?) -->", re.S)
CITED = re.compile(r"([-−+]?)(\d+(?:\.(\d+))?)(?: ?%)?$")
HALF = 0.5 + 1e-6
SOURCE = re.compile(r"<!-- source: \S.*? -->", re.S)
NO_PROSE = re.compile(
    r"<!-- table: .*?<!-- end -->|[-−+]?\d[\d.]*(?: ?%)?<!-- (?!source: ).*? -->|<!-- .*? -->"
    r"|^```.*?^```|^(?: {4}|\|).*?$|`[^`]*`|\]\([^)]*\)",
    re.S | re.M,
)
"""Tables, figures with a cell, code, comments and links."""
NO_FIGURE = re.compile(
    r"\b(?:tables?|sections?|figures?|chapters?|version|Python|MaltParser|C|gamma|coef0|tol|p [=<>])\s+\d[\d.]*"
    r"(?:(?:,| to| and| or)\s+\d[\d.]*)*|\b0\.0[15]\b(?! %)"
)
"""What numbers are places in a text, versions, parameters, and levels of significance."""
MARKED = re.compile(r"<!-- (?:table|generated): .*?<!-- end -->|^```.*?^```", re.S | re.M)
"""What is generated, and code."""
ROWS = re.compile(r"(?:^\|.*\n)+", re.M)
FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+|(?:\.\d+)?\s%)(?!\w|\.\d)")
BLOCK = re.compile(r"\n[ \t]*\n|\n(?=(?:-|\d+\.) )")


def page_folders() -> list[Path]:
    """The folders with findings: those with a ``tables.yaml``."""
    here = Path(__file__).parents[1]
    return sorted(file.parent for file in here.rglob("tables.yaml"))


def pages_with_tables() -> list[Path]:
    """The pages of the folders with findings, and all others that name one of their tables."""
    folders = page_folders()
    own = [folder / "README.md" for folder in folders]
    others = [ROOT / "README.md", *(page for room in ROOMS for page in sorted((ROOT / room).rglob("README.md")))]
    return own + [page for page in others if page not in own and _named(page.read_text("utf-8"), folders)]


def findings_of(page: Path) -> Findings:
    """The tables of the page's own folder, if it has any, and those of the folders that it names.

    Raises CrossarcError for whatever is wrong with a ``tables.yaml``.
    """
    own = page.parent
    found = load_findings(own) if (own / "tables.yaml").exists() else Findings({}, {})
    tables = dict(found.tables)
    for folder in _named(page.read_text("utf-8"), [folder for folder in page_folders() if folder != own]):
        tables |= {f"{folder.name}:{name}": table for name, table in load_findings(folder).tables.items()}
    return Findings(tables, found.results)


def with_tables(text: str, findings: Findings) -> str:
    """The page with its tables as they are now. Raises CrossarcError, with the line, for markers that do not pair up
    and for tables that do not exist."""
    parts = []
    opened: tuple[str, int] | None = None
    made_from_code = False
    done = 0
    for comment in COMMENT.finditer(text):
        what = comment.group(1)
        line = _line(text, comment.start())
        if what.startswith("generated: "):
            made_from_code = True
        elif what == "end" and made_from_code:
            made_from_code = False
        elif what.startswith("table: "):
            if opened:
                raise CrossarcError(f"line {line}: table within a table; {opened[0]!r} of line {opened[1]} has no end")
            name = what.removeprefix("table: ")
            if name not in findings.tables:
                raise CrossarcError(f"line {line}: no table is called {name!r}; there are {', '.join(findings.tables)}")
            opened = (name, line)
            parts.append(text[done : comment.end()])
            parts.append("\n\n" + findings.tables[name].markdown() + "\n")
        elif what == "end":
            if not opened:
                raise CrossarcError(f"line {line}: end of a table that has not begun")
            opened = None
            done = comment.start()
    if opened:
        raise CrossarcError(f"line {opened[1]}: table {opened[0]!r} has no end")
    return "".join([*parts, text[done:]])


def stale_figures(text: str, findings: Findings) -> list[str]:
    """What is wrong with the figures that name cells, a line each: the cell says otherwise, or does not exist."""
    wrong = []
    for comment in COMMENT.finditer(text):
        name = " ".join(comment.group(1).split())
        if name.startswith(("table: ", "source: ", "generated: ")) or name == "end":
            continue
        where = f"line {_line(text, comment.start())}"
        cited = CITED.search(text[: comment.start()])
        if cited is None:
            wrong.append(f"{where}: no figure before the comment {name!r}")
            continue
        try:
            value = _value(findings, name)
        except CrossarcError as error:
            wrong.append(f"{where}: {error}")
            continue
        sign, digits, decimals = cited.groups()
        written = float(digits) if sign in ("", "+") else -float(digits)
        found = value if sign else abs(value)
        if abs(written - found) > HALF * 10 ** -len(decimals or ""):
            wrong.append(f"{where}: {name} is {value:.{max(2, len(decimals or ''))}f}, the page says {sign}{digits}")
    return wrong


def unsourced_figures(text: str) -> list[str]:
    """The figures in sentences that name neither a cell nor a source, a line for each paragraph or point.

    A figure is a number with decimals, or a percentage.
    """
    wrong = []
    sourced = False
    place = 0
    prose = NO_PROSE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    for block in [*BLOCK.finditer(text), None]:
        end = block.start() if block else len(text)
        whole, own = text[place:end], NO_FIGURE.sub(" ", prose[place:end])
        if whole.lstrip().startswith("#"):
            sourced = False
        if SOURCE.fullmatch(whole.strip()):
            sourced = True
        found = [" ".join(figure.split()) for figure in FIGURE.findall(own)]
        if found and not sourced and not SOURCE.search(whole):
            wrong.append(f"line {_line(text, end - len(whole.lstrip()))}: no cell and no source: {', '.join(found)}")
        place = block.end() if block else end
    return wrong


def unsourced_tables(text: str) -> list[str]:
    """The tables written by hand that have figures (see :func:`unsourced_figures`) and no source right below."""
    wrong = []
    prose = MARKED.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    for table in ROWS.finditer(prose):
        figures = FIGURE.findall(NO_FIGURE.sub(" ", re.sub(r"`[^`]*`", " ", table.group())))
        if figures and not SOURCE.match(text[table.end() :].lstrip()):
            wrong.append(
                f"line {_line(text, table.start())}: a table with figures and no source: {', '.join(figures[:3])}"
            )
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables of all pages, tell what is stale on standard error; 1 if anything is."""
    parser = argparse.ArgumentParser(description="Generate the tables of the pages of findings.")
    parser.add_argument("--check", action="store_true", help="write nothing, only tell what is stale")
    options = parser.parse_args(arguments)
    wrong = [line for page in pages_with_tables() for line in _refreshed(page, write=not options.check, tell=_tell)]
    for line in wrong:
        _tell(line)
    return 1 if wrong else 0


def _named(text: str, folders: Sequence[Path]) -> list[Path]:
    """The folders whose tables or cells the comments of a page name."""
    comments = [comment for comment in COMMENT.findall(text) if not comment.startswith("source: ")]
    return [folder for folder in folders if any(re.search(rf"\b{folder.name}:\S", own) for own in comments)]


def _refreshed(page: Path, *, write: bool, tell: Callable[[str], None]) -> list[str]:
    text = page.read_text("utf-8")
    try:
        findings = findings_of(page)
        new = with_tables(text, findings)
    except CrossarcError as error:
        return [f"{page}: {error}"]
    wrong = [f"{page}: {line}" for line in stale_figures(new, findings)]
    if new != text:
        if write:
            page.write_text(new, "utf-8")
            tell(f"wrote {page}")
        else:
            wrong.append(f"{page}: tables are not those of the results; make findings writes them")
    return wrong


def _value(findings: Findings, name: str) -> float:
    value = findings.figure(name)
    if isinstance(value, str):
        found = re.search(r"-?\d+(?:\.\d+)?", value)
        value = float(found.group()) if found else None
    if value is None:
        raise CrossarcError(f"{name}: not a number")
    return float(value)


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


if __name__ == "__main__":
    sys.exit(main())
