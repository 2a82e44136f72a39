"""Locks on files and folders that a process works on. A lock ends with its process, even if the process is killed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from .errors import CrossarcError

try:
    import fcntl
except ImportError:  # fcntl is missing on Windows
    fcntl = None  # type: ignore[assignment]

LOCK = ".run.lock"
TRIES = 100
"""Maximum number of attempts to lock a folder that other runs remove at the same time because it is empty."""


def lock(stream: IO[bytes]) -> bool | None:
    """Lock a file for as long as it is open, so that other processes see the lock.

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
    file = open(path, mode, opener=lambda name, own: os.open(name, own | flags, 0o666))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path}: not a regular file")
    return file


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Lock a folder for one run. The folder is created if necessary and removed if it stays empty.

    The lock has no effect if the file system has no locks. Raises CrossarcError if another run is working in the
    folder, or if the folder cannot be written.
    """
    made = not folder.is_dir()
    try:
        file = _entered(folder)
    except OSError as error:
        raise CrossarcError(f"{folder}: cannot be written: {error.strerror or error}") from None
    if file is None:
        raise CrossarcError(f"{folder}: another run uses this folder; wait until it ends, or choose another folder")
    with file:
        try:
            yield
        finally:
            with suppress(OSError):
                (folder / LOCK).unlink()
                if made:
                    folder.rmdir()


def _entered(folder: Path) -> IO[bytes] | None:
    """Return the folder's lock file, open and locked, or None if another run holds it.

    Folder and file are created if necessary.
    """
    for tries_left in reversed(range(TRIES)):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = open_here(folder / LOCK, "ab")
            if lock(file) is False:
                file.close()
                return None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), (folder / LOCK).stat()):
                    return file
            file.close()
        except (FileExistsError, FileNotFoundError):  # another run has just removed the folder or the file
            if not tries_left:
                raise
    return None
