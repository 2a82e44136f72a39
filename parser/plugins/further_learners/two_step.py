"""A decision in two steps: first the move, then its label."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.errors import check_names
from ...base.parameters import parameter, shown
from ...base.shapes import Array
from ...learners.learner import GUIDES, Combiner, Contribution, Instances, Learner

DECIDE = ("joint", "two-step")
"""Values of the key ``decide``: move and label together, or the move first and then the label."""


@dataclass(kw_only=True, eq=False)
class TwoStep(Combiner):
    """A learner of moves, and one learner of labels per move.

    This is MaltParser's T.TRANS and A.DEPREL (Nivre, Hall & Nilsson 2006; Hall, Nivre & Nilsson 2006).

    Training needs grow with the number of labels of a move, not with the number of pairs of move and label. The labels
    of a move are learned from the instances of that move alone.

    The score of a transition is the score of its move, minus the difference between the move's best label and its own
    label. So the best permissible transition has the best label of the best permissible move.

    guides: before :meth:`fit`, one learner, whose copies are trained

    Learned attributes:

    moves_: int64 (n_classes,), the first class of each class' move, which stands for the move
    members_: the learner of moves, then the learners of labels
    labels_: int64 (n_classes,), the index of each class' learner of labels in ``members_``; 0 for moves that have only
        one class or no training instance
    """

    name: ClassVar[str] = "two-step"
    summary: ClassVar[str] = "two of the others: one decides on the move, then another one on its label"
    arrays: ClassVar[Mapping[str, Array]] = {
        "moves": Array("i", ("classes",), least=0, below="classes", filled=True),
        "labels": Array("i", ("classes",), least=0, below="guides"),
    }

    keys: ClassVar[frozenset[str]] = frozenset({"decide"})

    guides: Sequence[Learner] = parameter((), GUIDES, "guide that learns moves and labels")

    @classmethod
    def over(cls, learner: Learner, options: Mapping[str, Any], where: str) -> Learner:
        decide = options["decide"]
        check_names(f"{where}.decide: found", [decide if isinstance(decide, str) else shown(decide)], DECIDE)
        return learner if decide == DECIDE[0] else super().over(learner, options, where)

    def check_templates(self, templates: Sequence[str], where: str = "guide") -> None:
        self.guides[0].check_templates(templates, where)

    def fit(self, instances: Instances) -> Self:
        """Learn from the instances. Raises ValueError for instances without :attr:`Instances.moves`."""
        self.take(instances)
        self.members_ = [copy.deepcopy(self.guides[0]).fit(part) for part in self._parts(instances)]
        return self

    def _parts(self, instances: Instances) -> Iterator[Instances]:
        """Set ``moves_`` and ``labels_``; yield the instances of the learner of moves, then of each learner of labels.

        A learner of labels learns from the instances of its move.
        """
        if instances.moves is None:
            raise ValueError("found no Instances.moves, expected the move of each class")
        _, first, move, count = np.unique(instances.moves, return_index=True, return_inverse=True, return_counts=True)
        seen = np.bincount(move[instances.target], minlength=len(first)) > 0
        labelled = (count > 1) & seen
        self.moves_, self.labels_ = first[move], np.where(labelled, np.cumsum(labelled), 0)[move]
        yield replace(instances, target=self.moves_[instances.target].astype(np.int32), moves=None)
        of_member = self.labels_[instances.target]
        for member in range(1, int(self.labels_.max()) + 1):
            yield instances.part(of_member == member)

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        result: NDArray[np.float32] = self.members_[0].scores(keys)[:, self.moves_]
        for number, member in enumerate(self.members_[1:], 1):
            classes = self.labels_ == number
            scores_of_member = member.scores(keys)[:, classes]
            result[:, classes] += scores_of_member - scores_of_member.max(axis=1, keepdims=True)
        return result

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The confidence in the move times the confidence in the label.

        The latter is the softmax of the differences to the best label.
        """
        best = np.full(scores.shape, -np.inf, np.float32)
        moves = np.unique(self.moves_)
        for move in moves:
            best[:, move] = scores[:, self.moves_ == move].max(axis=1)
        result = self.members_[0].confidences(best)[:, self.moves_]
        sharpness = np.float32(self.guides[0].sharpness)
        for move in moves:
            classes = np.flatnonzero(self.moves_ == move)
            rows = np.flatnonzero(~np.isneginf(best[:, move]))
            behind = scores[np.ix_(rows, classes)] - best[rows, move, None]
            result[np.ix_(rows, classes)] *= super().confidences(behind * sharpness)
        return result

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        move, other = self.moves_[[winner, rival]].tolist()
        if move != other:
            return self.members_[0].contributions(keys, move, other)
        return self.members_[int(self.labels_[winner])].contributions(keys, winner, rival)

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        self.members_, self.guides = self.guides, self.guides[:1]
