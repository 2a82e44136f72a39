"""A watcher of progress that records lines and tasks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from crossarc.parser.base.progress import Advance, Task

__all__ = ["Recorder"]


class Recorder:
    """Records lines and tasks in order, the amount ``done`` of each task, and the order in which tasks ``ended``."""

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
