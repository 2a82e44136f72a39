"""The guide that asks a trained learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor
from ...transitions.configuration import NONE, Bools, Configuration, Ints
from ...transitions.system import TransitionSystem
from ..learners.learner import Learner

__all__ = ["LearnedGuide"]


@dataclass(frozen=True, slots=True)
class LearnedGuide:
    """Decides by a guide's scores: the best-scoring transition among those whose move is permissible.

    columns: value ids of the batch being parsed. inventory: int64 (classes, 2), the move number and label of each
    class: the transitions seen in training, so that no other is ever taken. system: is asked which labels are
    permissible, if it has moves where that differs.
    """

    guide: Learner
    extractor: Extractor
    columns: Mapping[str, NDArray[np.integer]]
    inventory: Ints
    system: TransitionSystem | None = None

    def decide(self, c: Configuration, legal: Bools) -> tuple[Ints, Ints]:
        """(moves, labels); a move of -1 where no class is permissible. Ties go to the lower class number."""
        return self.choose(self.scores(c, legal, self.extractor.keys(c, self.columns)))

    def scores(self, c: Configuration, legal: Bools, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, classes): the guide's scores for ``keys``, those of ``c``; minus infinity where a class is not
        permissible."""
        scores = self.guide.scores(keys)
        scores[~legal[:, self.inventory[:, 0]]] = -np.inf
        if self.system is not None and self.system.label_dependent:
            self._forbid_labels(self.system, c, legal, scores)
        return scores

    def choose(self, scores: NDArray[np.float32]) -> tuple[Ints, Ints]:
        """The decisions that scores mean, see :meth:`decide`."""
        best = np.argmax(scores, axis=1)
        impossible = np.isneginf(scores[np.arange(len(best)), best])
        moves, labels = self.inventory[best].T
        return np.where(impossible, NONE, moves), np.where(impossible, NONE, labels)

    def _forbid_labels(
        self, system: TransitionSystem, c: Configuration, legal: Bools, scores: NDArray[np.float32]
    ) -> None:
        for move in system.label_dependent:
            number = system.moves.index(move)
            rows = np.flatnonzero(legal[:, number])
            classes = np.flatnonzero(self.inventory[:, 0] == number)
            if rows.size and classes.size:
                allowed = system.permissible_labels(c.at(rows))[move]
                row, column = np.nonzero(~allowed[:, self.inventory[classes, 1]])
                scores[rows[row], classes[column]] = -np.inf
