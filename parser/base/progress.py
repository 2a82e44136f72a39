"""Reports of progress: long tasks report it, and the caller decides whether and how it is displayed.

Everything that takes long has a parameter ``progress``, a function that is told lines of text; ``print`` will do. A
:class:`Watcher` is also told how far each task is: commands draw bars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

T = TypeVar("T")

Progress: TypeAlias = Callable[[str], None]
"""A function that receives one line after another."""
Advance: TypeAlias = Callable[[float], None]
"""A function that receives the number of further units that are done."""


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


@runtime_checkable
class Watcher(Protocol):
    """An object that receives lines and tasks."""

    def __call__(self, line: str, /) -> None:
        """A line of text."""

    def watch(self, task: Task, /) -> AbstractContextManager[Advance]:
        """A task, perhaps inside another, for as long as the block lasts."""


def nothing(line: object, /) -> None:
    """Say nothing, of lines and of advances."""


def task(
    progress: Progress, what: str, unit: str = "", total: float | None = None, *, expected: float | None = None
) -> AbstractContextManager[Advance]:
    """Tell a watcher of a task for as long as the block lasts; the value is to be called with what is done.

    Other functions are told nothing. The other arguments: see :class:`Task`.

    >>> with task(print, "deriving", "sentences", 3) as advance:
    ...     advance(3)
    """
    return progress.watch(Task(what, unit, total, expected)) if isinstance(progress, Watcher) else nullcontext(nothing)


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
