"""A controlled experiment: rate, distance and lifting depth of non-projective arcs, varied one at a time.

Kuhlmann & Nivre (2010, section 5) explain their results by how frequent and how long non-projective arcs are in three
languages that differ in everything else as well. In generated treebanks only one of these differs at a time.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from ....parser.base.errors import CrossarcError, choices
from ....parser.drawing.line_chart import line_chart
from ....parser.evaluate import Scores, score_comparison, significance, significance_json
from ....parser.evaluate.percent import Json
from ...harness.generated import generated_entries
from ...harness.inverses import performance_by_parser, performance_cells
from ...harness.parsing import Part, compared, coverage_cell
from ...harness.results import write_results
from ...harness.rows import figure, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, load_settings
from ...harness.tables import markdown_table

__all__ = ["FACTORS", "NAME", "run"]

NAME = "controlled-nonprojectivity"
FACTORS = {
    "rate": "share of sentences with a displaced constituent",
    "distance": "words between displaced constituent and head",
    "depth": "lifts that the arc needs",
}
MEASURES = {
    "coverage": "coverage: recall on non-projective arcs",
    "precision": "precision on non-projective arcs",
    "recall": "recall on non-projective arcs",
    "projective": "recall on projective arcs in non-projective trees",
    "las": "LAS",
}
Arcs = Literal["projective", "nonprojective"]
TESTED: dict[str, tuple[str, Arcs | None]] = {
    "las": ("las", None),
    "recall": ("uas", "nonprojective"),
    "projective": ("uas", "projective"),
}
"""What is tested between every two parsers: by name the score, and on which arcs (None: all)."""
Point = dict[str, float | None]


def run(options: argparse.Namespace) -> int:
    """Generate, compute what is not there yet, and write report.md, results.json and the charts."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    folder = Path(options.out)
    points = _points(settings.values)
    sizes = {key: settings.values[key] for key in ("train", "test", "seed")}
    entries = generated_entries({label: {**sizes, **changes} for label, changes in points.items()}, folder)
    parts = {entry.name: (entry.part("train"), entry.part("test")) for entry in entries}
    cells = [cell for label, own in parts.items() for cell in _cells(label, *own, settings)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    rows = {label: _measured(label, test, settings, results) for label, (_, test) in parts.items()}
    for factor in settings.values["vary"]:
        for measure, title in MEASURES.items():
            series = _series(factor, measure, settings, rows)
            chart = line_chart(series, title=title, x_label=FACTORS[factor], y_label="per cent")
            write_text(folder, f"{factor}-{measure}.svg", chart)
    write_text(folder, "report.md", _report(settings, rows))
    figures: dict[str, Json] = {
        factor: {str(level): rows[_label(_at(settings.values["base"], factor, level))] for level in levels}
        for factor, levels in settings.values["vary"].items()
    }
    write_results(folder, NAME, settings, entries, figures)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _label(changes: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(changes.items()))


def _points(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is generated: the base with one factor changed, by label; each treebank once."""
    points = {}
    for factor, levels in values["vary"].items():
        if factor not in FACTORS:
            raise CrossarcError(f"vary: {choices(factor, FACTORS)}")
        for level in levels:
            changes = _at(values["base"], factor, level)
            points[_label(changes)] = changes
    return points


def _at(base: Mapping[str, Any], factor: str, level: Any) -> dict[str, Any]:
    return {**base, factor: level}


def _cells(label: str, train: Part, test: Part, settings: Settings) -> list[Cell]:
    covered = [coverage_cell(f"{label} {name} coverage", config, test) for name, config in settings.parsers.items()]
    return covered + performance_cells(label, settings.parsers, train, test)


def _measured(label: str, test: Part, settings: Settings, results: Mapping[str, Json]) -> dict[str, Json]:
    """The measures of every parser, the numbers of arcs they rest on, and the tests of LAS and of recall."""
    found: dict[str, Json] = {}
    performances = performance_by_parser(label, settings.parsers, results)
    comparisons = {name: compared(test, result) for name, result in performances.items()}
    for name, comparison in comparisons.items():
        best = score_comparison(compared(test, results[f"{label} {name} coverage"]))
        found[name] = {**_point(best, score_comparison(comparison))}
    tests = {
        measure: {
            (first, second): significance(comparisons[first], comparisons[second], score, arcs=arcs)
            for first, second in combinations(comparisons, 2)
        }
        for measure, (score, arcs) in TESTED.items()
    }
    return {**found, "significance": significance_json(tests)}


def _point(best: Scores, scores: Scores) -> Point:
    arcs = scores.nonprojective.all.unlabelled
    return {
        "coverage": best.nonprojective.all.unlabelled.recall,
        "precision": arcs.precision,
        "recall": arcs.recall,
        "projective": scores.projective.nonprojective_sentences.unlabelled.recall,
        "las": scores.las,
        "gold": arcs.gold,
        "predicted": arcs.predicted,
    }


def _series(
    factor: str, measure: str, settings: Settings, rows: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[tuple[float, float | None]]]:
    values = settings.values
    return {
        name: [
            (float(level), rows[_label(_at(values["base"], factor, level))][name][measure])
            for level in values["vary"][factor]
        ]
        for name in settings.parsers
    }


def _report(settings: Settings, rows: Mapping[str, Mapping[str, Any]]) -> str:
    values = settings.values
    lines = [
        "# Rate, distance and depth of non-projective arcs, varied one at a time",
        "",
        f"{settings.origin}; learner {values['learner']}; "
        f"{values['train']} generated sentences to train on, {values['test']} to parse, seed {values['seed']}; "
        f"where not varied: {_label(values['base'])}. Figures are percentages, precision and recall unlabelled.",
        "",
    ]
    for factor, levels in values["vary"].items():
        labels = {level: _label(_at(values["base"], factor, level)) for level in levels}
        lines += [f"## {factor}: {FACTORS[factor]}", ""]
        for measure, title in MEASURES.items():
            lines += [f"### {title}", "", f"![{title}]({factor}-{measure}.svg)", ""]
            body = [
                [str(level), *(figure(rows[label][name][measure]) for name in settings.parsers), *_counts(rows[label])]
                for level, label in labels.items()
            ]
            lines.append(markdown_table([factor, *settings.parsers, "gold non-proj. arcs"], body))
        lines += ["### Significance (McNemar's test)", "", _tests(labels, rows)]
    return "\n".join(lines)


def _counts(row: Mapping[str, Any]) -> list[str]:
    return [str(next(iter(row.values()))["gold"])]


def _tests(labels: Mapping[Any, str], rows: Mapping[str, Mapping[str, Any]]) -> str:
    body = []
    for level, label in labels.items():
        for own in zip(*(rows[label]["significance"][measure] for measure in TESTED), strict=True):
            pair = f"{own[0]['first']} : {own[0]['second']}"
            body.append([str(level), pair, *map(_verdict, own)])
    return markdown_table(["level", "pair", "LAS", "non-proj. recall", "proj. recall"], body, left=2)


def _verdict(test: Mapping[str, Any]) -> str:
    return "–" if test["winner"] is None else f"{test[test['winner']]} < {test['level']:.2f}"
