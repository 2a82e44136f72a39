"""A watcher of progress that writes down what it is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from crossarc.parser.base.progress import Advance, Task

__all__ = ["Recorder"]


class Recorder:
    """lines, tasks: in their order. done: what of each task is. ended: numbers of tasks, in the order they ended in."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tasks: list[Task] = []
        self.done: list[float] = []
        self.ended: list[int] = []

    def __call__(self, line: str) -> None:
        self.lines.append(line)

    @contextmanager
    def watch(self, task: Task) -> Iterator[Advance]:
        number = len(self.tasks)
        self.tasks.append(task)
        self.done.append(0)

        def advance(done: float) -> None:
            assert number not in self.ended
            self.done[number] += done

        try:
            yield advance
        finally:
            self.ended.append(number)
