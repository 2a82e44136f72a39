"""One batch for the sentences of several clients: what waits when the parser is free is parsed together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from ..models.model import ParserModel
from ..models.pieces import PieceParser
from ..treebank import Block, Sentence, joined

__all__ = ["Batcher"]


@dataclass(frozen=True, slots=True)
class _Job:
    """work: sentences, which become a list of sentences, or a block, which becomes bytes, or None (:meth:`parse_block`
    of :class:`~..models.pieces.PieceParser`)."""

    model: ParserModel
    work: Sequence[Sentence] | Block
    answer: asyncio.Future[Any]

    @property
    def words(self) -> int:
        return int(self.work.lengths.sum()) if isinstance(self.work, Block) else sum(map(len, self.work))

    def goes_with(self, other: _Job) -> bool:
        """Whether both can be parsed in one batch."""
        kinds = [own.work.format if isinstance(own.work, Block) else None for own in (self, other)]
        return self.model is other.model and kinds[0] == kinds[1]


class Batcher:
    """A queue of requests before one thread that parses.

    words: how many are parsed at a time, if more wait; a single request may have more. It is used within one event
    loop: :meth:`run` is the task that serves :meth:`parse` and :meth:`parse_block`, until it is cancelled.
    """

    def __init__(self, words: int) -> None:
        self._words = words
        self._waiting: list[_Job] = []
        self._came = asyncio.Event()
        self._parsers: dict[int, PieceParser] = {}

    async def parse(self, model: ParserModel, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences parsed by the model. Raises CrossarcError as :meth:`ParserModel.parse` does.

        Whoever is cancelled while waiting loses the answer, and costs nothing if parsing has not begun.
        """
        parsed: list[Sentence] = await self._done(model, sentences) if sentences else []
        return parsed

    async def parse_block(self, model: ParserModel, block: Block) -> bytes | None:
        """The bytes of the block with the model's trees, None where the model wants sentences."""
        parsed: bytes | None = await self._done(model, block)
        return parsed

    async def _done(self, model: ParserModel, work: Sequence[Sentence] | Block) -> Any:
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(_Job(model, work, answer))
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
        """The requests to parse together, in the order in which they came: of one kind, and of so many words."""
        waiting = [job for job in self._waiting if not job.answer.done()]
        taken: list[_Job] = []
        left: list[_Job] = []
        room = self._words
        for job in waiting:
            words = job.words
            if not taken or (job.goes_with(taken[0]) and words <= room):
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
        try:
            parsed = await loop.run_in_executor(thread, self._parsed, jobs)
        except Exception as error:  # whatever it is, it is the answer, and the service goes on
            if len(jobs) > 1:
                for job in jobs:
                    await self._answer([job], thread)
            elif not jobs[0].answer.done():
                jobs[0].answer.set_exception(error)
            return
        for job, own in zip(jobs, parsed, strict=True):
            if not job.answer.done():
                job.answer.set_result(own)

    def _parsed(self, jobs: Sequence[_Job]) -> Sequence[list[Sentence] | bytes | None]:
        model = jobs[0].model
        blocks = [job.work for job in jobs if isinstance(job.work, Block)]
        if blocks:
            parser = self._parsers.setdefault(id(model), PieceParser(model))
            return _blocks_parsed(parser, blocks)
        parsed = list(model.parse([sentence for job in jobs for sentence in job.work]))
        ends = accumulate((len(job.work) for job in jobs), initial=0)
        return [parsed[start:end] for start, end in pairwise(ends)]


def _blocks_parsed(parser: PieceParser, blocks: Sequence[Block]) -> Sequence[bytes | None]:
    data = parser.parse_block(joined(blocks))
    if data is None:
        return [None] * len(blocks)
    sentences = data.split(b"\n\n")
    ends = accumulate((len(block.lengths) for block in blocks), initial=0)
    return [b"\n\n".join(sentences[start:end]) + b"\n\n" for start, end in pairwise(ends)]
