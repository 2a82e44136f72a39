"""The plugins of crossarc, found and not listed, so that the core imports none of them by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parents[1] / "plugins"


@cache
def found_plugins() -> tuple[ModuleType, ...]:
    """The packages of the folder of plugins, by name. They import what they need when it is used."""
    package = f"{__package__.rpartition('.')[0]}.plugins"
    return tuple(import_module(f"{package}.{own.name}") for own in pkgutil.iter_modules([str(FOLDER)]))


@cache
def declared(group: str) -> Mapping[str, str]:
    """What the plugins declare in mappings of this name, such as LEARNERS: "module:Class" by name.

    In a plugin, the names of modules are relative to its package; here they are complete. "" is no group.
    """
    return {
        name: f"{plugin.__name__}.{place}"
        for plugin in (found_plugins() if group else ())
        for name, place in getattr(plugin, group, {}).items()
    }


def missing_libraries(plugin: ModuleType) -> list[str]:
    """The optional libraries that a plugin names and that are not installed."""
    return [name for name in getattr(plugin, "NEEDS", ()) if find_spec(name) is None]
