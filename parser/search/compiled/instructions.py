"""The parts of the compiled loop that follow the program of a system and the plan of the features: nodes, values, keys.

Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import ABSENT
from ....transitions.arrays import BUFFER, SIDES, STACK, Arrays
from ...base.compiling.inlining import inlined
from .plan import FACTORS, Node, Value
from .program import Op
from .tables import Work

LEFT, RIGHT = SIDES["left"], SIDES["right"]


@inlined
def node_at(c: Arrays, base: int, row: int, kind: int, k: int) -> int:
    """The node at index ``k`` of a source, -1 for none. kind: the source, see :class:`.plan.Node`."""
    if kind <= Node.OTHER_STACK:
        number = np.uint64(kind)  # unsigned, so that numba does not test for negative indices
        place = c.sizes[number, row] - 1 - k
        return c.lists[number, base + place] if place >= 0 else -1
    if kind == Node.LOOKAHEAD:
        node = c.seen[row] + 1 + k
        return node if node <= c.lengths[row] else -1
    if kind == Node.CONTEXT:
        return c.lists[STACK, base + c.sizes[STACK, row] + k] if k < c.context_size[row] else -1
    return c.swapped[row] if k == 0 else -1


@inlined
def _top(c: Arrays, base: int, node: int) -> int:
    if node < 0:
        return -1
    top = node
    while True:
        above = c.above[base + top]
        if above < 0:
            above = c.heads[base + top]
        if above < 0:
            break
        top = above
    if top != node:
        c.above[base + node] = top
    return top


@inlined
def _add_arc(c: Arrays, base: int, head: int, label: int, dependent: int) -> None:
    c.heads[base + dependent] = head
    c.deprels[base + dependent] = label
    place = base + head
    if dependent > head:
        outer = c.first[RIGHT, place]
        if dependent > outer:
            c.first[RIGHT, place] = dependent
            c.second[RIGHT, place] = max(c.second[RIGHT, place], outer)
        else:
            c.second[RIGHT, place] = max(c.second[RIGHT, place], dependent)
        c.counts[RIGHT, place] += 1
    else:
        outer, inner = c.first[LEFT, place], c.second[LEFT, place]
        if outer < 0 or dependent < outer:
            c.first[LEFT, place] = dependent
            c.second[LEFT, place] = outer
        elif inner < 0 or dependent < inner:
            c.second[LEFT, place] = dependent
        c.counts[LEFT, place] += 1


@inlined
def run(w: Work, part: int, r: NDArray[np.int64], row: int) -> None:
    """Execute the instructions of one part of the program for one row of the batch.

    part: the index in :attr:`Program.starts`.
    r: the registers, which are changed.
    """
    base = row * w.c.width
    for at in range(w.program.starts[part], w.program.starts[part + 1]):
        op, target = w.program.instructions[at, 0], w.program.instructions[at, 1]
        x, y = w.program.instructions[at, 2], w.program.instructions[at, 3]
        if op == Op.NODE:
            r[target] = node_at(w.c, base, row, y, x)
        elif op == Op.SIZE:
            r[target] = w.c.sizes[x, row]
        elif op == Op.EQUAL:
            r[target] = r[x] == r[y]
        elif op == Op.LESS:
            r[target] = r[x] < r[y]
        elif op == Op.AND:
            r[target] = r[x] & r[y]
        elif op == Op.OR:
            r[target] = r[x] | r[y]
        elif op == Op.NOT:
            r[target] = 1 - r[x]
        elif op == Op.HEAD:
            r[target] = w.c.heads[base + r[x]] if r[x] >= 0 else -1
        elif op == Op.TOP:
            r[target] = _top(w.c, base, r[x])
        elif op == Op.ROOT_CHILDREN:
            r[target] = w.c.counts[RIGHT, base]
        elif op == Op.MARK:
            r[target] = w.c.mark[row]
        elif op == Op.POP_BUFFER:
            w.c.sizes[BUFFER, row] -= 1
            node = w.c.lists[BUFFER, base + w.c.sizes[BUFFER, row]]
            w.c.seen[row] = max(w.c.seen[row], node)
            r[target] = node
        elif op == Op.PUSH:
            w.c.lists[y, base + w.c.sizes[y, row]] = r[x]
            w.c.sizes[y, row] += 1
        elif op == Op.REMOVE:
            size = w.c.sizes[STACK, row] - 1
            for place in range(base + size - x, base + size):
                w.c.lists[STACK, place] = w.c.lists[STACK, place + 1]
            w.c.sizes[STACK, row] = size
        elif op == Op.PUSH_BUFFER:
            end = base + w.c.sizes[BUFFER, row]
            for place in range(y):
                w.c.lists[BUFFER, end - place] = w.c.lists[BUFFER, end - place - 1]
            w.c.lists[BUFFER, end - y] = r[x]
            w.c.sizes[BUFFER, row] += 1
            w.c.swapped[row] = r[x]
        elif op == Op.RETRACT:
            w.c.sizes[STACK, row] -= 1
            w.c.context_size[row] += 1
        elif op == Op.RESTORE:
            w.c.sizes[STACK, row] += w.c.context_size[row]
            w.c.context_size[row] = 0
        elif op == Op.DROP_CONTEXT:
            w.c.context_size[row] = 0
        elif op == Op.EXCHANGE:
            one, other = w.c.sizes[x, row], w.c.sizes[y, row]
            for place in range(base, base + max(one, other)):
                w.c.lists[x, place], w.c.lists[y, place] = w.c.lists[y, place], w.c.lists[x, place]
            w.c.sizes[x, row], w.c.sizes[y, row] = other, one
        elif op == Op.SET_MARK:
            w.c.mark[row] = x
        elif op == Op.ADD_ARC:
            _add_arc(w.c, base, r[x], r[0], r[y])


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
        elif kind == Value.ARITY:
            total = 0
            if node >= 0:
                if second & 1:
                    total += w.c.counts[LEFT, base + node]
                if second & 2:
                    total += w.c.counts[RIGHT, base + node]
            values[first] = min(total, w.plan.most_arity)
        else:
            _labels_of_dependents(w.c, base, node, second, values[first : first + count])


@inlined
def find_keys(w: Work, values: NDArray[np.int64], keys: NDArray[np.int64]) -> None:
    """Write the feature keys of one configuration to ``keys`` (int64, (slots,)).

    values: the values of columns and functions that the plan names for it (int64).

    A key is the offset of its slot, plus each value of the slot times its radix. Few slots have more than
    :data:`FACTORS` values; those with an optional value of 0 have no key.
    """
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
