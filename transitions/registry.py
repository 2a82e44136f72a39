"""Registry of transition systems: the classes with a name in the files of this folder, imported when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from .system import TransitionSystem

T = TypeVar("T")


class Found(Mapping[str, T]):
    """The classes that the modules of a package declare, by names with hyphens.

    A name is first looked up in modules whose names are prefixes of it: "arc-hybrid-swap" in ``arc_hybrid_swap`` and
    ``arc_hybrid``, if these modules exist. All modules are imported only if the name is not found there.
    """

    def __init__(
        self,
        package: str,
        declared: Callable[[str], Mapping[str, T]],
        names: Callable[[Mapping[str, T]], Iterable[str]],
        prefix: str = "",
    ) -> None:
        """declared: function from the full name of a module to the classes that it declares names: function from all
        declared classes to their names in order prefix: optional prefix of the modules that are named after their
        classes
        """
        self._modules = cache(lambda: [module.name for module in iter_modules(import_module(package).__path__)])
        self._declared = cache(lambda module: declared(f"{package}.{module}"))
        self._names = cache(lambda: tuple(names(self._all())))
        self._prefix = prefix

    def _all(self) -> dict[str, T]:
        return {name: found for module in self._modules() for name, found in self._declared(module).items()}

    def __getitem__(self, name: str) -> T:
        words = name.split("-")
        for end in range(len(words), 0, -1):
            module = self._prefix + "_".join(words[:end])
            if module in self._modules() and name in (found := self._declared(module)):
                return found[name]
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())


def classes(module: str, base: type, declares: str) -> list[Any]:
    """The subclasses of ``base`` with an own attribute ``declares`` that a module defines, in their order."""
    return [
        own
        for own in vars(import_module(module)).values()
        if isinstance(own, type) and issubclass(own, base) and own.__module__ == module and declares in vars(own)
    ]


def _declared(revises: tuple[bool, ...], module: str) -> dict[str, type[TransitionSystem]]:
    return {own.name: own for own in classes(module, TransitionSystem, "name") if own.revises in revises}


def _in_order(found: Mapping[str, type[TransitionSystem]]) -> Iterable[str]:
    return sorted(found, key=lambda name: (found[name].place, name))


SYSTEMS: Mapping[str, type[TransitionSystem]] = Found(__package__, partial(_declared, (False,)), _in_order)
"""The systems that build trees, in the order of their places."""

PASSES: Mapping[str, type[TransitionSystem]] = Found(__package__, partial(_declared, (True,)), _in_order)
"""The systems that revise trees, in the order in which they follow a projective one."""

_BOTH = Found(__package__, partial(_declared, (False, True)), _in_order)


def system_type(name: str) -> type[TransitionSystem]:
    """Return the class of the system or pass ``name``. Raises ValueError with the allowed names if there is none."""
    if name not in _BOTH:
        raise ValueError(f"no transition system is called {name!r}; allowed: {', '.join(SYSTEMS)}")
    return _BOTH[name]


def make_system(name: str, *, single_root: bool = True) -> TransitionSystem:
    """Make the system or pass ``name``. Raises ValueError with the allowed names if there is none."""
    return system_type(name)(single_root=single_root)
