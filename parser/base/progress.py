"""Telling how far something is: what works calls back, and whoever called it decides whether that is shown, and how.

Everything that takes long has a parameter ``progress``, a function that is told what happens, a line at a time;
``print`` will do. One with the methods of :class:`Watcher` is also told how far each task is: commands draw a line of
that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

__all__ = ["Advance", "Progress", "Running", "Task", "Watcher", "counted", "nothing", "task"]

T = TypeVar("T")

Progress: TypeAlias = Callable[[str], None]
"""What is told what happens, a line at a time."""
Advance: TypeAlias = Callable[[float], None]
"""What is told that so many units more are done."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something that takes long.

    what: as in "parsing". unit: what is counted, in the plural; "" if nothing is. total: how many of them there are,
    None where nobody knows. expected: seconds that it will take by what was measured before, None where nothing was.
    """

    what: str
    unit: str = ""
    total: float | None = None
    expected: float | None = None


class Running(Protocol):
    """A task that has begun."""

    def advance(self, done: float, /) -> None:
        """So many units more are done."""

    def end(self) -> None:
        """The task is over, or was given up, and with it whatever began after it and has not ended."""


@runtime_checkable
class Watcher(Protocol):
    """What is told lines and tasks."""

    def __call__(self, line: str, /) -> None:
        """A line of what happens."""

    def begin(self, task: Task, /) -> Running:
        """A task begins, perhaps inside another."""


def nothing(line: object, /) -> None:
    """Say nothing, of lines and of advances."""


@contextmanager
def task(
    progress: Progress, what: str, unit: str = "", total: float | None = None, *, expected: float | None = None
) -> Iterator[Advance]:
    """Tell a watcher of a task for as long as the block lasts; the value is to be called with what is done.

    A ``progress`` that is no :class:`Watcher` is told nothing. The other arguments: see :class:`Task`.

    >>> with task(print, "deriving", "sentences", 3) as advance:
    ...     advance(3)
    """
    if not isinstance(progress, Watcher):
        yield nothing
        return
    running = progress.begin(Task(what, unit, total, expected))
    try:
        yield running.advance
    finally:
        running.end()


def counted(
    items: Iterable[T],
    progress: Progress,
    what: str,
    unit: str,
    total: float | None = None,
    *,
    size: Callable[[T], float] = lambda item: 1,
) -> Iterator[T]:
    """The items as they come; each counts ``size(item)`` units of a task when the next one is asked for.

    >>> list(counted([1, 2], print, "counting", "numbers"))
    [1, 2]
    """
    with task(progress, what, unit, total) as advance:
        for item in items:
            yield item
            advance(size(item))
