"""Classes by name, each imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any


class Lazy(Mapping[str, Any]):
    """Classes of a package by name, imported when they are asked for."""

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        """places: of each class, by its name, "module:Class", the module as from within the package."""
        self._package = package
        self._places = places

    def __getitem__(self, name: str) -> Any:
        module, _, own = self._places[name].partition(":")
        return getattr(import_module(f"{self._package}.{module}"), own)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


DRAWINGS: dict[str, Callable[[Any], str]] = {}
"""Functions that draw sentences and treebanks in notebooks, by name; higher layers register them here."""
