"""Progress of commands on standard error, drawn by tqdm; ``--quiet`` switches it off."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, RLock, Thread
from typing import Any, TextIO

from ..base.progress import Advance, Progress, Task, nothing
from .streams import CONTROLS, PlainText, flush_or_give_up, give_up, tell, warnings_written

PATIENCE = 1.0
"""Seconds before a task is displayed on a terminal; shorter tasks get no bar."""
REDRAW = 0.2
"""Seconds between two updates of a bar on a terminal."""
LOG_INTERVAL = 15.0
"""Seconds between two lines in a log, and before the first line."""


@contextmanager
def progress_of(options: argparse.Namespace, *, output: str = "") -> Iterator[Progress]:
    """Provide the progress function of a command inside the block; with ``--quiet`` it prints nothing.

    output: file that the results go to. If they go to the terminal ("-"), no bar is drawn between them.
    """
    terminal = sys.stderr.isatty()
    if options.quiet:
        yield nothing
    elif terminal and output == "-" and sys.stdout.isatty():
        yield tell
    else:
        bars = Bars(sys.stderr, terminal=terminal)
        with warnings_written(bars):
            yield bars


class _Patient(PlainText):
    """A stream that discards all text after a write has failed."""

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            give_up(self._stream)
            return len(text)

    def flush(self) -> None:
        flush_or_give_up(self._stream)


@dataclass(slots=True, eq=False)
class _Running:
    """A task in progress.

    meter: arguments for the display by tqdm.
    bar: bar of tqdm, once it is drawn.
    """

    task: Task
    start: float
    meter: dict[str, Any]
    done: float = 0
    bar: Any = None

    def advance(self, done: float) -> None:
        self.done += done


class Bars:
    """A :class:`~crossarc.parser.base.progress.Watcher` that draws bars on a terminal, and prints lines elsewhere.

    A thread draws the bars. It imports tqdm, which is slow to import, before it draws the first bar.
    """

    def __init__(self, stream: TextIO, *, terminal: bool) -> None:
        self._stream: Any = _Patient(stream)
        self._terminal = terminal
        self._running: list[_Running] = []
        self._lock = RLock()
        self._over = Event()

    def __call__(self, line: str) -> None:
        """Print a permanent line above the bars."""
        line = CONTROLS.sub("\N{REPLACEMENT CHARACTER}", line)
        with self._lock:
            if any(running.bar for running in self._running):
                self._tqdm().write(line, file=self._stream)
            else:
                self._stream.write(f"{line}\n")
                self._stream.flush()

    @contextmanager
    def watch(self, task: Task) -> Iterator[Advance]:
        """See :class:`~crossarc.parser.base.progress.Watcher`."""
        counted: dict[str, Any] = {"total": task.total, "unit": f" {task.unit}"}
        meter = counted if task.unit else {"bar_format": "{desc}: {elapsed}"}
        running = _Running(task, time.time(), meter)
        with self._lock:
            if not self._running:
                self._over = Event()
                Thread(target=self._draw_on, args=(self._over,), daemon=True).start()
            self._running.append(running)
        try:
            yield running.advance
        finally:
            with self._lock:
                self._running.remove(running)
                if running.bar is not None:
                    running.bar.close()
                if not self._running:
                    self._over.set()

    def _draw_on(self, over: Event) -> None:
        while not over.wait(REDRAW if self._terminal else LOG_INTERVAL):
            with self._lock:
                if self._terminal:
                    for running in self._running:
                        self._draw(running)
                elif self._running:
                    self._log()

    def _draw(self, running: _Running) -> None:
        if time.time() - running.start < PATIENCE:
            return
        if running.bar is None:
            options = {"file": self._stream, "leave": False, "dynamic_ncols": True, **running.meter}
            running.bar = self._tqdm()(desc=running.task.what, **options)
            running.bar.start_t = running.start
        running.bar.n = int(running.done)
        running.bar.refresh()

    def _log(self) -> None:
        """Print the innermost task."""
        self(self._line(self._running[-1]))

    def _line(self, running: _Running) -> str:
        options = {"total": None, "prefix": running.task.what, "ncols": 0, **running.meter}
        elapsed = time.time() - running.start
        return str(self._tqdm().format_meter(int(running.done), elapsed=elapsed, **options))

    def _tqdm(self) -> Any:
        from tqdm import tqdm  # slow to import, and most commands end before there is a bar to draw

        tqdm.monitor_interval = 0  # tqdm starts no thread
        tqdm.set_lock(self._lock)  # tqdm creates no lock between processes
        return tqdm
