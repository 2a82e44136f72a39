"""The oracle of arc-eager (Nivre 2003; Nivre 2008), and what it shares with that of Covington's systems."""

from __future__ import annotations

from typing import ClassVar

from ..transitions.arc_eager import REDUCE
from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from ..transitions.system import Move, TransitionSystem
from .oracle import Gold, Oracle, look_up


class LinkOracle(Oracle):
    """The gold arc between the two nodes if there is one, else ``pass_over`` while one is still to come, else SHIFT.

    One is still to come while some node further back is linked to the first node of the buffer in the gold tree; so
    nothing is passed over that no later arc must get past, and derivations are as short as possible.

    pass_over: the move that goes on to the next node further back.
    """

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
    """An arc as soon as it can be added, REDUCE only when it is needed, else SHIFT.

    REDUCE is needed where some node below the top of the stack is linked to the first node of the buffer.
    """

    systems = ("arc-eager",)
    pass_over = REDUCE
