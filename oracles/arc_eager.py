"""The oracle of arc-eager (Nivre 2003; Nivre 2008), and a base class that Covington's oracle shares."""

from __future__ import annotations

from typing import ClassVar

from ..transitions.arc_eager import REDUCE
from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from ..transitions.system import Move, TransitionSystem
from .oracle import Gold, Oracle, look_up


class LinkOracle(Oracle):
    """Predict a gold arc between the two nodes if possible, else ``pass_over`` while an arc is pending, else SHIFT."""

    pass_over: ClassVar[Move]

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
                (self.pass_over, look_up(self.earliest, c, j) < i, None),
                (SHIFT, True, None),
            ],
        )


class ArcEagerOracle(LinkOracle):
    """Predict an arc as soon as it can be added, REDUCE only when it is needed, else SHIFT.

    REDUCE is needed where the gold tree links some node below the top of the stack to the first node of the buffer.
    """

    systems = ("arc-eager",)
    pass_over = REDUCE
