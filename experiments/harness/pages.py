"""Pages: write their generated parts, and check the figures in their sentences. ``make docs`` runs this module.

A generated part begins with ``<!-- table: NAME -->`` or ``<!-- generated: NAME -->`` and ends with ``<!-- end -->``.
Tables come from committed results (see :mod:`~crossarc.experiments.harness.findings`), the other parts from the code
(see :mod:`~crossarc.experiments.harness.documentation`). ``generated: age of results`` lists the results in the page's
folder that older code computed.

A comment after a figure in a sentence names its source:

    97.36<!-- recovered/Gothic/head/recovered -->     a cell of a table
    1.08<!-- A - B -->                                the difference of two cells
    18.3<!-- A for B -->                              the error reduction of score A against score B in percent
    8 of 9<!-- count: all/*/swap/gain > 0 -->         a number of rows
    ⇑<!-- gains/Gothic/swap -->                       the arrow of a cell

A figure is wrong if the cell, rounded to as many digits, differs in value or sign; so a sentence about a decrease cites
``BEFORE - AFTER``. A figure after ``<`` or ``>`` is wrong if the cell is not below or above it. Figures without a
committed result need a comment ``<!-- source: ... -->`` in the same paragraph or list item, or directly below the
table. A source in a separate paragraph applies to all figures up to the next heading.

Names refer to tables of the page's folder. ``FOLDER:NAME`` refers to a table of another folder, by the last part of its
path: ``<!-- table: dynamic_oracles:cost -->``.

    python -m crossarc.experiments.harness.pages [--check]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from ...parser.base.errors import CrossarcError, choices
from .code import ROOT
from .documentation import GENERATED
from .findings import Findings, compared, load_findings
from .results import outdated_results
from .tables import number

FOLDERS = ("transitions", "oracles", "features", "parser", "configs", "experiments", "tests")
NAMES = ("README.md", "reference.md")

PART = re.compile(r"(<!-- ((?:table|generated): [^>]*?) -->)\n(?:(?!<!-- (?:table|generated): ).)*?<!-- end -->", re.S)
MARKER = re.compile(r"<!-- (?:(?:table|generated): .*?|end) -->")
CITED = re.compile(r"([<>]?) ?([-−+]?)(\d+(?:\.(\d+))?)(?: ?%)?<!-- (?!source: )(.*?) -->", re.S)
COUNTED = re.compile(r"(\d+)\s+of\s+(?:the\s+)?(\d+)<!-- count: (.*?) -->", re.S)
MARKED = re.compile(r"([⇑↑⇓↓])<!-- (.*?) -->", re.S)
CELL = re.compile(r"<!-- (?!source: )(.*?) -->", re.S)
HALF = 0.5 + 1e-6
"""Maximum difference between a figure and its cell, in units of the last digit of the figure."""
SOURCE = re.compile(r"<!-- source: \S.*? -->", re.S)
CODE = re.compile(r"^```.*?^```|^ {4}.*?$|`[^`\n]*`", re.S | re.M)
NO_PROSE = re.compile(rf"{CITED.pattern}|<!-- .*? -->|\]\([^)]*\)", re.S)
"""Text without figures to check: figures with a cell, comments and links."""
NO_FIGURE = re.compile(
    r"\b(?:tables?|sections?|figures?|chapters?|version|Python|MaltParser|C|gamma|coef0|tol|p [=<>])\s+\d[\d.]*"
    r"(?:(?:,| to| and| or)\s+\d[\d.]*)*|\b0\.0[15]\b(?! %)"
)
"""Numbers that are not results: numbers of tables or sections, versions, parameters, significance levels."""
FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+|(?:\.\d+)?\s%)(?!\w|\.\d)")
BLOCK = re.compile(r"\n[ \t]*\n|\n(?=(?:-|\d+\.) )")


def with_parts(text: str, makers: Mapping[str, Callable[[], str]]) -> str:
    """The page with its generated parts written anew. makers: function for each part, by the text of its comment.

    Raises CrossarcError with the line number for comments without a counterpart and for unknown parts.
    """

    def made(part: re.Match[str]) -> str:
        if part[2] not in makers:
            known = [own for own in makers if own.count(":") == part[2].count(":")]
            raise CrossarcError(f"line {_line(text, part.start())}: unknown part {choices(part[2], known)}")
        return f"{part[1]}\n\n{makers[part[2]]()}\n<!-- end -->"

    if alone := MARKER.search(PART.sub(_blank, text)):
        raise CrossarcError(f"line {_line(text, alone.start())}: {alone[0]} has no counterpart")
    return PART.sub(made, text)


def faults(text: str, findings: Findings) -> list[str]:
    """Messages about figures that differ from their cells, and about figures without a cell or source.

    Only numbers with decimals and percentages need a cell or source.
    """
    prose = CODE.sub(_blank, PART.sub(_blank, text))
    found = sorted([*_stale(prose, findings), *_unsourced(prose)])
    return [f"line {_line(text, place)}: {fault}" for place, fault in found]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the generated parts of all pages and report faults on standard error; return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Write the generated parts of all pages, and check their figures.")
    parser.add_argument("--check", action="store_true", help="write nothing, report parts that are not up to date")
    check = parser.parse_args(arguments).check
    wrong: list[str] = []
    try:
        pages = list(_pages())
    except CrossarcError as error:
        pages = []
        wrong.append(str(error))
    for page, text, makers, findings in pages:
        try:
            new = with_parts(text, makers)
            wrong += [f"{page}: {fault}" for fault in faults(new, findings)]
        except CrossarcError as error:
            wrong.append(f"{page}: {error}")
            continue
        if new != text and check:
            wrong.append(f"{page}: generated parts are not up to date; run: make docs")
        elif new != text:
            page.write_text(new, "utf-8")
            print(f"wrote {page}", file=sys.stderr)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


def _pages() -> Iterator[tuple[Path, str, dict[str, Callable[[], str]], Findings]]:
    """Each page with its text, the makers of its parts, and its findings; other folders' tables have full names."""
    folders = {file.parent: load_findings(file.parent) for file in sorted(ROOT.glob("experiments/**/tables.yaml"))}
    others = {f"{home.name}:{name}": own for home, found in folders.items() for name, own in found.tables.items()}
    generated = {f"generated: {name}": make for name, make in GENERATED.items()}
    inner = (page for own in FOLDERS for name in NAMES for page in sorted((ROOT / own).rglob(name)))
    for page in [ROOT / "README.md", *inner]:
        own = folders.get(page.parent, Findings({}, {}))
        tables = {**own.tables, **others}
        generated["generated: age of results"] = partial(outdated_results, page.parent)
        makers = {**generated, **{f"table: {name}": table.markdown for name, table in tables.items()}}
        yield page, page.read_text("utf-8"), makers, Findings(tables, own.results)


