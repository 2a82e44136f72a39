"""The gain of each step of a search, as Markdown and as a page with a chart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ...base.text_files import utf8
from ...drawing.line_chart import Point, line_chart
from ...drawing.report_page import markdown_parts, report_page
from ...treebank import atomic_output
from .search import Row
from .trial import Outcome

CHART = "search.svg"
TITLE = "Tuning"


def write_report(
    folder: Path, rows: Sequence[Row], start: Outcome, best: Outcome, percent: float, decided_by: str
) -> None:
    """Write ``report.md`` with the chart beside it, and ``report.html``, which holds both."""
    text, svg = markdown(rows, start, best, percent, decided_by), chart(rows)
    page = report_page(TITLE, list(markdown_parts(text, {CHART: svg})))
    for name, content in (("report.md", text), (CHART, svg), ("report.html", page)):
        with atomic_output(folder / name) as out:
            out.write(utf8(content))


def markdown(rows: Sequence[Row], start: Outcome, best: Outcome, percent: float, decided_by: str) -> str:
    """The report: the result, accepted changes, the contribution of each group of templates, and all comparisons."""
    lines = [
        f"# {TITLE}",
        "",
        f"LAS {best.las:.2f} (UAS {best.uas:.2f}); the config that was given: {start.las:.2f} ({start.uas:.2f}).",
        f"Decided by {decided_by}; {percent:.2f} % of the arcs in training cross.",
        "",
        f"![LAS of every comparison, in their order]({CHART})",
        "",
        "## What was taken",
        "",
        "A change is taken where it wins more words than it loses by more than the standard error of that difference.",
        "",
        *_table([row for row in rows if row.kept and row.phase != "start"] or rows[:0]),
    ]
    if worth := _worth(rows):
        lines += ["## What groups of templates are worth", "", "LAS that is lost without a group.", "", *worth]
    lines += ["## Every comparison", ""]
    for phase, own in groupby(rows, lambda row: row.phase):
        lines += [f"### {phase}", "", *_table(list(own))]
    return "\n".join(lines)


def chart(rows: Sequence[Row]) -> str:
    """LAS of the comparisons in order, with separate series for all sentences and for fewer, and the best so far."""
    most = max((row.sentences for row in rows), default=0)
    numbered = [(number, row) for number, row in enumerate(rows, 1) if not row.outcome.failure]
    whole: list[Point] = [(number, row.outcome.las) for number, row in numbered if row.sentences == most]
    part: list[Point] = [(number, row.outcome.las) for number, row in numbered if row.sentences < most]
    reached: list[Point] = []
    for number, row in numbered:
        taken = row.kept and row.sentences == most
        reached.append((number, row.outcome.las if taken or not reached else reached[-1][1]))
    series = {"all sentences": whole, "fewer": part, "best so far": reached[1:] if part else reached}
    return line_chart(
        {name: points for name, points in series.items() if points},
        title="What the search found",
        x_label="comparison",
        y_label="LAS",
    )


def _table(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return ["Nothing.", ""]
    lines = [
        "| what | sentences | templates | LAS | UAS | gain | seconds |",
        "| --- | --: | --: | --: | --: | --: | --: |",
    ]
    for row in rows:
        name = row.name.replace("|", "\\|") + (" **taken**" if row.kept else "")
        outcome = row.outcome
        figures = [f"{outcome.las:.2f}", f"{outcome.uas:.2f}", f"{row.gain:+.2f}", f"{outcome.seconds:.1f}"]
        if outcome.failure:
            name, figures = f"{name}: {outcome.failure}", ["–", "–", "–", f"{outcome.seconds:.1f}"]
        lines.append(f"| {name} | {row.sentences} | {row.templates} | {' | '.join(figures)} |")
    return [*lines, ""]


def _worth(rows: Sequence[Row]) -> list[str]:
    """From the first round of removals: the contribution of each group, the largest first."""
    backward = [row for row in rows if row.phase == "features, backward"]
    first = [row for row in backward if row.base is backward[0].base and "(" not in row.name]
    if not first:
        return []
    lines = ["| group | templates | worth |", "| --- | --: | --: |"]
    for row in sorted(first, key=lambda own: own.gain):
        name = row.name.removeprefix("without ")
        lines.append(f"| {name} | {row.base_templates - row.templates} | {-row.gain:.2f} |")
    return [*lines, ""]
