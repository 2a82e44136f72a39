"""Maps from exact feature keys to dense row numbers and to sparse matrices of binary features."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

NO_ROW = -1
"""The row of an unknown key."""
WIDE = 2**15
"""Smallest feature number that takes two codes: features are numbered by frequency, so that few occurrences do."""


def rows_of(known: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int32]:
    """int32, shape of ``keys``: the index of each key in ``known``, :data:`NO_ROW` for unknown keys.

    known: ascending, all different
    """
    if not len(known):
        return np.full(keys.shape, NO_ROW, dtype=np.int32)
    places = np.searchsorted(known[:-1], keys)  # without the last one, so that each place exists
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
    indices, counts = np.empty(0, dtype=np.int32), []
    end = 0
    for features, count in map(_different, blocks):
        end = _append(indices, end, features)
        counts.append(count)
    indices.resize(end, refcheck=False)
    starts = np.concatenate([[0], *counts]).cumsum()
    return indices, starts.astype(np.int32 if end < 2**31 else np.int64)


def packed_rows(blocks: Iterable[NDArray[np.int32]]) -> tuple[NDArray[np.uint16], NDArray[np.int64], int]:
    """Return (codes, starts, longest) of all instances, in about half of the memory of :func:`binary_rows`.

    codes: uint16, the features of each instance as there. Numbers below :data:`WIDE` are one code; others are two,
        the upper half plus WIDE, and the lower half.
    starts: int64, start of each instance in ``codes``, and the end of the last.
    longest: the largest number of features of an instance.

    blocks: as in :func:`binary_rows`
    """
    packed, widths = np.empty(0, dtype=np.uint16), []
    end = longest = 0
    for features, count in map(_different, blocks):
        ends = np.cumsum(1 + (features >= WIDE))
        codes = np.empty(ends[-1] if len(ends) else 0, dtype=np.uint16)
        codes[ends - 1] = features & 0xFFFF
        wide = np.flatnonzero(features >= WIDE)
        codes[ends[wide] - 2] = WIDE | (features[wide] >> 16)
        last = np.concatenate([[0], ends])[np.concatenate([[0], np.cumsum(count)])]
        end = _append(packed, end, codes)
        widths.append(np.diff(last))
        longest = max(longest, int(count.max(initial=0)))
    packed.resize(end, refcheck=False)
    return packed, np.concatenate([[0], *widths]).cumsum(), longest


def _different(rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """(the different features of the instances of a block in ascending order, their numbers); sorts ``rows``."""
    rows.sort(axis=1)
    known = rows != NO_ROW
    known[:, 1:] &= rows[:, 1:] != rows[:, :-1]
    return rows[known], np.count_nonzero(known, axis=1)


def grow(array: NDArray[Any], needed: int) -> None:
    """Enlarge an array in place to ``needed`` rows, and more so that this is rare; new rows are 0."""
    if needed > len(array):
        array.resize((needed + needed // 8 + 1000, *array.shape[1:]), refcheck=False)


def _append(array: NDArray[Any], end: int, part: NDArray[Any]) -> int:
    """Write ``part`` into an array from ``end`` on, and return its end there. The array grows in place if it is full.

    Parts that are kept until all are there, and joined then, take twice the memory.
    """
    begin, end = end, end + len(part)
    grow(array, end)
    array[begin:end] = part
    return end


def binary_matrix(
    blocks: Iterable[NDArray[np.int32]], n_features: int, dtype: Any = np.float64
) -> scipy.sparse.csr_matrix:
    """CSR (instances, features) with sorted indices: 1 where an instance has a feature, in one slot or several.

    blocks: as in :func:`binary_rows`
    """
    columns, starts = binary_rows(blocks)
    return scipy.sparse.csr_matrix((np.ones(len(columns), dtype), columns, starts), shape=(len(starts) - 1, n_features))