def _stale(text: str, findings: Findings) -> Iterator[tuple[int, str]]:
    """The position of each figure that differs from its cell, with a message."""
    checks = ((CITED, _cited), (MARKED, _marked), (COUNTED, _counted))
    before = {found.end(): (check, found) for pattern, check in checks for found in pattern.finditer(text)}
    for comment in CELL.finditer(text):
        name = " ".join(comment[1].split())
        fault = f"no figure before the comment {name!r}"
        if comment.end() in before:
            check, found = before[comment.end()]
            try:
                fault = check(found, name, findings)
            except CrossarcError as error:
                fault = str(error)
        if fault:
            yield comment.start(), fault


def _cited(found: re.Match[str], name: str, findings: Findings) -> str:
    """A message if a figure differs from its cell, otherwise "". :func:`_marked` and :func:`_counted` do the same."""
    bound, sign, digits, decimals, _ = found.groups()
    value = number(findings.figure(name), name)
    written = float(digits) if sign in ("", "+") else -float(digits)
    places = len(decimals or "")
    holds = compared(value, bound, written) if bound else abs(written - value) <= HALF * 10**-places
    return "" if holds else f"{name} is {value:.{max(2, places)}f}, the page says {bound}{sign}{digits}"


def _marked(found: re.Match[str], name: str, findings: Findings) -> str:
    text = findings.cell(name)[1]
    return "" if text.endswith(found[1]) else f"{name} is {text}, the page says {found[1]}"


def _counted(found: re.Match[str], name: str, findings: Findings) -> str:
    held = findings.count(name.removeprefix("count: "))
    if held == (int(found[1]), int(found[2])):
        return ""
    return f"{name} holds for {held[0]} of {held[1]}, the page says {found[1]} of {found[2]}"


def _unsourced(text: str) -> Iterator[tuple[int, str]]:
    """The position of each paragraph, list item and table that has figures without a cell or source, with a message."""
    prose = NO_PROSE.sub(_blank, text)
    sourced = False
    start = 0
    for block in [*BLOCK.finditer(text), None]:
        end = block.start() if block else len(text)
        whole = text[start:end].lstrip()
        if whole.startswith("#"):
            sourced = False
        sourced |= bool(SOURCE.fullmatch(whole.strip()))
        found = [" ".join(figure.split()) for figure in FIGURE.findall(NO_FIGURE.sub(" ", prose[start:end]))]
        below = SOURCE.match(text[end:].lstrip()) if whole.startswith("|") else None
        if found and not (sourced or below or SOURCE.search(whole)):
            yield end - len(whole), f"no cell and no source: {', '.join(found)}"
        start = block.end() if block else end


def _blank(found: re.Match[str]) -> str:
    """The match with all characters but newlines replaced by spaces, so that positions stay valid."""
    return re.sub(r"[^\n]", " ", found[0])


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


if __name__ == "__main__":
    sys.exit(main())
