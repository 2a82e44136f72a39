"""One batch for the sentences of several clients: what waits when the parser is free is parsed together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from ..base.errors import CrossarcError
from ..models.model import ParserModel
from ..models.pieces import Parsed, PieceParser
from ..treebank import Piece, Sentence, block_of

__all__ = ["Batcher"]


@dataclass(frozen=True, slots=True)
class _Job:
    """work: sentences, which become a list of sentences, or a piece of text, which becomes a parsed one. words: how
    many there are, or for text a few more."""

    model: ParserModel
    work: Sequence[Sentence] | Piece
    words: int
    answer: asyncio.Future[Any]

    def goes_with(self, other: _Job) -> bool:
        """Whether both can be parsed in one batch."""
        layouts = [own.work.layout if isinstance(own.work, Piece) else None for own in (self, other)]
        return self.model is other.model and layouts[0] == layouts[1]


class Batcher:
    """A queue of requests before one thread that parses.

    words: how many are parsed at a time, if more wait; a single request may have more. It is used within one event
    loop: :meth:`run` is the task that serves :meth:`parse` and :meth:`parse_piece`, until it is cancelled.
    """

    def __init__(self, words: int) -> None:
        self._words = words
        self._waiting: list[_Job] = []
        self._came = asyncio.Event()
        self._parsers: dict[int, PieceParser] = {}

    async def parse(self, model: ParserModel, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences parsed by the model. Raises CrossarcError as :meth:`ParserModel.parse_chunk` does.

        Whoever is cancelled while waiting loses the answer, and costs nothing if parsing has not begun.
        """
        parsed: list[Sentence] = await self._done(model, sentences) if sentences else []
        return parsed

    async def parse_piece(self, model: ParserModel, piece: Piece) -> Parsed:
        """The text with the model's trees. Raises CrossarcError as :class:`~..models.pieces.PieceParser` does."""
        parsed: Parsed = await self._done(model, piece)
        return parsed

    async def _done(self, model: ParserModel, work: Sequence[Sentence] | Piece) -> Any:
        answer = asyncio.get_running_loop().create_future()
        words = work.data.count(b"\n") + 1 if isinstance(work, Piece) else sum(map(len, work))
        self._waiting.append(_Job(model, work, words, answer))
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
            if not taken or (job.goes_with(taken[0]) and job.words <= room):
                taken.append(job)
                room -= job.words
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

    def _parsed(self, jobs: Sequence[_Job]) -> Sequence[list[Sentence] | Parsed]:
        model = jobs[0].model
        pieces = [job.work for job in jobs if isinstance(job.work, Piece)]
        if pieces:
            if id(model) not in self._parsers:
                self._parsers[id(model)] = PieceParser(model)
            return _pieces_parsed(self._parsers[id(model)], pieces)
        given = [job.work for job in jobs if not isinstance(job.work, Piece)]
        parsed = model.parse_chunk([sentence for work in given for sentence in work])
        ends = accumulate(map(len, given), initial=0)
        return [parsed[start:end] for start, end in pairwise(ends)]


def _pieces_parsed(parser: PieceParser, pieces: Sequence[Piece]) -> Sequence[Parsed]:
    """What the parser makes of each piece. Raises CrossarcError where they have to be parsed one by one."""
    if len(pieces) == 1:
        return [parser(pieces[0])]
    together = block_of(pieces[0]._replace(data=b"\n\n".join([piece.data for piece in pieces])))
    data = None if together is None else parser.parse_block(together)
    if together is None or data is None:
        raise CrossarcError("not in one batch")
    sentences = data.split(b"\n\n")
    ends = accumulate((piece.data.count(b"\n\n") + 1 for piece in pieces), initial=0)
    return [
        Parsed(b"\n\n".join(sentences[start:end]) + b"\n\n", end - start, int(together.lengths[start:end].sum()), 0)
        for start, end in pairwise(ends)
    ]
