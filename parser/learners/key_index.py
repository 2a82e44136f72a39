"""Maps from exact feature keys to dense row numbers and to sparse matrices of binary features.

Small keys are looked up in a table, all others in a hash table that stores the keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ...features.extractor import ABSENT, Slot
from ..base.shapes import ShapeError

NO_ROW = -1
"""The row of a key that is not in the index."""
MOST_DIRECT = 2**22
"""Keys below this number, in slots whose ranges end below it, are looked up in a table of row numbers (4 bytes each).
"""
ROOM = 2
"""The hash table has at least 2**(ROOM - 1) places per key. With half of them, some keys of a batch needed 20 attempts,
which took twice as long as the rest of the lookup.
"""
LEAST_PROBES = 2**22
MOST_PROBES = 2**6
"""Maximum number of attempts per key, both on average over a table and for each key; about two are needed."""
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, odd, for multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
"""


class KeyIndex:
    """Row numbers of known keys: ``keys[r]`` is the key of row r. All keys are different and not negative.

    slots: the slots of the key matrices to look up, in ascending order of their ranges; without slots, all keys are
        hashed

    Lookups compare the stored key, so that two keys never share a row. Raises ShapeError for keys that were constructed
    to collide.
    """

    def __init__(self, keys: NDArray[np.int64], slots: Sequence[Slot] = ()) -> None:
        self.keys = keys
        self.direct_slots, self.direct_size = direct_range(slots)
        self.direct = np.full(self.direct_size + 1, NO_ROW, dtype=np.int32)  # the last place is the row of ABSENT
        small = keys < self.direct_size
        rows = np.arange(len(keys), dtype=np.int32)
        self.direct[keys[small]] = rows[small]
        bits = max(4, int(np.count_nonzero(~small)).bit_length() + ROOM)
        self.shift = np.uint64(64 - bits)
        self.mask = np.int64(2**bits - 1)
        self.table_keys = np.full(2**bits, ABSENT, dtype=np.int64)
        self.table_rows = np.full(2**bits, NO_ROW, dtype=np.int32)
        self._insert(keys[~small], rows[~small])

    def __len__(self) -> int:
        return len(self.keys)

    def _insert(self, keys: NDArray[np.int64], rows: NDArray[np.int32]) -> None:
        """Insert all keys at once by linear probing."""
        home = self._home(keys)
        order = np.argsort(home)
        places = spread_out(home[order], len(self.table_keys))
        self.table_keys[places], self.table_rows[places] = keys[order], rows[order]

    def _home(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        return ((keys.view(np.uint64) * MULTIPLIER) >> self.shift).view(np.int64)

    def check(self, keys: NDArray[np.int64]) -> None:
        """Raise ValueError for keys that are outside the table for small keys.

        No extractor of these slots makes such keys; compiled code would read memory outside the table.
        """
        small = keys[:, : self.direct_slots]
        if small.size and not (small.min() >= ABSENT and small.max() < self.direct_size):
            raise ValueError(
                f"keys from {small.min()} to {small.max()} in the first {self.direct_slots} slots, expected 0 to "
                f"{self.direct_size - 1}, or {ABSENT} for none"
            )

    def rows(self, keys: NDArray[np.int64]) -> NDArray[np.int32]:
        """int32 (rows, slots): the row number of each key of a key matrix, :data:`NO_ROW` for unknown keys and ABSENT.

        Raises ValueError as :meth:`check` does.
        """
        self.check(keys)
        result = np.empty(keys.shape, dtype=np.int32)
        result[:, : self.direct_slots] = self.direct[keys[:, : self.direct_slots]]
        hashed = keys[:, self.direct_slots :]
        result[:, self.direct_slots :] = self._probe(hashed.ravel()).reshape(hashed.shape)
        return result

    def features(
        self, keys: NDArray[np.int64], dtype: Any = np.float64, block: int = 50_000
    ) -> scipy.sparse.csr_matrix:
        """CSR (instances, features): 1 where an instance has the feature of a row number, see :func:`binary_matrix`.

        Processes ``keys`` in blocks, so that only the result takes much memory.
        """
        starts = range(0, max(1, len(keys)), block)
        return binary_matrix((self.rows(keys[start : start + block]) for start in starts), len(self), dtype)

    def present(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """(slots, row numbers) of the known keys of one configuration: each feature once, in ascending order.

        keys: int64 (slots,)
        """
        rows, slots = np.unique(self.rows(keys[None])[0], return_index=True)
        return slots[rows != NO_ROW], rows[rows != NO_ROW]

    def _probe(self, keys: NDArray[np.int64]) -> NDArray[np.int32]:
        places = self._home(keys)
        stored = self.table_keys[places]
        result = np.where(stored == keys, self.table_rows[places], NO_ROW)
        waiting = np.flatnonzero((stored != keys) & (stored != ABSENT) & (keys != ABSENT))
        places = places[waiting]
        while waiting.size:
            places = (places + 1) & self.mask
            stored = self.table_keys[places]
            hit = stored == keys[waiting]
            result[waiting[hit]] = self.table_rows[places[hit]]
            further = ~hit & (stored != ABSENT)
            waiting, places = waiting[further], places[further]
        return result


def direct_range(slots: Sequence[Slot]) -> tuple[int, int]:
    """(number of leading slots that have only small keys, upper bound of these keys)."""
    ends = [slot.offset + slot.size for slot in slots]
    count = next((number for number, end in enumerate(ends) if end > MOST_DIRECT), len(slots))
    return count, max(ends[:count], default=0)


def spread_out(wanted: NDArray[np.int64], size: int) -> NDArray[np.int64]:
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
