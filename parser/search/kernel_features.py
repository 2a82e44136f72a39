"""The part of the compiled loop that follows the plan of the features: nodes, values, keys, rows and sums of weights.
Importing this imports numba."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import ABSENT
from ...features.plan import Node, Value
from ...transitions.configuration import Arrays
from ..learners.key_index import MULTIPLIER
from .jit import compiled, fetch_place, fetch_row, row_in_bucket
from .lanes import Lanes, Work
from .tables import CELLS, FACTORS, PLACES

__all__ = ["add_rows", "apply_function", "find_keys", "find_rows", "find_values"]

LINE = 32
"""So many weights of 16 bits are fetched together."""


@compiled
def _sibling(c: Arrays, base: int, node: int, direction: int) -> int:
    """The nearest node to one side that has the same head; the search ends at the head's outermost dependent."""
    head = c.heads[base + node]
    if head < 0:
        return -1
    last = c.first_right[base + head] if direction > 0 else c.first_left[base + head]
    last = last if last >= 0 else head
    while direction * (last - node) > 0:
        node += direction
        if c.heads[base + node] == head:
            return node
    return -1


@compiled
def apply_function(c: Arrays, base: int, row: int, kind: int, node: int) -> int:
    """The node that a function leads to from a node."""
    place = base + node
    if kind == Node.LDEP:
        return c.first_left[place]
    if kind == Node.RDEP:
        return c.first_right[place]
    if kind == Node.LDEP2:
        return c.second_left[place]
    if kind == Node.RDEP2:
        return c.second_right[place]
    if kind == Node.HEAD:
        return c.heads[place]
    if kind == Node.LSIB:
        return _sibling(c, base, node, -1)
    if kind == Node.RSIB:
        return _sibling(c, base, node, 1)
    if kind == Node.PRED:
        return node - 1 if node > 1 else -1
    return node + 1 if 0 < node < c.lengths[row] else -1


@compiled
def _labels_of_dependents(c: Arrays, base: int, node: int, side: int, out: NDArray[np.int64]) -> None:
    """The labels (from 1 on) of the arcs to the dependents on one side, each once, the lowest ones that fit, ascending;
    then 0."""
    out[:] = 0
    if node < 0:
        return
    if side == 1:
        start, end = c.first_left[base + node], node
        start = start if start >= 0 else node
    else:
        start, end = node + 1, c.first_right[base + node] + 1
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


@compiled
def find_values(w: Work, group: int, nodes: NDArray[np.int64], values: NDArray[np.int64], row: int) -> None:
    """Fill in the values that the slots of a group look at."""
    base, origin = row * w.c.width, w.c.origin[row] + 1
    for at in range(np.uint64(w.keys.plain_starts[group]), np.uint64(w.keys.plain_starts[group + 1])):
        place = np.uint64(origin + nodes[np.uint64(w.keys.plain[at, 0])])
        values[np.uint64(w.keys.plain[at, 2])] = w.columns[place, np.uint64(w.keys.plain[at, 1])]
    for at in range(w.keys.other_starts[group], w.keys.other_starts[group + 1]):
        number = w.keys.others[at]
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
                    total += w.c.count_left[base + node]
                if second & 2:
                    total += w.c.count_right[base + node]
            values[first] = min(total, w.plan.most_valency)
        else:
            _labels_of_dependents(w.c, base, node, second, values[first : first + count])


@compiled
def find_keys(w: Work, group: int, values: NDArray[np.int64], keys: NDArray[np.int64]) -> None:
    """Fill in the keys of a group, and have the places fetched where their rows stand."""
    k = w.keys
    start, hashed, end = np.uint64(k.starts[group]), np.uint64(k.hashed[group]), np.uint64(k.starts[group + 1])
    for at in range(start, end):
        key = k.offsets[at]
        for factor in range(np.uint64(FACTORS)):
            key += values[np.uint64(k.rows[at, factor])] * k.radices[at, factor]
        keys[at] = key
    for number in range(k.rest_starts[group], k.rest_starts[group + 1]):
        keys[k.rest[number, 0]] += values[k.rest[number, 1]] * k.rest[number, 2]
    for number in range(k.optional_starts[group], k.optional_starts[group + 1]):
        at = k.optional[number, 0]
        if values[k.optional[number, 1]] == 0:
            keys[at] = ABSENT if at >= k.hashed[group] else len(w.learned.direct) - 1
    for at in range(start, hashed):
        fetch_place(w.learned.direct, keys[at])
    for at in range(hashed, end):
        fetch_row(w.learned.table, _bucket(w, keys[at]), 0)


@compiled
def _bucket(w: Work, key: int) -> int:
    return np.int64((np.uint64(key) * MULTIPLIER) >> w.learned.shift)  # type: ignore[return-value]


@compiled
def _row_of(w: Work, key: int) -> int:
    """The row of a key that is looked up in the hash table, -1 if it is not there."""
    table = w.learned.table
    bucket = _bucket(w, key)
    while True:
        row = row_in_bucket(table, bucket, key)
        if row >= 0 or table[bucket, PLACES - 1] < 0:
            return row
        bucket = (bucket + 1) & (len(table) - 1)


@compiled
def find_rows(w: Work, group: int, lane: Lanes, g: int) -> None:
    """Put the rows of the known features of a group one after the other, long and short ones apart, and have them
    fetched."""
    keys, found, short = lane.keys[g], lane.found[g], lane.short[g]
    start, end = np.uint64(w.keys.starts[group]), np.uint64(w.keys.starts[group + 1])
    hashed = np.uint64(w.keys.hashed[group])
    classes, limit = w.learned.weights.shape[1], len(w.learned.weights)
    count = few = start
    for at in range(start, end):
        row = np.int64(w.learned.direct[np.uint64(keys[at])]) if at < hashed else _row_of(w, keys[at])
        found[count] = row
        short[few] = row - limit
        count += np.uint64(0 <= row < limit)
        few += np.uint64(row >= limit)
    for at in range(start, count):
        for first in range(0, classes, LINE):
            fetch_row(w.learned.weights, found[at], first)
    for at in range(start, few):
        fetch_row(w.learned.short, short[at], 0)
    lane.ends[g, group] = count
    lane.short_ends[g, group] = few


@compiled
def add_rows(w: Work, group: int, lane: Lanes, g: int, sums: NDArray[np.int32]) -> None:
    """Add the weights in the rows found for a group to the sums of the classes."""
    weights, found, short = w.learned.weights, lane.found[g], lane.short[g]
    classes = weights.shape[1]
    k, count = w.keys.starts[group], lane.ends[g, group]
    while k + 4 <= count:
        one, two, three, four = weights[found[k]], weights[found[k + 1]], weights[found[k + 2]], weights[found[k + 3]]
        for j in range(classes):
            sums[j] += np.int32(one[j]) + np.int32(two[j]) + np.int32(three[j]) + np.int32(four[j])
        k += 4
    while k < count:
        one = weights[found[k]]
        for j in range(classes):
            sums[j] += np.int32(one[j])
        k += 1
    for k in range(w.keys.starts[group], lane.short_ends[g, group]):
        cells = w.learned.short[short[k]]
        for j in range(CELLS):
            sums[np.uint64(cells[j])] += np.int32(cells[CELLS + j])
