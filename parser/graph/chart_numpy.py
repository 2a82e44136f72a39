"""The charts in numpy: all spans of one width of all sentences of a batch at once.

Both kinds of span are kept by their head: ``closed[d, h, x, c]`` is the best score of the words that h has on the side
d (0 left, 1 right) up to distance x, the farthest of its dependents there being at distance c (0: none, and x is 0).
Leftward and rightward spans so obey the same recurrences. Compare :mod:`.kernel`, which fills the same charts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .edges import Edges, Ints
from .factors import Scores

__all__ = ["NEVER", "fill_first_order", "fill_second_order", "room"]

NEVER = -(2**58)
"""The score of what cannot be; sums of several of it do not overflow."""


def room(edges: Edges) -> Ints:
    """(A,): how many words there are beyond the dependent of each arc, on the side away from the head."""
    sizes = np.diff(edges.sentence_arcs)
    first = np.repeat(edges.offsets[:-1], sizes)
    end = np.repeat(edges.offsets[1:], sizes)
    dependent = edges.arc_dependent
    return np.where(edges.arc_head < dependent, end - 1 - dependent, dependent - first - 1)


def fill_second_order(edges: Edges, scores: Scores) -> tuple[NDArray[np.int64], Ints]:
    """(closed, (E,) open): the chart of Carreras (2007), in time O(L n^4).

    closed: int64 (2, N, W, W). open[e]: the best score of the words between the ends of an edge, with the edge, its
    sibling and its inner grandchild.
    """
    nodes, width = int(edges.offsets[-1]), edges.width
    closed = np.full((2, nodes, width, width), NEVER, dtype=np.int64)
    closed[:, :, 0, 0] = 0
    open_spans = np.full(len(edges.arc), NEVER, dtype=np.int64)
    side = (edges.arc_head < edges.arc_dependent).astype(np.int64)
    span = np.abs(edges.arc_head - edges.arc_dependent)
    farthest = span + room(edges)
    for extent in range(1, width):
        new = np.flatnonzero((span == extent)[edges.arc])
        arc = edges.arc[new]
        d, h, m = side[arc], edges.arc_head[arc], edges.arc_dependent[arc]
        of_head = (closed[d, h, :extent, :extent] + scores.sibling[new, None, :extent]).max(axis=2)
        of_dependent = (closed[1 - d, m, :extent, :extent] + scores.inner[new, None, :extent]).max(axis=2)
        open_spans[new] = np.maximum(scores.edge[new] + (of_head + of_dependent[:, ::-1]).max(axis=1), NEVER)

        reaching = np.flatnonzero(((span <= extent) & (farthest >= extent))[edges.arc])
        if not len(reaching):
            continue
        arc = edges.arc[reaching]
        rest = closed[side[arc], edges.arc_dependent[arc], extent - span[arc], :extent]
        value = open_spans[reaching] + (rest + scores.outer[reaching, :extent]).max(axis=1)
        firsts = np.flatnonzero(np.diff(arc, prepend=-1))
        best = np.maximum(np.maximum.reduceat(value, firsts), NEVER)
        arc = arc[firsts]
        closed[side[arc], edges.arc_head[arc], extent, span[arc]] = best
    return closed, open_spans


def fill_first_order(best: NDArray[np.int64], single_root: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(closed, open), both int64 (2, B, W, W) by side, head and other end: the chart of Eisner (1996), in time O(n^3).

    best: int64 (B, W, W), head by dependent, :data:`NEVER` where there is no arc. single_root: node 0 gets only one
    dependent.
    """
    batch, width, _ = best.shape
    closed = np.full((2, batch, width, width), NEVER, dtype=np.int64)
    closed[:, :, np.arange(width), np.arange(width)] = 0
    opened = np.full_like(closed, NEVER)
    for extent in range(1, width):
        left = np.arange(width - extent)
        right = left + extent
        inside = np.arange(extent)
        halves = (
            closed[1, :, left[:, None], left[:, None] + inside]
            + closed[0, :, right[:, None], left[:, None] + inside + 1]
        )
        joined = halves.max(axis=1)
        if single_root:
            joined[0] = halves[0, 0]
        joined = np.maximum(joined.T, NEVER)
        opened[1, :, left, right] = (joined + best[:, left, right]).T
        opened[0, :, right, left] = (joined + best[:, right, left]).T
        further = np.arange(1, extent + 1)
        rightward = (
            opened[1, :, left[:, None], left[:, None] + further] + closed[1, :, left[:, None] + further, right[:, None]]
        )
        leftward = (
            opened[0, :, right[:, None], right[:, None] - further]
            + closed[0, :, right[:, None] - further, left[:, None]]
        )
        closed[1, :, left, right] = np.maximum(rightward.max(axis=1), NEVER)
        closed[0, :, right, left] = np.maximum(leftward.max(axis=1), NEVER)
    return closed, opened
