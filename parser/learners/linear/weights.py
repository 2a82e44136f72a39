"""The weights of a linear learner: without zeros, as in model files, and as a table that compiled code reads.

numpy scores with the former, or with a sparse matrix if there is much to score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ....features.extractor import Slot
from ...base.shapes import ShapeError
from ..common import rounded_weights
from ..key_index import NO_ROW, rows_of

if TYPE_CHECKING:
    from .crammer_singer import Rows

LARGEST = 2**15 - 1
"""Weights are whole numbers from minus this to this."""
BLOCK = 2**21
"""Number of weights that are processed together."""


def rows_at_a_time(columns: int) -> int:
    """Number of rows of weights that are processed together, so that intermediate results stay small: with
    thousands of labels a row is long."""
    return max(1, BLOCK // max(1, columns))


def scale_of(weights: NDArray[Any] | Rows, least: float = 0.0) -> float:
    """The number by which weights are divided to become whole numbers: the largest becomes :data:`LARGEST`, or less if
    the number is to be ``least`` or more."""
    largest = float(np.abs(weights).max(initial=0.0)) if isinstance(weights, np.ndarray) else weights.largest()
    return max(largest / LARGEST, least) or 1.0


def _rounded(
    weights: NDArray[Any] | Rows, rows: NDArray[np.integer], scale: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16]]:
    """Weights as whole numbers, see :meth:`.crammer_singer.Rows.rounded`."""
    return rounded_weights(weights[rows], scale) if isinstance(weights, np.ndarray) else weights.rounded(rows, scale)


MOST_DIRECT = 2**22
"""Keys below this number are looked up in a table of row numbers (4 bytes each), without hashing."""


class SparseWeights(NamedTuple):
    """Weights in the form of model files, which need little memory and no preparation.

    keys: int64 (features,), ascending. starts: int64 (features + 1,), where the weights of each feature begin, and the
    end of the last. classes: uint16 (weights,), their classes; a class occurs once for a feature. weights: int16
    (weights,).
    """

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    classes: NDArray[np.uint16]
    weights: NDArray[np.int16]

    @classmethod
    def of(
        cls, keys: NDArray[np.int64], weights: NDArray[Any] | Rows, classes: NDArray[np.integer], scale: float = 1.0
    ) -> Self:
        """The weights divided by ``scale``, rounded, without zeros; features without other weights are left out.

        keys: keys of the features, all different.
        weights: (features, seen classes).
        classes: numbers of the seen classes, ascending.
        """
        order = np.argsort(keys)
        blocks = []
        step = rows_at_a_time(weights.shape[1])  # weights of a large treebank fill most of the memory
        for start in range(0, len(order), step):
            rows = order[start : start + step]
            places, columns, rounded = _rounded(weights, rows, scale)
            blocks.append((np.bincount(places, minlength=len(rows)), classes[columns].astype(np.uint16), rounded))
        empty = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint16), np.empty(0, dtype=np.int16)
        sizes, names, numbers = (np.concatenate(parts) for parts in zip(empty, *blocks, strict=True))
        starts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
        return cls(keys[order][sizes > 0], starts, names, numbers)

    def sums(self, keys: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
        """float32 (rows, classes): for each row of a key matrix the sum of the weights of its known keys.

        The sums are whole numbers, equal to those of :func:`.lookups.sums`.
        """
        step = rows_at_a_time(keys.shape[1] * classes)
        starts = range(0, max(1, len(keys)), step)
        return np.concatenate([self._sums(keys[start : start + step], classes) for start in starts])

    def _sums(self, keys: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
        features = rows_of(self.keys, keys)
        rows, _ = known = np.nonzero(features != NO_ROW)
        begins, ends = (self.starts[features[known] + place] for place in range(2))
        counts = ends - begins
        first = np.cumsum(counts) - counts  # where the weights of each known key begin among those of all
        places = np.arange(int(counts.sum())) + np.repeat(begins - first, counts)
        cells = np.repeat(rows * classes, counts) + self.classes[places]
        sums = np.bincount(cells, self.weights[places], len(keys) * classes)
        return sums.reshape(len(keys), classes).astype(np.float32)

    def matrix(self, classes: int) -> scipy.sparse.csr_matrix:
        """CSR float32 (features, classes): the weights, whose products with matrices of features are sums, too."""
        weights = self.weights.astype(np.float32), self.classes, self.starts
        return scipy.sparse.csr_matrix(weights, shape=(len(self.keys), classes))


PLACES = 4
"""Number of keys in a bucket of the hash table. A bucket with its keys and rows fills one cache line."""
CELLS = 8
"""Maximum number of weights in a row that is stored as pairs of class and weight."""
PLACES_PER_KEY = 2
"""Minimum number of places in the hash table per key."""
LINE = 64
"""Number of bytes in a cache line, which the processor fetches from memory at once."""
LANES = 32
"""Long rows are padded to whole multiples of this many classes, one cache line."""
LEAST_PROBES = 2**22
MOST_PROBES = 2**6
"""Maximum number of attempts per key on average, from the former number of attempts on; about two are needed."""
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, odd, for multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
"""


