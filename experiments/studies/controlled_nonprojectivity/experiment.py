"""A controlled experiment: rate, distance and lifting depth of non-projective arcs, varied one at a time.

Kuhlmann & Nivre (2010, section 5) explain their results by how frequent and how long non-projective arcs are in three
languages that differ in everything else as well. In generated treebanks only one of these differs at a time.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ....parser.drawing.line_chart import line_chart
from ....parser.errors import CrossarcError, choices
from ....parser.evaluate import Scores, score_comparison, significance
from ....parser.evaluate.percent import Json
from ...harness.generated import generated_entries
from ...harness.parsing import Part, compared, coverage_cell, performance_cell
from ...harness.results import write_results
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, load_settings
from ...harness.tables import figure, markdown_table, write_text

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
    write_results(folder, NAME, settings, entries, dict(rows.items()))
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
    cells = []
    for name, config in settings.parsers.items():
        cells.append(coverage_cell(f"{label} {name} coverage", config, test))
        cells.append(performance_cell(f"{label} {name} performance", config, train, test))
    return cells


def _measured(label: str, test: Part, settings: Settings, results: Mapping[str, Json]) -> dict[str, Json]:
    """The measures of every parser, the numbers of arcs they rest on, and the tests of LAS and of recall."""
    found: dict[str, Json] = {}
    comparisons = {name: compared(test, results[f"{label} {name} performance"]) for name in settings.parsers}
    for name, comparison in comparisons.items():
        best = score_comparison(compared(test, results[f"{label} {name} coverage"]))
        found[name] = {**_point(best, score_comparison(comparison))}
    names = list(settings.parsers)
    for number, first in enumerate(names):
        for second in names[number + 1 :]:
            pair = comparisons[first], comparisons[second]
            found[f"{first} : {second}"] = {
                "las": significance(*pair, "las").to_json(),
                "recall": significance(*pair, "uas", arcs="nonprojective").to_json(),
                "projective": significance(*pair, "uas", arcs="projective").to_json(),
            }
    return found


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
        lines += ["### Significance (McNemar's test)", "", _tests(labels, list(settings.parsers), rows)]
    return "\n".join(lines)


def _counts(row: Mapping[str, Any]) -> list[str]:
    return [str(next(iter(row.values()))["gold"])]


def _tests(labels: Mapping[Any, str], parsers: Sequence[str], rows: Mapping[str, Mapping[str, Any]]) -> str:
    body = []
    for level, label in labels.items():
        for pair, tests in rows[label].items():
            if pair not in parsers:
                verdicts = (_verdict(pair, tests[key]) for key in ("las", "recall", "projective"))
                body.append([str(level), pair, *verdicts])
    return markdown_table(["level", "pair", "LAS", "non-proj. recall", "proj. recall"], body, left=2)


def _verdict(pair: str, test: Mapping[str, Any]) -> str:
    first, _, second = pair.split(" ")
    if test["winner"] is None:
        return "–"
    return f"{first if test['winner'] == 'first' else second} < {test['level']:.2f}"
