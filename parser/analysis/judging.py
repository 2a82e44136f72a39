"""Judgement of transitions by the gold tree: the right transition, and the number of gold arcs made unreachable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...oracles.dynamic import DynamicOracle
from ...oracles.oracle import Gold
from ...oracles.registry import DYNAMIC_ORACLES, make_dynamic_oracle
from ...transitions.configuration import NONE, Bools, Configuration
from ...transitions.system import TransitionSystem
from ..search.greedy import Fallback, Guide, derive


def dynamic_pricing(system: TransitionSystem, gold: Gold) -> DynamicOracle | None:
    """Return the dynamic oracle of the system, or None."""
    return make_dynamic_oracle(system, gold) if system.name in DYNAMIC_ORACLES else None


class Judge:
    """Base class of judges of the transitions of one derivation. Without a gold tree, it gives no judgements."""

    def labels(self, c: Configuration) -> Mapping[int, int]:
        """Return the correct label of each move, by its number, if known."""
        return {}

    def best(self, c: Configuration, legal: Bools) -> tuple[int, int] | None:
        """Return the right (move, label), or None if unknown."""
        return None

    def cost(self, c: Configuration, legal: Bools, move: int, label: int) -> int | None:
        """Return the number of gold arcs that the transition makes unreachable, or None if unknown."""
        return None

    def costs(self, c: Configuration, legal: Bools, options: Sequence[tuple[int, int]]) -> list[int | None]:
        """Return the cost of each possible (move, label), or None if it is unknown or expensive to compute."""
        return [None] * len(options)

    def took(self, cost: int | None) -> None:
        """Receive the cost of the transition that the derivation has taken."""


class DynamicJudge(Judge):
    """Judges by a dynamic oracle. A wrong label on a gold arc costs 1.

    Costs are relative to the cheapest permissible transition, because crossing gold arcs may make some losses
    unavoidable.
    """

    def __init__(self, pricing: DynamicOracle) -> None:
        self._pricing = pricing

    def best(self, c: Configuration, legal: Bools) -> tuple[int, int] | None:
        decision = self._pricing.decide(c, legal)
        return int(decision.moves[0]), int(decision.labels[0])

    def labels(self, c: Configuration) -> Mapping[int, int]:
        return dict(enumerate(self._pricing.labels(c)[0][0].tolist()))

    def cost(self, c: Configuration, legal: Bools, move: int, label: int) -> int | None:
        return self.costs(c, legal, [(move, label)])[0]

    def costs(self, c: Configuration, legal: Bools, options: Sequence[tuple[int, int]]) -> list[int | None]:
        costs = self._pricing.costs(c, legal)[0]
        costs = costs - costs.min()
        labels, gold = self._pricing.labels(c)
        return [int(costs[move]) + int(gold[0, move] and label != labels[0, move]) for move, label in options]


class StaticJudge(Judge):
    """Judges by a static oracle until the first error; gives no judgements after it.

    The cost of a transition is the number of gold arcs that are lost if the oracle continues after it. It is 0 if the
    transition leads to the same tree.
    """

    def __init__(self, system: TransitionSystem, oracle: Guide, gold: Gold, fallback: Fallback) -> None:
        self._system = system
        self._oracle = oracle
        self._gold = gold
        self._fallback = fallback
        self._silent = False

    def best(self, c: Configuration, legal: Bools) -> tuple[int, int] | None:
        if self._silent:
            return None
        decision = self._oracle.decide(c, legal)
        return (int(decision.moves[0]), int(decision.labels[0])) if decision.moves[0] != NONE else None

    def cost(self, c: Configuration, legal: Bools, move: int, label: int) -> int | None:
        if self._silent:
            return None
        if self.best(c, legal) == (move, label):
            return 0
        after = c.compact()
        self._system.advance(after, np.array([move]), np.array([label]))
        return max(0, self._reached(c.compact()) - self._reached(after))

    def took(self, cost: int | None) -> None:
        self._silent = self._silent or bool(cost)

    def _reached(self, c: Configuration) -> int:
        """Return the number of gold arcs in the tree that the oracle builds from a configuration."""
        derived = derive(self._system, self._oracle, c, self._fallback)
        right = (derived.heads == self._gold.heads) & (derived.deprels == self._gold.deprels)
        return int(np.count_nonzero(right & (self._gold.heads != NONE)))
