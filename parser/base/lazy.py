"""Classes by name that are imported at their first use, and packages that are optional."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from .errors import CrossarcError


class Lazy(Mapping[str, Any]):
    """A mapping from names to classes of a package. A class is imported when it is looked up."""

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        """package: name of the package.

        places: "module:Class" by name; module names are relative to the package.
        """
        self._package = package
        self._places = places

    def __getitem__(self, name: str) -> Any:
        module, _, own = self._places[name].partition(":")
        return getattr(import_module(f"{self._package}.{module}"), own)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def needed(package: str, what: str, name: str = "") -> Any:
    """Import an optional package. Raises CrossarcError if it is not installed.

    what: the function that needs it.
    name: name of the package for the message (default: ``package``).
    """
    try:
        return import_module(package)
    except ImportError:
        raise CrossarcError(f"{what}: needs {name or package}; install the extra crossarc[{package}]") from None


DRAWINGS: dict[str, Callable[[Any], str]] = {}
"""Functions that draw sentences and treebanks in notebooks, by name. Higher layers register them here."""
