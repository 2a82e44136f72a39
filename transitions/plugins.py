"""Parts that users add to the registries: with decorators, in files, or in installed packages.

A part is added by a call of its ``register`` function. Files named in the environment variable ``CROSSARC_PLUGINS`` and
entry points of installed packages (groups ``crossarc.systems``, ``crossarc.oracles``, ``crossarc.learners``,
``crossarc.features``) make these calls when they are imported, which happens at the first search among added parts.

Each file is also a plugin, as is each module that an entry point of the group ``crossarc.plugins`` names: it may
declare parts of other kinds in mappings, as the plugins of crossarc do.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import metadata, util
from pathlib import Path
from traceback import extract_tb
from typing import Any, TypeVar

T = TypeVar("T")
GROUPS = ("systems", "oracles", "learners", "features", "plugins")
VARIABLE = "CROSSARC_PLUGINS"
"""The environment variable with files of added parts; processes that are started inherit it."""

_PARTS: dict[str, dict[str, Any]] = {group: {} for group in GROUPS}
_LOADED: set[str] = set()


def add(group: str, name: str, part: Any) -> None:
    """Add a part to a group. A part with the same name is replaced, as when a cell of a notebook runs again."""
    _PARTS[group][name] = part


def added(group: str) -> Mapping[str, Any]:
    """Return the added parts of a group by name. Files and entry points are loaded first."""
    for file in files():
        load_file(file)
    if group not in _LOADED:
        _LOADED.add(group)
        for entry in metadata.entry_points(group=f"crossarc.{group}"):
            try:
                part = entry.load()
            except Exception as error:
                warnings.warn(f"{entry.value} of crossarc.{group}: {type(error).__name__}: {error}", stacklevel=2)
            else:
                _PARTS[group].setdefault(entry.name, part)
    return _PARTS[group]


def with_parts_of_main(function: Callable[..., T]) -> Callable[..., T]:
    """The function for joblib's worker processes: it first registers there the parts that ``__main__`` has registered.

    These are the systems, oracles, learners and so on of a notebook or of the script that runs. Workers cannot import
    them, so joblib sends them by value.
    """
    parts = [
        (group, name, part)
        for group, parts_of_group in _PARTS.items()
        for name, part in parts_of_group.items()
        if getattr(part, "__module__", "") == "__main__"
    ]
    return partial(_call_with, parts, function) if parts else function


def _call_with(parts: Sequence[tuple[str, str, Any]], function: Callable[..., T], *values: Any, **options: Any) -> T:
    for group, name, part in parts:
        add(group, name, part)
        if hasattr(part, "__qualname__"):  # stored models name their classes
            setattr(sys.modules["__main__"], part.__qualname__, part)
    return function(*values, **options)


def files() -> list[str]:
    """Return the files of added parts, from the environment."""
    return [file for file in os.environ.get(VARIABLE, "").split(os.pathsep) if file]


def load_file(file: str) -> None:
    """Run a Python file, which registers parts, and remember it for processes that are started.

    The file becomes the module of its name. Raises ValueError if the file cannot be run.
    """
    path = Path(file).resolve()
    if str(path) in _LOADED:
        return
    known = sys.modules.get(path.stem)
    if known is not None and getattr(known, "__file__", None) != str(path):
        raise ValueError(f"{file}: a module {path.stem} exists already; rename the file")
    spec = util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ValueError(f"{file}: {'not a Python file' if Path(file).exists() else 'no such file'}")
    _LOADED.add(str(path))
    sys.modules[path.stem] = module = util.module_from_spec(spec)
    sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        _LOADED.discard(str(path))
        del sys.modules[path.stem]
        line = error.lineno if isinstance(error, SyntaxError) else extract_tb(error.__traceback__)[-1].lineno
        raise ValueError(f"{file}: {type(error).__name__}: {error} (line {line})") from error
    _PARTS["plugins"][path.stem] = module
    os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys([*files(), str(path)]))
