"""The oracle of Attardi's system (Kuhlmann & Nivre 2010, figure 3, tests 1, 2, 3, 4, 6 in that order)."""

from __future__ import annotations

from ..transitions.arc_standard import SHIFT
from ..transitions.attardi import LEFT_ARC_2, RIGHT_ARC_2
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from .arc_standard import ArcStandardOracle
from .oracle import Test


class AttardiOracle(ArcStandardOracle):
    """Predict an arc between adjacent stack nodes if the gold tree has one, else an arc across one node, else SHIFT.

    The oracle derives every tree that the system can derive: a search through all derivations for up to 7 words found
    no counterexample.
    """

    systems = ("attardi",)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        return self.first_of(legal, [*self.adjacent_arcs(c), *self.arcs_across(c), (SHIFT, True, None)])

    def arcs_across(self, c: Configuration) -> list[Test]:
        """Tests 3 and 4: a gold arc between the first and the third stack node."""
        i, k = c.stack(2), c.stack(0)
        return [
            (LEFT_ARC_2, (i > 0) & (self.gold.head(c, i) == k) & self.gold.complete(c, i), self.gold.deprel(c, i)),
            (RIGHT_ARC_2, (i >= 0) & (self.gold.head(c, k) == i) & self.gold.complete(c, k), self.gold.deprel(c, k)),
        ]
