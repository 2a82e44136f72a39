"""The compiled loops of graph-based parsing: they fill charts and score factors, in whole numbers.

They need numba (the extra ``crossarc[fast]``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.compiling import compiled as decorate
from ..base.compiling import require
from .edges import Ints
from .features import INNER, OUTER, SIBLING
from .trace import trace_first_order, trace_second_order

__all__ = ["NEVER", "Kernel", "compiled"]

Keys = NDArray[np.uint64]
NEVER = -(2**58)
"""The score of what cannot be; sums of several of it do not overflow."""


class Kernel(NamedTuple):
    """The compiled functions; those of one sentence take its own edges or chart."""

    fill_first_order: Callable[..., tuple[NDArray[np.int64], NDArray[np.int64]]]
    fill_second_order: Callable[..., tuple[NDArray[np.int64], Ints]]
    trace_first_order: Callable[..., None]
    trace_second_order: Callable[..., None]
    score_edges: Callable[..., None]
    score_second_order: Callable[..., None]
    best_change: Callable[..., tuple[int, int]]


@cache
def compiled() -> Kernel:
    """The compiled loops. Raises CrossarcError without numba."""
    require("graph-based parsing")
    return Kernel(
        decorate(_fill_first_order),
        decorate(_fill_second_order),
        decorate(trace_first_order),
        decorate(trace_second_order),
        decorate(_score_edges),
        decorate(_score_second_order),
        _best_change(),
    )


def _fill_second_order(
    edge_of: Ints,
    nodes: int,
    edge: Ints,
    sibling: NDArray[np.int32],
    inner: NDArray[np.int32],
    outer: NDArray[np.int32],
) -> tuple[NDArray[np.int64], Ints]:
    """(closed, (E,) open) of one sentence: the chart of Carreras (2007), in time O(L n^4).

    closed: int64 (2, nodes, nodes, nodes): ``closed[d, h, x, c]`` is the best score of the words that h has on the side
    d (0 left, 1 right) up to distance x, the farthest of its dependents there being at distance c (0: none, x is 0).
    Leftward and rightward spans so obey the same recurrences. open[e]: the best score of the words between the ends of
    an edge, with the edge, its sibling and its inner grandchild.
    """
    closed = np.full((2, nodes, nodes, nodes), NEVER, dtype=np.int64)
    open_spans = np.full(len(edge), NEVER, dtype=np.int64)
    for h in range(nodes):
        closed[0, h, 0, 0] = 0
        closed[1, h, 0, 0] = 0
    for extent in range(1, nodes):
        for h in range(nodes):
            for side in range(2):
                sign = 2 * side - 1
                m = h + sign * extent
                if m < 1 or m >= nodes:
                    continue
                for e in range(edge_of[h, m, 0], edge_of[h, m, 1]):
                    best = NEVER
                    for split in range(extent):
                        rest = extent - 1 - split
                        of_head = NEVER
                        for c in range(split + 1):
                            of_head = max(of_head, closed[side, h, split, c] + sibling[e, c])
                        of_dependent = NEVER
                        for c in range(rest + 1):
                            of_dependent = max(of_dependent, closed[1 - side, m, rest, c] + inner[e, c])
                        best = max(best, of_head + of_dependent)
                    open_spans[e] = max(best + edge[e], NEVER)
                for span in range(1, extent + 1):
                    d = h + sign * span
                    rest = extent - span
                    found = NEVER
                    for e in range(edge_of[h, d, 0], edge_of[h, d, 1]):
                        below = NEVER
                        for c in range(rest + 1):
                            below = max(below, closed[side, d, rest, c] + outer[e, c])
                        found = max(found, open_spans[e] + below)
                    closed[side, h, extent, span] = found
    return closed, open_spans


def _fill_first_order(
    best: NDArray[np.int64], nodes: int, single_root: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(closed, open), both int64 (2, nodes, nodes) by side, head and other end: the chart of Eisner (1996), in time
    O(n^3).

    best: int64 (nodes, nodes), head by dependent, :data:`NEVER` where there is no arc. single_root: node 0 gets only
    one dependent.
    """
    closed = np.full((2, nodes, nodes), NEVER, dtype=np.int64)
    opened = np.full((2, nodes, nodes), NEVER, dtype=np.int64)
    for node in range(nodes):
        closed[0, node, node] = 0
        closed[1, node, node] = 0
    for extent in range(1, nodes):
        for left in range(nodes - extent):
            right = left + extent
            joined = closed[1, left, left] + closed[0, right, left + 1]
            if not (single_root and left == 0):
                for split in range(left + 1, right):
                    joined = max(joined, closed[1, left, split] + closed[0, right, split + 1])
            joined = max(joined, NEVER)
            opened[1, left, right] = joined + best[left, right]
            opened[0, right, left] = joined + best[right, left]
            rightward = NEVER
            leftward = NEVER
            for m in range(left + 1, right + 1):
                rightward = max(rightward, opened[1, left, m] + closed[1, m, right])
            for m in range(left, right):
                leftward = max(leftward, opened[0, right, m] + closed[0, m, left])
            closed[1, left, right] = rightward
            closed[0, right, left] = leftward
    return closed, opened


