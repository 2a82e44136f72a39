"""Separate classifiers for the frequent values of one feature: the papers' data splitting, for any learner."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError, check_names
from ...base.parameters import TEXT, parameter, whole
from ...base.shapes import Array, expect
from ...learners.common import frequency_rank, spread
from ...learners.key_index import NO_ROW, rows_of
from ...learners.learner import GUIDES, Combiner, Contribution, Instances, Learner


@dataclass(kw_only=True, eq=False)
class Split(Combiner):
    """Copies of one learner, each for one part of the instances, divided by the values of the template ``split``.

    Each value with at least ``split_threshold`` instances has its own part. All other values share a part, which also
    serves values that do not occur in training. If there are no rare values, the largest part serves these.

    Classes that a part lacks are ranked below all others, by frequency. A shared part with fewer instances than
    ``split_threshold`` is learned from all instances.
    """

    name: ClassVar[str] = "split"
    summary: ClassVar[str] = "a copy of another learner for each frequent value of a template"
    arrays: ClassVar[Mapping[str, Array]] = {
        "values": Array("i", ("values",), rising=True),
        "others": Array("f", ("classes",)),
        "rest": Array("i", (), least=0, below="guides"),
    }

    keys: ClassVar[frozenset[str]] = frozenset({"split", "split_threshold"})

    guides: Sequence[Learner] = parameter((), GUIDES, "guide that is copied for each value")
    split: str = parameter("", TEXT, "template of the feature model; each of its frequent values gets a classifier")
    split_threshold: int = parameter(1000, whole(1), "minimum number of instances of a frequent value of `split`")

    def check_templates(self, templates: Sequence[str], where: str = "guide") -> None:
        check_names(f"{where}.split: found", [self.split], dict.fromkeys(templates))

    def _groups(self, instances: Instances) -> list[NDArray[np.int64]]:
        """Return the rows of the instances of each part.

        Also sets the values that identify the parts, and the scores of classes that a part lacks: below zero, by
        frequency.
        """
        rank = frequency_rank(np.bincount(instances.target, minlength=self.n_classes_))
        self.others_ = spread(-1 - rank[None, self.classes_] / self.n_classes_, self.classes_, self.n_classes_)[0]
        self.check_templates(self._templates)
        if self._templates.count(self.split) > 1:
            raise CrossarcError(
                f"guide.split: found {self.split!r}, which has several values at once; "
                "expected a template with one value, such as the case of FEATS alone"
            )
        column = instances.matrix.decoded((slice(None), self._slot))
        values, counts = np.unique(column, return_counts=True)
        self.values_ = values[counts >= self.split_threshold]
        self.rest_ = len(self.values_)
        part_of = self._part_of(column)
        order = np.argsort(part_of, kind="stable")
        groups = [group for group in np.split(order, np.cumsum(np.bincount(part_of))[:-1]) if len(group)]
        if len(groups) == len(self.values_):
            self.rest_ = int(np.argmax([len(group) for group in groups]))
        return groups

    @property
    def _templates(self) -> list[str]:
        return [slot.template for slot in self.slots_]

    @property
    def _slot(self) -> int:
        """The slot of the template ``split``."""
        return self._templates.index(self.split)

    def _part_of(self, column: NDArray[np.int64]) -> NDArray[np.integer]:
        """The part of each instance, given its value of the template."""
        place = rows_of(self.values_, column)
        return np.where(place == NO_ROW, self.rest_, place)

    def fit(self, instances: Instances) -> Self:
        self.take(instances)
        groups = self._groups(instances)
        if len(groups) > len(self.values_) and len(groups[-1]) < self.split_threshold:
            groups[-1] = np.arange(len(instances.target))
        self.members_ = [copy.deepcopy(self.guides[0]).fit(instances.part(group)) for group in groups]
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        result = np.empty((len(keys), len(self.others_)), np.float32)
        part_of = self._part_of(keys[:, self._slot])
        for part in np.unique(part_of):
            rows = np.flatnonzero(part_of == part)
            scores_of_part = self.members_[part].scores(keys[rows])
            unseen = np.isneginf(scores_of_part)
            lowest = np.where(unseen, np.inf, scores_of_part).min(axis=1, keepdims=True)
            result[rows] = np.where(unseen, lowest + self.others_, scores_of_part)
        return result

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.guides[0].confidences(scores)

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        member = self.members_[int(self._part_of(keys[self._slot, None])[0])]
        if np.isneginf(member.scores(keys[None])[0, [winner, rival]]).any():
            return []
        return member.contributions(keys, winner, rival)

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        self.members_, frequent = self.guides, len(self.values_)
        right = len(self.members_) in (max(1, frequent), frequent + 1)
        expect(right, "guides", f"found {len(self.members_)} parts, which do not match {frequent} values")
        expect(self.split in self._templates, "split", f"found {self.split}, which no feature has")
