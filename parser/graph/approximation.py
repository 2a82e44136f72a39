"""Non-projective approximation: crossing arcs by single changes to the best projective tree.

McDonald & Pereira (2006), with labels as in Björkelund & Kuhn (2012), figure 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .edges import Edges, Ints
from .factors import Scores, Third, third_nodes, tree_edges
from .kernel import compiled

__all__ = ["approximate"]


def approximate(
    edges: Edges, scores: Scores, heads: Ints, labels: Ints, threshold: int, single_root: bool
) -> tuple[Ints, Ints]:
    """(heads, labels): the tree after the best change of one edge was made as long as it gains more than the threshold.

    edges, scores: of one sentence. heads, labels: (n + 1,), a tree of candidate edges. threshold: at least 0.
    single_root: the number of dependents of node 0 does not change. Every candidate edge whose head is neither its
    dependent nor a descendant of it is tried; only the factors that a change touches are scored again.
    """
    if threshold < 0:
        raise ValueError(f"threshold {threshold}, expected 0 or more")
    heads, labels = heads.copy(), labels.copy()
    own = np.concatenate(([0], tree_edges(edges, 0, heads, labels)))
    while len(heads) > 1:
        best, gain = _best_change(edges, scores, heads, own, single_root)
        if gain <= threshold:
            break
        arc = edges.arc[best]
        word = edges.arc_dependent[arc]
        heads[word], labels[word], own[word] = edges.arc_head[arc], edges.label[best], best
    return heads, labels


IMPOSSIBLE = -(2**60)


def _best_change(edges: Edges, scores: Scores, heads: Ints, own: Ints, single_root: bool) -> tuple[int, int]:
    """(edge, gain): of the changes that gain most the one whose edge comes first; the gain is 0 or less for none."""
    kernel = compiled()
    if kernel is not None:
        arcs = edges.arc_head, edges.arc_dependent, edges.arc_edges
        return kernel.best_change(*arcs, *scores, heads, own, single_root)
    gains = _gains(edges, scores, heads, own, single_root)
    best = int(gains.argmax())
    return best, int(gains[best])


def _gains(edges: Edges, scores: Scores, heads: Ints, own: Ints, single_root: bool) -> Ints:
    """(E,): what the tree's score gains by each edge in place of the one that its dependent has."""
    head, word = edges.arc_head, edges.arc_dependent
    allowed = ~_descends(heads)[word, head]
    if single_root:
        allowed &= (heads[word] == 0) == (head == 0)
    arcs = np.flatnonzero(allowed)
    gains = np.full(len(edges.arc), IMPOSSIBLE, dtype=np.int64)
    chosen = np.flatnonzero(allowed[edges.arc])
    place = np.cumsum(allowed) - 1
    row = place[edges.arc[chosen]]
    gains[chosen] = scores.edge[chosen] - scores.edge[own[word[arcs]]][row]
    if scores.order == 1:
        return gains
    old = _second_order(
        scores, own[1:], third_nodes(_repeat(heads, len(heads) - 1), np.arange(1, len(heads)), heads[1:])
    )
    old = np.concatenate(([0], old))
    trees = _repeat(heads, len(arcs))
    trees[np.arange(len(arcs)), word[arcs]] = head[arcs]
    third = third_nodes(trees, word[arcs], head[arcs])
    gains[chosen] += _second_order(scores, chosen, Third(*(nodes[row] for nodes in third)))
    change = -old[word[arcs]]
    seen: list[Ints] = []
    for touched in _touched(heads, word[arcs], head[arcs]):
        new = touched > 0
        for before in seen:
            new &= touched != before
        seen.append(touched)
        rows = np.flatnonzero(new)
        nodes = touched[rows]
        third = third_nodes(trees[rows], nodes, heads[nodes])
        change[rows] += _second_order(scores, own[nodes], third) - old[nodes]
    gains[chosen] += change[row]
    return gains


def _second_order(scores: Scores, edge: Ints, third: Third) -> Ints:
    sibling, inner, outer = third
    total: Ints = scores.sibling[edge, sibling].astype(np.int64) + scores.inner[edge, inner] + scores.outer[edge, outer]
    return total


def _repeat(heads: Ints, times: int) -> Ints:
    return np.tile(heads, (times, 1))


def _touched(heads: Ints, word: Ints, head: Ints) -> list[Ints]:
    """The words other than ``word`` whose factors may change when its head becomes ``head``, 0 for none.

    The two heads, whose grandchildren change, and the next dependents of each beyond the word, whose sibling changes.
    """
    before = heads[word]
    return [before, head, _next(heads, word, before), _next(heads, word, head)]


def _next(heads: Ints, word: Ints, head: Ints) -> Ints:
    """The dependent of ``head`` beyond ``word`` that is nearest to it; 0 for none."""
    nodes = np.arange(len(heads))
    distance = np.where(head < word, 1, -1)[:, None] * (nodes - word[:, None])
    beyond = (heads == head[:, None]) & (distance > 0)
    nearest = np.where(beyond, distance, len(heads)).argmin(axis=1)
    return np.where(beyond[np.arange(len(word)), nearest], nearest, 0)


def _descends(heads: Ints) -> NDArray[np.bool_]:
    """(n + 1, n + 1): whether the second node is the first or a descendant of it."""
    size = len(heads)
    above = np.eye(size, dtype=np.bool_)
    node = np.arange(size)
    while (node > 0).any():
        node = np.where(node > 0, heads[node], 0)
        above[node, np.arange(size)] = True
    return above
