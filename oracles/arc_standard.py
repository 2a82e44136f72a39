"""The oracle of arc-standard (Kuhlmann & Nivre 2010, figure 3, tests 1, 2, 6 in that order)."""

from __future__ import annotations

from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from ..transitions.system import Move
from .oracle import Oracle, Test


class ArcStandardOracle(Oracle):
    """Predict LEFT-ARC or RIGHT-ARC as soon as the gold arc's dependent has all its own dependents, else SHIFT."""

    systems = ("arc-standard",)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        return self.first_of(legal, [*self.arcs_of_top(c), (SHIFT, True, None)])

    def arcs_of_top(self, c: Configuration, k: int = 1, left: Move = LEFT_ARC, right: Move = RIGHT_ARC) -> list[Test]:
        """Tests 1 and 2: a gold arc between the top of the stack and the k-th node below it."""
        i, j = c.stack(k), c.stack(0)
        return [
            (left, (i > 0) & (self.gold.head(c, i) == j) & self.gold.complete(c, i), self.gold.deprel(c, i)),
            (right, (i >= 0) & (self.gold.head(c, j) == i) & self.gold.complete(c, j), self.gold.deprel(c, j)),
        ]
