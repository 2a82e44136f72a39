"""Standard input, output and error of a process: closed by who started it, full, or without a reader."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

__all__ = ["fill_closed_streams", "flush_or_give_up", "give_up", "tell"]


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
        print(line, file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)


def flush_or_give_up(stream: TextIO) -> None:
    """What waits to be written is, if it can be."""
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
