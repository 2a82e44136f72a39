"""Every transition system by its name."""

from __future__ import annotations

from collections.abc import Mapping

from .arc_eager import ArcEager
from .arc_hybrid import ArcHybrid, ArcHybridSwap
from .arc_standard import ArcStandard
from .attardi import Attardi
from .covington import Covington, CovingtonProjective
from .swap import Swap
from .system import TransitionSystem
from .three_step import LeftPass, RightPass, ValencyPass

__all__ = ["PASSES", "SYSTEMS", "make_pass", "make_system", "system_type"]

SYSTEMS: Mapping[str, type[TransitionSystem]] = {
    system.name: system
    for system in (ArcStandard, ArcEager, ArcHybrid, Attardi, Swap, ArcHybridSwap, Covington, CovingtonProjective)
}

PASSES: Mapping[str, type[ValencyPass]] = {system.name: system for system in (LeftPass, RightPass)}
"""The systems that start from trees, in the order in which they follow a projective one."""


def system_type(name: str) -> type[TransitionSystem]:
    """The system or pass called ``name``; ValueError, with the names there are, if there is none."""
    if name in PASSES:
        return PASSES[name]
    if name not in SYSTEMS:
        raise ValueError(f"no transition system is called {name!r}; allowed: {', '.join(SYSTEMS)}")
    return SYSTEMS[name]


def make_system(name: str, *, single_root: bool = True) -> TransitionSystem:
    """The system or pass called ``name``; ValueError, with the names there are, if there is none."""
    return system_type(name)(single_root=single_root)


def make_pass(name: str, *, single_root: bool = True) -> ValencyPass:
    """The pass called ``name``, one of :data:`PASSES`; it keeps a single root of the trees that it starts from."""
    return PASSES[name](single_root=single_root)
