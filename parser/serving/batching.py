"""One batch for the sentences of several clients: what waits when the parser is free is parsed together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ..models.model import ParserModel
from ..treebank import Sentence

__all__ = ["Batcher"]


@dataclass(frozen=True, slots=True)
class _Job:
    model: ParserModel
    sentences: Sequence[Sentence]
    answer: asyncio.Future[list[Sentence]]


class Batcher:
    """A queue of requests before one thread that parses.

    words: how many are parsed at a time, if more wait; a single request may have more. It is used within one event
    loop: :meth:`run` is the task that serves :meth:`parse`, until it is cancelled.
    """

    def __init__(self, words: int) -> None:
        self._words = words
        self._waiting: list[_Job] = []
        self._came = asyncio.Event()

    async def parse(self, model: ParserModel, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences parsed by the model. Raises CrossarcError as :meth:`ParserModel.parse` does.

        Whoever is cancelled while waiting loses the answer, and costs nothing if parsing has not begun.
        """
        if not sentences:
            return []
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(_Job(model, sentences, answer))
        self._came.set()
        return await answer

    async def run(self) -> None:
        """Parse what comes."""
        with ThreadPoolExecutor(1, "parser") as thread:
            while True:
                await self._came.wait()
                jobs = self._next()
                if jobs:
                    await self._answer(jobs, thread)

    def _next(self) -> list[_Job]:
        """The requests to parse together, in the order in which they came: of one model, and of so many words."""
        waiting = [job for job in self._waiting if not job.answer.done()]
        taken: list[_Job] = []
        left: list[_Job] = []
        room = self._words
        for job in waiting:
            words = sum(map(len, job.sentences))
            if not taken or (job.model is taken[0].model and words <= room):
                taken.append(job)
                room -= words
            else:
                left.append(job)
        self._waiting = left
        if not left:
            self._came.clear()
        return taken

    async def _answer(self, jobs: Sequence[_Job], thread: ThreadPoolExecutor) -> None:
        """Give each request its part of the parsed batch; where the batch fails, each is parsed by itself."""
        loop = asyncio.get_running_loop()
        together = [sentence for job in jobs for sentence in job.sentences]
        try:
            parsed = await loop.run_in_executor(thread, _parsed, jobs[0].model, together)
        except Exception as error:  # whatever it is, it is the answer, and the service goes on
            if len(jobs) > 1:
                for job in jobs:
                    await self._answer([job], thread)
            elif not jobs[0].answer.done():
                jobs[0].answer.set_exception(error)
            return
        ends = accumulate((len(job.sentences) for job in jobs), initial=0)
        for job, (start, end) in zip(jobs, pairwise(ends), strict=True):
            if not job.answer.done():
                job.answer.set_result(parsed[start:end])


def _parsed(model: ParserModel, sentences: Sequence[Sentence]) -> list[Sentence]:
    return list(model.parse(sentences))
