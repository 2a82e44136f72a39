"""The oracles of the two passes that find non-projective arcs (Lacroix & Béchet 2014)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..transitions.configuration import NONE, Bools, Configuration, Ints
from ..transitions.step import Decision
from ..transitions.system import TransitionSystem
from ..transitions.three_step import LeftPass, ValencyPass
from ..transitions.trees import Heads
from ..transitions.valencies import over_trees
from .oracle import Gold, Oracle
from .planar import crossing_arcs


class ValencyOracle(Oracle):
    """Reattach the words whose gold arc is not their anchor, as far as First Available pairing permits.

    A pair is predicted as soon as the current word is the gold head of a word whose valency can be paired. Else a
    valency is predicted for a word whose gold head comes later and will be paired with it. Else a shift is predicted.
    Valencies that other valencies of the same label would block (:func:`unpaired`) are not put.
    """

    system: ValencyPass

    def __init__(self, system: TransitionSystem, gold: Gold, anchors: tuple[Ints, Ints]) -> None:
        """anchors: heads and deprels that the passes begin with, int64 (B, width) as in ``gold``"""
        assert isinstance(system, ValencyPass)
        super().__init__(system, gold)
        heads, deprels = anchors
        words = np.arange(gold.heads.shape[1])
        ahead = gold.heads > words if system.rightwards else (gold.heads > 0) & (gold.heads < words)
        self.wanted = ahead & ((gold.heads != heads) | (gold.deprels != deprels))
        for row in np.flatnonzero(self.wanted.any(axis=1)):
            moved = np.flatnonzero(self.wanted[row]).tolist()
            lost = unpaired(moved, gold.heads[row].tolist(), gold.deprels[row].tolist())
            self.wanted[row, list(lost)] = False

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        current = self.system.current(c)
        waiting = over_trees(c).valencies()
        mine = np.stack([self.gold.head(c, node) == current for node in waiting.T], axis=1)
        pairs = self.system.pairable(c) & mine
        label = np.where(pairs.any(axis=1), np.argmax(pairs, axis=1), NONE)
        return self.first_of(
            legal,
            [
                (self.system.pair, label >= 0, label),
                (self.system.put, self.wanted.ravel()[c.origin + current], self.gold.deprel(c, current)),
                (self.system.shift, True, None),
            ],
        )


def moved(name: str, tree: Heads, anchors: Heads) -> list[int]:
    """The words whose anchor is not their gold arc and whose gold head comes later in the pass ``name``."""
    rightwards = name == LeftPass.name
    return [w for w in range(1, len(tree)) if anchors[w] != tree[w] and (tree[w] > w) == rightwards]


def unpaired(words: Sequence[int], heads: Heads, deprels: Sequence[object]) -> dict[int, int]:
    """Choose the words to give up so that all others can be paired; maps each to a word that blocks it."""
    graph = crossing_arcs(heads)
    crossing = {
        word: [other for other in words if other in graph.get(word, ()) and deprels[other] == deprels[word]]
        for word in words
    }
    given_up: dict[int, int] = {}
    while any(crossing.values()):
        worst = max(crossing, key=lambda word: (len(crossing[word]), word))
        given_up[worst] = crossing[worst][0]
        for other in crossing.pop(worst):
            crossing[other].remove(worst)
    return given_up
