"""Linear learners: weights as whole numbers of 16 bits, so that rows are short and sums exact in any order.

numpy always works; where numba is installed (the extra ``crossarc[fast]``) compiled code gives equal scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.compiling import enabled, loaded
from ...base.shapes import Array, check_table, expect
from ..common import sorted_contributions
from ..key_index import NO_ROW, known_features, rows_of
from ..learner import SEEN, Contribution, Learner
from .weights import LARGEST, SparseWeights, WeightTable, scale_of

if TYPE_CHECKING:
    from .crammer_singer import Rows

LARGEST_BIAS = 2**23
GRAIN = 2.0**-20
"""Unit of the logarithms of confidences, whose sums are then exact in any order."""
UNTABLED_CONFIGURATIONS = 2_000
"""Number of configurations that are scored with the weights as stored in files; a table or a matrix pays for more."""
IMPORTING_PAYS = 200_000
"""Number of configurations for which importing numba pays off, where parsing does not load its loop before."""


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
    _table: WeightTable | None
    _matrix: scipy.sparse.csr_matrix | None
    _scored: int

    @property
    def is_linear(self) -> bool:
        """Whether the scores are those of the weights."""
        return True

    @property
    def table(self) -> WeightTable:
        """The weights for compiled code. Raises ShapeError for keys that no table can hold."""
        if self._table is None:
            self._table = WeightTable.of(self.sparse, self.slots_, self.n_classes_)
        return self._table

    def _learn(
        self, keys: NDArray[np.int64], weights: NDArray[Any] | Rows, bias: NDArray[np.floating[Any]] | float = 0.0
    ) -> Self:
        """weights, bias: (features, seen classes) and (seen classes,); constants of the bias do not matter."""
        centred = bias - np.mean(bias)
        self.scale_ = scale_of(weights, float(np.abs(centred).max()) / LARGEST_BIAS)
        self.bias_ = np.zeros(self.n_classes_, dtype=np.int32)
        self.bias_[self.classes_] = np.round(centred / self.scale_)
        return self.with_weights(SparseWeights.of(keys, weights, self.classes_, self.scale_))

    def with_weights(self, sparse: SparseWeights) -> Self:
        """Replace the weights."""
        self.sparse, self._table, self._matrix, self._scored = sparse, None, None, 0
        return self

    def _sums(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, classes): the sums of the weights of the keys of each row."""
        if self._table is None:
            self._scored += len(keys)
            if self._scored <= UNTABLED_CONFIGURATIONS:
                return self.sparse.sums(keys, self.n_classes_)
            if not loaded() and not (enabled() and self._scored > IMPORTING_PAYS):
                if self._matrix is None:
                    self._matrix = self.sparse.matrix(self.n_classes_)
                products = known_features(self.sparse.keys, keys, np.float32) @ self._matrix
                return products.toarray()
        from .lookups import sums  # imports numba

        return sums(self.table, keys, self.n_classes_)

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        return self.scores_of_sums(self._sums(keys))

    def scores_of_sums(self, sums: NDArray[np.number[Any]]) -> NDArray[np.float32]:
        """The scores from the sums of weights (rows, classes), which may be overwritten."""
        result = sums.astype(np.float32, copy=False)
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
        features = rows_of(self.sparse.keys, keys)
        known = np.flatnonzero(features != NO_ROW)
        difference = np.zeros(len(known))
        for place, feature in enumerate(features[known].tolist()):
            span = slice(*self.sparse.starts[feature : feature + 2])
            classes, weights = self.sparse.classes[span], self.sparse.weights[span].astype(np.int64)
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
        self.with_weights(SparseWeights(keys, starts, arrays["classes"], arrays["weights"]))
