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
    own = np.array(scores, dtype=np.float64)
    np.fill_diagonal(own, -np.inf)
    own[:, 0] = -np.inf
    if np.isnan(own).any() or np.isposinf(own).any():
        raise ValueError("scores must be numbers or -inf")
    if single_root:
        finite = own[np.isfinite(own)]
        if len(finite):
            own[0] -= (np.ptp(finite) + 1.0) * (n + 1)
    heads = _arborescence(own)
    if single_root and np.count_nonzero(heads[1:] == 0) != 1:
        raise ValueError("the graph has no spanning tree with a single root")
    return [int(head) for head in heads]


def _arborescence(scores: Scores) -> Ints:
    """The best arborescence from node 0: contract cycles of the greedy choice until none is left, and expand them."""
    contractions: list[tuple[Ints, Ints, Ints, Ints, Ints]] = []
    while True:
        heads = scores.argmax(axis=0)
        heads[0] = -1
        if scores.max(axis=0)[1:].min() == -np.inf:
            raise ValueError("the graph has no spanning tree")
        found = cycles(heads.tolist())
        if not found:
            break
        cycle = np.array(found[0])
        scores, rest, leave, enter = _contracted(scores, heads, cycle)
        contractions.append((heads, cycle, rest, leave, enter))
    for heads_before, cycle, rest, leave, enter in reversed(contractions):
        k = len(rest)
        expanded = heads_before.copy()
        below = heads[1:k]
        expanded[rest[1:]] = np.where(below == k, cycle[leave[1:]], rest[np.minimum(below, k - 1)])
        expanded[cycle[enter[heads[k]]]] = rest[heads[k]]
        heads = expanded
    return heads


def _contracted(scores: Scores, heads: Ints, cycle: Ints) -> tuple[Scores, Ints, Ints, Ints]:
    """(a smaller graph whose last node is the cycle, its other nodes, leave, enter).

    leave: for each other node, the index in the cycle of the node with the best arc to it.
    enter: for each other node, the index in the cycle of the node where its best arc enters.
    """
    outside = np.ones(len(scores), dtype=np.bool_)
    outside[cycle] = False
    rest = outside.nonzero()[0]
    k = len(rest)
    smaller = np.empty((k + 1, k + 1))
    of_rest, of_cycle = scores.take(rest, axis=0), scores.take(cycle, axis=0)
    smaller[:k, :k] = of_rest.take(rest, axis=1)
    leaving = of_cycle.take(rest, axis=1)
    leave = leaving.argmax(axis=0)
    smaller[k, :k] = leaving.max(axis=0)
    entering = of_rest.take(cycle, axis=1) - scores[heads[cycle], cycle]
    enter = entering.argmax(axis=1)
    smaller[:k, k] = entering.max(axis=1)
    smaller[k, k] = -np.inf
    return smaller, rest, leave, enter
