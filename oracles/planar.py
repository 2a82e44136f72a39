"""The oracles of planar and 2-planar parsing (Gómez-Rodríguez & Nivre 2010)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from ..transitions.arc_eager import REDUCE
from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import ROOT, Bools, Configuration
from ..transitions.planar import SWITCH
from ..transitions.step import Decision
from ..transitions.system import TransitionSystem
from ..transitions.trees import Heads, is_projective
from .oracle import Gold, Oracle, Test, look_up


class PlanarOracle(Oracle):
    """Predict a gold arc of the active plane, else REDUCE or SWITCH where they are due, else SHIFT.

    Planar parsing has one plane and no SWITCH.

    REDUCE is due for a node with all its arcs of the plane, and where the gold tree links a node below the top of the
    active stack to the first node of the buffer. SWITCH is due where the other plane has an arc to add. Early REDUCE
    keeps the stacks short, so that features see the nodes that still get arcs.

    planes: int64 (B, width), the plane of the gold arc to each word, see :func:`planes`
    first, last: int64 (2, B * width), for each plane, the first and the last node that its arcs link each node to;
        without such a node, a number after the last node, or -1
    """

    systems = ("2-planar", "planar")

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        super().__init__(system, gold)
        width = gold.heads.shape[1]
        self.planes = np.zeros_like(gold.heads)
        for row, tree in enumerate(gold.trees):
            if not is_projective(tree):
                self.planes[row, : len(tree)] = planes(tree)[0]
        self.first = np.full((2, gold.heads.size), width)
        self.last = np.full((2, gold.heads.size), -1)
        rows, words = np.nonzero(gold.heads >= 0)
        heads = gold.heads[rows, words]
        for one, other in ((words, heads), (heads, words)):
            at = (self.planes[rows, words], rows * width + one)
            np.minimum.at(self.first, at, other)
            np.maximum.at(self.last, at, other)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        i, j, active = c.stack(0), c.buffer(0), c.switches % 2
        first_arc, other = (self.first[plane, c.origin + j] for plane in (active, 1 - active))
        added = (c.head(j) == other) | (c.head(np.minimum(other, j)) == j)
        left, right = (look_up(self.planes, c, node) == active for node in (i, j))
        done = (i > ROOT) & (self.last[active, c.origin + i] <= j)
        tests: list[Test] = [
            (LEFT_ARC, (self.gold.head(c, i) == j) & left, self.gold.deprel(c, i)),
            (RIGHT_ARC, (self.gold.head(c, j) == i) & right, self.gold.deprel(c, j)),
            (REDUCE, done | (first_arc < i), None),
            (SWITCH, (other < j) & ~added, None),
            (SHIFT, True, None),
        ]
        return self.first_of(legal, [test for test in tests if test[0] in self.system.moves])


def crossing_arcs(heads: Heads) -> dict[int, list[int]]:
    """The crossing graph: for each arc that crosses others, the arcs that it crosses; dependents name arcs.

    Two arcs cross if exactly one end of each lies strictly between the ends of the other. Arcs from node 0 count.
    """
    tree = np.asarray(heads)
    words = np.arange(len(tree))
    low, high = np.minimum(tree, words), np.maximum(tree, words)
    first, second = np.nonzero((low[:, None] < low) & (low < high[:, None]) & (high[:, None] < high) & (low >= 0))
    graph: dict[int, list[int]] = {}
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        if tree[one] >= 0:
            graph.setdefault(one, []).append(other)
            graph.setdefault(other, []).append(one)
    return graph


def components(graph: Mapping[int, Iterable[int]]) -> Iterator[dict[int, tuple[int, int]]]:
    """The components of a graph: for each node of a component, its plane, 0 or 1, and the neighbour that determines it.

    The first node has plane 0, its neighbours plane 1, and so on, breadth first.
    """
    seen = set[int]()
    for start in sorted(graph):
        if start not in seen:
            sides = {start: (0, start)}
            agenda = [start]
            for node in agenda:
                new = [neighbour for neighbour in graph[node] if neighbour not in sides]
                sides |= dict.fromkeys(new, (1 - sides[node][0], node))
                agenda += new
            seen |= sides.keys()
            yield sides


def odd_cycle(graph: Mapping[int, Iterable[int]]) -> list[int]:
    """The nodes of a cycle of odd length; empty if the graph has none, so that two planes suffice."""
    for component in components(graph):
        for node, (plane, _) in component.items():
            for neighbour in graph[node]:
                if component[neighbour][0] == plane:
                    paths = []
                    for end in (node, neighbour):
                        paths.append([end])
                        while component[end][1] != end:
                            end = component[end][1]
                            paths[-1].append(end)
                    common = next(above for above in paths[0] if above in paths[1])
                    return [common, *(above for path in paths for above in path[: path.index(common)])]
    return []


def planes(heads: Heads) -> tuple[list[int], bool]:
    """Return (planes, exact) of a tree.

    planes: the plane, 0 or 1, of the arc to each word; 0 for node 0
    exact: whether no arcs of a plane cross

    Each component of the crossing graph is coloured from left to right; of the two colourings, the one with fewer
    exchanges of the stacks is taken. An arc that crosses no other is in the plane that is active when the parser
    reaches its later end.
    """
    graph, chosen = crossing_arcs(heads), dict[int, int]()
    for component in components(graph):
        plane = {word: number for word, (number, _) in component.items()}
        turned = {word: 1 - number for word, number in plane.items()}
        chosen = min(({**chosen, **plane}, {**chosen, **turned}), key=lambda planes: _placed(heads, planes)[1])
    return _placed(heads, chosen)[0], not odd_cycle(graph)


def _placed(heads: Heads, chosen: Mapping[int, int]) -> tuple[list[int], int]:
    """(planes, switches): the plane of the arc to each word, and how often a parser must exchange its stacks."""
    needed: list[set[int]] = [set() for _ in heads]
    for word, plane in chosen.items():
        needed[max(word, heads[word])].add(plane)
    active, switches, free = 0, 0, []
    for planes in needed:
        if planes - {active}:
            active, switches = 1 - active, switches + 1
        free.append(active)
    return [0, *(chosen.get(word, free[max(word, heads[word])]) for word in range(1, len(heads)))], switches
