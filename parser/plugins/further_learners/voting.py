"""Several guides of one transition system that vote on each transition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError
from ...base.parameters import parameter
from ...base.shapes import Array
from ...learners.common import share_of_votes, spread
from ...learners.learner import GUIDES, SEEN, Composed, Instances, Learner

_TIE = 1e-5


@dataclass(kw_only=True, eq=False)
class Voting(Composed):
    """Each guide votes for its best class; the votes are weighted and summed (Nilsson 2009, section 7.1).

    All votes weigh 1 unless :meth:`over` gives other weights. If sums are equal, the vote of the earliest guide counts.
    Classes without a vote score below zero, in the order of their mean rank in the guides' scores.
    """

    name: ClassVar[str] = "voting"
    summary: ClassVar[str] = "several guides that vote on each transition"

    guides: Sequence[Learner] = parameter((), GUIDES, "guides that vote")

    arrays: ClassVar[Mapping[str, Array]] = {"weights": Array("f", ("guides", "classes")), "classes": SEEN}

    def check(self, where: str = "guide") -> None:
        super().check(where)
        for position, guide in enumerate(self.guides):
            if guide.of_derivations:
                raise CrossarcError(
                    f"{where}.guides[{position}]: the {guide.name} learns from whole derivations; drop it"
                )

    def check_templates(self, templates: Sequence[str], where: str = "guide") -> None:
        for position, guide in enumerate(self.guides):
            guide.check_templates(templates, f"{where}.guides[{position}]")

    def fit(self, instances: Instances) -> Self:
        self.take(instances)
        self.weights_ = np.ones((len(self.guides), self.n_classes_))
        for guide in self.guides:
            guide.fit(instances)
        return self

    def over(self, numbers: Sequence[int], weights: NDArray[np.float64]) -> Self:
        """Return a fitted learner with some of the fitted guides and with the given weights.

        numbers: indices of the guides, which both learners then share
        weights: float64 (numbers, n_classes), the weight of each guide's vote for each class
        """
        if np.shape(weights) != (len(numbers), self.n_classes_):
            raise ValueError(
                f"weights of shape {np.shape(weights)} for {len(numbers)} guides, {self.n_classes_} classes"
            )
        vote = type(self)(guides=[self.guides[number] for number in numbers])
        vote.slots_, vote.n_classes_, vote.classes_ = self.slots_, self.n_classes_, self.classes_
        vote.weights_ = np.array(weights, np.float64)
        return vote

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = np.arange(len(keys))
        total, places, earliest = np.zeros((3, len(keys), self.n_classes_))
        for number, guide in reversed(list(enumerate(self.guides))):
            scores = guide.scores(keys)
            best = scores.argmax(axis=1)
            total[rows, best] += self.weights_[number, best]
            earliest[rows, best] = number
            places += np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1, kind="stable")
        unwanted = -1 - places / places.shape[1] / len(self.guides)
        result = np.where(total > 0, total - _TIE * earliest, unwanted)
        return spread(result[:, self.classes_], self.classes_, self.n_classes_)

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The shares of the votes, see :func:`...learners.common.share_of_votes`."""
        return share_of_votes(scores)
