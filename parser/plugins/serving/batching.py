"""The queue of a model: all requests that wait when its process is free are parsed in one batch, smallest first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .limits import Limits
from .worker import Done, Work, Worker

T = TypeVar("T")
BYTES = 40
"""Approximate number of bytes per word in a request."""


class EndedError(Exception):
    """The process of a model has ended unexpectedly."""


@dataclass(frozen=True, slots=True)
class _Job:
    work: Work
    answer: asyncio.Future[Done]


class Batcher:
    """A queue of requests for the process of a model.

    name: name of the model.
    path: model file; a further process loads the same content, even if the file has changed.
    limits: limits of requests.
    start: starts processes.

    A process that takes too long for a batch is stopped, and each request of the batch is tried again by itself.
    :meth:`answer` needs the task :meth:`run`, which runs until it is cancelled.
    """

    def __init__(self, name: str, path: str, limits: Limits, start: Callable[[str, Limits], Worker] = Worker) -> None:
        self._path, self._limits, self._start = path, limits, start
        self._waiting: list[_Job] = []
        self._came = asyncio.Event()
        self._threads = ThreadPoolExecutor(1, name)
        self._content = Path(path).read_bytes()
        self._worker: Worker | None = start(path, limits)
        self._loading = self._threads.submit(self._worker.load, self._content)
        self.steps: list[str] = []

    def wait(self) -> None:
        """Wait until requests can be answered. Raises CrossarcError if the model cannot be loaded."""
        self.steps = self._loading.result()

    def stop(self) -> None:
        """End the process at once."""
        if self._worker:
            self._worker.stop()
        self._threads.shutdown()

    async def answer(self, work: Work) -> Done:
        """Return the answer to a request. Raises the error of the request, TimeoutError and :class:`EndedError`.

        A caller that is cancelled while it waits loses the answer. If parsing has not begun, the request is dropped.
        """
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(_Job(work, answer))
        self._came.set()
        done: Done = await answer
        return done

    async def run(self) -> None:
        """Answer requests until cancelled."""
        while True:
            await self._came.wait()
            self._came.clear()
            while jobs := self._next():
                await self._answer(jobs)

    def _next(self) -> list[_Job]:
        """Remove the next requests to parse together from the queue, smallest first."""
        self._waiting = sorted(
            (job for job in self._waiting if not job.answer.done()), key=lambda job: len(job.work.data)
        )
        size = number = 0
        for job in self._waiting:
            size += len(job.work.data)
            if number and size > BYTES * self._limits.batch:
                break
            number += 1
        taken, self._waiting = self._waiting[:number], self._waiting[number:]
        return taken

    async def _answer(self, jobs: Sequence[_Job], again: bool = True) -> None:
        """Give each request its answer. If the batch fails, each request is parsed by itself.

        again: whether a request is parsed once more if the process ends.
        """
        answers: Sequence[Done | Exception]
        try:
            answers = await self._answers([job.work for job in jobs])
        except Exception as error:  # any error becomes the answer, so that the service continues
            if len(jobs) > 1:
                for job in jobs:
                    if not job.answer.done():
                        await self._answer([job])
                return
            if again and isinstance(error, EndedError):
                await self._answer(jobs, again=False)
                return
            answers = [error]
        for job, own in zip(jobs, answers, strict=True):
            if not job.answer.done():
                job.answer.set_exception(own) if isinstance(own, Exception) else job.answer.set_result(own)

    async def _answers(self, works: Sequence[Work]) -> Sequence[Done | Exception]:
        new = self._worker is None
        worker = self._worker = self._worker or self._start(self._path, self._limits)
        try:
            if new:
                await self._in_thread(worker.load, self._content)
            return await asyncio.wait_for(self._in_thread(worker.answers, works), self._limits.job)
        except (EOFError, OSError) as error:  # TimeoutError is an OSError
            worker.stop()
            self._worker = None
            if isinstance(error, TimeoutError):
                limit = f"not parsed within {self._limits.job:g} seconds"
                raise TimeoutError(f"{limit}; send fewer or shorter sentences") from None
            raise EndedError("the process of the model has ended") from None

    def _in_thread(self, function: Callable[..., T], *values: Any) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, function, *values)
