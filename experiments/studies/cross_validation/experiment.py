"""Cross-validation of parsers (Nilsson 2009, sections 3.3 and 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, stdev

from ....parser.evaluate.mcnemar import significance_json
from ....parser.evaluate.scores import Scores
from ...harness import Experiment, Json, Treebank, by_treebank, joined
from ...harness.rows import OVERALL, ROW, picked


def figures(treebank: Treebank) -> Json:
    """Means and deviations of scores over folds; scores and tests of all folds together."""
    folds = treebank.of_folds(treebank.parsers)
    by_fold = {name: [fold.scores[name] for fold in folds] for name in treebank.parsers}
    pooled = joined(folds)
    together = pooled.scores
    return {
        "spread": {name: {key: spread(own, key) for key in OVERALL} for name, own in by_fold.items()},
        "together": {name: picked(own, ROW) for name, own in together.items()},
        "significance": significance_json(pooled.tests()),
        "full": {
            "folds": {name: [scores.to_json() for scores in own] for name, own in by_fold.items()},
            "together": {name: scores.to_json() for name, scores in together.items()},
        },
    }


def spread(scores: Sequence[Scores], key: str) -> dict[str, Json]:
    """The mean and the sample standard deviation of a score over folds; None if fewer than two folds have the score."""
    values = [value for own in scores if (value := getattr(own, key)) is not None]
    few = len(values) < 2
    return {"mean": None if few else mean(values), "deviation": None if few else stdev(values)}


EXPERIMENT = Experiment(cells=(Treebank.each_fold,), figures=by_treebank(figures))
