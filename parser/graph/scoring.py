"""Scores of all factors of a batch from a table of weights, compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .edges import EdgeFilter, Edges, Ints
from .factors import Scores, first_order
from .features import EDGE, INNER, OUTER, SIBLING, FactorFeatures, NodeKeys, Words, bins
from .kernel import compiled

__all__ = ["LONGEST", "Weights", "batch_keys", "score", "score_candidates", "score_edges", "table_size"]

Weights: TypeAlias = NDArray[np.int16] | NDArray[np.int32]
"""The cells of all rows, (:func:`table_size`,): a feature's row is the cell of all labels, then one for each label."""

LONGEST = 200
"""Longer sentences are parsed by the scores of their edges alone: those of pairs of edges grow with the cube of the
length, the chart with it too, and the time with its fourth power."""


def table_size(bits: int, labels: int) -> int:
    """The number of cells of a table whose rows begin at 0 to 2**bits - 1."""
    return (1 << bits) + labels + 1


def score_candidates(
    features: FactorFeatures,
    edge_filter: EdgeFilter,
    words: Words,
    tags: Ints,
    weights: Weights,
    bits: int,
    labelled: bool,
) -> tuple[Edges, Mapping[int, NodeKeys], Scores]:
    """The candidate edges of a batch, what their nodes add to keys, and the scores of their factors.

    tags: the tag of every node. unlabelled: one edge an arc, that with the best score by itself.
    """
    order = 1 if words.lengths.max(initial=0) > LONGEST else features.order
    keys = batch_keys(features, words, order)
    edges = edge_filter.edges(words.lengths, tags)
    if not labelled:
        edges = edges.best_labels(score_edges(edges, keys[EDGE], weights, bits))
    return edges, keys, score(edges, keys, weights, bits)


def batch_keys(features: FactorFeatures, words: Words, order: int) -> Mapping[int, NodeKeys]:
    """What the nodes of a batch add to the keys of the features of each factor of the order."""
    factors = (EDGE,) if order == 1 else (EDGE, SIBLING, INNER, OUTER)
    return {factor: features.node_keys(words, factor) for factor in factors}


def score(edges: Edges, keys: Mapping[int, NodeKeys], weights: Weights, bits: int) -> Scores:
    """The scores of all factors of the batch: sums of whole numbers."""
    own = score_edges(edges, keys[EDGE], weights, bits)
    if len(keys) == 1:
        return first_order(own)
    kernel = compiled()
    tables = []
    for factor in (SIBLING, INNER, OUTER):
        table = np.zeros((len(edges.arc), edges.width), dtype=np.int32)
        kernel.score_second_order(*_arguments(edges, keys[factor], bits), factor, _room(edges), weights, table)
        tables.append(table)
    return Scores(own, *tables)


def score_edges(edges: Edges, keys: NodeKeys, weights: Weights, bits: int) -> Ints:
    """(E,): the scores of the edges by themselves."""
    own = np.empty(len(edges.arc), dtype=np.int64)
    compiled().score_edges(*_arguments(edges, keys, bits), keys.plain, keys.before, weights, own)
    return own


def _room(edges: Edges) -> Ints:
    """(A,): how many words there are beyond the dependent of each arc, on the side away from the head."""
    sizes = np.diff(edges.sentence_arcs)
    first = np.repeat(edges.offsets[:-1], sizes)
    end = np.repeat(edges.offsets[1:], sizes)
    dependent = edges.arc_dependent
    return np.where(edges.arc_head < dependent, end - 1 - dependent, dependent - first - 1)


def _arguments(edges: Edges, keys: NodeKeys, bits: int) -> tuple[object, ...]:
    bin_of = bins(np.arange(edges.width + 1))
    shift = np.uint64(64 - bits)
    arcs = edges.arc_head, edges.arc_dependent, edges.arc_edges, edges.label
    return *arcs, keys.head, keys.dependent, keys.third, keys.distances, keys.seeds, bin_of, shift
