"""The plugins of crossarc and of users, found and not listed, so that the core imports none of them by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from ...transitions import plugins

FOLDER = Path(__file__).parents[1] / "plugins"


@cache
def _installed() -> tuple[ModuleType, ...]:
    package = f"{__package__.rpartition('.')[0]}.plugins"
    return tuple(import_module(f"{package}.{module.name}") for module in pkgutil.iter_modules([str(FOLDER)]))


def found_plugins() -> tuple[ModuleType, ...]:
    """The packages of the folder of plugins, by name, and those of users. They import what they need at its use."""
    return (*_installed(), *plugins.added("plugins").values())


def declared(group: str) -> Mapping[str, Any]:
    """What the plugins declare in mappings of this name, such as LEARNERS: by name, the part or its place.

    The place of a part is "module:name". In a plugin, the names of modules are relative to its package; here they are
    complete. A plugin in one file declares the parts themselves. The name of an installed part cannot be taken. "" is
    no group.
    """
    return _declared(group, found_plugins()) if group else {}


@cache  # models ask at each request
def _declared(group: str, of_plugins: tuple[ModuleType, ...]) -> Mapping[str, Any]:
    parts: dict[str, Any] = {}
    for plugin in of_plugins:
        for name, part in getattr(plugin, group, {}).items():
            parts.setdefault(name, f"{plugin.__name__}.{part}" if isinstance(part, str) else part)
    return parts


def missing_libraries(plugin: ModuleType) -> list[str]:
    """The optional libraries that a plugin names and that are not installed."""
    return [name for name in getattr(plugin, "NEEDS", ()) if find_spec(name) is None]
