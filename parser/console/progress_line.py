"""How far things are, written to a stream: on a terminal one line that is rewritten, elsewhere plain lines."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, RLock, Thread
from typing import TextIO

from ..base.progress import Task
from .streams import give_up

__all__ = ["ProgressLine", "duration", "status"]

PATIENCE = 1.0
"""Seconds before a task is shown on a terminal: what is done sooner needs no line."""
REDRAW = 0.2
"""Seconds between two versions of the line on a terminal."""
LOG_INTERVAL = 15.0
"""Seconds between two lines in a log, and before the first."""
TICK = 1.0
"""Seconds between looks at the clock while a task tells nothing."""


@dataclass(slots=True, eq=False)
class _Running:
    line: ProgressLine
    task: Task
    start: float
    done: float = 0.0

    def advance(self, done: float) -> None:
        self.done += done
        self.line.tick()

    def end(self) -> None:
        self.line.end(self)


class ProgressLine:
    """A :class:`~crossarc.parser.base.progress.Watcher` that writes to a stream.

    terminal: whether its last line can be rewritten. width: characters of a line of it. clock: seconds. ticking:
    whether a thread of its own looks at the clock, so that time passes on the line while a solver tells nothing.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        terminal: bool,
        width: Callable[[], int] = lambda: 80,
        clock: Callable[[], float] = time.monotonic,
        ticking: bool = True,
    ) -> None:
        self._stream = stream
        self._terminal = terminal
        self._width = width
        self._clock = clock
        self._ticking = ticking
        self._tasks: list[_Running] = []
        self._shown = ""
        self._next = 0.0
        self._lock = RLock()
        self._over = Event()

    def __call__(self, line: str) -> None:
        """A line that stays, above the one that is rewritten."""
        with self._lock:
            self._rewrite("")
            self._write(f"{line}\n")
            self._next = min(self._next, self._clock() + REDRAW) if self._terminal else self._next

    def begin(self, task: Task) -> _Running:
        """See :class:`~crossarc.parser.base.progress.Watcher`."""
        with self._lock:
            now = self._clock()
            if not self._tasks:
                self._next = now + (PATIENCE if self._terminal else LOG_INTERVAL)
                if self._ticking:
                    self._over = Event()
                    Thread(target=self._tick_on, args=(self._over,), daemon=True).start()
            self._tasks.append(_Running(self, task, now))
            return self._tasks[-1]

    def end(self, running: _Running) -> None:
        """End a task and those inside it; one that has ended is passed over."""
        with self._lock:
            if running in self._tasks:
                del self._tasks[self._tasks.index(running) :]
                if not self._tasks:
                    self._over.set()
                    self._rewrite("")

    def close(self) -> None:
        """End all tasks."""
        with self._lock:
            if self._tasks:
                self.end(self._tasks[0])

    def tick(self) -> None:
        """Look at the clock, and say how far the innermost task is if it is time for that."""
        with self._lock:
            now = self._clock()
            if not self._tasks or now < self._next:
                return
            running = self._tasks[-1]
            line = status(running.task, running.done, now - running.start)
            if self._terminal:
                self._next = now + REDRAW
                self._rewrite(line[: max(1, self._width() - 1)])
            else:
                self._next = now + LOG_INTERVAL
                self._write(f"{line}\n")

    def _tick_on(self, over: Event) -> None:
        while not over.wait(TICK):
            self.tick()

    def _rewrite(self, line: str) -> None:
        """Put a line over the one that is shown; blanks hide what was longer, on every terminal."""
        if line == self._shown:
            return
        hidden = " " * (len(self._shown) - len(line))
        self._write(f"\r{line}{hidden}" if line else f"\r{hidden}\r")
        self._shown = line

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            give_up(self._stream)


def status(task: Task, done: float, seconds: float) -> str:
    """How far a task is, in a line: the share, the rate and the time left, or what is known of them.

    >>> status(Task("parsing", "words", 25000), 10000, 4.0)
    'parsing: 40 %, 10000 of 25000 words, 2500/s, 0:06 left'
    >>> status(Task("parsing", "words"), 10000, 4.0)
    'parsing: 10000 words, 2500/s, 0:04'
    >>> status(Task("training svm", expected=70.2), 0, 12.0)
    'training svm: 0:12 of about 1:10, by what was measured before'
    """
    parts = []
    rate = done / seconds if seconds > 0 else 0.0
    if task.unit and task.total:
        share = min(done / task.total, 1.0)
        parts += [f"{int(100 * share)} %", f"{_number(done)} of {_number(task.total)} {task.unit}"]
        if rate:
            left = max(task.total - done, 0.0) / rate
            parts += [_rate(rate), f"{duration(left)} left"]
        else:
            parts.append(duration(seconds))
    elif task.unit and done:
        parts += [f"{_number(done)} {task.unit}", _rate(rate), duration(seconds)]
    elif task.expected is not None:
        parts += [f"{duration(seconds)} of about {duration(task.expected)}", "by what was measured before"]
    else:
        parts.append(duration(seconds))
    return f"{task.what}: {', '.join(parts)}"


def duration(seconds: float) -> str:
    """Seconds as people read them.

    >>> duration(7.4), duration(754), duration(3723)
    ('0:07', '12:34', '1:02:03')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _number(count: float) -> str:
    return str(int(count))


def _rate(rate: float) -> str:
    """Units a second, or a minute or an hour where they take longer."""
    for unit, seconds in (("s", 1), ("min", 60), ("h", 3600)):
        if rate * seconds >= 1 or unit == "h":
            break
    per = rate * seconds
    return f"{per:.0f}/{unit}" if per >= 10 else f"{per:.1f}/{unit}"
