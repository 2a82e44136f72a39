"""Every transition system by its name."""

from __future__ import annotations

from collections.abc import Mapping

from .arc_eager import ArcEager
from .arc_standard import ArcStandard
from .attardi import Attardi
from .covington import Covington, CovingtonProjective
from .swap import Swap
from .system import TransitionSystem

__all__ = ["SYSTEMS", "make_system"]

SYSTEMS: Mapping[str, type[TransitionSystem]] = {
    system.name: system for system in (ArcStandard, ArcEager, Attardi, Swap, Covington, CovingtonProjective)
}


def make_system(name: str, *, single_root: bool = True) -> TransitionSystem:
    """The system called ``name``; ValueError, with the names there are, if there is none."""
    if name not in SYSTEMS:
        raise ValueError(f"no transition system is called {name!r}; allowed: {', '.join(SYSTEMS)}")
    return SYSTEMS[name](single_root=single_root)
