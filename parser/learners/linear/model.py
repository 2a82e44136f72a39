"""Linear learners: weights as whole numbers of 16 bits, so that rows are short and sums exact in any order.

numpy always works; where numba is installed (the extra ``crossarc[fast]``) compiled code gives equal scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...base.compiling import enabled
from ...base.shapes import Array, check_table, expect
from ..common import sorted_contributions
from ..learner import SEEN, Contribution, Learner
from .weights import Frequent, SparseWeights, Table, rows_at_a_time

LARGEST = 2**15 - 1
"""Weights are whole numbers from minus this to this."""
LARGEST_BIAS = 2**23
GRAIN = 2.0**-20
"""Unit of the logarithms of confidences, whose sums are then exact in any order."""
FEW = 2_000
"""Number of configurations that are scored with the weights as stored in files; a table pays for more."""


class LinearModel(Learner):
    """Scores are sums of weights, one for each feature and class.

    Learned: ``sparse``, the whole numbers without zeros; ``bias_`` int32 (n_classes,), which is added to the sums; and
    ``scale_``, the factor of both. Compiled code reads the weights from ``table``, which is made when it is first asked
    for, or when there is much to score.
    """

    arrays: ClassVar[Mapping[str, Array]] = {
        "key_steps": Array("i", ("features",), least=0),
        "row_sizes": Array("i", ("features",), least=0, below="classes+1"),
        "classes": Array("i", ("weights",), least=0, below="classes"),
        "weights": Array("i", ("weights",), least=-LARGEST, below=LARGEST + 1),
        "seen": SEEN,
        "bias": Array("i", ("classes",), least=-LARGEST_BIAS, below=LARGEST_BIAS + 1),
        "scale": Array("f", (), least=0, below=np.inf),
    }

    scale_: float
    bias_: NDArray[np.int32]
    sparse: SparseWeights
    _table: Table | None
    _frequent: Frequent | None
    _scored: int

    @property
    def is_linear(self) -> bool:
        return True

    @property
    def table(self) -> Table:
        """The weights for compiled code. Raises ShapeError for keys that no table can hold."""
        if self._table is None:
            self._table = Table.of(self.sparse, self.slots_, self.n_classes_)
        return self._table

    def _learn(
        self,
        keys: NDArray[np.int64],
        weights: NDArray[np.floating[Any]] | Parted,
        bias: NDArray[np.floating[Any]] | float = 0.0,
    ) -> Self:
        """weights, bias: (features, seen classes) and (seen classes,); constants of the bias do not matter."""
        numbers, self.scale_ = quantize(weights)
        del weights  # as large as all that follows together, and often nobody else's
        self.bias_ = np.zeros(self.n_classes_, dtype=np.int32)
        centred = np.round((bias - np.mean(bias)) / self.scale_)
        self.bias_[self.classes_] = np.clip(centred, -LARGEST_BIAS, LARGEST_BIAS)
        return self._set(SparseWeights.of(keys, numbers, self.classes_))

    def _set(self, sparse: SparseWeights) -> Self:
        self.sparse, self._table, self._frequent, self._scored = sparse, None, None, 0
        return self

    def _sums(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, classes): the sums of the weights of the keys of each row."""
        if self._table is None:
            self._scored += len(keys)
            if self._scored > FEW and not enabled() and self._frequent is None:
                self._frequent = self.sparse.frequent(self.n_classes_)
            if self._scored <= FEW or not enabled():
                return self.sparse.sums(keys, self.n_classes_, self._frequent)
        from .lookups import sums  # imports numba

        return sums(self.table, keys, self.n_classes_)

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        result = self._sums(keys)
        result += self.bias_
        result *= np.float32(self.scale_)
        if len(self.classes_) < self.n_classes_:
            result[:, np.setdiff1d(np.arange(self.n_classes_), self.classes_)] = -np.inf
        return result

    def additive(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The logarithms of the confidences as multiples of :data:`GRAIN`, so that compiled code gives equal values."""
        result = scores.astype(np.float64) * self.sharpness
        possible = ~np.isneginf(scores).all(axis=1)
        behind = result[possible] - result[possible].max(axis=1, keepdims=True)
        total = np.log(np.exp(behind).sum(axis=1, keepdims=True))
        result[possible] = np.rint((behind - total) / GRAIN) * GRAIN
        return result

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        known, features = self.sparse.find(keys)
        difference = np.zeros(len(known))
        for place, feature in enumerate(features.tolist()):
            own = slice(*self.sparse.starts[feature : feature + 2])
            classes, weights = self.sparse.classes[own], self.sparse.weights[own].astype(np.int64)
            difference[place] = weights[classes == winner].sum() - weights[classes == rival].sum()
        return sorted_contributions([(int(slot),) for slot in known], difference * self.scale_)

    def learned(self) -> dict[str, NDArray[Any]]:
        return {
            "key_steps": np.diff(self.sparse.keys, prepend=0),
            "row_sizes": np.diff(self.sparse.starts).astype(np.uint16),
            "classes": self.sparse.classes,
            "weights": self.sparse.weights,
            "seen": self.classes_,
            "bias": self.bias_,
            "scale": np.array(self.scale_),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.classes_, self.bias_ = arrays["seen"].astype(np.int32), arrays["bias"].astype(np.int32)
        self.scale_ = float(arrays["scale"])
        keys = np.cumsum(arrays["key_steps"], dtype=np.int64)
        size = arrays["row_sizes"].astype(np.int64)
        expect((keys[1:] > keys[:-1]).all(), ": array key_steps", "found steps that do not match the keys")
        expect(size.sum() == len(arrays["classes"]), ": array row_sizes", "found sizes that do not match the weights")
        check_table(len(keys), self.n_classes_, len(arrays["weights"]))
        starts = np.concatenate([[0], np.cumsum(size)])
        self._set(SparseWeights(keys, starts, arrays["classes"], arrays["weights"]))


class Parted(Protocol):
    """Weights in several arrays: the shape (features, classes), and a method for a range of features."""

    @property
    def shape(self) -> tuple[int, int]: ...

    def part(self, start: int, end: int) -> NDArray[np.floating[Any]]: ...


def quantize(weights: NDArray[np.floating[Any]] | Parted) -> tuple[NDArray[np.int16], float]:
    """(weights as whole numbers, scale): ``weights`` is about the numbers times the scale, the largest one exactly.

    Works through the rows in blocks: the weights of a large treebank fill most of what memory there is.
    """
    largest = max((float(np.abs(block).max(initial=0.0)) for _, block in _blocks(weights)), default=0.0)
    scale = largest / LARGEST if largest else 1.0
    numbers = np.empty(weights.shape, dtype=np.int16)
    for start, block in _blocks(weights):
        numbers[start : start + len(block)] = np.round(block / scale)
    return numbers, scale


def _blocks(weights: NDArray[np.floating[Any]] | Parted) -> Iterator[tuple[int, NDArray[np.floating[Any]]]]:
    features, classes = weights.shape
    rows = rows_at_a_time(classes)
    for start in range(0, features, rows):
        end = start + rows
        yield start, weights[start:end] if isinstance(weights, np.ndarray) else weights.part(start, end)
