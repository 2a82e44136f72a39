"""Weights of linear learners, as files have them and as rows, and scoring: feature keys to rows, rows to scores.

numpy and scipy always work; where numba is installed (the extra ``crossarc[fast]``) the same loops run compiled.
Weights are whole numbers of 16 bits, so that rows are short and sums exact in any order: both ways give equal scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.compiling import compiled, enabled
from ..key_index import MULTIPLIER, NO_ROW, KeyIndex

LARGEST = 2**15 - 1
"""Weights are whole numbers from minus this to this."""
LANES = 32
"""Rows are padded to whole multiples of this many classes (64 bytes) for the compiled loops."""
BLOCK = 2**21
"""Number of weights that are processed together."""


def rows_at_a_time(columns: int) -> int:
    """Number of rows of weights that are processed together, so that intermediate results stay small: with
    thousands of labels a row is long."""
    return max(1, BLOCK // max(1, columns))


class SparseWeights(NamedTuple):
    """Weights that take a fraction of the memory of rows for compiled loops, and no time to be made.

    keys: int64 (features,), ascending. starts: int64 (features + 1,), where the weights of each feature begin, and the
    end of the last. classes: uint16 (weights,), their classes; a class occurs once for a feature. weights: int16
    (weights,).
    """

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    classes: NDArray[np.uint16]
    weights: NDArray[np.int16]

    @classmethod
    def of(cls, keys: NDArray[np.int64], rows: NDArray[np.int16], classes: NDArray[np.integer]) -> Self:
        """What is not 0 in rows of weights, int16 (features, seen classes); features without a weight are left out.

        keys: of the features, all different. classes: the numbers of the seen classes, ascending.
        """
        order = np.argsort(keys)
        found = []
        step = rows_at_a_time(rows.shape[1])
        for start in range(0, len(order), step):
            own = rows[order[start : start + step]]
            row, column = np.nonzero(own)
            found.append((np.count_nonzero(own, axis=1), classes[column].astype(np.uint16), own[row, column]))
        empty = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint16), np.empty(0, dtype=np.int16)
        sizes, names, weights = (np.concatenate(parts) for parts in zip(empty, *found, strict=True))
        starts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
        return cls(keys[order][sizes > 0], starts, names, weights)

    def ranks(self) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """(features by how many weights they have, the most first, ties by key; int32 (features,), the place of each in
        that order). Those with many are the frequent ones, whose rows stand together, so that they stay in the
        processor's cache."""
        sizes = np.diff(self.starts)
        order = np.argsort((sizes.max(initial=0) - sizes).astype(np.uint16), kind="stable")  # 16 bits sort fastest
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        return order, rank

    def sums(self, keys: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
        """float32 (rows, classes): for each row of a key matrix the sum of the weights of its known keys.

        Sums of whole numbers, and the same ones as :func:`score` gives; for few rows, as it looks keys
        up by bisection.
        """
        step = rows_at_a_time(keys.shape[1] * classes)
        parts = [self._sums(keys[start : start + step], classes) for start in range(0, max(1, len(keys)), step)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _sums(self, keys: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
        wanted = keys.ravel()
        features = np.searchsorted(self.keys, wanted)
        known = np.flatnonzero(features < len(self.keys))
        known = known[self.keys[features[known]] == wanted[known]]
        features = features[known]
        counts = self.starts[features + 1] - self.starts[features]
        own = np.cumsum(counts) - counts  # where the weights of each known key begin among those of all
        places = np.arange(int(counts.sum())) + np.repeat(self.starts[features] - own, counts)
        cells = np.repeat(known // keys.shape[1] * classes, counts) + self.classes[places]
        sums = np.bincount(cells, self.weights[places], len(keys) * classes)
        return sums.reshape(len(keys), classes).astype(np.float32)


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
