"""From keys to rows of a table of weights, and from rows to sums, compiled. Importing this module imports numba."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import ABSENT
from ...base.compiling import compiled
from ...base.compiling.inlining import OPTIONS, fetch, inlined
from .weights import CELLS, LANES, MULTIPLIER, PLACES, WeightTable


@inlined
def _bucket(t: WeightTable, key: int) -> int:
    return np.int64((np.uint64(key) * MULTIPLIER) >> t.shift)  # type: ignore[return-value]


@inlined
def _row_of(t: WeightTable, key: int) -> int:
    """The row of a key in the hash table, -1 if the table does not have the key."""
    bucket = _bucket(t, key)
    while True:
        row = -1
        for place in range(PLACES):  # without branches, which would be mispredicted
            row += np.int64(t.hashed[bucket, place] == key) * (t.hashed[bucket, PLACES + place] + 1)
        if row >= 0 or t.hashed[bucket, PLACES - 1] < 0:
            return row
        bucket = (bucket + 1) & (len(t.hashed) - 1)


@inlined
def fetch_keys(t: WeightTable, keys: NDArray[np.int64]) -> None:
    """Prefetch the table entries of the keys."""
    direct = np.uint64(t.direct_slots)
    for at in range(direct):
        fetch(t.direct, (np.uint64(keys[at]),))
    for at in range(direct, np.uint64(len(keys))):
        fetch(t.hashed, (np.uint64(_bucket(t, keys[at])), np.uint64(0)))


@inlined
def find_rows(
    t: WeightTable,
    keys: NDArray[np.int64],
    long: NDArray[np.int64],
    short: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Look up the rows of the keys and prefetch their weights.

    keys: the keys of one configuration; in direct slots, the last number of ``direct`` stands for no key.

    Writes long rows to ``long``, short rows to ``short``, and the number of each to ``counts``.
    """
    limit, direct = len(t.long), np.uint64(t.direct_slots)
    count = few = np.uint64(0)
    for at in range(np.uint64(len(keys))):
        key = keys[at]
        row = np.int64(t.direct[np.uint64(key)]) if at < direct else _row_of(t, key)
        long[count] = row
        short[few] = row - limit
        count += np.uint64(0 <= row < limit)
        few += np.uint64(row >= limit)
    counts[0], counts[1] = count, few
    for k in range(count):
        for first in range(0, t.long.shape[1], LANES):
            fetch(t.long, (long[k], first))
    for k in range(few):
        fetch(t.short, (np.uint64(short[k]), np.uint64(0)))


@inlined
def add_rows(
    t: WeightTable,
    long: NDArray[np.int64],
    short: NDArray[np.int64],
    counts: NDArray[np.int64],
    sums: NDArray[np.int32],
) -> None:
    """Sum the weights of each class over the rows that were found; writes to ``sums``."""
    weights = t.long
    count, few = counts[0], counts[1]
    classes = weights.shape[1]
    sums[:] = 0
    k = 0
    while k + 4 <= count:
        one, two = weights[long[k]], weights[long[k + 1]]
        three, four = weights[long[k + 2]], weights[long[k + 3]]
        for j in range(classes):
            sums[j] += np.int32(one[j]) + np.int32(two[j]) + np.int32(three[j]) + np.int32(four[j])
        k += 4
    while k < count:
        one = weights[long[k]]
        for j in range(classes):
            sums[j] += np.int32(one[j])
        k += 1
    for k in range(few):
        cells = t.short[short[k]]
        for j in range(CELLS):
            sums[np.uint64(cells[j])] += np.int32(cells[CELLS + j])


def _add_all(t: WeightTable, keys: NDArray[np.int64], work: NDArray[np.int64], sums: NDArray[np.int32]) -> None:
    """Sum the weights of each row of a key matrix. work: overwritten (int64, (4, slots + 2))."""
    slots, nothing = keys.shape[1], len(t.direct) - 1
    for b in range(len(keys)):
        for at in range(slots):
            key = keys[b, at]
            work[2, at] = nothing if key < 0 and at < t.direct_slots else key
        find_rows(t, work[2, :slots], work[0], work[1], work[3])
        add_rows(t, work[0], work[1], work[3], sums[b])


add_all = compiled(_add_all, **OPTIONS)


def sums(table: WeightTable, keys: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
    """float32 (rows, classes): for each row of a key matrix the sum of the weights of its known keys.

    Raises ValueError for keys of direct slots that are outside the table. No extractor of these slots makes such keys;
    compiled code would read memory outside the table.
    """
    small, most = keys[:, : table.direct_slots], len(table.direct) - 1  # the last row is that of ABSENT
    if small.size and not (small.min() >= ABSENT and small.max() < most):
        raise ValueError(
            f"keys from {small.min()} to {small.max()} in the first {table.direct_slots} slots, expected 0 to "
            f"{most - 1}, or {ABSENT} for none"
        )
    result = np.empty((len(keys), table.long.shape[1] + CELLS), dtype=np.int32)
    add_all(table, np.ascontiguousarray(keys), np.empty((4, keys.shape[1] + 2), dtype=np.int64), result)
    return result[:, :classes].astype(np.float32)
