"""The queue of a model: requests that wait when its process is free are parsed in one batch, smallest first.

Large requests are answered batch by batch, so that a small request waits for one batch at most.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ...base.compiling import chosen as chosen_kernel, enabled
from ...search.compiled.loading import compiled_ready
from .limits import Limits
from .worker import Done, ParsingRequest, Unfinished, Worker

LOGGER = logging.getLogger(__name__)
T = TypeVar("T")
BYTES = 40
"""Approximate number of bytes per word in a request."""


class EndedError(Exception):
    """The process of a model has ended unexpectedly."""


@dataclass(slots=True, eq=False)
class _Job:
    """A request.

    size: approximate number of bytes that are left to answer.
    begun: after its first batch, the process that keeps the rest, and its ticket of the request.
    """

    work: ParsingRequest
    answer: asyncio.Future[Done]
    size: int
    begun: tuple[Worker, int] | None = None

    def ticket_of(self, worker: Worker) -> int | None:
        """The ticket of the request in a process; None if that process has not begun it."""
        return self.begun[1] if self.begun and self.begun[0] is worker else None


class Batcher:
    """A queue of requests for the process of a model.

    name: name of the model.
    path: model file. If the process ends, the next one loads the same content, even if the file has changed.
    limits: limits of requests.
    start: starts processes.

    A process that takes too long for a batch is stopped, and each request of the batch is tried again by itself.
    :meth:`answer` needs the task :meth:`run`, which runs until it is cancelled.

    ``steps`` are those of the model in UDPipe's terms. ``compiling`` is whether the process does without compiled code
    because it is not compiled yet: :meth:`upgrade` then compiles it in another process. ``on_replaced`` is called with
    the reason when another process has taken over.
    """

    def __init__(self, name: str, path: str, limits: Limits, start: Callable[..., Worker] = Worker) -> None:
        self.name, self._path, self._limits, self._start = name, path, limits, start
        self._waiting: list[_Job] = []
        self._arrived = asyncio.Event()  # a request waits
        self._worker_lock = asyncio.Lock()  # held for a batch, and while another process takes over
        self._upgrading = asyncio.Lock()  # upgrades follow one another
        self._threads = ThreadPoolExecutor(1, name)
        self._content = Path(path).read_bytes()
        self.compiling = enabled() and not chosen_kernel() and not compiled_ready()
        self._worker: Worker | None = start(path, limits, "python" if self.compiling else "")
        self._loading = self._threads.submit(self._worker.load, self._content)
        self.steps: list[str] = []
        self.on_replaced: Callable[[str], None] = lambda reason: None

    @property
    def ready(self) -> bool:
        """Whether a process waits for requests or answers some."""
        return self._worker is not None

    def wait(self) -> None:
        """Wait until requests can be answered. Raises CrossarcError if the model cannot be loaded."""
        self.steps = self._loading.result()

    def stop(self) -> None:
        """End the process at once."""
        if self._worker:
            self._worker.stop()
        self._threads.shutdown()

    async def upgrade(self, reason: str, path: str | None = None) -> None:
        """Load a model in another process, which takes over between two batches; requests wait for nothing else.

        reason: why, for the log and the counters.
        path: model file; None: the same model.

        Upgrades follow one another, so that the last one holds. Raises CrossarcError if the file is not a model, and
        EOFError or OSError if it cannot be read or the process ends.
        """
        async with self._upgrading:
            content = await asyncio.to_thread(Path(path).read_bytes) if path else self._content
            worker = await asyncio.to_thread(self._start, self._path, self._limits)
            try:
                steps = await asyncio.to_thread(worker.load, content)
            except BaseException:
                worker.stop()
                raise
            async with self._worker_lock:
                if self._worker:
                    self._worker.stop()
                self._content, self.steps, self.compiling = content, steps, False
                self._take_over(worker, reason)

    async def upgrade_from_file(self) -> None:
        """Load the model file again. If that fails, the log says why, and the model stays."""
        try:
            await self.upgrade("upgrade", self._path)
        except Exception as error:  # the service must go on with what it has
            LOGGER.error(
                f"{self._path}: not loaded: {error or type(error).__name__}", extra={"facts": {"model": self.name}}
            )

    def _take_over(self, worker: Worker, reason: str) -> None:
        self._worker = worker
        LOGGER.warning("process replaced", extra={"facts": {"model": self.name, "reason": reason}})
        self.on_replaced(reason)

    async def answer(self, work: ParsingRequest) -> Done:
        """Return the answer to a request. Raises the error of the request, TimeoutError and :class:`EndedError`.

        A caller that is cancelled while it waits loses the answer. If parsing has not begun, the request is dropped.
        """
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(_Job(work, answer, len(work.data)))
        self._arrived.set()
        done: Done = await answer
        return done

    async def run(self) -> None:
        """Answer requests until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while jobs := self._next():
                await self._answer(jobs)

    def _next(self) -> list[_Job]:
        """Remove the next requests to parse together from the queue, smallest first."""
        self._waiting = sorted((job for job in self._waiting if not job.answer.done()), key=lambda job: job.size)
        size = number = 0
        for job in self._waiting:
            size += job.size
            if number and size > BYTES * self._limits.batch:
                break
            number += 1
        taken, self._waiting = self._waiting[:number], self._waiting[number:]
        return taken

    async def _answer(self, jobs: Sequence[_Job], again: bool = True) -> None:
        """Give each request its answer, unless a part is left. If the batch fails, each request is parsed by itself.

        again: whether a request is parsed once more if the process ends.
        """
        answers: Sequence[Done | Unfinished | Exception]
        try:
            answers = await self._answers(jobs)
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
        for job, answer in zip(jobs, answers, strict=True):
            if not isinstance(answer, Unfinished) and not job.answer.done():
                job.answer.set_exception(answer) if isinstance(answer, Exception) else job.answer.set_result(answer)

    async def _answers(self, jobs: Sequence[_Job]) -> Sequence[Done | Unfinished | Exception]:
        """The answers of the process; requests of which a part is left are put back into the queue."""
        async with self._worker_lock:
            worker = self._worker or self._start(self._path, self._limits, "python" if self.compiling else "")
            try:
                if self._worker is None:
                    await self._in_thread(worker.load, self._content)
                    self._take_over(worker, "ended")
                tickets = [job.ticket_of(worker) for job in (*jobs, *self._waiting)]
                unfinished = [ticket for ticket in tickets if ticket is not None]
                works = [job.work if ticket is None else ticket for job, ticket in zip(jobs, tickets, strict=False)]
                answers = await asyncio.wait_for(self._in_thread(worker.answers, works, unfinished), self._limits.job)
            except (EOFError, OSError) as error:  # TimeoutError is an OSError
                worker.stop()
                self._worker = None
                if isinstance(error, TimeoutError):
                    limit = f"not parsed within {self._limits.job:g} seconds"
                    raise TimeoutError(f"{limit}; send fewer or shorter sentences") from None
                raise EndedError("the process of the model has ended") from None
            for job, answer in zip(jobs, answers, strict=True):
                if isinstance(answer, Unfinished):
                    job.begun, job.size = (worker, answer.ticket), BYTES * answer.words
                    self._waiting.append(job)
            return answers

    def _in_thread(self, function: Callable[..., T], *values: object) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, function, *values)
