"""Pages: write their generated parts, and check the figures in their sentences. ``make docs`` runs this module.

A page has each part between two comments: ``<!-- table: NAME -->`` or ``<!-- generated: NAME -->``, and
``<!-- end -->``. Tables come from committed results (see :mod:`~crossarc.experiments.harness.findings`), the other
parts from the code (see :mod:`~crossarc.experiments.harness.documentation`). ``generated: age of results`` names the
results of the page's folder that older code computed.

A figure in a sentence is followed by a comment that names its cell: ``97.36<!-- recovered/Gothic/head/recovered -->``,
or the difference of two: ``1.08<!-- A - B -->``, or the share of B's errors that A has fewer: ``18.3<!-- A for B -->``.
It is stale if rounding the cell to as many digits gives another figure, or one with another sign: a sentence about a
decrease cites ``BEFORE - AFTER``. After ``<`` or ``>`` it is stale if the cell is not below or above it. An arrow is
followed by its cell: ``⇑<!-- gains/Gothic/swap -->``. Counts of rows are ``8 of 9<!-- count: all/*/swap/gain > 0 -->``.
A figure that no committed result has needs a source, ``<!-- source: ... -->``: in its paragraph or point, right below
its table, or, in a paragraph of its own, for all up to the next heading.

Tables and figures belong to the page's folder. ``FOLDER:NAME``, with the last part of a folder's path, names those of
another folder: ``<!-- table: dynamic_oracles:cost -->``.

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
from .documentation import GENERATED
from .findings import Findings, compared, load_findings
from .results import outdated_results
from .tables import number

ROOT = Path(__file__).parents[2]
FOLDERS = ("transitions", "oracles", "features", "parser", "configs", "experiments", "tests")
NAMES = ("README.md", "reference.md")

PART = re.compile(r"(<!-- ((?:table|generated): [^>]*?) -->)\n(?:(?!<!-- (?:table|generated): ).)*?<!-- end -->", re.S)
MARKER = re.compile(r"<!-- (?:(?:table|generated): .*?|end) -->")
CITED = re.compile(r"([<>]?) ?([-−+]?)(\d+(?:\.(\d+))?)(?: ?%)?<!-- (?!source: )(.*?) -->", re.S)
COUNTED = re.compile(r"(\d+)\s+of\s+(?:the\s+)?(\d+)<!-- count: (.*?) -->", re.S)
MARKED = re.compile(r"([⇑↑⇓↓])<!-- (.*?) -->", re.S)
CELL = re.compile(r"<!-- (?!source: )(.*?) -->", re.S)
HALF = 0.5 + 1e-6
SOURCE = re.compile(r"<!-- source: \S.*? -->", re.S)
CODE = re.compile(r"^```.*?^```|^ {4}.*?$|`[^`\n]*`", re.S | re.M)
NO_PROSE = re.compile(rf"{CITED.pattern}|<!-- .*? -->|\]\([^)]*\)", re.S)
"""Figures with a cell, comments and links."""
NO_FIGURE = re.compile(
    r"\b(?:tables?|sections?|figures?|chapters?|version|Python|MaltParser|C|gamma|coef0|tol|p [=<>])\s+\d[\d.]*"
    r"(?:(?:,| to| and| or)\s+\d[\d.]*)*|\b0\.0[15]\b(?! %)"
)
"""Numbers that are places in a text, versions, parameters, and levels of significance."""
FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+|(?:\.\d+)?\s%)(?!\w|\.\d)")
BLOCK = re.compile(r"\n[ \t]*\n|\n(?=(?:-|\d+\.) )")


def with_parts(text: str, makers: Mapping[str, Callable[[], str]]) -> str:
    """The page with its parts as ``makers``, by what the opening comments say, make them now.

    Raises CrossarcError, with the line, for comments that do not pair up and for unknown parts.
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
    """The figures that are not those of their cells, and those with neither a cell nor a source, one per line.

    A figure without a cell is a number with decimals, or a percentage.
    """
    prose = CODE.sub(_blank, PART.sub(_blank, text))
    found = sorted([*_stale(prose, findings), *_unsourced(prose)])
    return [f"line {_line(text, place)}: {fault}" for place, fault in found]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the parts of all pages and report faults on standard error; 1 if there are any."""
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
    """Each page with its text, the makers of its parts, and its findings, with those of other folders by full names."""
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
    """The places of figures that differ from their cells, with the difference."""
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
    """The fault of a figure, "" if it has none; so do the next two."""
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
    """The places of paragraphs, points and tables with figures that name neither a cell nor a source."""
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
    """Spaces in place of a match, so that lines stay where they are."""
    return re.sub(r"[^\n]", " ", found[0])


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


if __name__ == "__main__":
    sys.exit(main())
