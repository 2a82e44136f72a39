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
from ...harness.experiment import Bank, Experiment
from ...harness.parsing import count_part, coverage_cell
from ...harness.results import differing
from ...harness.rows import arc_row, cost_row, overall_row
from ...harness.runner import Cell

__all__ = ["EXPERIMENT"]

Tests = Mapping[str, Mapping[tuple[str, str], McNemar]]


def cells(bank: Bank) -> list[Cell]:
    """The treebank counted; the oracle's coverage; parsers, unless none are to be trained."""
    split = bank.values["split"]
    found = [bank.cell(f"statistics {own}", count_part, bank.part(own)) for own in ("train", split)]
    for name, config in bank.settings.parsers.items():
        found.append(coverage_cell(f"{bank.name} {name} coverage", config, bank.part(split)))
    return found if bank.name in bank.values["untrained"] else found + bank.alike(bank.part(split))


def performance(bank: Bank) -> dict[str, Comparison]:
    """The parsers that are trained, each against the gold trees."""
    test = bank.part(bank.values["split"])
    trained = () if bank.name in bank.values["untrained"] else bank.settings.parsers
    return {name: bank.compared(test, bank.of_parser(name), name) for name in trained}


def figures(bank: Bank) -> dict[str, Json]:
    """The tables of one treebank: coverage and performance by parser, tests between parsers, cost."""
    test = bank.part(bank.values["split"])
    reached = {name: bank.compared(test, f"{name} coverage", "coverage") for name in bank.settings.parsers}
    parsed = performance(bank)
    tests = pairwise(parsed)
    scores = {
        kind: {name: score_comparison(own) for name, own in comparisons.items()}
        for kind, comparisons in (("coverage", reached), ("performance", parsed))
    }
    return {
        "statistics": {own: bank[f"statistics {own}"] for own in ("train", bank.values["split"])},
        **{kind: {name: row(own) for name, own in found.items()} for kind, found in scores.items()},
        "significance": significance_json(tests),
        "differing": {score: differing(own) for score, own in tests.items()},
        "cost": {name: cost_row([bank[bank.of_parser(name)]["cost"]], name) for name in parsed},
        "full": {kind: {name: own.to_json() for name, own in found.items()} for kind, found in scores.items()},
    }


def row(scores: Scores) -> dict[str, Json]:
    """A row of tables 2 to 5, and how many non-projective arcs there are, were predicted, and are right."""
    arcs = scores.nonprojective.all.unlabelled
    counts = {"gold": arcs.gold, "predicted": arcs.predicted, "correct": arcs.predicted_correct}
    counted = {f"nonprojective_{key}": count for key, count in counts.items()}
    return {**overall_row(scores), **arc_row(scores), **counted}


def together(banks: Sequence[Bank]) -> dict[str, Json]:
    """The figures of all treebanks; how many tests pass at each level, and would if no parser differed from another."""
    document: dict[str, Json] = {bank.name: figures(bank) for bank in banks}
    tests = [test for bank in banks for own in pairwise(performance(bank)).values() for test in own.values()]
    passed = {level: sum(test.level is not None and test.level <= level for test in tests) for level in (0.05, 0.01)}
    return {
        **document,
        "tests": {
            "all": len(tests),
            **{f"beyond {level}": number for level, number in passed.items()},
            **{f"by chance beyond {level}": level * len(tests) for level in passed},
        },
    }


def charts(banks: Sequence[Bank], _: Mapping[str, Any]) -> dict[str, str]:
    """Figure 4 of each treebank, and of all."""
    tests: dict[str, Tests] = {bank.name: pairwise(own) for bank in banks if (own := performance(bank))}
    panels = {name: {score.upper(): arrows(own) for score, own in found.items()} for name, found in tests.items()}
    parsers = list(banks[0].settings.parsers)
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
