"""The guide that asks a trained learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor
from ...transitions.configuration import NONE, Bools, Configuration, Ints
from ...transitions.step import Decision
from ...transitions.system import TransitionSystem
from ..learners.learner import Learner

__all__ = ["LearnedGuide", "ValueIds"]

ValueIds = Mapping[str, NDArray[np.integer]]
"""For each column that features look at, the value ids of a batch's nodes, (B, width)."""


@dataclass(frozen=True, slots=True)
class LearnedGuide:
    """Decides by a learner's scores: the best-scoring transition among those whose move is permissible.

    ids: of the batch being parsed. inventory: int64 (classes, 2), the move number and label of each class: the
    transitions seen in training, so that no other is ever taken. system: is asked which labels are permissible, where
    it has moves that only some labels make so.
    """

    learner: Learner
    extractor: Extractor
    ids: ValueIds
    inventory: Ints
    system: TransitionSystem

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """The decision; a move of -1 where no class is permissible. Ties go to the lower class number."""
        keys = self.extractor.keys(c, self.ids)
        scores = self.learner.scores(keys)
        scores[~legal[:, self.inventory[:, 0]]] = -np.inf
        if self.system.label_dependent:
            self._forbid_labels(c, legal, scores)
        best = np.argmax(scores, axis=1)
        impossible = np.isneginf(scores[np.arange(len(best)), best])
        moves, labels = self.inventory[best].T
        return Decision(np.where(impossible, NONE, moves), np.where(impossible, NONE, labels), keys, scores)

    def _forbid_labels(self, c: Configuration, legal: Bools, scores: NDArray[np.float32]) -> None:
        for move in self.system.label_dependent:
            number = self.system.moves.index(move)
            rows = np.flatnonzero(legal[:, number])
            classes = np.flatnonzero(self.inventory[:, 0] == number)
            if rows.size and classes.size:
                allowed = self.system.permissible_labels(c.at(rows))[move]
                row, column = np.nonzero(~allowed[:, self.inventory[classes, 1]])
                scores[rows[row], classes[column]] = -np.inf
