"""The oracle of arc-eager (Nivre 2003; Nivre 2008)."""

from __future__ import annotations

from ..transitions.arc_eager import REDUCE
from .links import LinkOracle


class ArcEagerOracle(LinkOracle):
    """An arc as soon as it can be added, REDUCE only when it is needed, else SHIFT.

    REDUCE is needed where some node below the top of the stack is linked to the first node of the buffer.
    """

    systems = ("arc-eager",)
    pass_over = REDUCE
