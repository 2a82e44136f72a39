"""Compiled loops that find the best projective tree of a sentence in a chart, with integer scores.

Charts store scores only. Each choice is computed again when the tree is read from the chart; the first of equal
choices wins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .edges import Edges, EdgeScores, Ints

NEVER = -(2**58)
"""The score of impossible items; sums of several such scores do not overflow."""


def second_order_edges(edges: Edges, scores: EdgeScores, nodes: int, single_root: bool) -> Ints:
    """The edge of each word in the best tree of one sentence (int64, (nodes,)), by the chart of Carreras (2007).

    single_root: whether node 0 gets only one dependent.

    The time is O(L k^2 n^2) for k candidate heads of each word. Raises ValueError if there is no tree.

    ``closed[d, h, x, c]`` is the best score of the words that h dominates on the side d (0 left, 1 right) up to
    distance x, if its farthest dependent there is its candidate c, at distance ``far[d, h, c]`` (0: none, x is 0).
    Leftward and rightward spans therefore obey the same recurrences. ``opened[e]`` is the best score of the words
    between the ends of an edge, including the edge, its sibling and its inner grandchild.
    """
    edge, sibling, inner, outer = scores
    edge_of = np.zeros((nodes, nodes, 2), dtype=np.int64)  # the first edge of each arc, and the end of its edges
    # 0 for "none", then the distances of a head's candidate dependents
    far = np.zeros((2, nodes, nodes), dtype=np.int64)
    within = np.ones((2, nodes, nodes), dtype=np.int64)  # the number of these entries within a distance
    for arc in range(len(edges.arc_head)):
        h, m = edges.arc_head[arc], edges.arc_dependent[arc]
        edge_of[h, m, 0] = edges.arc_edges[arc]
        edge_of[h, m, 1] = edges.arc_edges[arc + 1]
        within[1 if h < m else 0, h, abs(m - h) :] += 1
    for h in range(nodes):
        for side in range(2):
            for extent in range(1, nodes):
                if within[side, h, extent] > within[side, h, extent - 1]:
                    far[side, h, within[side, h, extent] - 1] = extent
    most = within.max()
    closed = np.full((2, nodes, nodes, most), NEVER, dtype=np.int64)
    opened = np.full(len(edge), NEVER, dtype=np.int64)
    of_sibling = np.zeros((len(edge), most), dtype=np.int64)
    of_inner = np.zeros((len(edge), most), dtype=np.int64)
    of_outer = np.zeros((len(edge), most), dtype=np.int64)
    for arc in range(len(edges.arc_head)):
        h, m = edges.arc_head[arc], edges.arc_dependent[arc]
        side = 1 if h < m else 0
        for e in range(edges.arc_edges[arc], edges.arc_edges[arc + 1]):
            for c in range(within[side, h, abs(m - h) - 1]):
                of_sibling[e, c] = sibling[e, far[side, h, c]]
            for c in range(within[1 - side, m, abs(m - h) - 1]):
                of_inner[e, c] = inner[e, far[1 - side, m, c]]
            for c in range(within[side, m, nodes - 1]):
                of_outer[e, c] = outer[e, far[side, m, c]]
    for h in range(nodes):
        closed[0, h, 0, 0] = 0
        closed[1, h, 0, 0] = 0
    for extent in range(1, nodes):
        for h in range(nodes):
            for side in range(2):
                m = h + (2 * side - 1) * extent
                if m < 1 or m >= nodes:
                    continue
                for e in range(edge_of[h, m, 0], edge_of[h, m, 1]):
                    best = NEVER
                    for split in range(1 if single_root and h == 0 else extent):
                        rest = extent - 1 - split
                        of_head = NEVER
                        for c in range(within[side, h, split]):
                            of_head = max(of_head, closed[side, h, split, c] + of_sibling[e, c])
                        of_dependent = NEVER
                        for c in range(within[1 - side, m, rest]):
                            of_dependent = max(of_dependent, closed[1 - side, m, rest, c] + of_inner[e, c])
                        best = max(best, of_head + of_dependent)
                    opened[e] = max(best + edge[e], NEVER)
                for span in range(1, within[side, h, extent]):
                    d = h + (2 * side - 1) * far[side, h, span]
                    rest = extent - far[side, h, span]
                    highest = NEVER
                    for e in range(edge_of[h, d, 0], edge_of[h, d, 1]):
                        below = NEVER
                        for c in range(within[side, d, rest]):
                            below = max(below, closed[side, d, rest, c] + of_outer[e, c])
                        highest = max(highest, opened[e] + below)
                    closed[side, h, extent, span] = highest
    result = np.full(nodes, -1, dtype=np.int64)
    last = int(np.argmax(closed[1, 0, nodes - 1]))
    if closed[1, 0, nodes - 1, last] < NEVER // 2:
        raise ValueError("the candidate edges have no tree")
    pending = [(1, 0, nodes - 1, last)]
    while pending:
        side, h, extent, c = pending.pop()
        if extent == 0:
            continue
        distance = far[side, h, c]
        m = h + (2 * side - 1) * distance
        left = extent - distance
        beyond = 0
        for e in range(edge_of[h, m, 0], edge_of[h, m, 1]):
            count = within[side, m, left]
            values = closed[side, m, left, :count] + of_outer[e, :count]
            beyond = int(np.argmax(values))
            if opened[e] + values[beyond] == closed[side, h, extent, c]:
                result[m] = e
                break
        chosen = result[m]
        pending.append((side, m, left, beyond))
        for split in range(1 if single_root and h == 0 else distance):
            rest = distance - 1 - split
            siblings, below = within[side, h, split], within[1 - side, m, rest]
            of_heads = closed[side, h, split, :siblings] + of_sibling[chosen, :siblings]
            of_dependents = closed[1 - side, m, rest, :below] + of_inner[chosen, :below]
            near, inside = int(np.argmax(of_heads)), int(np.argmax(of_dependents))
            if of_heads[near] + of_dependents[inside] == opened[chosen] - edge[chosen]:
                pending.append((side, h, split, near))
                pending.append((1 - side, m, rest, inside))
                break
    return result


def first_order_heads(best: NDArray[np.int64], single_root: bool) -> Ints:
    """The heads of the best tree of one sentence (int64, (nodes,)), by the chart of Eisner (1996) in time O(n^3).

    best: scores by head and dependent (int64, (nodes, nodes)), :data:`NEVER` for missing arcs.
    single_root: whether node 0 gets only one dependent.

    ``closed`` and ``opened`` are indexed by side, head and other end. Raises ValueError if there is no tree.
    """
    nodes = len(best)
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
    if closed[1, 0, nodes - 1] < NEVER // 2:
        raise ValueError("the candidate edges have no tree")
    heads = np.full(nodes, -1, dtype=np.int64)
    pending = [(1, 0, nodes - 1)]
    while pending:
        side, h, end = pending.pop()
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
            for r in range(low + 1, high):
                if closed[1, low, r] + closed[0, high, r + 1] > closed[1, low, split] + closed[0, high, split + 1]:
                    split = r
        pending.extend([(side, m, end), (1, low, split), (0, high, split + 1)])
    return heads
