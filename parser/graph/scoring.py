"""Scores of all factors of a batch from a table of weights, compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..base.compiling import compiled, require
from .edges import EdgeFilter, Edges, Ints
from .factors import Scores, first_order
from .features import EDGE, INNER, OUTER, SIBLING, FactorFeatures, Keys, NodeKeys, Words, bins

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

    tags: the tag of every node. unlabelled: one edge an arc, that with the best score by itself. Raises CrossarcError
    without numba.
    """
    require("graph-based parsing")
    order = 1 if words.lengths.max(initial=0) > LONGEST else features.order
    keys = batch_keys(features, words, order)
    edges = edge_filter.edges(words.lengths, tags)
    if not labelled:
        best = edges.best(_score(edges, keys[EDGE], EDGE, weights, bits)[:, 0])
        numbers = np.arange(len(edges.arc_head) + 1)
        edges = edges._replace(arc_edges=numbers, arc=numbers[:-1], label=edges.label[best])
    return edges, keys, score(edges, keys, weights, bits)


def batch_keys(features: FactorFeatures, words: Words, order: int) -> Mapping[int, NodeKeys]:
    """What the nodes of a batch add to the keys of the features of each factor of the order."""
    factors = (EDGE,) if order == 1 else (EDGE, SIBLING, INNER, OUTER)
    return {factor: features.node_keys(words, factor) for factor in factors}


def score(edges: Edges, keys: Mapping[int, NodeKeys], weights: Weights, bits: int) -> Scores:
    """The scores of all factors of the batch: sums of whole numbers."""
    edge, *others = (_score(edges, own, factor, weights, bits) for factor, own in keys.items())
    return Scores(edge[:, 0], *others) if others else first_order(edge[:, 0])


def _score(edges: Edges, keys: NodeKeys, factor: int, weights: Weights, bits: int) -> NDArray[Any]:
    """(E, 1) for edges, (E, W) for other factors: the scores by the distance of the third node."""
    shape, dtype = ((len(edges.arc), 1), np.int64) if factor == EDGE else ((len(edges.arc), edges.width), np.int32)
    table = np.zeros(shape, dtype=dtype)
    bin_of = bins(np.arange(edges.width + 1))
    compiled(_score_factor)(edges, keys, factor, bin_of, np.uint64(64 - bits), weights, table)
    return table


def _score_factor(
    edges: Edges, keys: NodeKeys, factor: int, bin_of: Keys, shift: np.uint64, weights: Weights, table: NDArray[Any]
) -> None:
    none, slots = len(keys.head) - 1, keys.head.shape[1]
    rows = np.empty(slots, dtype=np.int64)
    sums = np.empty(slots, dtype=np.uint64)
    no_bin = np.uint64(0)
    for arc in range(len(edges.arc_head)):
        h, m = edges.arc_head[arc], edges.arc_dependent[arc]
        side = 1 if h < m else 0
        sign = 2 * side - 1
        bin_of_arc = bin_of[abs(h - m)]
        first, end = edges.arc_edges[arc], edges.arc_edges[arc + 1]
        for t in range(slots):
            sums[t] = keys.head[h, t] + keys.dependent[m, t] + keys.seeds[side, t] + keys.distances[0, t] * bin_of_arc
        farthest = 0 if factor == EDGE else abs(h - m) - 1
        if factor == OUTER:
            sentence = np.searchsorted(edges.offsets, m, side="right")
            farthest = edges.offsets[sentence] - 1 - m if side else m - edges.offsets[sentence - 1] - 1
        start = h if factor == SIBLING else m
        step = -sign if factor == INNER else sign
        for distance in range(farthest + 1):
            third = none if distance == 0 else start + step * distance
            of_head = no_bin if distance == 0 else bin_of[abs(h - third)]
            of_dependent = no_bin if distance == 0 else bin_of[abs(m - third)]
            total = np.int64(0)
            for t in range(keys.plain):
                pair = keys.distances[1, t] * of_head + keys.distances[2, t] * of_dependent
                rows[t] = np.int64((sums[t] + keys.third[third, t] + pair) >> shift)
            for t in range(keys.plain):
                total += weights[rows[t]]
            for e in range(first, end):
                own = total
                for t in range(keys.plain):
                    own += weights[rows[t] + edges.label[e] + 1]
                table[e, distance] = own
        low = min(h, m)
        for word in range(low + 1, max(h, m) if keys.plain < slots else low):
            for t in range(keys.plain, slots):
                if keys.before[word, t - keys.plain] <= low:
                    row = np.int64((sums[t] + keys.third[word, t]) >> shift)
                    common = np.int64(weights[row])
                    for e in range(first, end):
                        table[e, 0] += common + weights[row + edges.label[e] + 1]
