"""Effect of the rate, distance and depth of non-projective arcs on parsers; each is varied alone.

Kuhlmann & Nivre (2010, section 5) explain their results by the frequency and length of non-projective arcs in three
languages, which differ in everything else, too. In generated treebanks a single factor differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....parser.base.errors import check_names
from ....parser.evaluate.mcnemar import significance_json
from ...harness import Cell, Experiment, ExperimentTreebank, Json, Settings

FACTORS = ("rate", "distance", "depth")
TESTED = {"las": "las", "recall": "uas, nonprojective", "projective": "uas, projective"}
"""Tests between all pairs of parsers: by name, the score and the arcs that it counts."""


def check(settings: Settings) -> None:
    """Raise CrossarcError for unknown factors."""
    check_names("vary:", settings.values["vary"], FACTORS)


def generated(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of generated treebanks, by name: the base with one factor changed."""
    sizes = {key: values[key] for key in ("train", "test", "seed")}
    changes = [{**values["base"], factor: level} for factor, levels in values["vary"].items() for level in levels]
    return {label(change): {**sizes, **change} for change in changes}


def label(changes: Mapping[str, Any]) -> str:
    """The name of a treebank."""
    return " ".join(f"{key}={value}" for key, value in sorted(changes.items()))


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the oracles' coverage, and of the parsers."""
    return treebank.coverage(treebank.parsers) + treebank.each_fold()


def measured(treebank: ExperimentTreebank) -> dict[str, Json]:
    """The measures of every parser with the numbers of arcs that they count, and tests between parsers."""
    outputs, reached = treebank.parsed(), treebank.of_coverage(treebank.parsers)
    tests = {measure: outputs.tests((score,))[score] for measure, score in TESTED.items()}
    points: dict[str, Json] = {
        name: {"coverage": reached[name].nonprojective.all.unlabelled.recall, **treebank.measured("point", scores)}
        for name, scores in outputs.scores.items()
    }
    return {**points, "significance": significance_json(tests)}


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """The measures by factor and level."""
    values, rows = treebanks[0].values, {treebank.name: measured(treebank) for treebank in treebanks}
    return {
        factor: {str(level): rows[label({**values["base"], factor: level})] for level in levels}
        for factor, levels in values["vary"].items()
    }


EXPERIMENT = Experiment(cells=(cells,), figures=figures, generated=generated, check=check)
