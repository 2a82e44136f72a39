"""Reports of the command ``evaluate``: a page with tables and charts, or charts in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...console.options import refuse_overwriting
from ...console.outputs import short_names, write_pictures, write_text
from ...evaluate.mcnemar import McNemar
from ...evaluate.report import comparison_table, score_tables, significance_table
from ...evaluate.scores import Scores
from .error_figures import error_charts, error_figures
from .report_page import Chart, Heading, Part, Text, report_page
from .significance_figure import arrows, significance_figure

Tests = Mapping[str, Mapping[tuple[str, str], McNemar]]


def write_page(output: str, files: Sequence[str], scores: Mapping[str, Scores], tests: Tests, note: str) -> None:
    """Write the page. The parameters are those of :data:`~..commands.evaluate.REPORTS`."""
    write_text(output, _page(files[0], scores, tests, note))


def write_charts(output: str, files: Sequence[str], scores: Mapping[str, Scores], tests: Tests, note: str) -> None:
    """Write the charts into a folder. The parameters are those of :data:`~..commands.evaluate.REPORTS`."""
    drawn = error_figures(scores) | ({"significance": _significance(files[1:], tests)} if tests else {})
    for name in drawn:
        refuse_overwriting(f"{output}/{name}.svg", *files)
    write_pictures(output, drawn.items(), *files)


def _tables(scores: Scores, level: int) -> list[Part]:
    return [part for table in score_tables(scores) for part in (Heading(level, table.title), table)]


def _significance(files: Sequence[str], tests: Tests) -> str:
    """Draw figure 4 of Kuhlmann & Nivre (2010) for the files."""
    return significance_figure(files, {"": {score.upper(): arrows(tests[score]) for score in tests}})


def _page(gold: str, scores: Mapping[str, Scores], tests: Tests, note: str) -> str:
    """Return a page with the tables and charts of each file; for several files also with their scores and tests.

    note: remark on the scores, or "".
    """
    gold, *names = short_names([gold, *scores])
    short = dict(zip(scores, names, strict=True))
    scores = {short[name]: score for name, score in scores.items()}
    tests = {score: {(short[a], short[b]): test for (a, b), test in row.items()} for score, row in tests.items()}
    title = f"{'Parsed files' if tests else names[0]} against {gold}"
    parts: list[Part] = [Heading(1, title), *([Text(note)] if note else [])]
    charts: list[Part] = [Heading(2, "Where the errors are"), *error_charts(scores)]
    if not tests:
        (parser_scores,) = scores.values()
        return report_page(title, [*parts, *_tables(parser_scores, 2), *charts])
    better = [
        f"{arrow.better} is better than {arrow.worse} in {score.upper()} (p < {arrow.level})"
        for score in tests
        for arrow in arrows(tests[score])
    ]
    caption = "Significant differences by McNemar's test: an arrow leads to the better parser"
    drawn = _significance(list(scores), tests)
    parts += [Heading(2, "Scores"), comparison_table(scores), Heading(2, "Significance")]
    parts.append(Chart(drawn, caption, f"{caption}. {'; '.join(better) or 'No arrow'}"))
    for score in tests:
        parts += [Heading(3, score.upper()), significance_table(tests[score], notes=score == [*tests][-1])]
    parts += charts
    for name, parser_scores in scores.items():
        parts += [Heading(2, name), *_tables(parser_scores, 3)]
    return report_page(title, parts)
