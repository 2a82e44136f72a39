"""The oracle of Covington's systems, non-projective and projective (Nivre 2008)."""

from __future__ import annotations

from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import Bools, Configuration
from ..transitions.covington import NO_ARC
from ..transitions.step import Decision
from ..transitions.system import TransitionSystem
from .oracle import Gold, Oracle, look_up

__all__ = ["CovingtonOracle"]


class CovingtonOracle(Oracle):
    """The gold arc between the two nodes if there is one, else NO-ARC while one is still to come, else SHIFT.

    One is still to come while some node further back is linked to the first node of the buffer in the gold tree; so
    derivations are as short as possible.
    """

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        super().__init__(system, gold)
        self.earliest = gold.earliest_links()

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        i, j = c.stack(0), c.buffer(0)
        return self.first_of(
            legal,
            [
                (LEFT_ARC, self.gold.head(c, i) == j, self.gold.deprel(c, i)),
                (RIGHT_ARC, self.gold.head(c, j) == i, self.gold.deprel(c, j)),
                (NO_ARC, look_up(self.earliest, c, j) < i, None),
                (SHIFT, True, None),
            ],
        )