def _score_edges(
    arc_head: Ints,
    arc_dependent: Ints,
    arc_edges: Ints,
    label: Ints,
    head_keys: Keys,
    dependent_keys: Keys,
    third_keys: Keys,
    distances: Keys,
    seeds: Keys,
    bin_of: Keys,
    shift: np.uint64,
    plain: int,
    before: Ints,
    weights: NDArray[np.int32],
    out: Ints,
) -> None:
    slots = head_keys.shape[1]
    rows = np.empty(slots, dtype=np.int64)
    sums = np.empty(slots, dtype=np.uint64)
    for arc in range(len(arc_head)):
        h, m = arc_head[arc], arc_dependent[arc]
        side = 1 if h < m else 0
        bin_of_arc = bin_of[abs(h - m)]
        first, end = arc_edges[arc], arc_edges[arc + 1]
        total = np.int64(0)
        for t in range(slots):
            sums[t] = head_keys[h, t] + dependent_keys[m, t] + seeds[side, t] + distances[0, t] * bin_of_arc
        for t in range(plain):
            rows[t] = np.int64(sums[t] >> shift)
            total += weights[rows[t]]
        for e in range(first, end):
            own = total
            for t in range(plain):
                own += weights[rows[t] + label[e] + 1]
            out[e] = own
        low = min(h, m)
        for word in range(low + 1, max(h, m)):
            for t in range(plain, slots):
                if before[word, t - plain] <= low:
                    row = np.int64((sums[t] + third_keys[word, t]) >> shift)
                    common = np.int64(weights[row])
                    for e in range(first, end):
                        out[e] += common + weights[row + label[e] + 1]


