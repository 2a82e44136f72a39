"""Locks of files and folders that a process works on; locks end with the process, even if it is killed."""

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
except ImportError:  # not on this system
    fcntl = None  # type: ignore[assignment]

LOCK = ".run.lock"
TRIES = 100
"""Number of attempts to enter a folder that other runs remove because it is empty."""


def lock(stream: IO[bytes]) -> bool | None:
    """Hold a file as long as it is open, so that others see it.

    False where another process holds it, None where the system or the file system knows no locks.
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
    """Open a file of that name in its folder: links are not followed, and nothing waits for the other end of a pipe.

    Raises OSError as :func:`open` does, also for what is not a regular file.
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

    Runs do not see each other where the file system knows no locks. Raises CrossarcError if another run is working in
    it, or it cannot be written.
    """
    made = not folder.is_dir()
    try:
        file = _entered(folder)
    except OSError as error:
        raise CrossarcError(f"{folder}: cannot be written: {error.strerror or error}") from None
    if file is None:
        raise CrossarcError(f"{folder}: another run is working in this folder; allowed: one at a time")
    with file:
        try:
            yield
        finally:
            with suppress(OSError):
                (folder / LOCK).unlink()
                if made:
                    folder.rmdir()


def _entered(folder: Path) -> IO[bytes] | None:
    """The folder's lock file, open and held; None if another run holds it. Folder and file are made if necessary."""
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
        except (FileExistsError, FileNotFoundError):  # another run has removed one of them in between
            if not tries_left:
                raise
    return None