class WeightTable(NamedTuple):
    """The weights of a linear learner.

    direct_slots: number of the first slots, whose keys are looked up without hashing.
    direct: the row of each small key, -1 for none; the last place serves unused slots (int32).
    hashed: a hash table of all other keys (int64, (buckets, 2 * :data:`PLACES`)). A bucket has keys and then their
        rows, -1 for none; it fills one cache line and is filled from its first place.
    shift: number of bits by which a hashed key is shifted to give its bucket.
    long: the long rows, which are numbered first (int16, (long rows, classes)), see :func:`blank`.
    short: the short rows (int16, (short rows, 2 * :data:`CELLS`)): classes and then their weights. Each unused cell has
        its own class number beyond the padding.

    A key is compared with the stored one, so that two keys never share a row.
    """

    direct_slots: int
    direct: NDArray[np.int32]
    hashed: NDArray[np.int64]
    shift: np.uint64
    long: NDArray[np.int16]
    short: NDArray[np.int16]

    @classmethod
    def of(cls, sparse: SparseWeights, slots: Sequence[Slot], classes: int) -> Self:
        """Make the table of a learner. Raises ShapeError for keys that were constructed to collide.

        Rows are sorted by their number of weights, ties by key: those with many are the frequent ones, which stand
        together so that they stay in the processor's cache.
        """
        sizes = np.diff(sparse.starts)
        order = np.argsort((sizes.max(initial=0) - sizes).astype(np.uint16), kind="stable")  # 16 bits sort fastest
        rows = np.empty(len(order), dtype=np.int32)
        rows[order] = np.arange(len(order), dtype=np.int32)
        chosen = sizes > CELLS
        long = blank(int(np.count_nonzero(chosen)), classes)
        entries = np.repeat(chosen, sizes)
        long[np.repeat(rows[chosen], sizes[chosen]), sparse.classes[entries]] = sparse.weights[entries]
        return cls(*_index(sparse.keys, rows, slots), long, _short_rows(sparse, sizes, long.shape[1]))

    @classmethod
    def over(cls, keys: NDArray[np.int64], slots: Sequence[Slot], long: NDArray[np.int16]) -> Self:
        """Make a table over long rows alone, which may change: row r has the weights of ``keys[r]`` (ascending)."""
        rows = np.arange(len(keys), dtype=np.int32)
        return cls(*_index(keys, rows, slots), long, _aligned((0, 2 * CELLS), np.int16))


def blank(features: int, classes: int) -> NDArray[np.int16]:
    """Rows of 0, padded to a multiple of :data:`LANES` classes; rows begin at cache lines."""
    return _aligned((features, classes + -classes % LANES), np.int16)


def direct_range(slots: Sequence[Slot]) -> tuple[int, int]:
    """(number of leading slots that have only small keys, upper bound of these keys)."""
    ends = [slot.offset + slot.size for slot in slots]
    count = next((number for number, end in enumerate(ends) if end > MOST_DIRECT), len(slots))
    return count, max(ends[:count], default=0)


def _index(
    keys: NDArray[np.int64], rows: NDArray[np.int32], slots: Sequence[Slot]
) -> tuple[int, NDArray[np.int32], NDArray[np.int64], np.uint64]:
    """The first four fields of the table. keys: ascending. rows: the row of each."""
    direct_slots, small = direct_range(slots)
    direct = np.full(small + 1, NO_ROW, dtype=np.int32)
    count = int(np.searchsorted(keys, small))
    direct[keys[:count]] = rows[:count]
    bits = max(1, (PLACES_PER_KEY * (len(keys) - count) // PLACES).bit_length())
    shift = np.uint64(64 - bits)
    home = ((keys[count:].view(np.uint64) * MULTIPLIER) >> shift).view(np.int64)
    order = np.argsort(home)
    bucket, place = np.divmod(_spread_out(home[order] * PLACES, 2**bits * PLACES), PLACES)
    hashed = _aligned((2**bits, 2 * PLACES), np.int64)
    hashed[:] = NO_ROW  # and ABSENT, which is the same number
    hashed[bucket, place], hashed[bucket, PLACES + place] = keys[count:][order], rows[count:][order]
    return direct_slots, direct, hashed, shift


def _spread_out(wanted: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Assign each entry of ``wanted`` its own place below ``size``: the wanted place or the next free one, cyclically.

    wanted: ascending; at most half as many entries as there are places

    Raises ShapeError if the entries collide too often.
    """
    number = np.arange(len(wanted))
    places: NDArray[np.int64] = np.maximum.accumulate(wanted - number) + number
    if np.sum(places - wanted) > LEAST_PROBES + MOST_PROBES * len(wanted):
        raise ShapeError("", f"too many of the {len(wanted)} keys collide; train the model again")
    inside = int(np.searchsorted(places, size))
    taken = np.zeros(min(size, 2 * len(wanted) + 1), dtype=np.bool_)
    taken[places[: np.searchsorted(places, len(taken))]] = True
    places[inside:] = np.flatnonzero(~taken)[: len(wanted) - inside]
    return places


def _short_rows(sparse: SparseWeights, sizes: NDArray[np.int64], width: int) -> NDArray[np.int16]:
    short = _aligned((int(np.count_nonzero(sizes <= CELLS)), 2 * CELLS), np.int16)
    short[:, :CELLS] = width + np.arange(CELLS)
    first = 0
    for size in range(CELLS, 0, -1):
        begins = sparse.starts[:-1][sizes == size]
        block, places = short[first : first + len(begins)], begins[:, None] + np.arange(size)
        block[:, :size], block[:, CELLS : CELLS + size] = sparse.classes[places], sparse.weights[places]
        first += len(begins)
    return short


def _aligned(shape: tuple[int, int], dtype: Any) -> NDArray[Any]:
    """An array of zeros that begins at a cache line."""
    item = np.dtype(dtype).itemsize
    places = np.zeros(shape[0] * shape[1] + LINE // item, dtype=dtype)
    first = -(places.ctypes.data // item) % (LINE // item)
    return places[first : first + shape[0] * shape[1]].reshape(shape)
