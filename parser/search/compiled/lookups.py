"""The part of the compiled loop that follows the plan of the features: nodes, values, keys, rows, sums of weights.

Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import ABSENT
from ....transitions.configuration import Arrays
from ...learners.key_index import MULTIPLIER
from .instructions import LEFT, RIGHT, fetch, inlined, node_at
from .plan import FACTORS, Node, Value
from .tables import CELLS, PLACES, Scratch, Work

LINE = 32
"""Number of 16-bit weights in a cache line, which the processor fetches from memory at once."""


@inlined
def _sibling(c: Arrays, base: int, node: int, direction: int) -> int:
    """The nearest node to one side that has the same head; the search ends at the head's outermost dependent."""
    head = c.heads[base + node]
    if head < 0:
        return -1
    last = c.first[RIGHT if direction > 0 else LEFT, base + head]
    last = last if last >= 0 else head
    while direction * (last - node) > 0:
        node += direction
        if c.heads[base + node] == head:
            return node
    return -1


@inlined
def _apply(c: Arrays, base: int, row: int, kind: int, node: int) -> int:
    """Apply a function of addresses to a node; return the resulting node."""
    place = base + node
    if kind == Node.LDEP:
        return c.first[LEFT, place]
    if kind == Node.RDEP:
        return c.first[RIGHT, place]
    if kind == Node.LDEP2:
        return c.second[LEFT, place]
    if kind == Node.RDEP2:
        return c.second[RIGHT, place]
    if kind == Node.HEAD:
        return c.heads[place]
    if kind == Node.LSIB:
        return _sibling(c, base, node, -1)
    if kind == Node.RSIB:
        return _sibling(c, base, node, 1)
    if kind == Node.PRED:
        return node - 1 if node > 1 else -1
    return node + 1 if 0 < node < c.lengths[row] else -1


@inlined
def _labels_of_dependents(c: Arrays, base: int, node: int, side: int, out: NDArray[np.int64]) -> None:
    """Write the different labels of the dependents on one side to ``out``: label + 1, ascending, then 0.

    If there are more labels than places, the lowest are written. side: 1 left, 2 right.
    """
    out[:] = 0
    if node < 0:
        return
    if side == 1:
        start, end = c.first[LEFT, base + node], node
        start = start if start >= 0 else node
    else:
        start, end = node + 1, c.first[RIGHT, base + node] + 1
    for dependent in range(start, end):
        label = c.deprels[base + dependent] + 1
        if c.heads[base + dependent] != node or label == 0:
            continue
        for place in range(len(out)):
            if out[place] == label:
                break
            if out[place] == 0 or label < out[place]:
                for behind in range(len(out) - 1, place, -1):
                    out[behind] = out[behind - 1]
                out[place] = label
                break


@inlined
def find_nodes(w: Work, nodes: NDArray[np.int64], row: int) -> None:
    """Write the node of each address of the plan to ``nodes``."""
    base = row * w.c.width
    for number in range(len(nodes)):
        kind = w.plan.addresses[number, 0]
        if kind < Node.HEAD:
            nodes[number] = node_at(w.c, base, row, kind, w.plan.addresses[number, 1])
        else:
            node = nodes[w.plan.addresses[number, 2]]
            nodes[number] = _apply(w.c, base, row, kind, node) if node >= 0 else -1


@inlined
def find_values(w: Work, nodes: NDArray[np.int64], values: NDArray[np.int64], row: int) -> None:
    """Write the values that slots use to ``values``."""
    base, origin = row * w.c.width, w.c.origin[row] + 1
    for at in range(np.uint64(len(w.plan.plain))):
        place = np.uint64(origin + nodes[np.uint64(w.plan.plain[at, 0])])
        values[np.uint64(w.plan.plain[at, 2])] = w.columns[place, np.uint64(w.plan.plain[at, 1])]
    for number in w.plan.others:
        kind, node, second = w.plan.values[number, 0], nodes[w.plan.values[number, 1]], w.plan.values[number, 2]
        first, count = w.plan.values[number, 3], w.plan.values[number, 4]
        if kind == Value.COLUMN:
            column = w.plan.columns[number]
            for k in range(count):
                values[first + k] = w.columns[origin + node, column + k]
        elif kind == Value.DEPREL:
            values[first] = w.c.deprels[base + node] + 1 if node >= 0 else 0
        elif kind == Value.DISTANCE:
            other = nodes[second]
            values[first] = 0
            if node >= 0 and other >= 0:
                values[first] = w.plan.distances[min(abs(node - other), len(w.plan.distances) - 1)]
        elif kind == Value.VALENCY:
            total = 0
            if node >= 0:
                if second & 1:
                    total += w.c.counts[LEFT, base + node]
                if second & 2:
                    total += w.c.counts[RIGHT, base + node]
            values[first] = min(total, w.plan.most_valency)
        else:
            _labels_of_dependents(w.c, base, node, second, values[first : first + count])


