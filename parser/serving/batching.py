"""The queue of a model: all requests that wait when its process is free are parsed in one batch, smallest first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from ..base.compiling import enabled
from ..base.errors import CrossarcError
from .limits import Limits, TooLongError
from .log import entry
from .worker import Done, Work, Worker

T = TypeVar("T")
BYTES = 40
"""Approximate number of bytes per word in a request."""


class EndedError(Exception):
    """The process of a model has ended unexpectedly."""


class ReplacedError(EndedError):
    """A further process of a model has loaded another file than the first one."""


@dataclass(frozen=True, slots=True)
class _Job:
    work: Work
    answer: asyncio.Future[Done]


class Batcher:
    """A queue of requests for the process of a model.

    name: name of the model.
    path: model file.
    limits: limits of requests.
    turn: lock that one model at a time holds while it compiles code.
    log: receives lines of JSON.
    start: starts processes.

    A process that takes too long for a batch is stopped, and each request of the batch is tried again by itself.
    Parsing begins with numpy. A process with compiled code takes over when its code is ready. :meth:`answer` needs the
    task :meth:`run`, which runs until it is cancelled.
    """

    def __init__(
        self,
        name: str,
        path: str,
        limits: Limits,
        turn: asyncio.Lock,
        log: Callable[[str], None] = lambda line: None,
        start: Callable[[str, Limits, Callable[[str], None], bool, bool], Worker] = Worker,
    ) -> None:
        self._name, self._path, self._limits = name, path, limits
        self._turn, self._log, self._start = turn, log, start
        self._waiting: list[_Job] = []
        self._came = asyncio.Event()
        self._threads = ThreadPoolExecutor(2, name)
        self._preparing: asyncio.Task[None] | None = None
        self._digest = ""
        self._worker: Worker | None = start(path, limits, log, False, True)
        self._measured = limits
        self.tags = False
        self._compiled: Worker | None = None
        self._is_ready = False

    def wait(self) -> None:
        """Wait until requests can be answered. Raises CrossarcError if the model cannot be loaded."""
        assert self._worker is not None
        self._measured, self.tags, self._digest = self._worker.wait()

    def stop(self) -> None:
        """End all processes at once."""
        if self._preparing:
            self._preparing.cancel()
        for worker in (self._worker, self._compiled):
            if worker:
                worker.stop()
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
        self._prepare()
        while True:
            await self._came.wait()
            self._came.clear()
            while jobs := self._next():
                await self._answer(jobs)
            if self._is_ready:
                await self._ready()

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
            answers = [self._with_remedy(own) for own in await self._answers([job.work for job in jobs])]
        except Exception as error:  # any error becomes the answer, so that the service continues
            if len(jobs) > 1:
                for job in jobs:
                    if not job.answer.done():
                        await self._answer([job])
                return
            if again and isinstance(error, EndedError) and not isinstance(error, ReplacedError):
                await self._answer(jobs, again=False)
                return
            answers = [error]
        for job, own in zip(jobs, answers, strict=True):
            if not job.answer.done():
                job.answer.set_exception(own) if isinstance(own, Exception) else job.answer.set_result(own)

    async def _answers(self, works: Sequence[Work]) -> Sequence[Done | Exception]:
        worker = await self._ready()
        try:
            return await asyncio.wait_for(self._in_thread(worker.answers, works), self._limits.job)
        except (EOFError, OSError) as error:  # TimeoutError is an OSError
            worker.stop()
            self._worker = None
            if isinstance(error, TimeoutError):
                limit = f"not parsed within {self._limits.job:g} seconds"
                raise TimeoutError(f"{limit}; send fewer or shorter sentences") from None
            raise EndedError("the process of the model has ended") from None

    def _with_remedy(self, answer: Done | Exception) -> Done | Exception:
        """Return the answer; add a remedy if compiled code will accept sentences that are too long for numpy."""
        preparing = self._preparing and not self._preparing.done()
        if not preparing or not isinstance(answer, TooLongError) or self._measured.sentence == self._limits.sentence:
            return answer
        return TooLongError(f"{answer} until its compiled code is ready; try again later")

    def _in_thread(self, function: Callable[..., T], *values: Any) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, function, *values)

    async def _ready(self) -> Worker:
        """Return the process that answers.

        Another process takes over if its compiled code is ready, or if the last one has ended.
        """
        if self._is_ready:
            if self._worker:
                self._worker.stop()
            self._worker, self._compiled, self._is_ready = self._compiled, None, False
        if self._worker is None:
            worker = self._start(self._path, self._measured, self._log, False, False)
            try:
                await self._loaded(worker)
            except (CrossarcError, EOFError, OSError, ReplacedError) as error:
                worker.stop()
                self._log(entry(model=self._name, message=f"cannot be loaded again: {_reason(error)}"))
                if isinstance(error, ReplacedError):
                    raise
                raise EndedError("the model cannot be loaded again; restart the service") from None
            self._worker = worker
            self._prepare()
        return self._worker

    async def _loaded(self, worker: Worker) -> None:
        """Wait for a further process. Raises ReplacedError if it has loaded another file than the first one.

        Otherwise, clients would get other trees under the same name.
        """
        *_, digest = await self._in_thread(worker.wait)
        if digest != self._digest:
            raise ReplacedError("the model file has changed; the service must be restarted")

    def _prepare(self) -> None:
        """Start a process that compiles its code, unless one is compiling."""
        if enabled() and (self._preparing is None or self._preparing.done()):
            self._preparing = asyncio.create_task(self._compile())

    async def _compile(self) -> None:
        async with self._turn:
            self._log(entry(model=self._name, message="preparing compiled code; numpy parses until it is ready"))
            start = time.monotonic()
            self._compiled = self._start(self._path, self._limits, self._log, True, True)
            try:
                await self._loaded(self._compiled)
            except (CrossarcError, EOFError, OSError, ReplacedError) as error:
                self._compiled.stop()
                self._compiled = None
                self._log(entry(model=self._name, message=f"compiling failed: {_reason(error)}"))
                return
            self._log(
                entry(model=self._name, message="compiled code is ready", seconds=round(time.monotonic() - start, 1))
            )
        self._is_ready = True
        self._came.set()


def _reason(error: Exception) -> str:
    return str(error) or "the process has ended"
