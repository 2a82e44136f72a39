"""From a chart back to the tree: which choices gave the best score.

Charts keep scores only; where a choice is needed it is made again, the first of equal ones. The functions are plain
loops, which :mod:`.kernel` compiles as they stand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .edges import Ints

__all__ = ["trace_first_order", "trace_second_order"]


def trace_second_order(
    closed: NDArray[np.int64],
    open_spans: Ints,
    nodes: int,
    edge_of: Ints,
    label: Ints,
    edge: Ints,
    sibling: NDArray[np.int32],
    inner: NDArray[np.int32],
    outer: NDArray[np.int32],
    heads: Ints,
    labels: Ints,
) -> None:
    """Fill heads and labels, (nodes,), from the chart of :func:`~.kernel._fill_second_order`.

    closed, open_spans, label and the scores are those of one sentence. edge_of: (nodes, nodes, 2), the first edge of
    each arc, head by dependent, and the end of its edges.
    """
    pending = np.empty((2 * nodes + 4, 4), dtype=np.int64)
    count = 0
    last = 0
    if nodes > 1:
        last = int(np.argmax(closed[1, 0, nodes - 1, :nodes]))
        pending[0, 0], pending[0, 1], pending[0, 2], pending[0, 3] = 1, 0, nodes - 1, last
        count = 1
    while count:
        count -= 1
        side, h, extent, c = pending[count, 0], pending[count, 1], pending[count, 2], pending[count, 3]
        if extent == 0:
            continue
        sign = 2 * side - 1
        m = h + sign * c
        left = extent - c
        chosen = -1
        of_outer = 0
        wanted = closed[side, h, extent, c]
        for e in range(edge_of[h, m, 0], edge_of[h, m, 1]):
            values = closed[side, m, left, : left + 1] + outer[e, : left + 1]
            of_outer = int(np.argmax(values))
            if open_spans[e] + values[of_outer] == wanted:
                chosen = e
                break
        heads[m] = h
        labels[m] = label[chosen]
        pending[count, 0], pending[count, 1], pending[count, 2], pending[count, 3] = side, m, left, of_outer
        count += 1
        wanted = open_spans[chosen] - edge[chosen]
        for split in range(c):
            rest = c - 1 - split
            of_head = closed[side, h, split, : split + 1] + sibling[chosen, : split + 1]
            of_dependent = closed[1 - side, m, rest, : rest + 1] + inner[chosen, : rest + 1]
            near, far = np.argmax(of_head), np.argmax(of_dependent)
            if of_head[near] + of_dependent[far] == wanted:
                pending[count, 0], pending[count, 1], pending[count, 2], pending[count, 3] = side, h, split, near
                count += 1
                pending[count, 0], pending[count, 1], pending[count, 2], pending[count, 3] = 1 - side, m, rest, far
                count += 1
                break


def trace_first_order(
    closed: NDArray[np.int64], opened: NDArray[np.int64], nodes: int, single_root: bool, heads: Ints
) -> None:
    """Fill heads, (nodes,), from the chart of :func:`~.kernel._fill_first_order`; closed, open: (2, W, W)."""
    pending = np.empty((2 * nodes + 4, 3), dtype=np.int64)
    pending[0, 0], pending[0, 1], pending[0, 2] = 1, 0, nodes - 1
    count = 1
    while count:
        count -= 1
        side, h, end = pending[count, 0], pending[count, 1], pending[count, 2]
        if h == end:
            continue
        sign = 2 * side - 1
        m = h + sign
        while opened[side, h, m] + closed[side, m, end] != closed[side, h, end]:
            m += sign
        heads[m] = h
        low, high = min(h, m), max(h, m)
        split = low
        if not (single_root and h == 0):
            best = closed[1, low, low] + closed[0, high, low + 1]
            for r in range(low + 1, high):
                value = closed[1, low, r] + closed[0, high, r + 1]
                if value > best:
                    best, split = value, r
        pending[count, 0], pending[count, 1], pending[count, 2] = side, m, end
        pending[count + 1, 0], pending[count + 1, 1], pending[count + 1, 2] = 1, low, split
        pending[count + 2, 0], pending[count + 2, 1], pending[count + 2, 2] = 0, high, split + 1
        count += 3
