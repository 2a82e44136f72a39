"""The part of the compiled loop that follows the program of a transition system. Importing this imports numba."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....transitions.arrays import BUFFER, SIDES, STACK, Arrays
from ...base.compiling.inlining import inlined
from .plan import Node
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
    found = node
    while True:
        above = c.above[base + found]
        if above < 0:
            above = c.heads[base + found]
        if above < 0:
            break
        found = above
    if found != node:
        c.above[base + node] = found
    return found


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
