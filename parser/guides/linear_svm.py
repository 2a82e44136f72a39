"""The linear support vector machine, multi-class after Crammer & Singer (2001), as LIBLINEAR's solver -s 4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.svm import LinearSVC

from .guide import Guide, Instances, Slot
from .index import NO_ROW, KeyIndex, frequent_keys
from .kernel import score

__all__ = ["LinearSVM", "binary_features"]


class LinearSVM(Guide):
    """Crammer-Singer multi-class linear SVM on binary features.

    C: the penalty of errors. tol: LIBLINEAR's stopping tolerance. max_iter: at most so many passes. min_count: features
    that fewer instances have are left out. seed: of the solver's shuffling. Learned: ``index_`` (keys to rows),
    ``weights_`` float32 (features, n_classes).
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
        keys = frequent_keys(instances.keys, instances.slots, self.min_count)
        self.slots_ = instances.slots
        self.n_classes_ = instances.n_classes
        self.index_ = KeyIndex(keys, instances.slots)
        self.seen_ = np.unique(instances.target)
        self.weights_ = np.full((len(keys), instances.n_classes), 0, dtype=np.float32)
        if len(self.seen_) == 1:
            return self
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
        coefficients = solver.coef_.astype(np.float32)
        if len(self.seen_) == 2 and len(coefficients) == 1:
            coefficients = np.stack([-coefficients[0], coefficients[0]])
        self.weights_[:, self.seen_] = coefficients.T
        return self._drop_empty_rows()

    def _drop_empty_rows(self) -> Self:
        """Features that the solver gave no weight need no row."""
        useful = self.weights_.any(axis=1)
        self.weights_ = np.ascontiguousarray(self.weights_[useful])
        self.index_ = KeyIndex(self.index_.keys[useful], self.slots_)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        result = score(self.index_, self.weights_, keys)
        if len(self.seen_) < self.n_classes_:
            unseen = np.setdiff1d(np.arange(self.n_classes_), self.seen_)
            result[:, unseen] = -np.inf
        return result

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values: dict[str, Any] = {
            "C": self.C,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "min_count": self.min_count,
            "seed": self.seed,
            "n_classes": self.n_classes_,
            "slots": [[slot.template, slot.offset, slot.size] for slot in self.slots_],
        }
        rows, columns = np.nonzero(self.weights_)
        arrays: dict[str, NDArray[Any]] = {
            "keys": self.index_.keys,
            "row_sizes": np.bincount(rows, minlength=len(self.weights_)).astype(np.uint16),
            "classes": columns.astype(np.uint16),
            "weights": self.weights_[rows, columns],
            "seen": self.seen_.astype(np.int32),
        }
        return values, arrays

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        given = {name: values[name] for name in ("C", "tol", "max_iter", "min_count", "seed")}
        guide = cls(**given)
        guide.n_classes_ = values["n_classes"]
        guide.slots_ = tuple(Slot(*slot) for slot in values["slots"])
        guide.seen_ = arrays["seen"].astype(np.int64)
        guide.index_ = KeyIndex(arrays["keys"].astype(np.int64), guide.slots_)
        rows = np.repeat(np.arange(len(arrays["row_sizes"])), arrays["row_sizes"])
        guide.weights_ = np.zeros((len(guide.index_), guide.n_classes_), dtype=np.float32)
        guide.weights_[rows, arrays["classes"]] = arrays["weights"]
        return guide


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
