"""The comparison of Kuhlmann & Nivre (2010): theoretical coverage and empirical performance of P0 to P3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....parser.evaluate.comparison import Comparison
from ....parser.evaluate.mcnemar import McNemar, pairwise, significance_json
from ....parser.evaluate.metrics import score_comparison
from ....parser.evaluate.percent import Json
from ....parser.evaluate.scores import Scores
from ....parser.evaluate.significance_figure import arrows, significance_figure
from ...harness.experiment import Experiment, Treebank
from ...harness.parsing import count_part, coverage_cell
from ...harness.results import differing
from ...harness.rows import arc_row, cost_row, overall_row
from ...harness.runner import Cell

Tests = Mapping[str, Mapping[tuple[str, str], McNemar]]


def cells(treebank: Treebank) -> list[Cell]:
    """The treebank counted; the oracle's coverage; parsers, unless none are to be trained."""
    split = treebank.values["split"]
    found = [treebank.cell(f"statistics {own}", count_part, treebank.part(own)) for own in ("train", split)]
    for name, config in treebank.settings.parsers.items():
        found.append(coverage_cell(f"{treebank.name} {name} coverage", config, treebank.part(split)))
    return found if treebank.name in treebank.values["untrained"] else found + treebank.alike(treebank.part(split))


def performance(treebank: Treebank) -> dict[str, Comparison]:
    """The parsers that are trained, each against the gold trees."""
    test = treebank.part(treebank.values["split"])
    trained = () if treebank.name in treebank.values["untrained"] else treebank.settings.parsers
    return {name: treebank.compared(test, treebank.of_parser(name), name) for name in trained}


def figures(treebank: Treebank) -> dict[str, Json]:
    """The tables of one treebank: coverage and performance by parser, tests between parsers, cost."""
    test = treebank.part(treebank.values["split"])
    reached = {name: treebank.compared(test, f"{name} coverage", "coverage") for name in treebank.settings.parsers}
    parsed = performance(treebank)
    tests = pairwise(parsed)
    scores = {
        kind: {name: score_comparison(own) for name, own in comparisons.items()}
        for kind, comparisons in (("coverage", reached), ("performance", parsed))
    }
    return {
        "statistics": {own: treebank[f"statistics {own}"] for own in ("train", treebank.values["split"])},
        **{kind: {name: row(own) for name, own in found.items()} for kind, found in scores.items()},
        "significance": significance_json(tests),
        "differing": {score: differing(own) for score, own in tests.items()},
        "cost": {name: cost_row([treebank[treebank.of_parser(name)]["cost"]], name) for name in parsed},
        "full": {kind: {name: own.to_json() for name, own in found.items()} for kind, found in scores.items()},
    }


def row(scores: Scores) -> dict[str, Json]:
    """A row of tables 2 to 5, and how many non-projective arcs there are, were predicted, and are right."""
    arcs = scores.nonprojective.all.unlabelled
    counts = {"gold": arcs.gold, "predicted": arcs.predicted, "correct": arcs.predicted_correct}
    counted = {f"nonprojective_{key}": count for key, count in counts.items()}
    return {**overall_row(scores), **arc_row(scores), **counted}


def together(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """The figures of all treebanks; how many tests pass at each level, and would if no parser differed from another."""
    document: dict[str, Json] = {treebank.name: figures(treebank) for treebank in treebanks}
    tests = [
        test for treebank in treebanks for own in pairwise(performance(treebank)).values() for test in own.values()
    ]
    passed = {level: sum(test.level is not None and test.level <= level for test in tests) for level in (0.05, 0.01)}
    return {
        **document,
        "tests": {
            "all": len(tests),
            **{f"beyond {level}": number for level, number in passed.items()},
            **{f"by chance beyond {level}": level * len(tests) for level in passed},
        },
    }


def charts(treebanks: Sequence[Treebank], _: Mapping[str, Any]) -> dict[str, str]:
    """Figure 4 of each treebank, and of all."""
    tests: dict[str, Tests] = {treebank.name: pairwise(own) for treebank in treebanks if (own := performance(treebank))}
    panels = {name: {score.upper(): arrows(own) for score, own in found.items()} for name, found in tests.items()}
    parsers = list(treebanks[0].settings.parsers)
    drawn = {f"figure4-{_slug(name)}.svg": {name: own} for name, own in panels.items()}
    every = {"figure4-all.svg": panels} if panels else {}
    return {file: significance_figure(parsers, own) for file, own in {**every, **drawn}.items()}


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in name).strip("-")


EXPERIMENT = Experiment(
    title="Kuhlmann & Nivre (2010): coverage and performance",
    note="Learner {learner}; evaluated on the {split} split, all tokens counted. Figures are percentages; L is the "
    "mean arc length in words. Precision and recall are unlabelled; trees are classed by the gold analysis. Arrows: "
    "better or worse than P0 beyond the 0.01 (double) or 0.05 level (McNemar's test).",
    splits=lambda values: ("train", values["split"]),
    cells=(cells,),
    figures=together,
    charts=charts,
)
