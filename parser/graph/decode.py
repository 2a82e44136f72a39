"""The best trees of a batch of sentences, given the scores of their factors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .approximation import approximate
from .edges import Edges, Ints
from .factors import Scores, sentence_scores
from .kernel import NEVER, compiled
from .spanning_tree import maximum_spanning_tree

__all__ = ["Decoding", "decode"]


FORBIDDEN = -(2**30)


class Decoding(NamedTuple):
    """nonprojective: one of ``NONPROJECTIVE``. threshold: what a change must gain more than to be made by the
    approximation, in units of the scores. single_root: whether node 0 gets exactly one dependent."""

    nonprojective: str = "none"
    threshold: int = 0
    single_root: bool = True


def decode(edges: Edges, scores: Scores, decoding: Decoding) -> list[tuple[Ints, Ints]]:
    """For each sentence (heads, labels), (n + 1,) each, -1 at node 0: the tree with the best score.

    The first of equal choices is taken, so that equal scores always give equal trees. Raises ValueError for a spanning
    tree with second-order scores, and where the candidates have no tree.
    """
    if decoding.nonprojective == "mst":
        if scores.order == 2:
            raise ValueError("maximum spanning trees are for first-order scores")
        return _spanning_trees(edges, scores, decoding.single_root)
    if scores.order == 1:
        trees = _eisner(edges, scores, decoding.single_root)
    else:
        trees = _carreras(edges, _one_root(edges, scores) if decoding.single_root else scores)
    if decoding.nonprojective == "none":
        return trees
    return [
        approximate(*sentence_scores(edges, scores, number), heads, labels, decoding.threshold, decoding.single_root)
        for number, (heads, labels) in enumerate(trees)
    ]


def _one_root(edges: Edges, scores: Scores) -> Scores:
    """The scores without any for a dependent of node 0 that has a sibling."""
    sibling = scores.sibling.copy()
    below_root = np.isin(edges.head, edges.offsets[:-1])
    sibling[below_root, 1:] = FORBIDDEN
    return scores._replace(sibling=sibling)


def _carreras(edges: Edges, scores: Scores) -> list[tuple[Ints, Ints]]:
    kernel = compiled()
    trees = []
    for number in range(len(edges.offsets) - 1):
        own, own_scores = sentence_scores(edges, scores, number)
        nodes = own.width
        edge_of = _edge_table(own)
        closed, opened = kernel.fill_second_order(edge_of, nodes, *own_scores)
        if nodes > 1 and closed[1, 0, nodes - 1].max() < NEVER // 2:
            raise ValueError("the candidate edges have no tree")
        heads, labels = _no_heads(nodes), _no_heads(nodes)
        kernel.trace_second_order(closed, opened, nodes, edge_of, own.label, *own_scores, heads, labels)
        trees.append((heads, labels))
    return trees


def _edge_table(edges: Edges) -> Ints:
    """(nodes, nodes, 2): the first edge and the end of the edges of each arc of one sentence, head by dependent."""
    table = np.zeros((edges.width, edges.width, 2), dtype=np.int64)
    table[edges.arc_head, edges.arc_dependent, 0] = edges.arc_edges[:-1]
    table[edges.arc_head, edges.arc_dependent, 1] = edges.arc_edges[1:]
    return table


def _no_heads(nodes: int) -> Ints:
    return np.full(nodes, -1, dtype=np.int64)


def _dense(edges: Edges, values: Ints, missing: int) -> NDArray[np.int64]:
    """int64 (B, W, W): a value an arc, head by dependent."""
    table = np.full((len(edges.offsets) - 1, edges.width, edges.width), missing, dtype=np.int64)
    sentence = np.repeat(np.arange(len(table)), np.diff(edges.sentence_arcs))
    base = edges.offsets[sentence]
    table[sentence, edges.arc_head - base, edges.arc_dependent - base] = values
    return table


def _best_labels(edges: Edges, scores: Scores) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(score, label), both int64 (B, W, W), head by dependent: of the best edge of each arc."""
    best = np.maximum.reduceat(scores.edge, edges.arc_edges[:-1]) if len(edges.arc) else scores.edge
    return _dense(edges, best, NEVER), _dense(edges, edges.best_labels(scores.edge).label, 0)


def _labelled(heads: Ints, labels: NDArray[np.int64]) -> tuple[Ints, Ints]:
    own = _no_heads(len(heads))
    own[1:] = labels[heads[1:], np.arange(1, len(heads))]
    return heads, own


def _eisner(edges: Edges, scores: Scores, single_root: bool) -> list[tuple[Ints, Ints]]:
    arcs, labels = _best_labels(edges, scores)
    kernel = compiled()
    trees = []
    for number, nodes in enumerate(np.diff(edges.offsets).tolist()):
        closed, opened = kernel.fill_first_order(arcs[number], nodes, single_root)
        if closed[1, 0, nodes - 1] < NEVER // 2:
            raise ValueError("the candidate edges have no tree")
        heads = _no_heads(nodes)
        kernel.trace_first_order(closed, opened, nodes, single_root, heads)
        trees.append(_labelled(heads, labels[number]))
    return trees


def _spanning_trees(edges: Edges, scores: Scores, single_root: bool) -> list[tuple[Ints, Ints]]:
    arcs, labels = _best_labels(edges, scores)
    trees = []
    for number, nodes in enumerate(np.diff(edges.offsets).tolist()):
        own = arcs[number, :nodes, :nodes]
        weights = np.where(own == NEVER, -np.inf, own.astype(np.float64))
        heads = np.array(maximum_spanning_tree(weights, single_root), dtype=np.int64)
        trees.append(_labelled(heads, labels[number]))
    return trees
