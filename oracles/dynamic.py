"""Dynamic oracles, which give the cost of each transition in any configuration (Goldberg & Nivre 2012, 2013)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..transitions.configuration import NONE, Bools, Configuration, Ints
from ..transitions.step import Decision
from ..transitions.system import Move
from .oracle import Oracle

IMPERMISSIBLE = 2**31
"""The cost of a move that is not permissible; it exceeds the number of arcs of any sentence."""


class DynamicOracle(Oracle):
    """A dynamic oracle for one transition system over the gold trees of one batch.

    The cost of a transition is the number of gold arcs that it makes unreachable. It is the largest number of gold arcs
    at the end of any derivation from the configuration, minus the largest number at the end of a derivation that begins
    with the transition. Labels of arcs and the arcs that :meth:`TransitionSystem.finish` adds do not count. Words
    without a gold head cost nothing.

    preference: the system's moves; of equally cheap moves, :meth:`decide` takes the first
    exact_for_all: whether costs are exact for all gold trees; otherwise they are exact for projective gold trees only
    teaches_partial_trees: whether parsers may be trained on trees in which words have no gold head
    """

    preference: ClassVar[tuple[Move, ...]]
    exact_for_all: ClassVar[bool] = False
    teaches_partial_trees: ClassVar[bool] = True

    @abstractmethod
    def costs(self, c: Configuration, legal: Bools) -> Ints:
        """int64 (rows, moves): the cost of each move in configurations that are not terminal.

        legal: bool (rows, moves), the permissible moves; all others cost :data:`IMPERMISSIBLE`
        """

    def labels(self, c: Configuration) -> tuple[Ints, Bools]:
        """Return (labels, gold) for the arcs that the moves would add.

        labels: int64 (rows, moves), the gold labels of the dependents; -1 for moves without arcs, and for dependents
            without a gold label
        gold: bool (rows, moves), whether the gold tree has an arc between these nodes; another label of it is an error
        """
        labels = np.full((len(c), len(self.system.moves)), NONE)
        gold = np.zeros(labels.shape, dtype=np.bool_)
        for move, (head, dependent) in self.system.arcs(c).items():
            number = self.system.moves.index(move)
            labels[:, number] = self.gold.deprel(c, dependent)
            gold[:, number] = (self.gold.head(c, dependent) == head) & (head != NONE)
        return labels, gold

    def class_costs(self, c: Configuration, legal: Bools, inventory: Ints) -> Ints:
        """int64 (rows, classes): the cost of each transition of ``inventory``; a wrong label of a gold arc adds 1.

        inventory: int64 (classes, 2), move and label of each class
        """
        labels, gold = self.labels(c)
        moves, label = inventory.T
        wrong = gold[:, moves] & (labels[:, moves] != label)
        return self.costs(c, legal)[:, moves] + wrong

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """Choose the cheapest move, and the gold label of the word that it gives a head, if any.

        Of equally cheap moves, those that give a head to a word without a gold head come last.
        """
        order = np.array([self.system.moves.index(move) for move in self.preference])
        labels, _ = self.labels(c)
        moves = order[np.argmin((2 * self.costs(c, legal) + self._unknown(labels))[:, order], axis=1)]
        return Decision(moves, labels[np.arange(len(c)), moves])

    def certain(self, c: Configuration, legal: Bools) -> Bools:
        """bool (rows,): whether a learner may learn from the cheapest transition.

        Where words have no gold head, a cheapest move must add a gold arc, or be the only one and give no word without
        a gold head a head.
        """
        partial = self.gold.partial[c.origin // c.width]
        if not partial.any():
            return ~partial
        costs = self.costs(c, legal)
        cheapest = costs == costs.min(axis=1, keepdims=True)
        labels, gold = self.labels(c)
        only = (np.count_nonzero(cheapest, axis=1) == 1) & ~(cheapest & self._unknown(labels)).any(axis=1)
        return ~partial | only | (cheapest & gold).any(axis=1)

    def _unknown(self, labels: Ints) -> Bools:
        """bool (rows, moves): the moves that give a head to a word without a gold label; labels: of :meth:`labels`."""
        return (labels == NONE) & np.array([move.labelled for move in self.system.moves])

    def priced(self, losses: Mapping[Move, Ints], legal: Bools) -> Ints:
        """int64 (rows, moves): the costs of the permissible moves, from int64 (rows,) per move."""
        return np.where(legal, np.stack([losses[move] for move in self.system.moves], axis=1), IMPERMISSIBLE)

    def gold_heads(self, c: Configuration) -> Ints:
        """int64 (rows, width): the gold tree of each row."""
        return self.gold.heads[c.origin // c.width]


class ExpectedArcsOracle(DynamicOracle):
    """A dynamic oracle that counts the gold arcs of the best tree that is reachable after each move."""

    @abstractmethod
    def reachable(self, c: Configuration) -> Ints:
        """int64 (rows,): the largest number of gold arcs at the end of any derivation from the configuration."""

    def costs(self, c: Configuration, legal: Bools) -> Ints:
        rows, moves, successors = self.system.successors(c, legal, 0)
        reachable = np.full(legal.shape, -IMPERMISSIBLE)
        reachable[rows, moves] = self.reachable(successors)
        costs = reachable.max(axis=1, keepdims=True) - reachable
        return np.where(legal, costs, IMPERMISSIBLE)
