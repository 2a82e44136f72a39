"""Folders for compiled code.

numba stores compiled code as pickles, and loading a pickle can execute arbitrary code. So crossarc uses only folders to
which nobody but the user and the system can write.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from ....version import __version__

FOLDER = "NUMBA_CACHE_DIR"
"""Environment variable that names another folder for compiled code."""
RELATIVE_IMPORT = re.compile(rb"^ *from (\.+)([\w.]+) import", re.MULTILINE)


def is_kept(source: Path, name: str) -> bool:
    """Return whether the compiled code of a function is stored, without importing the function or numba."""
    python = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    index = f"{source.stem}.{name}-{stamp_of(source)}.{python}.nbi"
    cache = folder()
    return cache is not None and (cache / index).exists() and not refusal(cache)


@cache
def stamp_of(source: Path) -> str:
    """Return a checksum of what compiled code depends on.

    This is the version of crossarc, all modules in the folder, and the modules of ours that these import: compiled code
    contains the functions that it calls.
    """
    inside = {path: path.read_bytes() for path in source.parent.glob("*.py")}
    imported = {name for path, text in inside.items() for name in _imported(path, text)}
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(imported.union(inside)):
        digest.update(inside.get(path) or path.read_bytes())
    return digest.hexdigest()[:12]


def _imported(path: Path, text: bytes) -> Iterator[Path]:
    """Yield the modules that a module imports by relative imports."""
    for dots, name in RELATIVE_IMPORT.findall(text):
        module = path.parents[len(dots) - 1].joinpath(*os.fsdecode(name).split("."))
        yield from (
            candidate for candidate in (module.with_suffix(".py"), module / "__init__.py") if candidate.is_file()
        )


def folder() -> Path | None:
    """Return the folder for compiled code: the one that the environment names, or else one in the user's cache, if any.

    The folder of the package itself is not used, because package managers would leave it behind. Each version, machine
    and installation has a folder of its own.
    """
    if named := os.environ.get(FOLDER):
        return Path(named).absolute() / "crossarc"
    cached = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if not os.path.isabs(cached):  # a user may have no home directory
        return None
    place = hashlib.sha256(os.fsencode(Path(__file__).resolve())).hexdigest()[:8]
    return Path(cached) / "crossarc" / f"{__version__}-{platform.machine()}-{place}"


def kept_in() -> Path | None:
    """Return the folder in which compiled code may be stored, made if necessary, or None."""
    if (cache := folder()) is None:
        return None
    with suppress(OSError):
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    return None if refusal(cache) else cache


def refusal(folder: Path) -> str:
    """Return the reason not to use a folder, or "".

    Folders are refused if they do not exist, or if other users may write to them or replace them.
    """
    try:
        if not folder.is_dir():
            return f"{folder} is not a folder"
        for path in (folder, folder.resolve(strict=True)):
            for place in (path, *path.parents):
                status = place.lstat()
                if hasattr(os, "getuid") and status.st_uid not in (0, os.getuid()):
                    return f"{place} belongs to another user"
                # the mode of a link does not count, and in a folder like /tmp only owners may replace their files
                protected = stat.S_ISLNK(status.st_mode) or (place != path and status.st_mode & stat.S_ISVTX)
                if os.name == "posix" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not protected:
                    return f"others may write to {place}"
    except OSError as error:
        return f"{folder}: {os.strerror(error.errno or 0)}"
    return ""
