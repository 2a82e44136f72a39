"""Digests of the code on which a result depends: that of crossarc, of plugins, and of what these import."""

from __future__ import annotations

import ast
import hashlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from ...transitions import plugins
from .registry import ROOT

DIGITS = 20
CODE = ("transitions", "oracles", "features", "parser")
APART = ("commands", "console", "drawing", "interfaces", "maltparser", "serving")
"""Packages of ``parser`` that no figure depends on."""
COMMANDS = ("command", "commands")
"""Last parts of the names of modules of plugins that run their commands; no figure depends on them."""
HARNESS = ROOT / "experiments" / "harness"
MEASURING = (HARNESS / "parsing.py", HARNESS / "costs.py")
"""The modules of the harness on which figures depend; the others run cells and show results."""
LIBRARIES = tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")})


@cache
def code_digest(*more: Path) -> str:
    """A digest of the modules that train, parse and measure, of plugins, of ``more`` files and of what they import.

    Libraries are left out: their versions are told, see :func:`library_versions`.
    """
    modules = sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py"))
    used = [path for path in modules if path.parent.name not in APART and not path.stem.endswith(COMMANDS)]
    used += sorted({*MEASURING, *imported([*more, *plugin_files()])})
    return hashlib.sha256(b"".join(map(_digest, used))).hexdigest()[:DIGITS]


def plugin_files() -> list[Path]:
    """The files of ``--plugin`` and of the environment, and the modules of installed packages that register parts."""
    modules = [entry.module for group in plugins.GROUPS for entry in metadata.entry_points(group=f"crossarc.{group}")]
    for group in plugins.GROUPS:
        plugins.added(group)  # imports them
    files = [getattr(sys.modules.get(name), "__file__", None) for name in modules]
    return [*map(Path, plugins.files()), *(Path(file) for file in files if file)]


def imported(files: Iterable[Path]) -> set[Path]:
    """These files and the modules that they import, directly or not, without libraries and the code of crossarc.

    Modules of experiments are included, those of the harness are not.
    """
    seen: set[Path] = set()
    waiting = [file.resolve() for file in files]
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        waiting += [module for module in _imports(file) if not _is_apart(module)]
    return seen


def _is_apart(file: Path) -> bool:
    """Whether a module is part of a library, of the code that each digest has, or of the harness."""
    if any(file.is_relative_to(folder) for folder in LIBRARIES):  # which may lie in the folder of crossarc
        return True
    ours = file.relative_to(ROOT).parts if file.is_relative_to(ROOT) else ()
    return len(ours) == 1 or ours[:1] in [(name,) for name in CODE] or file.is_relative_to(HARNESS)


def _imports(file: Path) -> Iterator[Path]:
    """The files of the modules that a module imports, as far as they are found beside it, above it or imported."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _absolute(file, alias.name)
        elif isinstance(node, ast.ImportFrom) and node.level:
            home = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            yield from _files(home)
            for alias in node.names:
                yield from _files(home / alias.name)
        elif isinstance(node, ast.ImportFrom):
            yield from _absolute(file, node.module or "")
            for alias in node.names:
                yield from _absolute(file, f"{node.module}.{alias.name}")


def _absolute(file: Path, name: str) -> Iterator[Path]:
    """The files of a module by its full name: imported already, or beside the file."""
    if known := getattr(sys.modules.get(name), "__file__", None):
        if known.endswith(".py"):
            yield Path(known).resolve()
    else:
        parts = name.split(".")
        for count in range(1, len(parts) + 1):  # importing a module runs its packages, too
            yield from _files(file.parent.joinpath(*parts[:count]))


def _files(place: Path) -> Iterator[Path]:
    for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if path.is_file():
            yield path.resolve()


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(without_comments(path.read_text("utf-8")).encode()).digest()


def without_comments(source: str) -> str:
    """The source without comments, docstrings and layout, since changes of these change no figure."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.unparse(tree)
