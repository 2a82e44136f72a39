"""The quadratic kernel's feature space spelled out, with a linear solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.svm import LinearSVC

from .binary import binary_matrix, feature_rows, kept_keys
from .common import check_instances, check_positive, loaded_csr, seen_classes, sorted_contributions, spread
from .learner import Contribution, Instances, Learner

__all__ = ["ExpandedSVM"]

_PARAMETERS = ("C", "gamma", "coef0", "tol", "max_iter", "min_count", "max_pairs", "seed")


class ExpandedSVM(Learner):
    """The explicit degree-2 mapping of binary features and a Crammer-Singer linear SVM over it.

    With binary x and z, (gamma x·z + coef0)² is the inner product of vectors that hold sqrt(gamma² + 2 gamma coef0)
    for each present feature, sqrt(2) gamma for each pair of them, and the constant coef0. Features are kept if seen at
    least ``min_count`` times, alone or as a pair; of the pairs at most ``max_pairs``, the most frequent, which bounds
    the memory. Pairs have exact 64-bit keys: no two share a weight.

    Source: Chang, Hsieh, Chang, Ringgaard and Lin (2010), JMLR 11, section 3; solver: Keerthi et al. (2008).
    """

    name: ClassVar[str] = "svm-poly-expanded"

    def __init__(
        self,
        *,
        C: float = 1.0,
        gamma: float = 0.2,
        coef0: float = 0.0,
        tol: float = 0.1,
        max_iter: int = 1000,
        min_count: int = 2,
        max_pairs: int = 1_000_000,
        seed: int = 0,
    ) -> None:
        self.C = C
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.min_count = min_count
        self.max_pairs = max_pairs
        self.seed = seed

    def fit(self, instances: Instances) -> Self:
        check_instances(self.name, instances)
        check_positive(
            self.name,
            {name: getattr(self, name) for name in ("C", "gamma", "tol", "max_iter", "min_count", "max_pairs")},
        )
        self.n_classes_ = instances.n_classes
        self.classes_ = seen_classes(instances.target)
        self.kept_ = kept_keys(instances.keys, self.min_count)
        rows = feature_rows(instances.keys, self.kept_)
        self.groups_, self.group_of_ = _slot_groups(instances)
        self.pairs_, self.ends_ = self._choose_pairs(rows)
        n_features = len(self.kept_) + len(self.pairs_)
        if len(self.classes_) == 1:
            self.weights_ = sparse.csr_array((n_features, 1), dtype=np.float32)
            self.intercept_ = np.zeros(1, np.float32)
            return self
        scale = self._scale()
        matrix = sparse.csr_matrix(self.mapped(instances.keys))
        solver = LinearSVC(
            multi_class="crammer_singer",
            C=self.C,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.seed,
            intercept_scaling=max(self.coef0, scale[0]) if len(scale) else 1.0,
        )
        solver.fit(matrix, instances.target)
        weights, intercept = solver.coef_.T, solver.intercept_
        if weights.shape[1] == 1:
            weights, intercept = np.hstack([-weights, weights]), np.append(-intercept, intercept)
        self.weights_ = sparse.csr_array((weights * scale[:, None]).astype(np.float32))
        self.intercept_ = intercept.astype(np.float32)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        features = self._features(feature_rows(keys, self.kept_))
        scores = (features @ self.weights_).toarray() + self.intercept_
        return spread(scores, self.classes_, self.n_classes_)

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        slots: list[tuple[int, ...]] = [(slot,) for slot in range(len(keys))]
        slots += [
            (int(a), int(b)) for group in range(len(self.ends_)) for a, b in self.groups_[self.group_of_ == group]
        ]
        columns, first = np.unique(self._columns(feature_rows(keys[None], self.kept_)), return_index=True)
        known = columns >= 0
        places = np.searchsorted(self.classes_, [winner, rival])
        weights = self.weights_[columns[known]].toarray().astype(np.float64)
        return sorted_contributions([slots[k] for k in first[known]], weights[:, places[0]] - weights[:, places[1]])

    def mapped(self, keys: NDArray[np.int64]) -> sparse.csr_array:
        """CSR (rows, features and pairs): vectors whose inner products are the kernel, less the constant coef0²."""
        features = self._features(feature_rows(keys, self.kept_))
        features.data = self._scale()[features.indices]
        return features

    def _scale(self) -> NDArray[np.float64]:
        single = np.sqrt(self.gamma**2 + 2 * self.gamma * self.coef0)
        return np.repeat([single, np.sqrt(2) * self.gamma], [len(self.kept_), len(self.pairs_)])

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values: dict[str, Any] = {name: getattr(self, name) for name in _PARAMETERS}
        values["n_classes_"] = self.n_classes_
        return values, {
            "kept": self.kept_,
            "classes": self.classes_,
            "groups": self.groups_,
            "group_of": self.group_of_,
            "pairs": self.pairs_,
            "ends": self.ends_,
            "weights.data": self.weights_.data,
            "weights.indices": self.weights_.indices.astype(np.int32),
            "weights.indptr": self.weights_.indptr.astype(np.int64),
            "intercept": self.intercept_,
        }

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        guide = cls(**{name: values[name] for name in _PARAMETERS})
        guide.n_classes_ = values["n_classes_"]
        guide.kept_, guide.classes_ = arrays["kept"], arrays["classes"]
        guide.groups_, guide.group_of_ = arrays["groups"], arrays["group_of"]
        guide.pairs_, guide.ends_ = arrays["pairs"], arrays["ends"]
        guide.intercept_ = arrays["intercept"]
        parts = (arrays[f"weights.{part}"] for part in ("data", "indices", "indptr"))
        guide.weights_ = loaded_csr(parts, (len(guide.kept_) + len(guide.pairs_), len(guide.intercept_)))
        return guide

    def _codes(self, rows: NDArray[np.int32], group: int) -> NDArray[np.int64]:
        first, second = self.groups_[self.group_of_ == group].T
        low = np.minimum(rows[:, first], rows[:, second]).astype(np.int64)
        high = np.maximum(rows[:, first], rows[:, second])
        return np.where((low >= 0) & (low < high), low * len(self.kept_) + high, -1)

    def _choose_pairs(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        chosen, frequency = [], []
        for group in range(int(self.group_of_.max(initial=-1)) + 1):
            codes, counts = np.unique(self._codes(rows, group), return_counts=True)
            often = (counts >= self.min_count) & (codes >= 0)
            chosen.append(codes[often])
            frequency.append(counts[often])
        if not chosen:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        counts = np.concatenate(frequency)
        if len(counts) > self.max_pairs:
            limit = np.partition(counts, -self.max_pairs)[-self.max_pairs]
            chosen = [codes[count > limit] for codes, count in zip(chosen, frequency, strict=True)]
        return np.concatenate(chosen), np.cumsum([len(codes) for codes in chosen])

    def _features(self, rows: NDArray[np.int32]) -> sparse.csr_array:
        return binary_matrix(self._columns(rows), len(self.kept_) + len(self.pairs_), np.float32)

    def _columns(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """int32 (rows, slots and pairs of slots): the column of each feature of the mapping, -1 for unknown ones."""
        columns = [rows]
        start = 0
        for group, end in enumerate(self.ends_):
            place = feature_rows(self._codes(rows, group), self.pairs_[start:end])
            columns.append(np.where(place >= 0, place + np.int32(len(self.kept_) + start), np.int32(-1)))
            start = end
        return np.hstack(columns)


def _slot_groups(instances: Instances) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs of slots (pairs, 2) and the number of each pair's group: pairs over the same two ranges of keys."""
    offsets = [slot.offset for slot in instances.slots]
    pairs = [(first, second) for first in range(len(offsets)) for second in range(first + 1, len(offsets))]
    numbers: dict[tuple[int, int], int] = {}
    group_of = [
        numbers.setdefault((min(offsets[a], offsets[b]), max(offsets[a], offsets[b])), len(numbers)) for a, b in pairs
    ]
    return np.array(pairs, np.int32).reshape(-1, 2), np.array(group_of, np.int32)
