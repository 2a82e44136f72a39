"""The dynamic oracle of 2-planar parsing, after Fernández-González & Gómez-Rodríguez (2018)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from ..transitions.arc_eager import REDUCE
from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import NONE, ROOT, Configuration, Ints
from ..transitions.planar import SWITCH
from ..transitions.system import TransitionSystem
from ..transitions.trees import cycles, is_projective
from .dynamic import ExpectedArcsOracle
from .dynamic_covington import count_cycles
from .oracle import Gold
from .planar import crossing_arcs, odd_cycle

ACTIVE, INACTIVE = -1, -2
"""Nodes of the crossing graph that stand for the two planes; its other nodes are arcs, named by their dependents."""


class DynamicTwoPlanarOracle(ExpectedArcsOracle):
    """The loss of a configuration is the number of gold arcs that are unreachable or must be given up.

    Reachable arcs are given up so that the others form no cycle and divide into two planes.
    An arc is reachable if its dependent has no head, its later node is in the buffer, and its earlier node is in the
    buffer or on a stack. If the earlier node is on only one stack, the arc must be added in the plane of that stack.
    Exact for all trees: where reachable arcs cross, the oracle tries every way to give up arcs of an odd cycle of the
    crossing graph. Immediately after SWITCH, the loss is the smallest loss after any other transition. The paper has no
    single root; under a single root, the gold arc from node 0 is unreachable once node 0 has a dependent.
    """

    systems = ("2-planar",)
    preference = (LEFT_ARC, RIGHT_ARC, REDUCE, SHIFT, SWITCH)
    exact_for_all = True
    teaches_partial_trees = False  # trained on half of the arcs of 40 sentences, LAS on these is 25

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        super().__init__(system, gold)
        self.crossing = [{} if is_projective(tree) else crossing_arcs(tree) for tree in gold.trees]
        self.given_up = dict[tuple[object, ...], int]()

    def reachable(self, c: Configuration) -> Ints:
        most = self._after_other_moves(c)
        marked = np.flatnonzero((c.mark > 0) & (c.buffer_size > 0))
        if marked.size:
            marked_part = c.at(marked)
            rows, _, successors = self.system.successors(marked_part, self.system.legal(marked_part), 0)
            starts = np.flatnonzero(np.diff(rows, prepend=-1))
            most[marked] = np.maximum.reduceat(self._after_other_moves(successors), starts)
        return most

    def _after_other_moves(self, c: Configuration) -> Ints:
        """int64 (rows,): the largest number of gold arcs after a move other than SWITCH, where SWITCH is allowed."""
        gold, heads, words, j = self.gold_heads(c), c.heads_matrix(), np.arange(c.width), c.buffer(0)[:, None]
        later, earlier = np.maximum(gold, words), np.maximum(np.minimum(gold, words), 0)
        active, inactive = (np.take_along_axis(on, earlier, axis=1) for on in (c.on_stack(), c.on_other_stack()))
        ahead = (gold != NONE) & (heads == NONE) & (j != NONE) & (later >= j) & ((earlier >= j) | active | inactive)
        if self.system.single_root:
            ahead &= (gold != ROOT) | (c.root_children() == 0)[:, None]
        built = (gold != NONE) & (heads == gold)
        reachable = np.count_nonzero(built | ahead, axis=1)
        joined = np.where(ahead, gold, heads)
        closed = np.zeros(len(c), dtype=np.int64)
        astray = np.flatnonzero(((heads != NONE) & ~built).any(axis=1))
        if astray.size:
            closed[astray] = count_cycles(joined[astray])
        for row, sentence in enumerate((c.origin // c.width).tolist()):
            arcs = [arc for arc in self.crossing[sentence] if ahead[row, arc]]
            if any(ahead[row, other] for arc in arcs for other in self.crossing[sentence][arc]):
                one_stack = [
                    arc for arc in arcs if earlier[row, arc] < j[row] and active[row, arc] != inactive[row, arc]
                ]
                forced = {arc: INACTIVE if active[row, arc] else ACTIVE for arc in one_stack}
                rings = cycles(joined[row, : c.lengths[row] + 1].tolist()) if closed[row] else []
                rings = [[arc for arc in ring if ahead[row, arc]] for ring in rings]
                closed[row] = self._given_up(sentence, arcs, forced, rings)
        return reachable - closed

    def _given_up(self, sentence: int, arcs: list[int], forced: Mapping[int, int], rings: list[list[int]]) -> int:
        """The smallest number of arcs that must be given up.

        forced: for each arc that fits only one plane, the plane that it cannot be in
        rings: the arcs of each cycle
        """
        key = (sentence, *arcs, None, *forced.items(), None, *map(tuple, rings))
        if key not in self.given_up:
            graph = {arc: [other for other in self.crossing[sentence][arc] if other in arcs] for arc in arcs}
            graph |= {ACTIVE: [INACTIVE], INACTIVE: [ACTIVE]}
            for arc, plane in forced.items():  # one direction suffices: searches start at every arc
                graph[arc].append(plane)
            most = 0
            while not _suffices(graph, rings, most):
                most += 1
            self.given_up[key] = most
        return self.given_up[key]


def _suffices(graph: Mapping[int, Iterable[int]], rings: Collection[Collection[int]], most: int) -> bool:
    """Whether removing at most ``most`` arcs leaves a two-colourable graph without cycles."""
    culprits = next(iter(rings), None) or [arc for arc in odd_cycle(graph) if arc > 0]
    if not culprits:
        return True
    return most > 0 and any(
        _suffices(
            {node: [other for other in near if other != arc] for node, near in graph.items() if node != arc},
            [ring for ring in rings if arc not in ring],
            most - 1,
        )
        for arc in culprits
    )
