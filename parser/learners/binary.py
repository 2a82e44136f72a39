"""Key matrices as sparse matrices of binary features: one column for each distinct key that was kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...features.extractor import ABSENT

__all__ = ["binary_matrix", "feature_rows", "kept_keys", "present_features"]


def kept_keys(keys: NDArray[np.int64], min_count: int = 1) -> NDArray[np.int64]:
    """The distinct keys seen at least ``min_count`` times, ascending; int64 (features,)."""
    values, counts = np.unique(keys, return_counts=True)
    return values[(counts >= min_count) & (values != ABSENT)]


def feature_rows(keys: NDArray[np.int64], kept: NDArray[np.int64]) -> NDArray[np.int32]:
    """The position of every key in ``kept``, -1 for a key that is not there; int32, shaped as ``keys``."""
    if not len(kept):
        return np.full(keys.shape, -1, np.int32)
    place = np.searchsorted(kept, keys)
    np.minimum(place, len(kept) - 1, out=place)
    return np.where(kept[place] == keys, place, -1).astype(np.int32)


def present_features(keys: NDArray[np.int64], kept: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """(slots, rows): the slots of one configuration's known keys, each feature once, and their positions in ``kept``.

    keys: int64 (slots,).
    """
    rows, slots = np.unique(feature_rows(keys, kept), return_index=True)
    return slots[rows >= 0], rows[rows >= 0]


def binary_matrix(rows: NDArray[np.int32], n_features: int, dtype: Any = np.float64) -> sparse.csr_array:
    """CSR (instances, n_features): 1 where a feature is present, once even if two slots hold it; sorted indices."""
    present = rows >= 0
    indptr = np.zeros(len(rows) + 1, np.int32)
    np.cumsum(present.sum(axis=1), out=indptr[1:])
    indices = rows[present]
    matrix = sparse.csr_array((np.ones(len(indices), dtype), indices, indptr), shape=(len(rows), n_features))
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
