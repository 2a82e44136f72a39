"""Signals that end a command: it tidies up first, as after Ctrl-C, and its exit status names the signal."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}
"""Messages after signals. SIGINT is Ctrl-C; batch systems send SIGTERM, closed terminals SIGHUP."""


class SignalInterrupt(KeyboardInterrupt):
    """A KeyboardInterrupt that is another's signal. One of its own type, caught or not, may make Python end itself with
    SIGINT: it does so when code that it ran from a string, as it makes dataclasses, has raised it.
    """


@dataclass
class Ending:
    """The signal that ended a command."""

    signal: signal.Signals = signal.SIGINT

    @property
    def word(self) -> str:
        return WORDS[self.signal.name]

    @property
    def status(self) -> int:
        """The exit status that shells give to a process that a signal ended."""
        return 128 + self.signal


@contextmanager
def interrupted_by_signals() -> Iterator[Ending]:
    """Within it SIGTERM and SIGHUP raise KeyboardInterrupt, too, unless they are ignored or have a handler by now.

    Processes that are forked meanwhile end at once, as without it. In other threads than the first nothing is done.
    """
    ending = Ending()
    own = os.getpid()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if os.getpid() != own:
            os._exit(128 + number)
        ending.signal = signal.Signals(number)
        raise SignalInterrupt

    ours = [getattr(signal, name) for name in WORDS if name != "SIGINT" and hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        ours = []
    taken = [number for number in ours if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, interrupt)
    try:
        yield ending
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
