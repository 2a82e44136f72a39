"""Scores of all factors of a batch from a table of weights, in numpy or compiled."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .chart_numpy import room
from .edges import EdgeFilter, Edges, Ints
from .factors import Scores, first_order
from .features import EDGE, INNER, OUTER, SIBLING, FactorFeatures, NodeKeys, Words, between_places, bins, places
from .kernel import compiled

__all__ = ["LONGEST", "Weights", "batch_keys", "score", "score_candidates", "score_edges", "table_size"]

Weights: TypeAlias = NDArray[np.int16] | NDArray[np.int32]
"""The cells of all rows, (:func:`table_size`,): a feature's row is the cell of all labels, then one for each label."""

LONGEST = 200
"""Longer sentences are parsed by the scores of their edges alone: those of pairs of edges grow with the cube of the
length, the chart with it too, and the time with its fourth power."""
PIECE = 2**13
"""The factors, or words between the ends of arcs, that are scored at a time in numpy: intermediate arrays stay in the
cache, and small however long a sentence is."""


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
    """The scores of all factors of the batch: sums of whole numbers, the same in numpy and compiled."""
    own = score_edges(edges, keys[EDGE], weights, bits)
    if len(keys) == 1:
        return first_order(own)
    kernel = compiled()
    tables = []
    for factor in (SIBLING, INNER, OUTER):
        if kernel is None:
            table = _score_second_order(edges, factor, keys[factor], weights, bits)
        else:
            table = np.zeros((len(edges.arc), edges.width), dtype=np.int32)
            kernel.score_second_order(*_arguments(edges, keys[factor], bits), factor, room(edges), weights, table)
        tables.append(table)
    return Scores(own, *tables)


def score_edges(edges: Edges, keys: NodeKeys, weights: Weights, bits: int) -> Ints:
    """(E,): the scores of the edges by themselves."""
    kernel = compiled()
    if kernel is None:
        return _score_edges(edges, keys, weights, bits)
    own = np.empty(len(edges.arc), dtype=np.int64)
    kernel.score_edges(*_arguments(edges, keys, bits), keys.plain, keys.before, weights, own)
    return own


def _arguments(edges: Edges, keys: NodeKeys, bits: int) -> tuple[object, ...]:
    bin_of = bins(np.arange(edges.width + 1))
    shift = np.uint64(64 - bits)
    arcs = edges.arc_head, edges.arc_dependent, edges.arc_edges, edges.label
    return *arcs, keys.head, keys.dependent, keys.third, keys.distances, keys.seeds, bin_of, shift


def _score_edges(edges: Edges, keys: NodeKeys, weights: Weights, bits: int) -> Ints:
    cells = edges.label + 1
    result = np.empty(len(cells), dtype=np.int64)
    words = np.abs(edges.arc_head - edges.arc_dependent)
    for first, last in _pieces(np.cumsum(words)):
        head, dependent = edges.arc_head[first:last], edges.arc_dependent[first:last]
        own = slice(int(edges.arc_edges[first]), int(edges.arc_edges[last]))
        arc, label_cell = edges.arc[own] - first, cells[own]
        rows = places(keys, bits, head, dependent).T.copy()
        total = weights.take(rows).sum(axis=0, dtype=np.int64)
        arcs, rows_between = between_places(keys, bits, head, dependent)
        count = np.bincount(arcs, minlength=len(head))
        _add_runs(total, weights.take(rows_between), count)
        total = total.take(arc)
        for row in rows:
            total += weights.take(row.take(arc) + label_cell)
        count_of_edge = count.take(arc)
        owner, place = _runs(count_of_edge, (np.cumsum(count) - count).take(arc))
        _add_runs(total, weights.take(rows_between.take(place) + label_cell.take(owner)), count_of_edge)
        result[own] = total
    return result


def _runs(count: Ints, start: Ints) -> tuple[Ints, Ints]:
    """(owners, numbers): for each of ``count`` its place in it, and the numbers from its ``start`` on, so many."""
    owner = np.repeat(np.arange(len(count)), count)
    return owner, np.arange(len(owner)) + np.repeat(start - (np.cumsum(count) - count), count)


def _add_runs(totals: Ints, values: Weights, count: Ints) -> None:
    """Add to each total the sum of its run of the values: the first ``count[0]`` are those of the first total."""
    some = np.flatnonzero(count)
    if len(some):
        totals[some] += np.add.reduceat(values, (np.cumsum(count) - count)[some], dtype=np.int64)


def _score_second_order(edges: Edges, factor: int, keys: NodeKeys, weights: Weights, bits: int) -> NDArray[np.int32]:
    table = np.zeros((len(edges.arc), edges.width), dtype=np.int32)
    head, dependent = edges.arc_head, edges.arc_dependent
    span = np.abs(head - dependent)
    farthest = room(edges) if factor == OUTER else span - 1
    sign = np.where(head < dependent, 1, -1) * (-1 if factor == INNER else 1)
    start = head if factor == SIBLING else dependent
    labels = np.diff(edges.arc_edges)
    ends = np.cumsum(farthest + 1)
    for first, last in _pieces(ends):
        count = farthest[first:last] + 1
        arc, distance = _runs(count, np.zeros_like(count))
        arc += first
        third = np.where(distance > 0, start[arc] + sign[arc] * distance, len(keys.head) - 1)
        pair, edge = _runs(labels[arc], edges.arc_edges[arc])
        label_cell = edges.label.take(edge) + 1
        rows = places(keys, bits, head[arc], dependent[arc], third).T.copy()
        total = weights.take(rows).sum(axis=0, dtype=np.int32).take(pair)
        for row in rows:
            total += weights.take(row.take(pair) + label_cell)
        table[edge, distance[pair]] = total
    return table


def _pieces(ends: Ints) -> list[tuple[int, int]]:
    """Ranges of arcs whose factors, of which ``ends`` are the sums, are about :data:`PIECE` together."""
    cuts = np.searchsorted(ends, np.arange(PIECE, int(ends[-1]) if len(ends) else 0, PIECE))
    bounds = np.unique(np.concatenate(([0], cuts, [len(ends)]))).tolist()
    return list(pairwise(bounds))
