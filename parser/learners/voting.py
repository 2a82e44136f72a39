"""Several guides of one transition system that vote on each transition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError
from ..base.parameters import one_of, parameter, real, whole
from ..base.shapes import Array, Record, expect
from .common import check_instances, share_of_votes
from .learner import GUIDES, Composed, Instances, Learner

_TIE = 1e-5


@dataclass(kw_only=True, eq=False)
class Voting(Composed):
    """Each guide votes for its best class; the votes are weighted and summed (Nilsson 2009, section 7.1).

    A vote weighs 1 (``equal``), its guide's share of correct transitions (``accuracy``), or the guide's precision on
    the class that it votes for (``type-accuracy``; 0 if it never voted for it). The last two are measured on evenly
    spaced held-out instances, by guides trained on the other instances (the thesis' footnote 1). These guides are kept.

    If sums are equal, the vote of the earliest guide counts. Classes without a vote score below zero, in the order of
    their mean rank in the guides' scores.
    """

    name: ClassVar[str] = "voting"
    summary: ClassVar[str] = "several guides that vote on each transition"

    guides: Sequence[Learner] = parameter((), GUIDES, "guides that vote")
    weights: str = parameter("equal", one_of("equal", "accuracy", "type-accuracy"), "weight of a vote")
    held_out: float = parameter(0.1, real(above=0, below=1), "share of the instances that weights are measured on")

    learned: ClassVar[Record] = Record({"n_classes_": whole(1)})
    arrays: ClassVar[Mapping[str, Array]] = {
        "weights": Array("f", ("guides", "classes")),
        "seen": Array("b", ("classes",), filled=True),
    }

    def check_templates(self, templates: Sequence[str], where: str = "guide") -> None:
        for position, guide in enumerate(self.guides):
            guide.check_templates(templates, f"{where}.guides[{position}]")

    def fit(self, instances: Instances) -> Self:
        self.check()
        check_instances(self.name, instances)
        self.n_classes_ = instances.n_classes
        self.weights_ = np.ones((len(self.guides), instances.n_classes))
        self.seen_ = np.bincount(instances.target, minlength=instances.n_classes) > 0
        if self.weights == "equal":
            self._fit_all(instances)
            return self
        held = _held_out(len(instances.target), self.held_out)
        if held.all() or not held.any():
            raise CrossarcError(
                f"guide.held_out: {self.held_out} would hold out no instances or all of them; use another share"
            )
        self._fit_all(instances.part(~held))
        rest = instances.part(held)
        for row, guide in zip(self.weights_, self.guides, strict=True):
            row[:] = _reliability(_best(guide, rest.keys), rest, self.weights)
        return self

    def over(self, numbers: Sequence[int], weights: NDArray[np.float64]) -> Self:
        """Return a fitted learner with some of the fitted guides and with the given weights.

        numbers: indices of the guides, which both learners then share
        weights: float64 (numbers, n_classes), the weight of each guide's vote for each class

        Other parameters are copied; they have no effect until the result is fitted again.
        """
        if np.shape(weights) != (len(numbers), self.n_classes_):
            raise ValueError(
                f"weights of shape {np.shape(weights)} for {len(numbers)} guides, {self.n_classes_} classes"
            )
        guides = [self.guides[number] for number in numbers]
        vote = type(self)(guides=guides, weights=self.weights, held_out=self.held_out)
        vote.n_classes_, vote.seen_ = self.n_classes_, self.seen_
        vote.weights_ = np.array(weights, np.float64)
        return vote

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = np.arange(len(keys))
        total = np.zeros((len(keys), self.n_classes_))
        places = np.zeros((len(keys), self.n_classes_))
        earliest = np.zeros((len(keys), self.n_classes_))
        for number, guide in reversed(list(enumerate(self.guides))):
            scores = guide.scores(keys)
            best = scores.argmax(axis=1)
            total[rows, best] += self.weights_[number, best]
            earliest[rows, best] = number
            places += np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1, kind="stable")
        unwanted = -1 - places / places.shape[1] / len(self.guides)
        result = np.where(total > 0, total - _TIE * earliest, unwanted)
        return np.where(self.seen_, result, -np.inf).astype(np.float32)

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The shares of the votes; 0 in rows in which no remaining class has a vote."""
        return share_of_votes(scores)

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        expect(self.seen_.any(), ": array seen", "found no class that was seen in training")

    def _fit_all(self, instances: Instances) -> None:
        for guide in self.guides:
            guide.fit(instances)


def _held_out(count: int, share: float) -> NDArray[np.bool_]:
    """bool (count,): whether each instance is held out; a share of the instances, evenly spaced.

    Instances are ordered step by step over many derivations, so the last ones are the ends of long sentences.
    """
    return np.diff(np.floor(np.arange(count + 1) * share)) > 0


def _best(guide: Learner, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    blocks = [guide.scores(keys[start : start + 1024]).argmax(axis=1) for start in range(0, len(keys), 1024)]
    return np.concatenate(blocks)


def _reliability(best: NDArray[np.int64], rest: Instances, weights: str) -> NDArray[np.float64]:
    """float64 (n_classes,): the weight of a vote for each class."""
    right = best == rest.target
    if weights == "accuracy":
        return np.full(rest.n_classes, right.mean())
    voted = np.bincount(best, minlength=rest.n_classes)
    result: NDArray[np.float64] = np.bincount(best[right], minlength=rest.n_classes) / np.maximum(voted, 1)
    return result
