"""A watcher of progress that writes down what it is told."""

from __future__ import annotations

from dataclasses import dataclass

from crossarc.parser.base.progress import Task

__all__ = ["Recorder"]


@dataclass
class _Running:
    recorder: Recorder
    number: int

    def advance(self, done: float) -> None:
        assert self.number not in self.recorder.ended
        self.recorder.done[self.number] += done

    def end(self) -> None:
        self.recorder.ended.append(self.number)


class Recorder:
    """lines, tasks: in their order. done: what of each task is. ended: numbers of tasks, in the order they ended in."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tasks: list[Task] = []
        self.done: list[float] = []
        self.ended: list[int] = []

    def __call__(self, line: str) -> None:
        self.lines.append(line)

    def begin(self, task: Task) -> _Running:
        self.tasks.append(task)
        self.done.append(0)
        return _Running(self, len(self.tasks) - 1)
