"""Suspects in treebanks with changed arcs: how many of the changes the first suspects are."""

from __future__ import annotations

import numpy as np

from ....parser.config.loading import load_config
from ....parser.plugins.annotation.suspects import suspects, with_changes
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart, by_treebank
from ...harness.runner import once_warm

FIRST = 100
SHARES = (1, 2, 5)
"""Percentages of the words, the first suspects, in which changes are counted."""


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """One cell for each treebank."""
    return [
        treebank.cell("changed", measured, treebank.part("train"), treebank.values["changed"], treebank.values["seed"])
    ]


def measured(part: TreebankPart, changed: float, seed: int) -> Json:
    """Change arcs of a treebank and look for them. seed: of the changes and of the folds.

    The result has the numbers of ``words`` and ``changes``, the ``precision`` among the first suspects, and the
    ``recall`` among the first suspects of each share of the words.
    """
    once_warm()
    treebank, changes = with_changes(list(part.sentences()), changed, seed)
    ranked, _ = suspects(treebank, lambda rest: load_config("fast", sentences=list(rest)), seed=seed)
    hits = np.cumsum([(suspect.sentence, suspect.word) in changes for suspect in ranked])
    words = sum(map(len, treebank))
    first = {str(share): min(words * share // 100, len(hits)) for share in SHARES}
    return {
        "words": words,
        "changes": len(changes),
        "precision": 100 * float(hits[FIRST - 1]) / FIRST,
        "recall": {share: 100 * float(hits[most - 1]) / len(changes) for share, most in first.items()},
    }


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(lambda treebank: treebank["changed"]))
