"""Registry of oracles by the names of systems and oracles; the default of a system is its first oracle.

The oracles of a system are in one file of this folder, a dynamic one possibly in another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from ..transitions import plugins
from ..transitions.registry import SYSTEMS, classes
from ..transitions.system import TransitionSystem
from .dynamic import DynamicOracle
from .oracle import Gold, Oracle

Kind = TypeVar("Kind", bound=type[Oracle])
T = TypeVar("T")


@cache
def _installed() -> list[type[Oracle]]:
    modules = iter_modules(import_module(__package__).__path__)
    return [oracle for module in modules for oracle in classes(f"{__package__}.{module.name}", Oracle, "systems")]


def _oracles(system: str, dynamic: bool) -> dict[str, type[Any]]:
    """The static or the dynamic oracles of a system by name; installed ones come before added ones."""
    every = [*_installed(), *plugins.added("oracles").values()]
    return {
        oracle.name: oracle
        for oracle in every
        if system in oracle.systems and issubclass(oracle, DynamicOracle) == dynamic
    }


class _OfSystems(Mapping[str, T]):
    """What a function finds for each system."""

    def __init__(self, find: Callable[[str], T | None]) -> None:
        self._find = find

    def __getitem__(self, system: str) -> T:
        if not (oracle := self._find(system)):
            raise KeyError(system)
        return oracle

    def __iter__(self) -> Iterator[str]:
        return (name for name in SYSTEMS if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


ORACLES: Mapping[str, Mapping[str, type[Oracle]]] = _OfSystems(partial(_oracles, dynamic=False))
"""The static oracles of each system by name."""
DYNAMIC_ORACLES: Mapping[str, type[DynamicOracle]] = _OfSystems(
    lambda system: next(reversed(_oracles(system, dynamic=True).values()), None)
)
"""The dynamic oracle of each system that has one; an added one replaces an installed one."""
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
    systems = getattr(oracle, "systems", ())
    if isinstance(systems, str) or not systems:
        raise ValueError(f"{oracle.__name__}: an oracle needs a class attribute systems, a tuple of names")
    for system in systems:
        installed = [oracle.name for oracle in _installed() if system in oracle.systems]
        taken = () if issubclass(oracle, DynamicOracle) else [*installed, DYNAMIC]
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
