"""The linear support vector machine, multi-class after Crammer & Singer (2001), as LIBLINEAR's solver -s 4."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.svm import LinearSVC

from ...features.extractor import Slot
from ..errors import CrossarcError
from .common import sorted_contributions
from .key_index import NO_ROW, KeyIndex, frequent_keys
from .learner import Contribution, Instances, Learner
from .linear_scoring import prepare, quantize, score

__all__ = ["LinearSVM", "binary_features"]

SHARPNESS = 4.0
"""What scores are multiplied by for confidences: of whole numbers, the one with which they come nearest to the share of
right transitions (mean error 0.01 to 0.02 on English-EWT with C 0.03 and 0.1)."""


class LinearSVM(Learner):
    """Crammer-Singer multi-class linear SVM on binary features.

    C: the penalty of errors. tol: LIBLINEAR's stopping tolerance. max_iter: at most so many passes. min_count: features
    that fewer instances have are left out. seed: of the solver's shuffling.

    Learned: ``index_`` (keys to rows), ``quantized_`` int16 (features, n_classes) and ``scale_``, their product being
    the weights. Features that are left with no weight are dropped, and the others ordered by how many weights they
    have: those with many are the frequent ones, which stand together so that they stay in the processor's cache.
    """

    name = "svm"

    def __init__(
        self, *, C: float = 0.1, tol: float = 0.1, max_iter: int = 1000, min_count: int = 2, seed: int = 1
    ) -> None:
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.min_count = min_count
        self.seed = seed

    def fit(self, instances: Instances) -> Self:
        """Raises CrossarcError for parameters that make no sense."""
        self._check()
        keys = frequent_keys(instances.keys, instances.slots, self.min_count)
        if not len(keys):
            raise CrossarcError(f"guide.min_count: no feature occurs {self.min_count} times in training")
        self.slots_ = instances.slots
        self.n_classes_ = instances.n_classes
        self.index_ = KeyIndex(keys, instances.slots)
        self.seen_ = np.unique(instances.target)
        if len(self.seen_) == 1:
            return self._learn(keys[:0], np.zeros((0, 1)))
        features = binary_features(self.index_, instances.keys)
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

    def _check(self) -> None:
        for name in ("C", "tol"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
                raise CrossarcError(f"guide.{name}: found {value!r}, expected a number above 0")
        for name, least in (("max_iter", 1), ("min_count", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**31:
                raise CrossarcError(f"guide.{name}: found {value!r}, expected a whole number, {least} or more")

    def _learn(self, keys: NDArray[np.int64], weights: NDArray[np.float64]) -> Self:
        """weights: (features, seen classes)."""
        quantized = np.zeros((len(keys), self.n_classes_), dtype=np.int16)
        quantized[:, self.seen_], self.scale_ = quantize(weights)
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
        if len(self.seen_) < self.n_classes_:
            result[:, np.setdiff1d(np.arange(self.n_classes_), self.seen_)] = -np.inf
        return result

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
            "C": self.C,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "min_count": self.min_count,
            "seed": self.seed,
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
            "seen": self.seen_.astype(np.int32),
        }
        return values, arrays

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        guide = cls(**{name: values[name] for name in ("C", "tol", "max_iter", "min_count", "seed")})
        guide.n_classes_ = values["n_classes"]
        guide.scale_ = values["scale"]
        guide.slots_ = tuple(Slot(*slot) for slot in values["slots"])
        guide.seen_ = arrays["seen"].astype(np.int64)
        keys = np.cumsum(arrays["key_steps"])
        size = arrays["row_sizes"].astype(np.int64)
        if keys.min(initial=0) < 0 or int(size.min(initial=0)) < 0 or size.sum() != len(arrays["classes"]):
            raise ValueError("negative keys, or other weights than the rows have")
        quantized = np.zeros((len(keys), guide.n_classes_), dtype=np.int16)
        quantized[np.repeat(np.arange(len(keys)), size), arrays["classes"]] = arrays["weights"]
        order = np.lexsort((keys, -size))
        return guide._set(keys[order], quantized[order])


def binary_features(index: KeyIndex, keys: NDArray[np.int64], block: int = 50_000) -> csr_matrix:
    """float64 (instances, features): 1 where an instance has the feature of a row of ``index``.

    Works through ``keys`` in blocks, so that the only large arrays are the result's. A feature that several places of a
    set-valued slot hold counts once.
    """
    parts = []
    counts = []
    for start in range(0, len(keys), block):
        rows = index.rows(keys[start : start + block])
        rows.sort(axis=1)
        known = rows != NO_ROW
        known[:, 1:] &= rows[:, 1:] != rows[:, :-1]
        parts.append(rows[known])
        counts.append(np.count_nonzero(known, axis=1))
    starts = np.zeros(len(keys) + 1, dtype=np.int32)
    np.cumsum(np.concatenate(counts), out=starts[1:])
    indices = np.concatenate(parts)
    return csr_matrix((np.ones(len(indices)), indices, starts), shape=(len(keys), len(index)))
