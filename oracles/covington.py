"""The oracle of Covington's systems, non-projective and projective (Nivre 2008)."""

from __future__ import annotations

from ..transitions.covington import NO_ARC
from .arc_eager import LinkOracle


class CovingtonOracle(LinkOracle):
    """Predict the gold arc between the two nodes if there is one, else NO-ARC while an arc is pending, else SHIFT."""

    systems = ("covington", "covington-projective")
    pass_over = NO_ARC
