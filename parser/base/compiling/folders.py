"""Folders for compiled code.

numba keeps it as pickles, and loading a pickle runs what it says. So code is kept only where nobody but the user and
the system can write.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ....version import __version__

FOLDER = "NUMBA_CACHE_DIR"
"""The environment variable that names another folder to keep compiled code in."""


def is_kept(source: Path, name: str) -> bool:
    """Whether the compiled code of a function is in the cache; imports neither function nor numba."""
    python = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    index = f"{source.stem}.{name}-{stamp_of(source)}.{python}.nbi"
    return any((folder / index).exists() and not refusal(folder) for folder in folders())


@cache
def stamp_of(source: Path) -> str:
    """The dependencies of code compiled from a module: the version of crossarc, and the modules in the same folder."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(source.parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def folders() -> Iterator[Path]:
    """The folders for compiled code: the one that the environment names; without it, the installation, or
    else with the user's cached files."""
    if named := os.environ.get(FOLDER):
        yield Path(named).absolute() / "crossarc"
        return
    yield Path(__file__).parent / "__pycache__"
    cached = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(cached):  # users may have no home
        yield Path(cached) / "crossarc"


def kept_in() -> Path | None:
    """The first existing folder that compiled code may be kept in."""
    return next((folder for folder in folders() if not refusal(folder)), None)


def refusal(folder: Path) -> str:
    """The reason that a folder is not used: it does not exist, or others may write to it or replace it. "" if it
    may be kept there."""
    try:
        if not folder.is_dir():
            return f"{folder} is not a folder"
        for path in (folder, folder.resolve(strict=True)):
            for place in (path, *path.parents):
                status = place.lstat()
                if hasattr(os, "getuid") and status.st_uid not in (0, os.getuid()):
                    return f"{place} belongs to another user"
                protected = stat.S_ISLNK(status.st_mode) or (place != path and status.st_mode & stat.S_ISVTX)
                if os.name == "posix" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not protected:
                    return f"others may write to {place}"
    except OSError as error:
        return f"{folder}: {os.strerror(error.errno or 0)}"
    return ""
