"""Reports of progress: long tasks report progress, and the caller decides whether and how to display it.

Long functions have a parameter ``progress``, a function that receives lines of text, such as ``print``. A
:class:`Watcher` also receives the progress of each task; commands use it to draw bars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

T = TypeVar("T")

Progress: TypeAlias = Callable[[str], None]
"""A function that receives lines of text, one per call."""
Advance: TypeAlias = Callable[[float], None]
"""A function that receives the number of units done since the last call."""


@dataclass(frozen=True, slots=True)
class Task:
    """A long task.

    what: name of the activity, such as "parsing".
    unit: plural noun for the units of work; "" if they are not counted.
    total: number of units; None if unknown.
    """

    what: str
    unit: str = ""
    total: float | None = None


@runtime_checkable
class Watcher(Protocol):
    """An object that receives lines of text and tasks."""

    def __call__(self, line: str, /) -> None:
        """Receive a line of text."""

    def watch(self, task: Task, /) -> AbstractContextManager[Advance]:
        """Watch a task while the block lasts. Tasks may be nested."""


def nothing(line: object, /) -> None:
    """Ignore a line or an advance."""


def task(progress: Progress, what: str, unit: str = "", total: float | None = None) -> AbstractContextManager[Advance]:
    """Report a task to a watcher while the block lasts.

    progress: a watcher; other functions receive nothing.
    what, unit, total: as in :class:`Task`.

    The value of the block is a function that receives the number of units done.

    >>> with task(print, "deriving", "sentences", 3) as advance:
    ...     advance(3)
    """
    return progress.watch(Task(what, unit, total)) if isinstance(progress, Watcher) else nullcontext(nothing)


def tasks_of(progress: Progress, prefix: str) -> Progress:
    """Return a function that reports tasks to a watcher, with a prefix before their names, and ignores lines."""
    return _Tasks(progress, prefix) if isinstance(progress, Watcher) else nothing


@dataclass(frozen=True, slots=True)
class _Tasks:
    watcher: Watcher
    prefix: str

    def __call__(self, line: str, /) -> None:
        pass

    def watch(self, task: Task, /) -> AbstractContextManager[Advance]:
        return self.watcher.watch(replace(task, what=f"{self.prefix}{task.what}"))


def counted(
    items: Iterable[T],
    progress: Progress,
    what: str,
    unit: str,
    total: float | None = None,
    *,
    size: Callable[[T], float] = lambda item: 1,
) -> Iterator[T]:
    """Yield the items. Each counts ``size(item)`` units of a task when the next one is requested.

    >>> list(counted([1, 2], print, "counting", "numbers"))
    [1, 2]
    """
    with task(progress, what, unit, total) as advance:
        for item in items:
            yield item
            advance(size(item))
