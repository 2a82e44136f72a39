"""Standard input, output and error of a process: closed by who started it, full, or without a reader."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from typing import Any, TextIO

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters other than tabs and line ends: in a file, they may be commands to the terminal that shows it."""


class PlainText:
    """A text stream in which U+FFFD stands for control characters; the binary stream beneath it takes all."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self._stream.write(CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text))


def fill_closed_streams() -> None:
    """Put something in the place of standard streams that are closed, where the next file that is opened would be.

    To read from such an input, or to write results to such an output, is an OSError, as for other programs; what is
    told on such a standard error goes nowhere.
    """
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_WRONLY), encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def tell(line: str) -> None:
    """A line on standard error. What cannot be told is no reason to stop: its disk may be full, its terminal gone."""
    try:
        print(line, file=PlainText(sys.stderr), flush=True)
    except OSError:
        give_up(sys.stderr)


def warn(line: str) -> None:
    """Write a warning to standard error."""
    tell(f"crossarc: warning: {line}")


def flush_or_give_up(stream: TextIO) -> None:
    """Write buffered output, if possible."""
    try:
        stream.flush()
    except OSError:
        give_up(stream)


def give_up(stream: TextIO) -> None:
    """A standard stream takes nothing more, and neither we nor Python at exit must try again."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
