"""The comparison of Björkelund & Kuhn (2012): non-projective strategies in a graph-based parser, and beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from ....parser.base.errors import CrossarcError, choices
from ....parser.blending.blend import blend_votes
from ....parser.blending.vote_weights import equal_weights
from ....parser.config.config import Config
from ....parser.config.kinds import GRAPH
from ....parser.evaluate.comparison import Comparison, compare
from ....parser.evaluate.metrics import score_comparison
from ....parser.evaluate.percent import Json
from ....parser.evaluate.scores import Scores
from ....parser.treebank.tree import Tree
from ....transitions.trees import roots
from ...harness.experiment import Experiment, Treebank, by_treebank
from ...harness.parsing import count_part, parses
from ...harness.rows import cost_row
from ...harness.runner import Cell
from ...harness.settings import Settings
from .arcs import approximation, changes, crossing_arcs

BLEND = "blend"


@dataclass(frozen=True, slots=True)
class PairedT:
    """A paired t-test over sentences: the second parser's gain in correct words a sentence, and what t-value and
    two-sided probability it has; no probability where the parsers never differ."""

    gain: float
    t: float | None
    p: float | None


def paired_t(first: Comparison, second: Comparison) -> PairedT:
    """The test of two parsers of the same sentences: pairs are the numbers of words with right head and label."""
    count = len(first.lengths)
    one, other = (np.bincount(own.sentence, own.token_right("las"), count) for own in (first, second))
    if (one == other).all():
        return PairedT(0.0, None, None)
    result = ttest_rel(other, one)
    return PairedT(float((other - one).mean()), float(result.statistic), float(result.pvalue))


def check(settings: Settings) -> None:
    """Raise CrossarcError for parsers that there are not."""
    for key in ("table_2", "blend"):
        for name in settings.values[key]:
            if name not in settings.parsers:
                raise CrossarcError(f"{key}: no parser {choices(name, settings.parsers)}")


def cells(treebank: Treebank) -> list[Cell]:
    """The training set counted, and the parsers."""
    counted = treebank.cell("statistics", count_part, treebank.part("train"))
    return [counted, *treebank.each_fold(lambda config: approximation if approximates(config) else parses)]


def approximates(config: Config) -> bool:
    """Whether a parser is graph-based and approximates non-projective trees."""
    return config.system == GRAPH and config.graph.nonprojective == "npa"


def figures(treebank: Treebank) -> dict[str, Json]:
    """The tables of one treebank, and tests between parsers."""
    gold, parsers = treebank.gold_of_folds(), treebank.settings.parsers
    parsed = {name: treebank.of_folds(name) for name in parsers}
    changed: dict[str, Json] = {
        name: changes(gold, treebank.of_folds(name, "before"), parsed[name])
        for name, config in parsers.items()
        if approximates(config)
    }
    if treebank.values["blend"]:
        parsed[BLEND] = blended(gold, [parsed[name] for name in treebank.values["blend"]])
    comparisons = {name: compare(gold, trees) for name, trees in parsed.items()}
    scores = {name: score_comparison(own) for name, own in comparisons.items()}
    rows: dict[str, Json] = {name: row(own) for name, own in scores.items()}
    counted: Any = treebank["statistics"]
    return {
        "statistics": {
            "sentences": counted["sentences"],
            "edges": counted["nonprojective_arcs"],
            "edges_percent": counted["nonprojective_arcs_percent"],
            "sentences_percent": counted["nonprojective_sentences_percent"],
        },
        "rows": rows,
        "table_2": {name: rows[name] for name in treebank.values["table_2"]},
        "cost": {name: cost_row(treebank.costs(name), "test") for name in parsers},
        "approximation": changed,
        "crossing": {name: crossing_arcs(gold, trees) for name, trees in parsed.items()},
        "paired_t": {
            f"{first} : {second}": asdict(paired_t(comparisons[first], comparisons[second]))
            for first, second in combinations(comparisons, 2)
        },
        "full": {name: own.to_json() for name, own in scores.items()},
    }


def row(scores: Scores) -> dict[str, Json]:
    """A row of table 2."""
    crossing = scores.nonprojective.all.labelled
    return {
        "las": scores.las,
        "lem": scores.lem,
        "p": crossing.precision,
        "r": crossing.recall,
        "np": crossing.predicted,
    }


def blended(gold: Sequence[Tree], votes: Sequence[Sequence[Tree]]) -> list[Tree]:
    """The trees of several parsers blended with equal votes; single-rooted if all given trees are."""
    single = all(len(roots(tree.heads)) == 1 for own in votes for tree in own if len(tree.heads) > 1)
    upos = [tree.columns["upos"] for tree in gold]
    return blend_votes(votes, equal_weights(len(votes)), upos, single)


EXPERIMENT = Experiment(
    title="Björkelund & Kuhn (2012): non-projective strategies for graph-based parsing",
    note="Evaluated on the {split} split, or with folds ({folds}; 0: none) on all folds of the train file by sentence "
    "number; all tokens counted. NP: non-projective; P, R: labelled precision and recall on such edges; #NP: how many "
    "the parser gives. The paper's figures are of other treebanks, with predicted tags, in ten folds.",
    splits=lambda values: ("train",) if values["folds"] else ("train", values["split"]),
    cells=(cells,),
    figures=by_treebank(figures),
    check=check,
)
