"""Registry of oracles by the names of systems and oracles; the default of a system is its first oracle.

An oracle is in a file of this folder whose name is the name of its system or a beginning of it; a dynamic oracle is in
a file whose name begins with ``dynamic_``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from ..transitions import plugins
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


_STATIC: Mapping[str, Mapping[str, type[Oracle]]] = Found(__package__, _static, _in_order)
_DYNAMIC: Mapping[str, type[DynamicOracle]] = Found(__package__, _dynamic, _in_order, prefix="dynamic_")
Kind = TypeVar("Kind", bound=type[Oracle])


class _Oracles(Mapping[str, Mapping[str, type[Oracle]]]):
    """The static oracles of each system by name; installed ones come before added ones."""

    def __getitem__(self, system: str) -> Mapping[str, type[Oracle]]:
        found = {**_STATIC.get(system, {}), **{own.name: own for own in _added(system, dynamic=False)}}
        if not found:
            raise KeyError(system)
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name in SYSTEMS if name in _STATIC or _added(name, dynamic=False))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _DynamicOracles(Mapping[str, type[DynamicOracle]]):
    """The dynamic oracle of each system that has one."""

    def __getitem__(self, system: str) -> type[DynamicOracle]:
        return next(iter(_added(system, dynamic=True)), None) or _DYNAMIC[system]

    def __iter__(self) -> Iterator[str]:
        return (name for name in SYSTEMS if name in _DYNAMIC or _added(name, dynamic=True))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _added(system: str, *, dynamic: bool) -> list[type[Any]]:
    parts = plugins.added("oracles").values()
    return [own for own in parts if system in own.systems and issubclass(own, DynamicOracle) == dynamic]


ORACLES: Mapping[str, Mapping[str, type[Oracle]]] = _Oracles()
DYNAMIC_ORACLES: Mapping[str, type[DynamicOracle]] = _DynamicOracles()
DYNAMIC = "dynamic"
"""The name of a system's dynamic oracle among its oracles."""


def register_oracle(oracle: Kind) -> Kind:
    """Register an oracle for the systems that its attribute ``systems`` names; a decorator.

    Configs choose it by its attribute ``name``, ``oracle: NAME``. A dynamic oracle replaces that of the system. Raises
    ValueError for a class without systems, and for the name of an installed oracle of a system.

    >>> import crossarc
    >>> from crossarc.oracles.arc_standard import ArcStandardOracle
    >>> crossarc.register_oracle(ArcStandardOracle)
    Traceback (most recent call last):
    ValueError: arc-standard has an installed oracle static; give the attribute name another value
    """
    for system in getattr(oracle, "systems", ()) or [""]:
        taken = () if issubclass(oracle, DynamicOracle) else [*_STATIC.get(system, {}), DYNAMIC]
        if not system:
            raise ValueError(f"{oracle.__name__}: an oracle needs a class attribute systems, a tuple of names")
        if oracle.name in taken:
            raise ValueError(f"{system} has an installed oracle {oracle.name}; give the attribute name another value")
    plugins.add("oracles", f"{oracle.__module__}.{oracle.__qualname__}", oracle)
    return oracle


def oracle_names(system: str) -> list[str]:
    """Return the names of the oracles of a system, the default first; unknown systems have none."""
    return [*ORACLES.get(system, {}), *([DYNAMIC] if system in DYNAMIC_ORACLES else [])]


def oracle_type(system: str, name: str | None = None) -> type[Oracle]:
    """Return the class of an oracle of ``system``. Raises ValueError with the allowed names if it is unknown."""
    if system not in ORACLES:
        raise ValueError(f"no transition system is called {system!r}; allowed: {', '.join(ORACLES)}")
    oracles = ORACLES[system]
    if name is None:
        return next(iter(oracles.values()))
    if name not in (names := oracle_names(system)):
        raise ValueError(f"no oracle of {system} is called {name!r}; allowed: {', '.join(names)}")
    return DYNAMIC_ORACLES[system] if name == DYNAMIC else oracles[name]


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
