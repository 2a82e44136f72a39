"""Standard input, output and error of a process that may be closed, full or without a reader."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from ..base.data_warnings import DataWarning

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters except tabs and line ends. A terminal may execute them as commands if it displays a file."""


class PlainText:
    """A text stream that writes U+FFFD instead of control characters; its binary stream writes all bytes unchanged."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text without its control characters; return the number of characters."""
        return self._stream.write(CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text))


def fill_closed_streams() -> None:
    """Replace closed standard streams, so that the next opened file does not take their place.

    Reading from such an input and writing to such an output raises OSError, as in other programs. Text for such a
    standard error is discarded.
    """
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_WRONLY), encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def tell(line: str) -> None:
    """Write a line to standard error. Ignores failures such as a full disk or a closed terminal."""
    try:
        print(line, file=PlainText(sys.stderr), flush=True)
    except OSError:
        give_up(sys.stderr)


def warn(line: str, write: Callable[[str], None] = tell) -> None:
    """Write a warning to standard error, or with another function."""
    write(f"crossarc: warning: {line}")


@contextmanager
def warnings_written(write: Callable[[str], None] = tell) -> Iterator[None]:
    """Write each warning about data once inside the block."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", DataWarning)
        others = warnings.showwarning

        def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, DataWarning):
                warn(str(message), write)
            else:
                others(message, category, *place, **more)

        warnings.showwarning = show
        yield


def flush_or_give_up(stream: TextIO) -> None:
    """Write buffered output, if possible."""
    try:
        stream.flush()
    except OSError:
        give_up(stream)


def give_up(stream: TextIO) -> None:
    """Replace a standard stream that accepts no more data, so that neither crossarc nor Python at exit writes to it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
