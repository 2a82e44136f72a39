"""The dynamic oracle of Covington's non-projective algorithm (Gómez-Rodríguez & Fernández-González 2015)."""

from __future__ import annotations

import numpy as np

from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import NONE, ROOT, Configuration, Ints
from ..transitions.covington import NO_ARC
from .dynamic import ExpectedArcsOracle


class DynamicCovingtonOracle(ExpectedArcsOracle):
    """The loss of a configuration is the number of unreachable gold arcs, plus one for each unavoidable cycle.

    An arc is reachable if its dependent has no head and its later node either comes after the first node j of the
    buffer, or is j while its earlier node is in λ1. A cycle of reachable gold arcs and existing arcs costs one
    reachable arc. Exact for all trees. The paper has no single root; under a single root, the gold arc from node 0 is
    unreachable once node 0 has a dependent.
    """

    systems = ("covington",)
    preference = (LEFT_ARC, RIGHT_ARC, SHIFT, NO_ARC)
    exact_for_all = True
    teaches_partial_trees = False  # trained on half of the arcs of 40 sentences, LAS on these is 33

    def reachable(self, c: Configuration) -> Ints:
        """The number of gold arcs that are built or reachable, minus the cycles of reachable and wrong arcs."""
        gold, heads, words, j = self.gold_heads(c), c.heads_matrix(), np.arange(c.width), c.buffer(0)[:, None]
        later, earlier = np.maximum(gold, words), np.minimum(gold, words)
        earlier_in_list = np.take_along_axis(c.on_stack(), np.maximum(earlier, 0), axis=1)
        ahead = (gold != NONE) & (heads == NONE) & (j != NONE) & ((later > j) | ((later == j) & earlier_in_list))
        if self.system.single_root:
            ahead &= (gold != ROOT) | (c.root_children() == 0)[:, None]
        built = (gold != NONE) & (heads == gold)
        arcs = np.count_nonzero(built | ahead, axis=1)
        astray = np.flatnonzero(((heads != NONE) & ~built).any(axis=1))
        if astray.size:
            arcs[astray] -= count_cycles(np.where(ahead, gold, heads)[astray])
        return arcs


def count_cycles(heads: Ints) -> Ints:
    """int64 (rows,): the number of cycles in each row of ``heads``.

    heads: int64 (rows, width), -1 for no head and in the last column

    Pointers are doubled until each has been followed at least as often as there are nodes.
    """
    rows, width = heads.shape
    above = heads.copy()
    least = np.tile(np.arange(width), (rows, 1))
    for _ in range(max(width - 1, 1).bit_length()):
        least = np.minimum(least, np.take_along_axis(least, above, axis=1))
        above = np.take_along_axis(above, above, axis=1)
    on_cycle = np.zeros((rows, width), dtype=np.bool_)
    np.put_along_axis(on_cycle, above, True, axis=1)
    on_cycle[:, -1] = False
    return np.count_nonzero(on_cycle & (least == np.arange(width)), axis=1)
