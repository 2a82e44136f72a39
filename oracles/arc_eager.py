"""The oracle of arc-eager (Nivre 2003; Nivre 2008)."""

from __future__ import annotations

from ..transitions.arc_eager import REDUCE
from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from ..transitions.system import TransitionSystem
from .oracle import Gold, Oracle, look_up

__all__ = ["ArcEagerOracle"]


class ArcEagerOracle(Oracle):
    """An arc as soon as it can be added, REDUCE only when it is needed, else SHIFT.

    REDUCE is needed where some node below the top of the stack is linked to the first node of the buffer in the gold
    tree; so nothing is reduced that no later arc must get past, and derivations are as short as possible.
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
                (REDUCE, look_up(self.earliest, c, j) < i, None),
                (SHIFT, True, None),
            ],
        )
