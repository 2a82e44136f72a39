"""The best trees of a batch of sentences, given the scores of their factors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.compiling import compiled
from .charts import NEVER, first_order_heads, second_order_edges
from .edges import Edges, Ints
from .factors import Scores, sentence_scores
from .spanning_tree import maximum_spanning_tree


class Decoding(NamedTuple):
    """nonprojective: how crossing arcs come about, ``none``: not at all; ``npa``: by non-projective approximation of
    the best projective tree (McDonald & Pereira 2006); ``mst``: by the maximum spanning tree, for first-order scores
    (McDonald et al. 2005). threshold: what a change must gain more than to be made by the approximation, in units of
    the scores. single_root: whether node 0 gets exactly one dependent."""

    nonprojective: str = "none"
    threshold: int = 0
    single_root: bool = True


def decode(edges: Edges, scores: Scores, decoding: Decoding) -> list[tuple[Ints, Ints]]:
    """For each sentence (heads, labels), (n + 1,) each, -1 at node 0: the tree with the best score.

    The first of equal choices is taken, so that equal scores always give equal trees. Raises ValueError for a spanning
    tree with second-order scores, and where the candidates have no tree.
    """
    if decoding.nonprojective == "mst" and scores.order == 2:
        raise ValueError("maximum spanning trees are for first-order scores")
    trees = []
    for number, nodes in enumerate(np.diff(edges.offsets).tolist()):
        own, own_scores = sentence_scores(edges, scores, number)
        if scores.order == 1:
            chosen = _first_order(own, own_scores.edge, nodes, decoding)
        else:
            chosen = compiled(second_order_edges)(own, own_scores, nodes, decoding.single_root)
        if decoding.nonprojective == "npa":
            from .loops import approximate

            approximate(own, own_scores, chosen, decoding.threshold, decoding.single_root)
        words = chosen[1:]
        trees.append((np.append(-1, own.head[words]), np.append(-1, own.label[words])))
    return trees


def _first_order(edges: Edges, scores: Ints, nodes: int, decoding: Decoding) -> Ints:
    """(nodes,): the edge of each word in the best tree by the scores of edges alone."""
    best = edges.best(scores)
    table = np.full((nodes, nodes), NEVER, dtype=np.int64)
    table[edges.arc_head, edges.arc_dependent] = scores[best]
    if decoding.nonprojective == "mst":
        weights = np.where(table == NEVER, -np.inf, table.astype(np.float64))
        heads = np.array(maximum_spanning_tree(weights, decoding.single_root), dtype=np.int64)
    else:
        heads = compiled(first_order_heads)(table, decoding.single_root)
    table[edges.arc_head, edges.arc_dependent] = best
    chosen: Ints = table[heads, np.arange(nodes)]
    return chosen
