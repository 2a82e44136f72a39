"""Björkelund & Kuhn (2012): treatments of non-projective arcs in graph-based parsing, and transition-based parsers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ttest_rel

from ....parser.base.errors import check_names
from ....parser.blending.vote_weights import equal_weights
from ....parser.config.config import Config
from ....parser.config.kinds import GRAPH
from ....parser.treebank.tree import Tree
from ....transitions.trees import roots
from ...harness import Cell, Experiment, Json, Outputs, Settings, Treebank, by_treebank, count_part, parses
from ...harness.parsing import cost_row
from .arcs import approximation, changes, crossing_arcs

BLEND = "blend"


def paired_t(one: NDArray[np.int64], other: NDArray[np.int64]) -> dict[str, Json]:
    """A paired t-test over sentences, on the numbers of right words of two parsers.

    The result has the mean ``gain`` of the second parser, ``t`` and the two-sided ``p`` (None: no difference at all).
    """
    if (one == other).all():
        return {"gain": 0.0, "t": None, "p": None}
    result = ttest_rel(other, one)
    return {"gain": float((other - one).mean()), "t": float(result.statistic), "p": float(result.pvalue)}


def check(settings: Settings) -> None:
    """Raise CrossarcError for unknown parsers in the settings ``table_2`` and ``blend``."""
    for key in ("table_2", "blend"):
        check_names(f"{key}: no parser", settings.values[key], settings.parsers)


def cells(treebank: Treebank) -> list[Cell]:
    """Cells that count the training set, and of the parsers."""
    counted = treebank.cell("statistics", count_part, treebank.part("train"))
    return [counted, *treebank.each_fold(lambda config: approximation if approximates(config) else parses)]


def approximates(config: Config) -> bool:
    """Whether a parser is graph-based with non-projective approximation (NPA)."""
    return config.system == GRAPH and config.graph.nonprojective == "npa"


def figures(treebank: Treebank) -> dict[str, Json]:
    """The figures of all tables for one treebank, and tests between parsers."""
    parsers = treebank.parsers
    outputs = treebank.parsed()
    approximating = [name for name, config in parsers.items() if approximates(config)]
    before = treebank.parsed("before", systems=approximating).comparisons
    changed: dict[str, Json] = {name: changes(own, outputs.comparisons[name]) for name, own in before.items()}
    if blend := treebank.values["blend"]:
        outputs = Outputs(outputs.gold, {**outputs.trees, BLEND: blended(outputs, blend)})
    scores = outputs.scores
    rows: dict[str, Json] = {name: treebank.measured("table 2", own) for name, own in scores.items()}
    return {
        "statistics": treebank.measured("statistics", treebank["statistics"]),
        "rows": rows,
        "table_2": {name: rows[name] for name in treebank.values["table_2"]},
        "cost": {name: cost_row(treebank.costs(name), "test") for name in parsers},
        "approximation": changed,
        "crossing": {name: crossing_arcs(own, outputs.lifted) for name, own in outputs.comparisons.items()},
        "paired_t": {
            f"{first} : {second}": paired_t(outputs.words_right(first), outputs.words_right(second))
            for first, second in combinations(outputs.trees, 2)
        },
        "full": {name: own.to_json() for name, own in scores.items()},
    }


def blended(outputs: Outputs, parsers: Sequence[str]) -> list[Tree]:
    """The trees of several parsers, blended with equal votes; with a single root if all these trees have one."""
    trees = [tree for name in parsers for tree in outputs.trees[name] if len(tree.heads) > 1]
    single = all(len(roots(tree.heads)) == 1 for tree in trees)
    return outputs.blended(parsers, equal_weights(len(parsers)), single)


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures), check=check)
