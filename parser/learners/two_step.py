"""A decision in two steps: first the move, then its label."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..base.parameters import parameter, whole
from ..base.shapes import Array, ListOf, Record, ShapeError, Sizes, expect
from .common import check_instances, seen_classes
from .learner import GUIDES, Composed, Contribution, Instances, Learner

NO_LEARNER = -1
"""Marks moves that have no learner of labels, because they have only one class or no training instance."""


@dataclass(kw_only=True, eq=False)
class TwoStep(Composed):
    """A learner of moves, and one learner of labels per move.

    This is MaltParser's T.TRANS and A.DEPREL (Nivre, Hall & Nilsson 2006; Hall, Nivre & Nilsson 2006).

    Training needs grow with the number of labels of a move, not with the number of pairs of move and label. The labels
    of a move are learned from the instances of that move alone.

    The score of a transition is the score of its move, minus the difference between the move's best label and its own
    label. So the best permissible transition has the best label of the best permissible move.

    guides: before :meth:`fit`, one learner, whose copies are trained

    Learned attributes:

    moves_: int64 (n_classes,), the number of the move of each class, from 0
    members_: the learner of moves, then the learners of labels, which number the classes of their move in ascending
        order
    of_move_: for each move, the index of its learner of labels in ``members_``, or :data:`NO_LEARNER`
    """

    name: ClassVar[str] = "two-step"
    summary: ClassVar[str] = "two of the others: one decides on the move, then another one on its label"
    learned: ClassVar[Record] = Record({"n_classes_": whole(1), "member_classes": ListOf(whole(1), least=1)})
    arrays: ClassVar[Mapping[str, Array]] = {
        "of_move": Array("i", ("moves",), least=NO_LEARNER, below="guides"),
        "moves": Array("i", ("classes",), least=0, below="moves", filled=True),
    }

    guides: Sequence[Learner] = parameter((), GUIDES, "guide that learns moves and labels")

    def check_templates(self, templates: Sequence[str], where: str = "guide") -> None:
        self.guides[0].check_templates(templates, where)

    def memory_needed(self, instances: Instances) -> int:
        of_moves = self._of_moves(instances)
        parts = (own for _, own in self._of_labels(instances, of_moves))
        return max(map(self.guides[0].memory_needed, chain([of_moves], parts)))

    def fit(self, instances: Instances) -> Self:
        """Learn from the instances. Raises ValueError for instances without :attr:`Instances.moves`."""
        check_instances(self.guides[0].name, instances)
        self.n_classes_ = instances.n_classes
        of_moves = self._of_moves(instances)
        self.members_ = [copy.deepcopy(self.guides[0]).fit(of_moves)]
        self.of_move_ = np.full(of_moves.n_classes, NO_LEARNER)
        for move, own in self._of_labels(instances, of_moves):
            self.of_move_[move] = len(self.members_)
            self.members_.append(copy.deepcopy(self.guides[0]).fit(own))
        return self

    def _of_moves(self, instances: Instances) -> Instances:
        if instances.moves is None:
            raise ValueError("found no Instances.moves, expected the move of each class")
        moves, self.moves_ = np.unique(instances.moves, return_inverse=True)
        target = self.moves_[instances.target].astype(np.int32)
        return replace(instances, target=target, n_classes=len(moves), moves=None)

    def _of_labels(self, instances: Instances, of_moves: Instances) -> Iterator[tuple[int, Instances]]:
        """(number, instances of its labels) of each move that has more than one class."""
        for move in seen_classes(of_moves.target).tolist():
            classes = np.flatnonzero(self.moves_ == move)
            if len(classes) > 1:
                rows = of_moves.target == move
                target = np.searchsorted(classes, instances.target[rows]).astype(np.int32)
                yield move, Instances(instances.matrix.part(rows), target, instances.slots, len(classes))

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        result: NDArray[np.float32] = self.members_[0].scores(keys)[:, self.moves_]
        for move, member in enumerate(self.of_move_.tolist()):
            if member != NO_LEARNER:
                own = self.members_[member].scores(keys)
                result[:, self.moves_ == move] += own - own.max(axis=1, keepdims=True)
        return result

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The confidence in the move times the confidence in the label.

        The latter is the softmax of the differences to the best label.
        """
        moves = len(self.of_move_)
        best = np.stack([scores[:, self.moves_ == move].max(axis=1) for move in range(moves)], axis=1)
        result = self.members_[0].confidences(best)[:, self.moves_]
        sharpness = np.float32(self.guides[0].sharpness)
        for move in range(moves):
            classes = np.flatnonzero(self.moves_ == move)
            rows = np.flatnonzero(~np.isneginf(best[:, move]))
            behind = scores[np.ix_(rows, classes)] - best[rows, move, None]
            result[np.ix_(rows, classes)] *= super().confidences(behind * sharpness)
        return result

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        move, other = self.moves_[[winner, rival]].tolist()
        if move != other:
            return self.members_[0].contributions(keys, move, other)
        first, second = np.searchsorted(np.flatnonzero(self.moves_ == move), [winner, rival]).tolist()
        return self.members_[int(self.of_move_[move])].contributions(keys, first, second)

    @property
    def member_classes_(self) -> list[int]:
        """The number of classes of each component learner."""
        labels = np.bincount(self.moves_)[self.of_move_ != NO_LEARNER]
        return [len(self.of_move_), *labels.tolist()]

    @classmethod
    def member_sizes(cls, values: Mapping[str, Any], sizes: Sizes) -> list[Sizes]:
        """See :meth:`Learner.member_sizes`."""
        counts = values.get("member_classes")
        if not (isinstance(counts, list) and len(counts) == len(values["guides"]) and all(map(whole(1).holds, counts))):
            raise ShapeError("member_classes", "found none; expected the number of classes of each learner")
        return [{**sizes, "classes": count} for count in counts]

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.members_, self.guides = self.guides, self.guides[:1]
        self.moves_, self.of_move_ = self.moves_.astype(np.int64), self.of_move_.astype(np.int64)
        labelling = self.of_move_[self.of_move_ != NO_LEARNER]
        in_order = labelling.tolist() == list(range(1, len(self.members_)))
        expect(in_order, ": array of_move", "found learners that do not match the moves")
        every = np.bincount(self.moves_, minlength=len(self.of_move_)).all()
        expect(every, ": array moves", "found moves without a class")
        same = self.member_classes_ == values["member_classes"]
        expect(same, "member_classes", "found numbers of classes that do not match the moves")
