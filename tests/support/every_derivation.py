"""Small trees (all or random), all reachable configurations, and the best tree that each can still reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from crossarc.oracles.oracle import Gold
from crossarc.parser.plugins.analysis.conformance import (
    all_trees as all_trees,
    contents,
    projectivized as projectivized,
)
from crossarc.transitions.configuration import Bools, Configuration, Ints
from crossarc.transitions.system import TransitionSystem
from crossarc.transitions.trees import is_projective
from hypothesis import strategies as st

Tree = tuple[int, ...]


@dataclass
class Level:
    """All different configurations after a number of transitions; configurations that are not terminal come first.

    legal: permissible moves of the configurations that are not terminal (bool (rows, moves)).
    following: row in the next level that each permissible move leads to, -1 for others (int (rows, moves)).
    """

    c: Configuration
    legal: Bools
    following: Ints


@st.composite
def random_trees(draw: st.DrawFn, single_root: bool, longest: int = 30) -> Tree:
    """Random trees: the words are ordered randomly; the head of each is node 0 or a word before it in this order."""
    words = draw(st.permutations(range(1, draw(st.integers(0, longest)) + 1)))
    heads = [-1] * (len(words) + 1)
    nodes = [0, *words]
    for place in range(1, len(nodes)):
        heads[nodes[place]] = nodes[draw(st.integers(1 if single_root and place > 1 else 0, place - 1))]
    return tuple(heads)


def in_order(tree: Sequence[int], node: int = 0) -> list[int]:
    """A node and its descendants in in-order; in a projective tree this is the order of words."""
    children = [word for word in range(1, len(tree)) if tree[word] == node]
    left = [inner for child in children if child < node for inner in in_order(tree, child)]
    return [*left, node, *(inner for child in children if child > node for inner in in_order(tree, child))]


def gold_of(trees: list[Tree]) -> Gold:
    return Gold(trees, [[word % 5 if head >= 0 else -1 for word, head in enumerate(tree)] for tree in trees])


def all_forests(n: int, single_root: bool) -> dict[Tree, bool]:
    """All trees of n words without the arcs of each set of words (-1), and whether a projective tree has the rest."""
    found: dict[Tree, bool] = {}
    for tree in all_trees(n, single_root):
        for own in product((False, True), repeat=n):
            forest = (-1, *(head if kept else -1 for kept, head in zip(own, tree[1:], strict=True)))
            found[forest] = found.get(forest, False) or is_projective(tree)
    return found


def every_level(system: TransitionSystem, lengths: list[int], taken=lambda c, legal: legal) -> Iterator[Level]:
    """All reachable configurations, level by level.

    lengths: number of words of each sentence.
    taken: function that selects the permissible moves to follow.
    """
    c = system.initial(np.array(lengths))
    while True:
        live = np.flatnonzero(~system.terminal(c))
        c = c.at(np.concatenate([live, np.flatnonzero(system.terminal(c))])).compact()
        running = c.at(np.arange(len(live)))
        legal = taken(running, system.legal(running)) if len(live) else np.zeros((0, len(system.moves)), dtype=bool)
        rows, moves, after = system.successors(c, legal, 0)
        _, distinct, number = np.unique(
            np.concatenate([after.origin[None], *contents(after, max(lengths))]).T,
            axis=0,
            return_index=True,
            return_inverse=True,
        )
        nxt = after.at(distinct).compact()
        order = np.argsort(system.terminal(nxt), kind="stable") if len(distinct) else distinct
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        following = np.full(legal.shape, -1)
        following[rows, moves] = place[number.ravel()]
        yield Level(c, legal, following)
        if not len(live):
            return
        c = nxt


def best_scores(levels: list[Level], gold: Gold) -> list[Ints]:
    """For each level, the greatest number of gold arcs that derivations from each row end with (int64 (rows,))."""
    later = np.zeros(0, dtype=np.int64)
    found = []
    for level in reversed(levels):
        heads = gold.heads[level.c.origin // level.c.width]
        best = ((level.c.heads_matrix() == heads) & (heads >= 0)).sum(axis=1)
        if len(level.legal):
            best[: len(level.legal)] = np.where(level.legal, later[level.following], -1).max(axis=1)
        found.append(best)
        later = best
    return found[::-1]
