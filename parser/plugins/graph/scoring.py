"""Scores of all factors of a batch from a table of weights, compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...base.compiling import compiled
from .edges import Edges, EdgeScores, Ints, first_order
from .features import EDGE, OUTER, SIBLING, Keys, NodeKeys, bins

Weights: TypeAlias = NDArray[np.int16] | NDArray[np.int32]
"""The cells of all rows ((:func:`table_size`,)). A feature's row begins with the cell of all labels."""

PRUNING_BITS = 18
HASH_SHIFT = np.uint64(64 - PRUNING_BITS)
PRUNING_EPOCHS = 2
PRUNING_RATE = 0.03
"""Learning rate of AdaGrad."""
PRUNING_MARGIN = 6.0
"""A head is not a candidate if the best head is more likely by a factor of e to the power of this."""


@dataclass(frozen=True, slots=True)
class Pruner:
    """The model that chooses candidate heads.

    most: maximum number of candidate heads of a word. Heads with equal scores, and the previous node, may exceed it.
    weights: int16; ``unit`` in weights is a factor of e in probability.
    """

    most: int
    unit: float
    weights: NDArray[np.int16]

    def candidates(self, keys: NodeKeys, heads: Ints, dependents: Ints) -> tuple[Ints, Ints]:
        """The arcs of a batch whose heads are candidates.

        keys: keys of the edges of the batch.
        heads, dependents: nodes of the batch; arcs to one dependent are consecutive (int64, (arcs,)).
        """
        from .loops import mark_candidates

        longest = int(np.abs(heads - dependents).max(initial=0))
        kept = np.zeros(len(heads), dtype=np.bool_)
        margin = PRUNING_MARGIN * self.unit
        mark_candidates(keys, bins(longest), HASH_SHIFT, self.weights, heads, dependents, self.most, margin, kept)
        return heads[kept], dependents[kept]


def learn_pruner(
    batches: int, batch: Callable[[int], tuple[NodeKeys, Ints, Ints, Ints]], most: int, seed: int
) -> Pruner:
    """The pruner learned from a number of batches.

    batch: returns for a number the keys of edges, heads and dependents of arcs, and gold heads of all nodes.
    """
    from .loops import learn_heads

    weights = np.zeros(2**PRUNING_BITS, dtype=np.float32)
    squares = np.full(len(weights), 0.01, dtype=np.float32)
    generator = np.random.default_rng(seed)
    for _ in range(PRUNING_EPOCHS):
        for number in generator.permutation(batches):
            keys, heads, dependents, gold = batch(number)
            longest = int(np.abs(heads - dependents).max(initial=0))
            learn_heads(keys, bins(longest), HASH_SHIFT, weights, squares, PRUNING_RATE, heads, dependents, gold)
    scale = float(np.abs(weights).max()) / (2**15 - 1) or 1.0
    return Pruner(most, 1 / scale, np.rint(weights / scale).astype(np.int16))


def table_size(bits: int, labels: int) -> int:
    """The number of cells of a table whose rows begin at 0 to 2**bits - 1."""
    return (1 << bits) + labels + 1


def score(edges: Edges, keys: Sequence[NodeKeys], weights: Weights, bits: int, edge: Ints | None = None) -> EdgeScores:
    """The scores of all factors of the batch.

    keys: the keys of each factor, EDGE first.
    edge: the scores of edges, if they are known.
    """
    below = edges.dependents_of()
    if edge is None:
        edge = _score(edges, below, keys[EDGE], EDGE, weights, bits)[:, 0]
    others = [
        _score(edges, below, keys_of_factor, factor, weights, bits)
        for factor, keys_of_factor in enumerate(keys)
        if factor != EDGE
    ]
    return EdgeScores(edge, *others) if others else first_order(edge)


def _score(
    edges: Edges, below: tuple[Ints, Ints], keys: NodeKeys, factor: int, weights: Weights, bits: int
) -> NDArray[Any]:
    """The scores by the distance of the third node: (E, 1) for edges, (E, W) for other factors."""
    shape, dtype = ((len(edges.arc), 1), np.int64) if factor == EDGE else ((len(edges.arc), edges.width), np.int32)
    table = np.zeros(shape, dtype=dtype)
    compiled(_score_factor)(edges, *below, keys, factor, bins(edges.width), np.uint64(64 - bits), weights, table)
    return table


def _score_factor(
    edges: Edges,
    below: Ints,
    starts: Ints,
    keys: NodeKeys,
    factor: int,
    bin_of: Keys,
    shift: np.uint64,
    weights: Weights,
    table: NDArray[Any],
) -> None:
    none, slots = len(keys.head) - 1, keys.head.shape[1]
    rows = np.empty(slots, dtype=np.int64)
    sums = np.empty(slots, dtype=np.uint64)
    no_bin = np.uint64(0)
    for arc in range(len(edges.arc_head)):
        h, m = edges.arc_head[arc], edges.arc_dependent[arc]
        side = 1 if h < m else 0
        bin_of_arc = bin_of[abs(h - m)]
        first, end = edges.arc_edges[arc], edges.arc_edges[arc + 1]
        for t in range(slots):
            sums[t] = keys.head[h, t] + keys.dependent[m, t] + keys.seeds[side, t] + keys.distances[0, t] * bin_of_arc
        low, high = min(h, m), max(h, m)
        start = h if factor == SIBLING else m
        for number in range(starts[start] - 1, starts[start + 1] if factor != EDGE else starts[start]):
            third, distance = none, 0  # first without a third node, then with each possible third node
            if number >= starts[start]:
                third = below[number]
                distance = abs(third - start)
                if not ((m < third) == (h < m) if factor == OUTER else low < third < high):
                    continue
            of_head = no_bin if distance == 0 else bin_of[abs(h - third)]
            of_dependent = no_bin if distance == 0 else bin_of[abs(m - third)]
            total = np.int64(0)
            for t in range(keys.plain):
                pair = keys.distances[1, t] * of_head + keys.distances[2, t] * of_dependent
                rows[t] = np.int64((sums[t] + keys.third[third, t] + pair) >> shift)
            for t in range(keys.plain):
                total += weights[rows[t]]
            for e in range(first, end):
                score = total
                for t in range(keys.plain):
                    score += weights[rows[t] + edges.label[e] + 1]
                table[e, distance] = score
        for word in range(low + 1, high if keys.plain < slots else low):
            for t in range(keys.plain, slots):
                if keys.before[word, t - keys.plain] <= low:
                    row = np.int64((sums[t] + keys.third[word, t]) >> shift)
                    common = np.int64(weights[row])
                    for e in range(first, end):
                        table[e, 0] += common + weights[row + edges.label[e] + 1]
