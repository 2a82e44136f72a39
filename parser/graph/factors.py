"""The factors of Carreras (2007), which score a tree: their definition and their scores.

The score of a tree is the sum over its words m, with head h and label l, of the scores of four factors: the edge
itself; the edge with its *sibling*, the dependent of h between h and m that is nearest to m; with its *inner
grandchild*, the dependent of m between h and m that is farthest from m; and with its *outer grandchild*, the dependent
of m on the side away from h that is farthest from m. Where there is no such node, the factor has a score for that. All
labels are scored: second-order factors know the label of the edge from h to m, not that of the third node.

Crossing arcs change nothing in these definitions, so that the same table serves charts and non-projective search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .edges import Edges, Ints

LABEL_COST = 0.5
"""The cost of a wrong label on the right head; a wrong head costs 1 (Bohnet 2010)."""


class Scores(NamedTuple):
    """The scores of the factors of a batch: whole numbers, so that sums are exact in any order.

    edge: int64 (E,). sibling, inner, outer: int32 (E, W), W at least the number of nodes of the longest sentence: the
    second-order factors, by the distance of the third node from the head (sibling) or from the dependent (inner,
    outer), 0 for none; (E, 0) where the order is 1. What stands at distances that no node has is not looked at.
    """

    edge: Ints
    sibling: NDArray[np.int32]
    inner: NDArray[np.int32]
    outer: NDArray[np.int32]

    @property
    def order(self) -> int:
        """1: only edges have scores; 2: pairs of edges, too."""
        return 2 if self.sibling.shape[1] else 1


def first_order(edge: Ints) -> Scores:
    """The scores of edges alone."""
    nothing = np.zeros((len(edge), 0), dtype=np.int32)
    return Scores(edge, nothing, nothing, nothing)


def sentence_scores(edges: Edges, scores: Scores, sentence: int) -> tuple[Edges, Scores]:
    """The edges and scores of one sentence of the batch, as a batch of its own. Also compiled."""
    start, stop = edges.sentence_arcs[sentence], edges.sentence_arcs[sentence + 1]
    first, last = edges.arc_edges[start], edges.arc_edges[stop]
    base, end = edges.offsets[sentence], edges.offsets[sentence + 1]
    own = Edges(
        np.array([0, end - base]),
        edges.arc_head[start:stop] - base,
        edges.arc_dependent[start:stop] - base,
        edges.arc_edges[start : stop + 1] - first,
        np.array([0, stop - start]),
        edges.arc[first:last] - start,
        edges.label[first:last],
    )
    sibling, inner, outer = scores.sibling[first:last], scores.inner[first:last], scores.outer[first:last]
    return own, Scores(scores.edge[first:last], sibling, inner, outer)