@inlined
def find_keys(w: Work, values: NDArray[np.int64], keys: NDArray[np.int64]) -> None:
    """Write the feature key of each slot to ``keys``."""
    k = w.plan
    for at in range(np.uint64(len(keys))):
        key = k.offsets[at]
        for factor in range(np.uint64(FACTORS)):
            key += values[np.uint64(k.factors[at, factor])] * k.radices[at, factor]
        keys[at] = key
    for number in range(len(k.rest)):
        keys[k.rest[number, 0]] += values[k.rest[number, 1]] * k.rest[number, 2]
    for number in range(len(k.optional)):
        at = k.optional[number, 0]
        if values[k.optional[number, 1]] == 0:
            keys[at] = ABSENT if at >= k.hashed else len(w.learned.direct) - 1


@inlined
def _bucket(w: Work, key: int) -> int:
    return np.int64((np.uint64(key) * MULTIPLIER) >> w.learned.shift)  # type: ignore[return-value]


@inlined
def _row_of(w: Work, key: int) -> int:
    """The row of a key in the hash table, -1 if the table does not have the key."""
    table = w.learned.table
    bucket = _bucket(w, key)
    while True:
        row = -1
        for place in range(PLACES):  # without branches, which would be mispredicted
            row += np.int64(table[bucket, place] == key) * (table[bucket, PLACES + place] + 1)
        if row >= 0 or table[bucket, PLACES - 1] < 0:
            return row
        bucket = (bucket + 1) & (len(table) - 1)


@inlined
def fetch_keys(w: Work, s: Scratch) -> None:
    """Prefetch the table entries of the keys."""
    direct = np.uint64(w.plan.hashed)
    for at in range(direct):
        fetch(w.learned.direct, (np.uint64(s.keys[at]),))
    for at in range(direct, np.uint64(len(s.keys))):
        fetch(w.learned.table, (np.uint64(_bucket(w, s.keys[at])), np.uint64(0)))


@inlined
def find_rows(w: Work, s: Scratch) -> None:
    """Look up the rows of the keys and prefetch their weights.

    Writes long rows to ``s.long``, short rows to ``s.short``, and the number of each to ``s.found``.
    """
    limit, direct = len(w.learned.weights), np.uint64(w.plan.hashed)
    count = few = np.uint64(0)
    for at in range(np.uint64(len(s.keys))):
        key = s.keys[at]
        row = np.int64(w.learned.direct[np.uint64(key)]) if at < direct else _row_of(w, key)
        s.long[count] = row
        s.short[few] = row - limit
        count += np.uint64(0 <= row < limit)
        few += np.uint64(row >= limit)
    s.found[0], s.found[1] = count, few
    for k in range(count):
        for first in range(0, w.learned.weights.shape[1], LINE):
            fetch(w.learned.weights, (s.long[k], first))
    for k in range(few):
        fetch(w.learned.short, (np.uint64(s.short[k]), np.uint64(0)))


@inlined
def add_rows(w: Work, s: Scratch) -> None:
    """Sum the weights of each class over the rows that were found; writes to ``s.sums``."""
    weights, sums = w.learned.weights, s.sums
    count, few = s.found[0], s.found[1]
    classes = weights.shape[1]
    sums[:] = 0
    k = 0
    while k + 4 <= count:
        one, two = weights[s.long[k]], weights[s.long[k + 1]]
        three, four = weights[s.long[k + 2]], weights[s.long[k + 3]]
        for j in range(classes):
            sums[j] += np.int32(one[j]) + np.int32(two[j]) + np.int32(three[j]) + np.int32(four[j])
        k += 4
    while k < count:
        one = weights[s.long[k]]
        for j in range(classes):
            sums[j] += np.int32(one[j])
        k += 1
    for k in range(few):
        cells = w.learned.short[s.short[k]]
        for j in range(CELLS):
            sums[np.uint64(cells[j])] += np.int32(cells[CELLS + j])
