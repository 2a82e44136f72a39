"""The feature space of the quadratic kernel, expanded for a linear solver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ....features.extractor import ABSENT
from ...base.parameters import parameter, real, whole
from ...base.shapes import Array, Record, csr_arrays, expect
from ..common import check_instances, saved_csr, seen_classes, sorted_contributions, spread, stored_csr
from ..instances import Instances, known_keys
from ..key_index import NO_ROW, KeyIndex, binary_matrix
from ..learner import Contribution, Indexed
from ..linear.svm import liblinear_weights

_BLOCK = 2048
"""Number of instances whose pairs are looked up together; each instance has hundreds of pairs of slots."""


@dataclass(kw_only=True, eq=False)
class ExpandedSVM(Indexed):
    """A linear Crammer-Singer SVM over the explicit degree-2 mapping of binary features.

    For binary vectors x and z, (gamma x·z + coef0)² is the inner product of two mapped vectors. A mapped vector has
    sqrt(gamma² + 2 gamma coef0) for each present feature, sqrt(2) gamma for each pair of present features, and the
    constant coef0. Features and pairs are used if they occur at least ``min_count`` times. At most ``max_pairs`` pairs
    are used, the most frequent first, which limits memory. Pairs have exact 64-bit keys, so no two share a weight.

    Source: Chang, Hsieh, Chang, Ringgaard and Lin (2010), JMLR 11, section 3; solver: Keerthi et al. (2008).
    """

    name: ClassVar[str] = "svm-poly-expanded"
    section: ClassVar[Mapping[str, Any]] = {"learner": "svm", "kernel": "poly", "expand": True}
    features: ClassVar[str] = "plain"
    summary: ClassVar[str] = "the quadratic kernel as pairs of features in a linear SVM"

    C: float = parameter(1.0, real(above=0), "penalty of errors")
    gamma: float = parameter(0.2, real(above=0), "factor of the kernel")
    coef0: float = parameter(0.0, real(least=0), "constant of the kernel")
    tol: float = parameter(0.1, real(above=0), "stopping tolerance of LIBLINEAR")
    max_iter: int = parameter(1000, whole(1), "maximum number of passes over the instances")
    min_count: int = parameter(2, whole(1), "minimum number of occurrences of a feature or pair in training")
    max_pairs: int = parameter(1_000_000, whole(1), "maximum number of pairs that are kept, the most frequent first")
    seed: int = parameter(0, whole(0), "random seed of the solver")

    learned: ClassVar[Record] = Record({"n_classes_": whole(1)})
    arrays: ClassVar[Mapping[str, Array]] = {
        "kept": Array("i", ("features",), least=0, rising=True),
        "classes": Array("i", ("seen",), least=0, below="classes", rising=True, filled=True),
        "groups": Array("i", ("pairs of slots", 2), least=0, below="slots"),
        "ends": Array("i", ("groups",), least=0),
        "group_of": Array("i", ("pairs of slots",), least=0, below="groups"),
        "pairs": Array("i", ("pairs",), least=0),
        "intercept": Array("f", ("seen",)),
    }

    def fit(self, instances: Instances) -> Self:
        self.check()
        check_instances(self.name, instances)
        self.n_classes_ = instances.n_classes
        self.classes_ = seen_classes(instances.target)
        self.kept_ = np.sort(known_keys(instances, self.min_count))
        self.groups_, self.group_of_ = _slot_groups(instances)
        self.pairs_, self.ends_ = self._choose_pairs(self.index_.rows(instances.keys))
        self._index_pairs()
        n_features = len(self.index_) + len(self.pairs_)
        if len(self.classes_) == 1:
            self.weights_ = scipy.sparse.csr_array((n_features, 1), dtype=np.float32)
            self.intercept_ = np.zeros(1, np.float32)
            return self
        scale = self._scale()
        matrix = self.mapped(instances.keys)
        scaling = max(self.coef0, scale[0]) if len(scale) else 1.0
        weights, intercept = liblinear_weights(self, matrix, instances.target, intercept_scaling=scaling)
        self.weights_ = scipy.sparse.csr_array((weights * scale[:, None]).astype(np.float32))
        self.intercept_ = intercept.astype(np.float32)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        features = self._features(keys)
        scores = (features @ self.weights_).toarray() + self.intercept_
        return spread(scores, self.classes_, self.n_classes_)

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        slots: list[tuple[int, ...]] = [(slot,) for slot in range(len(keys))]
        slots += [(int(a), int(b)) for a, b in self._slots.T]
        columns, first = np.unique(self._columns(self.index_.rows(keys[None])), return_index=True)
        known = columns >= 0
        places = np.searchsorted(self.classes_, [winner, rival])
        weights = self.weights_[columns[known]].toarray().astype(np.float64)
        return sorted_contributions([slots[k] for k in first[known]], weights[:, places[0]] - weights[:, places[1]])

    def mapped(self, keys: NDArray[np.int64]) -> scipy.sparse.csr_matrix:
        """CSR (rows, features and pairs): mapped vectors, whose inner product is the kernel minus coef0²."""
        features = self._features(keys)
        features.data = self._scale()[features.indices]
        return features

    def _scale(self) -> NDArray[np.float64]:
        single = np.sqrt(self.gamma**2 + 2 * self.gamma * self.coef0)
        return np.repeat([single, np.sqrt(2) * self.gamma], [len(self.index_), len(self.pairs_)])

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values, arrays = super().state()
        return values, arrays | saved_csr("weights", self.weights_)

    @classmethod
    def arrays_shape(cls, values: Mapping[str, Any]) -> Mapping[str, Array]:
        return {**cls.arrays, **csr_arrays("weights", None, "seen")}

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.pairs_ = self.pairs_.astype(np.int64, copy=False)
        expect(
            self.ends_[-1:].sum() == len(self.pairs_),
            ": array ends",
            f"the last end does not match the {len(self.pairs_)} pairs",
        )
        expect(
            (np.diff(self.ends_, prepend=0) >= 0).all(),
            ": array ends",
            "found descending numbers; expected ascending ones",
        )
        largest = self.pairs_.max(initial=-1)
        expect(
            largest < len(self.index_) ** 2,
            ": array pairs",
            f"found {largest}; expected less than {len(self.index_) ** 2}",
        )
        self._index_pairs()
        shape = len(self.index_) + len(self.pairs_), len(self.intercept_)
        self.weights_ = stored_csr("weights", arrays, shape)

    def _choose_pairs(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        chosen, frequency = [], []
        for group in range(int(self.group_of_.max(initial=-1)) + 1):
            slots = self.groups_[self.group_of_ == group].T
            codes, counts = np.unique(_codes(rows, slots, len(self.index_)), return_counts=True)
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

    def _index_pairs(self) -> None:
        """Make the index of pairs. The same pair has a different key in each group of slots."""
        order = np.argsort(self.group_of_, kind="stable")
        self._slots = self.groups_[order].T
        step = np.int64(len(self.index_)) ** 2
        self._bases = self.group_of_[order] * step
        group_of_pair = np.repeat(np.arange(len(self.ends_)), np.diff(self.ends_, prepend=0))
        keys = self.pairs_ + group_of_pair * step
        expect(
            (keys[1:] > keys[:-1]).all(),
            ": array pairs",
            "found pairs out of order; expected ascending pairs in each group",
        )
        self._pair_index = KeyIndex(keys)

    def _features(self, keys: NDArray[np.int64]) -> scipy.sparse.csr_matrix:
        starts = range(0, max(1, len(keys)), _BLOCK)
        blocks = (self._columns(self.index_.rows(keys[start : start + _BLOCK])) for start in starts)
        return binary_matrix(blocks, len(self.index_) + len(self.pairs_), np.float32)

    def _columns(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """int32 (rows, slots + pairs of slots): the column of each feature and pair, -1 for unknown ones."""
        codes = _codes(rows, self._slots, len(self.index_))
        pairs = self._pair_index.rows(np.where(codes >= 0, codes + self._bases, ABSENT))
        return np.hstack([rows, np.where(pairs >= 0, pairs + np.int32(len(self.index_)), np.int32(NO_ROW))])


def _codes(rows: NDArray[np.int32], slots: NDArray[np.int32], n_features: int) -> NDArray[np.int64]:
    """int64 (rows, pairs): a code for the two features in each pair of slots, independent of their order.

    slots: int32 (2, pairs)

    The code is :data:`ABSENT` if a feature is unknown or both are the same.
    """
    first, second = rows[:, slots[0]], rows[:, slots[1]]
    low = np.minimum(first, second).astype(np.int64)
    high = np.maximum(first, second)
    return np.where((low >= 0) & (low < high), low * n_features + high, ABSENT)


def _slot_groups(instances: Instances) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(pairs of slots (pairs, 2), the group of each pair). Pairs with the same two ranges of keys form a group."""
    offsets = [slot.offset for slot in instances.slots]
    pairs = [(first, second) for first in range(len(offsets)) for second in range(first + 1, len(offsets))]
    numbers: dict[tuple[int, int], int] = {}
    group_of = [
        numbers.setdefault((min(offsets[a], offsets[b]), max(offsets[a], offsets[b])), len(numbers)) for a, b in pairs
    ]
    return np.array(pairs, np.int32).reshape(-1, 2), np.array(group_of, np.int32)
