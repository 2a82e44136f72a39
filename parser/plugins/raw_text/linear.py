"""Linear classifiers over hashed features, trained with scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Ints
from ...base.shapes import Array, check_arrays, within
from .characters import Hashes, combined

BITS = 20
"""Binary logarithm of the usual number of features that are told apart. Features with equal hashes share weights."""
MOST_EQUAL = 50
"""Maximum weight of a training instance; otherwise the number of times it occurs."""
SEED = 1
C, MIN_COUNT = 0.3, 2
"""Parameters of the classifiers of gaps and of multiword tokens."""


@dataclass(frozen=True)
class HashedClassifier:
    """A linear classifier.

    known: the features with weights, in ascending order (int32, (features,)).
    weights: the weights of these features (float32, (features, columns)); two classes share one column, positive for
        the second class.
    bias: the constants (float32, (columns,)).
    bits: see :data:`BITS`.
    """

    known: NDArray[np.int32]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    bits: int = BITS

    @classmethod
    def fit(
        cls, features: Hashes, classes: Ints, C: float, min_count: int = 1, logits: bool = False, bits: int = BITS
    ) -> Self:
        """Learn from instances. Equal instances are merged.

        features: uint64 (rows, features). classes: int64 (rows,), from 0 on.
        C: strength of the data against regularization.
        min_count: minimum number of instances in which a feature occurs.
        logits: logistic regression, whose scores are logits, instead of a support vector machine.

        The result is constant, and prefers the most frequent class, where all instances have one class or no feature is
        frequent enough.
        """
        from sklearn.linear_model import LogisticRegression  # slow to import, needed in training only
        from sklearn.svm import LinearSVC

        sizes = np.bincount(classes, minlength=2).astype(np.float32)
        bias = sizes if len(sizes) > 2 else np.sign(sizes[1:] - sizes[:1] - 0.5)
        constant = cls(np.empty(0, np.int32), np.empty((0, len(bias)), np.float32), bias.astype(np.float32), bits)
        if (sizes > 0).sum() < 2:
            return constant
        same = combined(*features.T, classes.astype(np.uint64))
        _, first, times = np.unique(same, return_index=True, return_counts=True)
        known, data = _known_and_rows(features, first, times, min_count, bits)
        if not len(known):
            return constant
        if logits:
            learner = LogisticRegression(C=C, solver="liblinear", tol=0.01, random_state=SEED)
        else:
            learner = LinearSVC(C=C, tol=0.1, random_state=SEED)
        learner.fit(data, classes[first], sample_weight=np.minimum(times, MOST_EQUAL).astype(np.float64))
        weights, bias = np.ascontiguousarray(learner.coef_.T, np.float32), learner.intercept_.astype(np.float32)
        return cls(known, weights, bias, bits)

    def content(self, name: str) -> dict[str, NDArray[Any]]:
        """The arrays for the model file, by names that begin with a name."""
        return {f"{name}.known": self.known, f"{name}.weights": self.weights, f"{name}.bias": self.bias}

    @classmethod
    def from_content(cls, arrays: Mapping[str, NDArray[Any]], name: str, columns: int = 1, bits: int = BITS) -> Self:
        """The classifier of its :meth:`content`. Raises ShapeError for invalid arrays."""
        shapes = {
            "known": Array("i", ("known",), least=0, below=1 << bits, rising=True),
            "weights": Array("f", ("known", "columns")),
            "bias": Array("f", ("columns",), filled=True),
        }
        parts = {key: arrays[f"{name}.{key}"] for key in shapes if f"{name}.{key}" in arrays}
        with within(name):
            check_arrays(parts, shapes, {"columns": columns})
        known, weights, bias = parts["known"], parts["weights"], parts["bias"]
        return cls(known.astype(np.int32), weights.astype(np.float32), bias.astype(np.float32), bits)

    @property
    def constant(self) -> bool:
        """Whether all instances get the same scores."""
        return not len(self.known)

    @cached_property
    def _rows(self) -> NDArray[np.int32]:
        """By feature, one plus its place in ``known``; 0 for features without weights (int32, (2**bits,))."""
        return _rows(self.known, self.bits)

    def scores(self, features: Hashes) -> NDArray[np.float32]:
        """The scores (float32, (rows, columns)) of features (uint64, (rows, features))."""
        weights = np.concatenate([np.zeros((1, len(self.bias)), np.float32), self.weights])
        result = np.tile(self.bias, (len(features), 1))
        for column in features.T:
            result += weights[self._rows[_numbers(column, self.bits)]]
        return result

    def shifted(self, amount: float) -> Self:
        """The classifier with higher scores."""
        return replace(self, bias=self.bias + np.float32(amount))


def _known_and_rows(
    features: Hashes, first: Ints, times: Ints, min_count: int, bits: int
) -> tuple[NDArray[np.int32], Any]:
    """(the features that are frequent enough; CSR (instances, these): how often an instance has each).

    first, times: the different instances, as rows of ``features``, and how often each occurs. Columns are hashed one by
    one, and nothing but the result is left when this returns: a treebank has millions of instances.
    """
    from scipy.sparse import csr_matrix

    hashes = np.empty((len(first), features.shape[1]), dtype=np.int32)
    counts = np.zeros(1 << bits, dtype=np.int64)
    for number, column in enumerate(features.T):
        hashes[:, number] = _numbers(column[first], bits)
        np.add.at(counts, hashes[:, number], times)
    known = np.flatnonzero(counts >= min_count).astype(np.int32)
    taken = _rows(known, bits)[hashes]
    is_known = taken > 0
    ends = np.concatenate([[0], np.cumsum(is_known.sum(axis=1))])
    columns = taken[is_known] - 1
    matrix = csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(first), len(known)))
    matrix.sum_duplicates()
    return known, matrix


def _rows(known: NDArray[np.int32], bits: int) -> NDArray[np.int32]:
    rows = np.zeros(1 << bits, dtype=np.int32)
    rows[known] = np.arange(1, len(known) + 1)
    return rows


def _numbers(features: Hashes, bits: int) -> Ints:
    return (features >> np.uint64(64 - bits)).astype(np.int64)
