"""Every oracle by its system's name and its own; the first one of a system is its default."""

from __future__ import annotations

from collections.abc import Mapping

from ..transitions.system import TransitionSystem
from .arc_eager import ArcEagerOracle
from .arc_standard import ArcStandardOracle
from .attardi import AttardiOracle
from .covington import CovingtonOracle
from .oracle import Gold, Oracle
from .swap import EagerSwapOracle, LazySwapOracle

__all__ = ["ORACLES", "make_oracle", "oracle_type"]

ORACLES: Mapping[str, Mapping[str, type[Oracle]]] = {
    "arc-standard": {"static": ArcStandardOracle},
    "arc-eager": {"static": ArcEagerOracle},
    "attardi": {"static": AttardiOracle},
    "swap": {"lazy": LazySwapOracle, "eager": EagerSwapOracle},
    "covington": {"static": CovingtonOracle},
    "covington-projective": {"static": CovingtonOracle},
}


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
