"""Non-projective approximation: crossing arcs by single changes to the best projective tree.

McDonald & Pereira (2006), with labels as in Björkelund & Kuhn (2012), figure 2.
"""

from __future__ import annotations

import numpy as np

from .edges import Edges, Ints
from .factors import Scores, tree_edges
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
    arcs = edges.arc_head, edges.arc_dependent, edges.arc_edges
    while len(heads) > 1:
        best, gain = compiled().best_change(*arcs, *scores, heads, own, single_root)
        if gain <= threshold:
            break
        arc = edges.arc[best]
        word = edges.arc_dependent[arc]
        heads[word], labels[word], own[word] = edges.arc_head[arc], edges.label[best], best
    return heads, labels
