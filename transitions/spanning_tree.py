"""Maximum spanning trees of weighted directed graphs (Chu & Liu 1965; Edmonds 1967)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .trees import cycles

Scores = NDArray[np.float64]
Ints = NDArray[np.int64]


def maximum_spanning_tree(scores: Scores, single_root: bool = False) -> list[int]:
    """The heads of the tree with the highest sum of scores: n + 1 values, ``[0] == -1``.

    scores: by head and dependent (float, (n + 1, n + 1)); ``-inf`` for missing arcs. The diagonal and column 0 are
        ignored.
    single_root: whether node 0 gets exactly one dependent.

    For a single root, the scores of all arcs from node 0 are reduced by more than all other differences together, so
    that the best tree has as few of these arcs as possible (Stanojević & Cohen 2021, section 3). Among heads of equal
    score the lowest wins: equal scores always give the same tree. Raises ValueError if there is no such tree.
    """
    n = len(scores) - 1
    if n < 1:
        return [-1] * (n + 1)
    weights = np.array(scores, dtype=np.float64)
    np.fill_diagonal(weights, -np.inf)
    weights[:, 0] = -np.inf
    if np.isnan(weights).any() or np.isposinf(weights).any():
        raise ValueError("scores must be numbers or -inf")
    if single_root:
        finite = weights[np.isfinite(weights)]
        if len(finite):
            weights[0] -= (np.ptp(finite) + 1.0) * (n + 1)
    heads = _arborescence(weights)
    if single_root and np.count_nonzero(heads[1:] == 0) != 1:
        raise ValueError("the graph has no spanning tree with a single root")
    return [int(head) for head in heads]


def _arborescence(scores: Scores) -> Ints:
    """The best arborescence from node 0, in time O(n^2).

    If each node's best head makes no tree, a path grows backwards from any node along the best arcs; nodes that close a
    cycle become one node, until one is left (Gabow, Galil, Spencer & Tarjan 1986). Artificial arcs to node 0
    let that happen always. Expanding the nodes from node 0 on gives the tree.
    """
    heads = scores.argmax(axis=0)
    heads[0] = -1
    if scores.max(axis=0)[1:].min() == -np.inf:
        raise ValueError("the graph has no spanning tree")
    if not cycles(heads.tolist()):
        return heads
    nodes = len(scores)
    entering = scores.T.copy()  # by contracted node, which has the row of one of its nodes, and by head
    entering[0, 1:] = 0.0
    inside = np.repeat(np.arange(nodes)[:, None], nodes, axis=1)  # the node where the best arc from each head enters
    owner = np.arange(nodes)  # the row of each node's contracted node
    whole = list(range(nodes))  # the number of the contracted node in each row
    parts: list[list[int]] = [[] for _ in range(nodes)]  # of each contracted node
    above = [-1] * nodes
    arc = [(-1, -1)] * nodes  # the best arc into each contracted node
    path, on_path = [1], np.zeros(nodes, dtype=np.bool_)
    on_path[1] = True
    while (owner != owner[0]).any():
        row = path[-1]
        head = int(entering[row].argmax())
        if entering[row, head] == -np.inf:
            raise ValueError("the graph has no spanning tree")
        arc[whole[row]] = head, int(inside[row, head])
        owner_of_head = int(owner[head])
        if not on_path[owner_of_head]:
            path.append(owner_of_head)
            on_path[owner_of_head] = True
            continue
        start = path.index(owner_of_head)
        cycle = path[start:]
        for other in cycle:  # what it costs to enter the cycle there
            entering[other] -= entering[other, arc[whole[other]][0]]
        for other in cycle[1:]:
            better = entering[other] > entering[owner_of_head]
            entering[owner_of_head, better], inside[owner_of_head, better] = (
                entering[other, better],
                inside[other, better],
            )
            owner[owner == other] = owner_of_head
        entering[owner_of_head, owner == owner_of_head] = -np.inf
        parts.append([whole[other] for other in cycle])
        above.append(-1)
        arc.append((-1, -1))
        for part in parts[-1]:
            above[part] = len(parts) - 1
        whole[owner_of_head] = len(parts) - 1
        del path[start + 1 :]
    pending = [0]
    while pending:
        part = pending.pop()
        while above[part] >= 0:
            contracted = above[part]
            for other in parts[contracted]:
                above[other] = -1
                if other != part:
                    heads[arc[other][1]] = arc[other][0]
                    pending.append(arc[other][1])
            part = contracted
    return heads
