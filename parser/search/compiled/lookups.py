"""The part of the compiled loop that follows the plan of the features: nodes, values and keys.

Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import ABSENT
from ....transitions.configuration import Arrays
from ...base.compiling.inlining import inlined
from .instructions import LEFT, RIGHT, node_at
from .plan import FACTORS, Node, Value
from .tables import Work


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
            keys[at] = ABSENT if at >= w.learned.direct_slots else len(w.learned.direct) - 1
