"""Maps from exact feature keys to dense row numbers and to sparse matrices of binary features."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

NO_ROW = -1
"""The row of an unknown key."""


def rows_of(known: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int32]:
    """int32, shape of ``keys``: the index of each key in ``known``, :data:`NO_ROW` for unknown keys.

    known: ascending, all different
    """
    if not len(known):
        return np.full(keys.shape, NO_ROW, dtype=np.int32)
    places = np.searchsorted(known[:-1], keys)
    return np.where(known[places] == keys, places, NO_ROW).astype(np.int32)


def known_features(
    known: NDArray[np.int64], keys: NDArray[np.int64], dtype: Any = np.float64
) -> scipy.sparse.csr_matrix:
    """CSR (instances, known keys): 1 where an instance, a row of ``keys``, has a key; see :func:`rows_of`."""
    return binary_matrix([rows_of(known, keys)], len(known), dtype)


def binary_rows(blocks: Iterable[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.integer]]:
    """Return (features, starts) of all instances.

    features: int32, the different features of each instance in ascending order, instance by instance
    starts: start of each instance in ``features``, and the end of the last; int32, as LIBLINEAR needs it, or int64 if
        the end is larger

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
    starts = np.concatenate([[0], *counts]).cumsum()
    starts = starts.astype(np.int32 if starts[-1] < 2**31 else np.int64)
    features = np.empty(starts[-1], dtype=np.int32)
    end = len(features)
    while indices:  # releases each block after copying it
        block = indices.pop()
        features[end - len(block) : end] = block
        end -= len(block)
    return features, starts


def binary_matrix(
    blocks: Iterable[NDArray[np.int32]], n_features: int, dtype: Any = np.float64
) -> scipy.sparse.csr_matrix:
    """CSR (instances, features) with sorted indices: 1 where an instance has a feature, in one slot or several.

    blocks: as in :func:`binary_rows`
    """
    columns, starts = binary_rows(blocks)
    return scipy.sparse.csr_matrix((np.ones(len(columns), dtype), columns, starts), shape=(len(starts) - 1, n_features))
