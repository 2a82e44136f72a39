"""The linear support vector machine, multi-class after Crammer & Singer (2001), as LIBLINEAR's solver -s 4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Slot
from ..parameters import parameter, parameter_values, real, whole
from .common import check_instances, rule_out_unseen, seen_classes, sorted_contributions
from .key_index import NO_ROW, KeyIndex, known_keys
from .learner import Contribution, Instances, Learner
from .linear_scoring import prepare, quantize, score

__all__ = ["LinearSVM"]

SHARPNESS = 4.0
"""What scores are multiplied by for confidences: of whole numbers, the one with which they come nearest to the share of
right transitions (mean error 0.01 to 0.02 on English-EWT with C 0.03 and 0.1)."""


@dataclass(kw_only=True, eq=False)
class LinearSVM(Learner):
    """Crammer-Singer multi-class linear SVM on binary features.

    Learned: ``index_`` (keys to rows), ``quantized_`` int16 (features, n_classes) and ``scale_``, their product being
    the weights. Features that are left with no weight are dropped, and the others ordered by how many weights they
    have: those with many are the frequent ones, which stand together so that they stay in the processor's cache.
    """

    name: ClassVar[str] = "svm"
    section: ClassVar[Mapping[str, Any]] = {"learner": "svm", "kernel": "linear"}
    summary: ClassVar[str] = "linear support vector machine after Crammer and Singer"

    C: float = parameter(0.1, real(above=0), "the penalty of errors")
    tol: float = parameter(0.1, real(above=0), "LIBLINEAR's stopping tolerance")
    max_iter: int = parameter(1000, whole(1), "at most so many passes over the instances")
    min_count: int = parameter(2, whole(1), "features that occur less often in training are left out")
    seed: int = parameter(1, whole(0), "of the solver's shuffling")

    def fit(self, instances: Instances) -> Self:
        """Raises CrossarcError for parameters that make no sense."""
        self.check()
        check_instances(self.name, instances)
        keys = known_keys(instances, self.min_count)
        self.slots_ = instances.slots
        self.n_classes_ = instances.n_classes
        self.index_ = KeyIndex(keys, instances.slots)
        self.classes_ = seen_classes(instances.target)
        if len(self.classes_) == 1:
            return self._learn(keys[:0], np.zeros((0, 1)))
        features = self.index_.features(instances.keys)
        from sklearn.svm import LinearSVC  # takes long to import, and parsing does without

        solver = LinearSVC(
            C=self.C,
            multi_class="crammer_singer",
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.seed,
            fit_intercept=False,
        )
        solver.fit(features, instances.target)
        coefficients = solver.coef_
        if len(coefficients) == 1:  # scikit-learn keeps one row for two classes
            coefficients = np.stack([-coefficients[0], coefficients[0]])
        return self._learn(keys, coefficients.T)

    def _learn(self, keys: NDArray[np.int64], weights: NDArray[np.float64]) -> Self:
        """weights: (features, seen classes)."""
        quantized = np.zeros((len(keys), self.n_classes_), dtype=np.int16)
        quantized[:, self.classes_], self.scale_ = quantize(weights)
        size = np.count_nonzero(quantized, axis=1)
        order = np.lexsort((keys, -size))[: np.count_nonzero(size)]
        return self._set(keys[order], quantized[order])

    def _set(self, keys: NDArray[np.int64], quantized: NDArray[np.int16]) -> Self:
        self.index_ = KeyIndex(keys, self.slots_)
        self.quantized_ = quantized
        self._rows = prepare(quantized)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        result = score(self.index_, self._rows, self.n_classes_, keys)
        result *= np.float32(self.scale_)
        return rule_out_unseen(result, self.classes_)

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The softmax of the scores times :data:`SHARPNESS`, since margins of 1 and below are what is trained for."""
        return super().confidences(scores * np.float32(SHARPNESS))

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        rows = self.index_.rows(keys[None])[0]
        known = np.flatnonzero(rows != NO_ROW)
        weights = self.quantized_[rows[known]].astype(np.int64)
        difference = (weights[:, winner] - weights[:, rival]) * self.scale_
        return sorted_contributions([(int(slot),) for slot in known], difference)

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values: dict[str, Any] = {
            **parameter_values(self),
            "n_classes": self.n_classes_,
            "scale": self.scale_,
            "slots": [[slot.template, slot.offset, slot.size] for slot in self.slots_],
        }
        order = np.argsort(self.index_.keys)
        rows, classes = np.nonzero(self.quantized_[order])
        arrays: dict[str, NDArray[Any]] = {
            "key_steps": np.diff(self.index_.keys[order], prepend=0),
            "row_sizes": np.bincount(rows, minlength=len(order)).astype(np.uint16),
            "classes": classes.astype(np.uint16),
            "weights": self.quantized_[order][rows, classes],
            "seen": self.classes_,
        }
        return values, arrays

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        guide = cls.with_parameters(values)
        guide.n_classes_ = values["n_classes"]
        guide.scale_ = values["scale"]
        guide.slots_ = tuple(Slot(*slot) for slot in values["slots"])
        guide.classes_ = arrays["seen"].astype(np.int32)
        keys = np.cumsum(arrays["key_steps"])
        size = arrays["row_sizes"].astype(np.int64)
        if keys.min(initial=0) < 0 or int(size.min(initial=0)) < 0 or size.sum() != len(arrays["classes"]):
            raise ValueError("negative keys, or other weights than the rows have")
        quantized = np.zeros((len(keys), guide.n_classes_), dtype=np.int16)
        quantized[np.repeat(np.arange(len(keys)), size), arrays["classes"]] = arrays["weights"]
        order = np.lexsort((keys, -size))
        return guide._set(keys[order], quantized[order])
