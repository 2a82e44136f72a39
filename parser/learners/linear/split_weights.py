"""Weights for scoring with numpy: most features have few weights, and rows of all classes would fill memory with 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ....features.extractor import Slot
from ..key_index import NO_ROW, KeyIndex

SHARE = 8
"""A feature with weights for more than one in so many classes gets a dense row: a sparse one would be slower."""


class SplitWeights(NamedTuple):
    """The weights of features with many weights, float32 (many, classes), and of all others, sparse.

    features: their keys, those with many weights first.
    """

    features: KeyIndex
    many: NDArray[np.float32]
    few: scipy.sparse.csr_array

    @classmethod
    def of(
        cls,
        keys: NDArray[np.int64],
        starts: NDArray[np.int64],
        classes: NDArray[np.integer],
        weights: NDArray[np.int16],
        order: NDArray[np.intp],
        slots: Sequence[Slot],
        n_classes: int,
    ) -> Self:
        """keys, starts, classes, weights: as of :class:`.model.SparseWeights`. order: the features, by how many weights
        they have, the most first. slots: as :class:`..key_index.KeyIndex` takes them."""
        parts = weights.astype(np.float32), classes.astype(np.int32), starts.astype(np.int32)
        matrix = scipy.sparse.csr_array(parts, shape=(len(keys), n_classes))[order]
        many = int(np.count_nonzero(SHARE * np.diff(starts) > n_classes))
        return cls(KeyIndex(keys[order], slots), matrix[:many].toarray(), matrix[many:])

    def sums(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, classes): for each row of a key matrix the sum of the weights of its known keys."""
        known = known_features(self.features.rows(keys), len(self.features))
        many = len(self.many)
        result: NDArray[np.float32] = known[:, :many] @ self.many
        result += (known[:, many:] @ self.few).toarray()
        return result


def known_features(rows: NDArray[np.int32], count: int) -> Any:
    """CSR (configurations, count) of float32: 1 for each known feature of a configuration.

    rows: int32 (configurations, slots), :data:`..key_index.NO_ROW` for unknown ones.
    """
    known = rows != NO_ROW
    starts = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum(np.count_nonzero(known, axis=1), out=starts[1:])
    indices = rows[known]
    return scipy.sparse.csr_array((np.ones(len(indices), np.float32), indices, starts), shape=(len(rows), count))
