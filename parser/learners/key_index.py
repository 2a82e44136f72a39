"""Maps from exact feature keys to dense row numbers and to sparse matrices of binary features."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

NO_ROW = -1
"""The row of a key that is not in the index."""
BLOCK = 50_000


class KeyIndex:
    """Row numbers of known keys: ``keys[r]`` is the key of row r. All keys are different and not negative."""

    def __init__(self, keys: NDArray[np.int64]) -> None:
        self.keys = keys
        order = np.argsort(keys)
        self._sorted = np.append(keys[order], np.iinfo(np.int64).max)  # beyond all keys
        self._rows = np.append(order, NO_ROW).astype(np.int32)

    def __len__(self) -> int:
        return len(self.keys)

    def rows(self, keys: NDArray[np.int64]) -> NDArray[np.int32]:
        """int32 (rows, slots): the row number of each key of a matrix, :data:`NO_ROW` for unknown keys and ABSENT."""
        places = np.searchsorted(self._sorted, keys)
        return np.where(self._sorted[places] == keys, self._rows[places], np.int32(NO_ROW))

    def features(self, keys: NDArray[np.int64]) -> scipy.sparse.csr_matrix:
        """CSR (instances, features): 1 where an instance has the feature of a row number, see :func:`binary_matrix`.

        ``keys`` are processed in blocks, so that only the result takes much memory.
        """
        starts = range(0, max(1, len(keys)), BLOCK)
        return binary_matrix((self.rows(keys[start : start + BLOCK]) for start in starts), len(self))

    def present(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """(slots, row numbers) of the known keys of one configuration: each feature once, in ascending order.

        keys: int64 (slots,)
        """
        rows, slots = np.unique(self.rows(keys[None])[0], return_index=True)
        return slots[rows != NO_ROW], rows[rows != NO_ROW]


def binary_rows(blocks: Iterable[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return (features, starts) of all instances.

    features: int32, the different features of each instance in ascending order, instance by instance
    starts: start of each instance in ``features``, and the end of the last

    blocks: int32 (instances, slots), the feature numbers of blocks of instances, :data:`NO_ROW` for none; sorted in
        place
    """
    indices, counts = [], []
    for rows in blocks:
        rows.sort(axis=1)
        known = rows != NO_ROW
        known[:, 1:] &= rows[:, 1:] != rows[:, :-1]
        indices.append(rows[known])
        counts.append(np.count_nonzero(known, axis=1))
    starts = np.zeros(sum(map(len, counts)) + 1, dtype=np.int32)
    np.cumsum(np.concatenate(counts), out=starts[1:])
    return np.concatenate(indices), starts


def binary_matrix(
    blocks: Iterable[NDArray[np.int32]], n_features: int, dtype: Any = np.float64
) -> scipy.sparse.csr_matrix:
    """CSR (instances, features) with sorted indices: 1 where an instance has a feature, in one slot or several.

    blocks: as in :func:`binary_rows`
    """
    columns, starts = binary_rows(blocks)
    return scipy.sparse.csr_matrix((np.ones(len(columns), dtype), columns, starts), shape=(len(starts) - 1, n_features))
