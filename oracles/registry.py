"""Registry of oracles by the names of systems and oracles; the default of a system is its first oracle.

An oracle is in a file of this folder whose name is the name of its system or a beginning of it; a dynamic oracle is in
a file whose name begins with ``dynamic_``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..transitions.registry import SYSTEMS, Found, classes
from ..transitions.system import TransitionSystem
from .dynamic import DynamicOracle
from .oracle import Gold, Oracle


def _static(module: str) -> dict[str, dict[str, type[Oracle]]]:
    found: dict[str, dict[str, type[Oracle]]] = {}
    for own in classes(module, Oracle, "systems"):
        for system in () if issubclass(own, DynamicOracle) else own.systems:
            found.setdefault(system, {})[own.name] = own
    return found


def _dynamic(module: str) -> dict[str, type[DynamicOracle]]:
    return {system: own for own in classes(module, DynamicOracle, "systems") for system in own.systems}


def _in_order(found: Mapping[str, object]) -> Iterable[str]:
    return (name for name in SYSTEMS if name in found)


ORACLES: Mapping[str, Mapping[str, type[Oracle]]] = Found(__package__, _static, _in_order)
DYNAMIC_ORACLES: Mapping[str, type[DynamicOracle]] = Found(__package__, _dynamic, _in_order, prefix="dynamic_")
"""The dynamic oracle of each system that has one."""


def oracle_type(system: str, name: str | None = None) -> type[Oracle]:
    """Return the class of an oracle of ``system``. Raises ValueError with the allowed names if it is unknown."""
    if system not in ORACLES:
        raise ValueError(f"no transition system is called {system!r}; allowed: {', '.join(ORACLES)}")
    oracles = ORACLES[system]
    if name is None:
        return next(iter(oracles.values()))
    if name not in oracles:
        raise ValueError(f"no oracle of {system} is called {name!r}; allowed: {', '.join(oracles)}")
    return oracles[name]


def make_oracle(system: TransitionSystem, gold: Gold, name: str | None = None) -> Oracle:
    """Make the oracle ``name`` (None: the default) of ``system`` over the gold trees of one batch."""
    return oracle_type(system.name, name)(system, gold)


def make_dynamic_oracle(system: TransitionSystem, gold: Gold) -> DynamicOracle:
    """Make the dynamic oracle of ``system`` over the gold trees of one batch.

    Raises ValueError with the allowed systems if the system has no dynamic oracle.
    """
    if system.name not in DYNAMIC_ORACLES:
        raise ValueError(f"{system.name} has no dynamic oracle; allowed: {', '.join(DYNAMIC_ORACLES)}")
    return DYNAMIC_ORACLES[system.name](system, gold)
