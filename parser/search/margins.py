"""Margins: by how much the transitions that gave words their arcs scored better than the best other transitions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Configuration, Ints
from ...transitions.step import Step
from ...transitions.system import TransitionSystem

Floats = NDArray[np.float64]
"""Margins of the words of a batch (float64, (B, width)): infinity without another permissible transition, 0 for words
that a default transition or the end of the derivation attached."""


class MarginRecorder:
    """An observer that stores the margin of each word's arc in ``margins``. All passes of a parser share one matrix."""

    def __init__(self, system: TransitionSystem, margins: Floats) -> None:
        self._system = system
        self._margins = margins

    def __call__(self, step: Step) -> None:
        scores = step.decision.scores
        assert scores is not None
        ahead = np.where(step.unguided, 0.0, lead(scores, np.argmax(scores, axis=1)))
        store(self._margins, step.sentences, self._system, step.c, step.moves, ahead)


def lead(scores: NDArray[np.floating], chosen: Ints) -> Floats:
    """By how much the chosen class of each row exceeds all others (float64, (rows,)); 0 if it is impossible."""
    rows = np.arange(len(chosen))
    own, others = scores[rows, chosen], scores.copy()
    others[rows, chosen] = -np.inf
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(own - others.max(axis=1), nan=0.0, posinf=np.inf).astype(np.float64)


def store(margins: Floats, rows: Ints, system: TransitionSystem, c: Configuration, moves: Ints, ahead: Floats) -> None:
    """Store the margins of the words that these transitions attach.

    rows: row of ``margins`` for each configuration (int64, (configurations,)).
    ahead: margin of each transition (float64, (configurations,)).
    """
    for move, (_, dependent) in system.arcs(c).items():
        own = np.flatnonzero(moves == system.moves.index(move))
        margins[rows[own], dependent[own]] = ahead[own]
