"""Classes by name that are imported at their first use, and packages that are optional."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from .errors import CrossarcError
from .plugins import declared


class Lazy(Mapping[str, Any]):
    """A mapping from names to classes and functions of a package and of plugins, imported when they are looked up."""

    def __init__(self, package: str, places: Mapping[str, str], group: str = "") -> None:
        """package: name of the package.

        places: "module:Class" by name; module names are relative to the package.
        group: name of the mapping in which plugins declare more of the kind, see :mod:`.plugins`.
        """
        self._package = package
        self._places = places
        self._group = group

    def __getitem__(self, name: str) -> Any:
        part = f"{self._package}.{self._places[name]}" if name in self._places else declared(self._group)[name]
        if not isinstance(part, str):
            return part
        module, _, attribute = part.partition(":")
        return getattr(import_module(module), attribute)

    def __contains__(self, name: object) -> bool:
        return name in self._places or name in declared(self._group)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._places, **declared(self._group)})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def needed(package: str, what: str, name: str = "", extra: str = "") -> Any:
    """Import an optional package. Raises CrossarcError if it is not installed.

    what: the function that needs it.
    name: name of the package for the message (default: ``package``).
    extra: the extra of crossarc that installs it (default: ``package``).
    """
    extra = extra or package
    try:
        return import_module(package)
    except ImportError:
        raise CrossarcError(f"{what}: needs {name or package}; install the extra crossarc[{extra}]") from None


DRAWINGS: dict[str, Callable[[Any], str]] = {}
"""Functions that draw sentences and treebanks in notebooks, by name. Higher layers register them here."""
