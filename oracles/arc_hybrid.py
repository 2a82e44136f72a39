"""The oracles of arc-hybrid and of arc-hybrid with swap."""

from __future__ import annotations

from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from ..transitions.swap import SWAP
from ..transitions.system import TransitionSystem
from .oracle import Gold, Oracle, Test, look_up
from .swap import projective_orders


class ArcHybridOracle(Oracle):
    """Predict LEFT-ARC or RIGHT-ARC as soon as the gold arc's dependent has all its own dependents, else SHIFT."""

    systems = ("arc-hybrid",)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        return self.first_of(legal, [*self.arcs_to_top(c), (SHIFT, True, None)])

    def arcs_to_top(self, c: Configuration) -> list[Test]:
        """Tests for a gold arc to the top of the stack from the first buffer node or the second stack node."""
        i, j, k = c.stack(1), c.stack(0), c.buffer(0)
        complete = self.gold.complete(c, j)
        head, label = self.gold.head(c, j), self.gold.deprel(c, j)
        return [(LEFT_ARC, (head == k) & complete, label), (RIGHT_ARC, (head == i) & complete, label)]


class ArcHybridSwapOracle(ArcHybridOracle):
    """Predict a gold arc to the top of the stack, else SWAP where it is due, else SHIFT.

    SWAP is due as soon as the first node of the buffer precedes the top of the stack in the projective order of the
    gold tree (de Lhoneux, Stymne & Nivre 2017).
    """

    systems = ("arc-hybrid-swap",)

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        super().__init__(system, gold)
        self.order = projective_orders(gold)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        swap_due = look_up(self.order, c, c.buffer(0)) < look_up(self.order, c, c.stack(0))
        return self.first_of(legal, [*self.arcs_to_top(c), (SWAP, swap_due, None), (SHIFT, True, None)])
