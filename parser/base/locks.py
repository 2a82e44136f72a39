"""Locks on files and folders that a process works on. A lock ends with its process, even if the process is killed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from .errors import CrossarcError

try:
    import fcntl
except ImportError:  # fcntl is missing on Windows
    fcntl = None  # type: ignore[assignment]


def lock(stream: IO[bytes] | int) -> bool | None:
    """Lock an open file or folder for as long as it is open, so that other processes see the lock.

    Returns False if another process has locked it, and None if the system or the file system has no locks.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def open_here(path: Path, mode: str) -> IO[Any]:
    """Open a file without following links and without waiting for the other end of a pipe.

    Raises OSError as :func:`open` does, and for anything but a regular file.
    """
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = open(path, mode, opener=lambda name, flag: os.open(name, flag | flags, 0o666))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path}: not a regular file")
    return file


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Lock a folder for one run. The folder is created if necessary.

    The lock has no effect if the system or the file system has no locks. Raises CrossarcError if another run is working
    in the folder, or if the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY) if fcntl else None
    except OSError as error:
        raise CrossarcError(f"{folder}: cannot be written: {error.strerror or error}") from None
    try:
        if handle is not None and lock(handle) is False:
            raise CrossarcError(f"{folder}: another run uses this folder; wait until it ends, or choose another folder")
        yield
    finally:
        if handle is not None:
            os.close(handle)