def _score_second_order(
    arc_head: Ints,
    arc_dependent: Ints,
    arc_edges: Ints,
    label: Ints,
    head_keys: Keys,
    dependent_keys: Keys,
    third_keys: Keys,
    distances: Keys,
    seeds: Keys,
    bin_of: Keys,
    shift: np.uint64,
    factor: int,
    beyond: Ints,
    weights: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None:
    slots = head_keys.shape[1]
    none = len(head_keys) - 1
    rows = np.empty(slots, dtype=np.int64)
    sums = np.empty(slots, dtype=np.uint64)
    no_bin = np.uint64(0)
    for arc in range(len(arc_head)):
        h, m = arc_head[arc], arc_dependent[arc]
        side = 1 if h < m else 0
        sign = 2 * side - 1
        bin_of_arc = bin_of[abs(h - m)]
        first, end = arc_edges[arc], arc_edges[arc + 1]
        for t in range(slots):
            sums[t] = head_keys[h, t] + dependent_keys[m, t] + seeds[side, t] + distances[0, t] * bin_of_arc
        farthest = beyond[arc] if factor == OUTER else abs(h - m) - 1
        start = h if factor == SIBLING else m
        step = -sign if factor == INNER else sign
        for distance in range(farthest + 1):
            third = none if distance == 0 else start + step * distance
            of_head = no_bin if distance == 0 else bin_of[abs(h - third)]
            of_dependent = no_bin if distance == 0 else bin_of[abs(m - third)]
            total = np.int32(0)
            for t in range(slots):
                key = sums[t] + third_keys[third, t] + distances[1, t] * of_head + distances[2, t] * of_dependent
                rows[t] = np.int64(key >> shift)
            for t in range(slots):
                total += weights[rows[t]]
            for e in range(first, end):
                own = total
                for t in range(slots):
                    own += weights[rows[t] + label[e] + 1]
                out[e, distance] = own


def _best_change() -> Callable[..., tuple[int, int]]:
    """(edge, gain), -1 and 0 if there is none: the first of the best changes of non-projective approximation."""

    def second_order(
        heads: Ints,
        word: int,
        head: int,
        edge: int,
        sibling: NDArray[np.int32],
        inner: NDArray[np.int32],
        outer: NDArray[np.int32],
    ) -> int:
        sign = 1 if head < word else -1
        of_head = 0
        of_inner = 0
        of_outer = 0
        for node in range(1, len(heads)):
            if node == word:
                continue
            from_head = sign * (node - head)
            from_word = sign * (node - word)
            if heads[node] == head and from_head > 0 and from_word < 0:
                of_head = max(of_head, from_head)
            elif heads[node] == word and from_word > 0:
                of_outer = max(of_outer, from_word)
            elif heads[node] == word and from_head > 0:
                of_inner = max(of_inner, -from_word)
        return np.int64(sibling[edge, of_head]) + inner[edge, of_inner] + outer[edge, of_outer]

    second_order = decorate(second_order)

    def best_change(
        arc_head: Ints,
        arc_dependent: Ints,
        arc_edges: Ints,
        edge: Ints,
        sibling: NDArray[np.int32],
        inner: NDArray[np.int32],
        outer: NDArray[np.int32],
        heads: Ints,
        own: Ints,
        single_root: bool,
    ) -> tuple[int, int]:
        size = len(heads)
        order_2 = sibling.shape[1] > 0
        changed = heads.copy()
        old = np.zeros(size, dtype=np.int64)
        if order_2:
            for word in range(1, size):
                old[word] = second_order(heads, word, heads[word], own[word], sibling, inner, outer)
        touched = np.zeros(4, dtype=np.int64)
        chosen = -1
        gain = 0
        for arc in range(len(arc_head)):
            head, word = arc_head[arc], arc_dependent[arc]
            if single_root and (heads[word] == 0) != (head == 0):
                continue
            node = head
            while node > 0 and node != word:
                node = heads[node]
            if node == word:
                continue
            rest = -edge[own[word]] - old[word]
            if order_2:
                changed[word] = head
                for number in range(4):
                    above = heads[word] if number % 2 == 0 else head
                    found = above
                    if number > 1:
                        # the dependent beyond the word that is next to it
                        step = 1 if above < word else -1
                        found = word + step
                        while 0 < found < size and heads[found] != above:
                            found += step
                        if found == size:
                            found = 0
                    touched[number] = found
                    new = found > 0
                    for before in range(number):
                        new = new and touched[before] != found
                    if new:
                        rest += second_order(changed, found, heads[found], own[found], sibling, inner, outer)
                        rest -= old[found]
                changed[word] = heads[word]
            for e in range(arc_edges[arc], arc_edges[arc + 1]):
                value = rest + edge[e]
                if order_2:
                    value += second_order(heads, word, head, e, sibling, inner, outer)
                if chosen < 0 or value > gain:
                    chosen, gain = e, value
        return chosen, gain

    compiled_change: Callable[..., tuple[int, int]] = decorate(best_change)
    return compiled_change
