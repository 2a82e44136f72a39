"""The guide that uses a trained learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor
from ...transitions.configuration import NONE, ROOT, Bools, Configuration, Ints
from ...transitions.step import Decision
from ...transitions.system import TransitionSystem
from ..learners.learner import Learner
from ..learners.linear.model import LinearModel

ValueIds = Mapping[str, NDArray[np.integer]]
"""For each column that features use, the value ids of a batch's nodes, (B, width)."""


@dataclass(frozen=True, slots=True)
class LearnedGuide:
    """Chooses the transition with the best score of a learner among those whose move is permissible.

    ids: value ids of the batch
    inventory: int64 (classes, 2), move number and label of each class. These are the transitions of training; no others
        are ever taken.
    system: the transition system, which states the permissible labels of moves whose permissibility depends on the
        label
    label_places: bool (2, labels), the labels that arcs from words, and from node 0, may have; None allows all
    """

    learner: Learner
    extractor: Extractor
    ids: ValueIds
    inventory: Ints
    system: TransitionSystem
    label_places: Bools | None = None

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """Decide for each row; the move is -1 if no class is permissible. Ties go to the lower class number."""
        keys, scores = self.scored(c, legal)
        best = np.argmax(scores, axis=1)
        impossible = np.isneginf(scores[np.arange(len(best)), best])
        moves, labels = self.inventory[best].T
        return Decision(np.where(impossible, NONE, moves), np.where(impossible, NONE, labels), keys, scores)

    def scored(self, c: Configuration, legal: Bools) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """(keys, scores), see :class:`Decision`."""
        keys = self.extractor.keys(c, self.ids)
        scores = self.learner.scores(keys)
        scores[~legal[:, self.inventory[:, 0]]] = -np.inf
        if self.system.label_dependent:
            self._forbid_labels(c, legal, scores)
        if self.label_places is not None:
            self._put_labels_in_place(c, scores, self.label_places)
        return keys, scores

    @property
    def linear(self) -> LinearModel | None:
        """The learner, if compiled code can score with its weights."""
        learner = self.learner
        return learner if isinstance(learner, LinearModel) and learner.is_linear else None

    def _put_labels_in_place(self, c: Configuration, scores: NDArray[np.float32], places: Bools) -> None:
        """Where the best class would give its arc a label that is not allowed there, change the label but not the move.

        The best allowed label of the move gets the score of the best class; labels that are not allowed are excluded.
        """
        best = np.argmax(scores, axis=1)
        moves, labels = self.inventory[best].T
        for move, (head, _) in self.system.arcs(c).items():
            number = self.system.moves.index(move)
            place = (head == ROOT).astype(np.intp)
            rows = np.flatnonzero((moves == number) & ~places[place, labels])
            if not rows.size:
                continue
            classes = np.flatnonzero(self.inventory[:, 0] == number)
            allowed = np.where(
                places[place[rows]][:, self.inventory[classes, 1]], scores[np.ix_(rows, classes)], -np.inf
            )
            some = ~np.isneginf(allowed).all(axis=1)
            rows, allowed = rows[some], allowed[some]
            most = scores[rows, best[rows]]
            scores[np.ix_(rows, classes)] = allowed
            scores[rows, classes[np.argmax(allowed, axis=1)]] = most

    def _forbid_labels(self, c: Configuration, legal: Bools, scores: NDArray[np.float32]) -> None:
        for move in self.system.label_dependent:
            number = self.system.moves.index(move)
            rows = np.flatnonzero(legal[:, number])
            classes = np.flatnonzero(self.inventory[:, 0] == number)
            if rows.size and classes.size:
                allowed = self.system.permissible_labels(c.at(rows))[move]
                row, column = np.nonzero(~allowed[:, self.inventory[classes, 1]])
                scores[rows[row], classes[column]] = -np.inf
