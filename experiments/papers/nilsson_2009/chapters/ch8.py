"""Nilsson (2009), chapter 8: combining transition-based parsers; and the metrics of chapter 4 on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .....parser.evaluate import (
    Scores,
    clustering_figure,
    depth_figure,
    length_figure,
    pairwise,
    position_figure,
    significance_json,
)
from .....parser.evaluate.percent import Json
from ....harness.experiment import Bank, Experiment
from ....harness.parsing import parses
from ....harness.runner import Cell
from ....harness.settings import SPLITS
from ..measures.blends import (
    BACKWARD,
    FORWARD,
    SINGLE,
    Blended,
    blend_of,
    components_of,
    joined_blends,
    mean_row,
    treebank_blends,
)
from ..measures.errors import analysis_of, pre_post_row
from ..measures.outputs import summary

__all__ = ["EXPERIMENT"]

REVERSED, BLEND = "reversed", "blend"


def cells(bank: Bank) -> list[Cell]:
    """The parsers, each run on development and test set."""
    tests = {split: bank.part(split) for split in ("dev", "test")}
    return [bank.cell(name, parses, own, bank.part("train"), tests) for name, own in bank.settings.parsers.items()]


def blends_of(banks: Sequence[Bank]) -> dict[str, Blended]:
    """The blends of each treebank."""
    components = components_of(banks[0].settings)
    return {bank.name: treebank_blends(bank, components) for bank in banks}


def analysed(every: Blended, weights: Sequence[str]) -> dict[str, Scores]:
    """The systems of the error analysis: the single parsers, those from right to left, and the blend."""
    names = {SINGLE: SINGLE, REVERSED: BACKWARD, BLEND: blend_of(weights[0])}
    return {name: every.scores[key] for name, key in names.items() if key in every.scores}


def figures(banks: Sequence[Bank]) -> dict[str, Json]:
    """Tables 8.1 to 8.4 and those of chapter 4: by treebank, together, and the error analysis."""
    settings, weights = banks[0].settings, banks[0].values["weights"]
    own, baseline = blends_of(banks), components_of(settings).baseline
    every = joined_blends(list(own.values()))
    rows = {by: {name: part.row(by, baseline) for name, part in own.items()} for by in weights}
    systems = {name: every.scores[name] for name in settings.parsers}
    return {
        "treebanks": {
            name: {
                "chosen": dict(part.chosen[name]),
                "blends": {by: dict(table[name]) for by, table in rows.items()},
                "scores": {system: summary(scores) for system, scores in part.scores.items()},
            }
            for name, part in own.items()
        },
        "together": {
            "blends": {by: dict(every.row(by, baseline)) for by in weights},
            "means": {by: dict(mean_row(list(table.values()))) for by, table in rows.items()},
            "scores": {system: summary(scores, full=True) for system, scores in every.scores.items()},
            "significance": significance_json(pairwise({name: every.comparisons[name] for name in systems}, ("las",))),
        },
        "analysis": analysis_of({**analysed(every, weights), **systems}),
        "uas": {
            name: dict(pre_post_row(scores, None if name == SINGLE else every.scores[SINGLE], "uas"))
            for name, scores in analysed(every, weights).items()
        },
    }


def charts(banks: Sequence[Bank], _: Mapping[str, Any]) -> dict[str, str]:
    """Figures 4.1 and 8.2 to 8.4."""
    weights, every = banks[0].values["weights"], joined_blends(list(blends_of(banks).values()))
    systems = analysed(every, weights)
    by_direction = {name: every.scores[name] for name in (FORWARD, BACKWARD) if name in every.scores}
    # a chart has eight lines at most, and the blend is the last one
    shown = [*banks[0].settings.parsers, blend_of(weights[0])][-8:]
    return {
        "figure4.1.svg": clustering_figure("Normalised error clustering", {name: every.scores[name] for name in shown}),
        "figure8.2.svg": clustering_figure("Normalised error clustering", systems),
        "figure8.3.svg": position_figure("Normalised error rate by position", by_direction),
        "figure8.4-depth.svg": depth_figure("Labelled precision by depth", systems),
        "figure8.4-length.svg": length_figure("Labelled precision by arc length", systems),
    }


EXPERIMENT = Experiment(
    title="Nilsson (2009), chapter 8: combining transition-based parsers",
    note="The components are trained on the training sets and weighted by how they parse the development sets; all "
    "figures are of the test sets, punctuation included. Blended trees have a single root where all trees of the "
    "development set have. Together: the outputs for all treebanks one after another, as in the thesis. Single: the "
    "component that is best on the test set of a treebank, by LAS; reversed: the best one from right to left; blend in "
    "the error analysis: weighted as first in {weights}.",
    splits=lambda values: SPLITS,
    cells=(cells,),
    figures=figures,
    charts=charts,
    check=components_of,
)
