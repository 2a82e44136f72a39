"""The oracle of Attardi's system (Kuhlmann & Nivre 2010, figure 3, tests 1, 2, 3, 4, 6 in that order)."""

from __future__ import annotations

from ..transitions.arc_standard import SHIFT
from ..transitions.attardi import LEFT_ARC_2, RIGHT_ARC_2
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from .arc_standard import ArcStandardOracle


class AttardiOracle(ArcStandardOracle):
    """Predict an arc between adjacent stack nodes if the gold tree has one, else an arc across one node, else SHIFT.

    The oracle derives every tree that the system can derive: a search through all derivations for up to 7 words found
    no counterexample.
    """

    systems = ("attardi",)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        across = self.arcs_of_top(c, 2, LEFT_ARC_2, RIGHT_ARC_2)  # tests 3 and 4
        return self.first_of(legal, [*self.arcs_of_top(c), *across, (SHIFT, True, None)])
