"""Registries of the classes that the files of a folder declare; a file is imported when its class is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

T = TypeVar("T")


class Found(Mapping[str, T]):
    """The classes that the modules of a package declare, by names with hyphens.

    A name is first looked for in the modules whose names begin as it does: "arc-hybrid-swap" in ``arc_hybrid_swap`` and
    ``arc_hybrid``, if there are such modules. Only if it is not there are all modules imported.
    """

    def __init__(
        self,
        package: str,
        declared: Callable[[str], Mapping[str, T]],
        names: Callable[[Mapping[str, T]], Iterable[str]],
        prefix: str = "",
    ) -> None:
        """declared: what the module of that full name declares. names: all names in their order, given everything that
        was found. prefix: of the modules that may be named after what they declare."""
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
    """The subclasses of ``base`` that a module defines with an attribute ``declares`` of their own, in their order."""
    return [
        own
        for own in vars(import_module(module)).values()
        if isinstance(own, type) and issubclass(own, base) and own.__module__ == module and declares in vars(own)
    ]
