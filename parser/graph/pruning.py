"""Candidate heads of words, chosen by a small first-order model (Martins et al. 2010; Rush & Petrov 2012).

The model is log-linear in those features of the edge that read only its two ends, without labels. It is learned before
the parser and compares the heads of each word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .edges import Ints
from .features import NodeKeys, bins

BITS = 18
SHIFT = np.uint64(64 - BITS)
EPOCHS = 2
RATE = 0.03
"""Learning rate of AdaGrad."""
LEAST = 6.0
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

    def pruned(self, keys: NodeKeys, heads: Ints, dependents: Ints) -> tuple[Ints, Ints]:
        """The arcs of a batch whose heads are candidates. keys: keys of the edges of the batch."""
        from .loops import mark_candidates

        width = int(np.abs(heads - dependents).max(initial=0))
        kept = np.zeros(len(heads), dtype=np.bool_)
        mark_candidates(keys, bins(width), SHIFT, self.weights, heads, dependents, self.most, LEAST * self.unit, kept)
        return heads[kept], dependents[kept]


def learn_pruner(
    batches: int, batch: Callable[[int], tuple[NodeKeys, Ints, Ints, Ints]], most: int, seed: int
) -> Pruner:
    """The pruner learned from a number of batches.

    batch: returns for a number the keys of edges, heads and dependents of arcs, and gold heads of all nodes.
    """
    from .loops import learn_heads

    weights = np.zeros(2**BITS, dtype=np.float32)
    squares = np.full(len(weights), 0.01, dtype=np.float32)
    generator = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        for number in generator.permutation(batches):
            keys, heads, dependents, gold = batch(number)
            width = int(np.abs(heads - dependents).max(initial=0))
            learn_heads(keys, bins(width), SHIFT, weights, squares, RATE, heads, dependents, gold)
    scale = float(np.abs(weights).max()) / (2**15 - 1) or 1.0
    return Pruner(most, 1 / scale, np.rint(weights / scale).astype(np.int16))
