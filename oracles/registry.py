"""Every oracle by its system's name and its own; the first one of a system is its default."""

from __future__ import annotations

from collections.abc import Mapping

from ..transitions.system import TransitionSystem
from .arc_eager import ArcEagerOracle
from .arc_hybrid import ArcHybridOracle, ArcHybridSwapOracle
from .arc_standard import ArcStandardOracle
from .attardi import AttardiOracle
from .covington import CovingtonOracle
from .dynamic import DynamicOracle
from .dynamic_arc_eager import DynamicArcEagerOracle
from .dynamic_arc_hybrid import DynamicArcHybridOracle, StaticDynamicOracle
from .dynamic_arc_standard import DynamicArcStandardOracle
from .dynamic_covington import DynamicCovingtonOracle
from .oracle import Gold, Oracle
from .swap import EagerSwapOracle, LazySwapOracle

__all__ = ["DYNAMIC_ORACLES", "ORACLES", "make_dynamic_oracle", "make_oracle", "oracle_type"]

ORACLES: Mapping[str, Mapping[str, type[Oracle]]] = {
    "arc-standard": {"static": ArcStandardOracle},
    "arc-eager": {"static": ArcEagerOracle},
    "arc-hybrid": {"static": ArcHybridOracle},
    "attardi": {"static": AttardiOracle},
    "swap": {"lazy": LazySwapOracle, "eager": EagerSwapOracle},
    "arc-hybrid-swap": {"static": ArcHybridSwapOracle},
    "covington": {"static": CovingtonOracle},
    "covington-projective": {"static": CovingtonOracle},
}

DYNAMIC_ORACLES: Mapping[str, type[DynamicOracle]] = {
    "arc-standard": DynamicArcStandardOracle,
    "arc-eager": DynamicArcEagerOracle,
    "arc-hybrid": DynamicArcHybridOracle,
    "arc-hybrid-swap": StaticDynamicOracle,
    "covington": DynamicCovingtonOracle,
}
"""The dynamic oracle of each system that has one."""


def oracle_type(system: str, name: str | None = None) -> type[Oracle]:
    """The oracle called ``name`` of the system called ``system``; ValueError, with the names there are, if none is."""
    if system not in ORACLES:
        raise ValueError(f"no transition system is called {system!r}; allowed: {', '.join(ORACLES)}")
    oracles = ORACLES[system]
    if name is None:
        return next(iter(oracles.values()))
    if name not in oracles:
        raise ValueError(f"no oracle of {system} is called {name!r}; allowed: {', '.join(oracles)}")
    return oracles[name]


def make_oracle(system: TransitionSystem, gold: Gold, name: str | None = None) -> Oracle:
    """The oracle called ``name`` (without one, the default) of ``system`` over the gold trees of one batch."""
    return oracle_type(system.name, name)(system, gold)


def make_dynamic_oracle(system: TransitionSystem, gold: Gold) -> DynamicOracle:
    """The dynamic oracle of ``system`` over the gold trees of one batch; ValueError, with the systems that have one."""
    if system.name not in DYNAMIC_ORACLES:
        raise ValueError(f"{system.name} has no dynamic oracle; allowed: {', '.join(DYNAMIC_ORACLES)}")
    return DYNAMIC_ORACLES[system.name](system, gold)
