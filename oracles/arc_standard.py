"""The oracle of arc-standard (Kuhlmann & Nivre 2010, figure 3, tests 1, 2, 6 in that order)."""

from __future__ import annotations

from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from .oracle import Oracle, Test


class ArcStandardOracle(Oracle):
    """Predict LEFT-ARC or RIGHT-ARC as soon as the gold arc's dependent has all its own dependents, else SHIFT."""

    systems = ("arc-standard",)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        return self.first_of(legal, [*self.adjacent_arcs(c), (SHIFT, True, None)])

    def adjacent_arcs(self, c: Configuration) -> list[Test]:
        """Tests 1 and 2: a gold arc between the two topmost stack nodes."""
        i, j = c.stack(1), c.stack(0)
        return [
            (LEFT_ARC, (i > 0) & (self.gold.head(c, i) == j) & self.gold.complete(c, i), self.gold.deprel(c, i)),
            (RIGHT_ARC, (i >= 0) & (self.gold.head(c, j) == i) & self.gold.complete(c, j), self.gold.deprel(c, j)),
        ]
