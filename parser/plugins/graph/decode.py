"""The best trees of a batch of sentences, given the scores of their factors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....transitions.spanning_tree import maximum_spanning_tree
from ...base.data_warnings import warn
from .edges import Edges, EdgeScores, Ints, sentence_scores

LONGEST_CHART = 500
"""Maximum number of words for which charts are used: their time grows with the cube of the length. Sentences that are
longer are alone in their batch (:data:`~.factored_parser.MOST_CUBES`)."""
THRESHOLD = 0.3
"""Gain that a change by the approximation must exceed, in margins of a wrong head (Bohnet 2010)."""


class Decoding(NamedTuple):
    """Settings of the decoder.

    nonprojective: method for crossing arcs. ``none``: no crossing arcs; ``npa``: non-projective approximation of the
        best projective tree (McDonald & Pereira 2006); ``mst``: maximum spanning tree, for first-order scores (McDonald
        et al. 2005). Sentences of more than :data:`LONGEST_CHART` words always get the maximum spanning tree.
    threshold: minimum gain, exclusive, of a change by the approximation, in units of the scores.
    single_root: whether node 0 gets exactly one dependent.
    """

    nonprojective: str = "none"
    threshold: int = 0
    single_root: bool = True


def decode(edges: Edges, scores: EdgeScores, decoding: Decoding, gains: Ints | None = None) -> tuple[Ints, Ints]:
    """(heads, labels) of the nodes of a batch in the trees with the best scores; -1 at node 0.

    gains: receives for each node how much the score would grow by the best change of its edge alone, see
        :func:`.loops.approximate` ((N,)).

    The first of equal choices wins, so equal scores always give equal trees. Raises ValueError if the candidates
    have no tree.
    """
    from .loops import UNREACHED, approximate, best_edges  # imports numba

    gains = np.empty(0, dtype=np.int64) if gains is None else gains
    long = int(np.diff(edges.offsets).max(initial=0)) > LONGEST_CHART + 1
    if long and decoding.nonprojective != "mst":
        warn(f"a sentence of more than {LONGEST_CHART} words gets the maximum spanning tree, whose arcs may cross")
    if long or decoding.nonprojective == "mst":
        chosen = np.full(edges.offsets[-1], -1)
        for sentence, first in enumerate(edges.arc_edges[edges.sentence_arcs[:-1]]):
            candidates, own_scores = sentence_scores(edges, scores, sentence)
            tree_edges = _spanning_tree(candidates, own_scores.edge, decoding.single_root)
            if len(gains):
                places = gains[edges.offsets[sentence] : edges.offsets[sentence + 1]]
                approximate(candidates, own_scores, tree_edges, UNREACHED, decoding.single_root, places)
            chosen[edges.offsets[sentence] + 1 : edges.offsets[sentence + 1]] = first + tree_edges[1:]
    else:
        approximated = decoding.nonprojective == "npa"
        chosen = best_edges(edges, scores, approximated, decoding.threshold, decoding.single_root, gains)
    words = np.flatnonzero(chosen >= 0)
    arcs = edges.arc[chosen[words]]
    heads, labels = np.full((2, len(chosen)), -1)
    root = np.repeat(edges.offsets[:-1], np.diff(edges.offsets))
    heads[words] = edges.arc_head[arcs] - root[words]
    labels[words] = edges.label[chosen[words]]
    return heads, labels


def _spanning_tree(edges: Edges, scores: Ints, single_root: bool) -> Ints:
    """The edge of each word of a sentence in the maximum spanning tree (int64, (nodes,))."""
    best = edges.best(scores)
    nodes = edges.width
    table = np.full((nodes, nodes), -np.inf)
    table[edges.arc_head, edges.arc_dependent] = scores[best]
    heads = maximum_spanning_tree(table, single_root)
    edge_of = np.full((nodes, nodes), -1)
    edge_of[edges.arc_head, edges.arc_dependent] = best
    return edge_of[heads, np.arange(nodes)]
