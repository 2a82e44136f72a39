"""The two inner loops of linear scoring: feature keys to rows, rows to scores.

numpy and scipy always work; where numba is installed (the extra ``crossarc[fast]``) the same loops run compiled.
Weights are whole numbers of 16 bits, so that rows are short and sums exact in any order: both ways give equal scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.compiling import compiled, enabled
from ..key_index import MULTIPLIER, NO_ROW, KeyIndex
from .sparse_weights import rows_at_a_time

LARGEST = 2**15 - 1
"""Weights are whole numbers from minus this to this."""
LANES = 32
"""Rows are padded to whole multiples of this many classes (64 bytes) for the compiled loops."""


class Parted(Protocol):
    """Weights that are not one array: shape, (features, classes), and those of the features from one to another."""

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


def blank(features: int, classes: int) -> NDArray[np.int16]:
    """Weight rows of 0 for compiled loops: padded to whole multiples of :data:`LANES` classes, and every row begins
    where the processor fetches from memory."""
    width = classes + -classes % LANES
    places = np.zeros(features * width + LANES, dtype=np.int16)
    first = -(places.ctypes.data // places.itemsize) % LANES
    return places[first : first + features * width].reshape(features, width)


def prepare(padded: NDArray[np.int16], classes: int) -> NDArray[np.int16] | NDArray[np.float32]:
    """The weight rows as :func:`score` wants them: these themselves with numba, float32 (features, classes) without.

    padded: rows as :func:`blank` makes them.
    """
    return padded if enabled() else padded[:, :classes].astype(np.float32)


def score(
    index: KeyIndex, weights: NDArray[np.int16] | NDArray[np.float32], classes: int, keys: NDArray[np.int64]
) -> NDArray[np.float32]:
    """float32 (rows, classes): for each row of ``keys`` the sum of the weight rows of its known keys.

    weights: what :func:`prepare` made of int16 (features, classes), row r for the key of row r of ``index``.
    Raises ValueError for keys outside the ranges of their slots (:meth:`.key_index.KeyIndex.check`).
    """
    if weights.dtype != np.int16:
        return _score_numpy(index, weights, keys)
    index.check(keys)
    sums = np.zeros((len(keys), weights.shape[1]), dtype=np.int32)
    compiled(_add_rows)(
        np.ascontiguousarray(keys),
        index.direct,
        index.direct_slots,
        index.table_keys,
        index.table_rows,
        index.shift,
        weights,
        sums,
    )
    return sums[:, :classes].astype(np.float32)


def _score_numpy(index: KeyIndex, weights: NDArray[Any], keys: NDArray[np.int64]) -> NDArray[np.float32]:
    rows = index.rows(keys)
    known = rows != NO_ROW
    indices = rows[known]
    starts = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum(np.count_nonzero(known, axis=1), out=starts[1:])
    ones = np.ones(len(indices), dtype=np.float32)
    features = scipy.sparse.csr_array((ones, indices, starts), shape=(len(rows), len(weights)))
    product: NDArray[np.float32] = features @ weights
    return product


def _add_rows(
    keys: NDArray[np.int64],
    direct: NDArray[np.int32],
    direct_slots: int,
    table_keys: NDArray[np.int64],
    table_rows: NDArray[np.int32],
    shift: np.uint64,
    weights: NDArray[np.int16],
    sums: NDArray[np.int32],
) -> None:
    """Add the weights of the known keys of each row to its sums; compiled."""
    slots = keys.shape[1]
    classes = weights.shape[1]
    mask = table_keys.shape[0] - 1
    found = np.empty(slots, dtype=np.int64)
    for b in range(keys.shape[0]):
        # all rows are found before any is read: the processor can then fetch several of them at once
        count = 0
        for s in range(slots):
            key = keys[b, s]
            if key < 0:
                continue
            row = -1
            if s < direct_slots:
                row = direct[key]
            else:
                place = np.int64((np.uint64(key) * MULTIPLIER) >> shift)
                while table_keys[place] != key and table_keys[place] >= 0:
                    place = (place + 1) & mask
                if table_keys[place] == key:
                    row = table_rows[place]
            if row >= 0:
                found[count] = row
                count += 1
        out = sums[b]
        for k in range(count):
            weight = weights[found[k]]
            for j in range(classes):
                out[j] += weight[j]
