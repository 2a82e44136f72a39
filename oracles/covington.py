"""The oracle of Covington's systems, non-projective and projective (Nivre 2008)."""

from __future__ import annotations

from ..transitions.covington import NO_ARC
from .arc_eager import LinkOracle


class CovingtonOracle(LinkOracle):
    """The gold arc between the two nodes, else NO-ARC while an arc is still to come, else SHIFT."""

    systems = ("covington", "covington-projective")
    pass_over = NO_ARC
