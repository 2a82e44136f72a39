"""A model in a separate process, which can be stopped at any time to enforce the limits of requests."""

from __future__ import annotations

import io
import logging
import multiprocessing
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ...base.compiling import KERNEL_VARIABLE
from ...base.errors import CrossarcError, check_names
from ...models.files import model_in
from ...models.inputs import beyond_pairs, check_input
from ...models.model import ParserModel
from ...models.raw import require_segmenter, segmented
from ...treebank import Sentence, conll_text
from .exchange import read_json, read_text, to_json
from .limits import Limits
from .log import log_as_json

COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
"""JSON columns that are read in addition to those of the model's features, because a blend may weight votes by tag."""
ARC = ("head", "deprel")
TOKENIZER_OPTIONS = ("presegmented", "ranges")


class ParsingRequest(NamedTuple):
    """A request.

    data: text in the format ``source``, or bytes of JSON.
    parsing, tagging: whether to predict trees, and tags.
    allow_empty: whether to parse words without tags.
    tokenizer: options of the tokenizer, separated by ";"; None for data with words. Bytes are answered as JSON.
    scores: whether to give the probabilities of arcs.
    keep: whether to keep the heads and labels of words that have them.
    """

    data: str | bytes
    source: str = ""
    parsing: bool = True
    allow_empty: bool = False
    tagging: bool = False
    tokenizer: str | None = None
    scores: bool = False
    keep: bool = False


class Done(NamedTuple):
    """The answer to a request: text, or values for JSON."""

    result: Any
    sentences: int = 0
    words: int = 0
    warnings: Sequence[str] = ()


class Unfinished(NamedTuple):
    """Part of a large request is done; the process keeps it.

    ticket: the process's number of the request, with which it goes on.
    words: how many words are left, as far as known.
    """

    ticket: int
    words: int


@dataclass
class _Request:
    """A request that a process has begun to answer.

    rows: what is left of a raw text, split into sentences when it is asked for.
    split: the sentences that were split off.
    sentences: the sentences that are left to parse; None while there are rows.
    parsed: the sentences that are parsed.
    """

    work: ParsingRequest
    rows: Iterator[str] = field(default_factory=lambda: iter(()))
    split: list[str] = field(default_factory=list)
    sentences: list[Sentence] | None = None
    parsed: list[Sentence] = field(default_factory=list)
    warnings: Sequence[str] = ()


class Worker:
    """The process of a model.

    path: name of the model for messages.
    kernel: value of :data:`...base.compiling.KERNEL_VARIABLE` in the process, or "".
    """

    def __init__(self, path: str, limits: Limits, kernel: str = "") -> None:
        context: Any = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
        if sys.platform == "linux":
            context.set_forkserver_preload([__name__])
        self._connection, theirs = context.Pipe()
        level = logging.getLogger("crossarc").getEffectiveLevel()
        self._process = context.Process(target=_work, args=(path, limits, level, theirs, kernel), daemon=True)
        self._process.start()
        theirs.close()

    def load(self, content: bytes) -> list[str]:
        """Load the content of a model file. Return the steps of the model in UDPipe's terms.

        Raises CrossarcError if it is not a model, and EOFError or OSError if the process has ended.
        """
        self._connection.send_bytes(content)
        reply: list[str] | CrossarcError = self._connection.recv()
        if isinstance(reply, CrossarcError):
            raise reply
        return reply

    def answers(
        self, works: Sequence[ParsingRequest | int], unfinished: Collection[int] = ()
    ) -> Sequence[Done | Unfinished | Exception]:
        """Return the answer to each request, or what is left of it.

        works: requests, or the tickets of unfinished ones.
        unfinished: tickets of all unfinished requests that are still wanted; the process forgets others.

        Raises EOFError or OSError if the process has ended.
        """
        self._connection.send((works, unfinished))
        answers: Sequence[Done | Unfinished | Exception] = self._connection.recv()
        return answers

    def stop(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()


def _work(path: str, limits: Limits, level: int, connection: Connection, kernel: str) -> None:
    """Answer requests until the main process closes the connection."""
    if kernel:
        os.environ[KERNEL_VARIABLE] = kernel
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    log_as_json(level)
    with suppress(EOFError, OSError, MemoryError):
        try:
            parser = WorkParser(model_in(connection.recv_bytes(), path), limits)
        except CrossarcError as error:
            connection.send(error)
            return
        connection.send(parser.steps)
        while True:
            connection.send(parser(*connection.recv()))


class WorkParser:
    """Reads requests, parses them together, and writes the answers. limits: limits of requests."""

    def __init__(self, model: ParserModel, limits: Limits) -> None:
        self._model, self._limits = model, limits
        self._unfinished: dict[int, _Request] = {}
        self._last_ticket = 0
        self._columns = {*COLUMNS, *model.looked_at}
        self.predicted = model.filled
        self.steps = ["tokenizer"] * bool(model.segmenter) + ["tagger"] * bool(self.predicted) + ["parser"]
        self.steps += ["scores"] * (model.calibration is not None)
        model.warm()
        word = Sentence.from_tokens([dict.fromkeys(COLUMNS, "x")])
        self([ParsingRequest(conll_text(word), "conllu")])

    def __call__(
        self, works: Sequence[ParsingRequest | int], unfinished: Collection[int] = ()
    ) -> list[Done | Unfinished | Exception]:
        """Return the answer to each request, see :meth:`Worker.answers`. Of each, one batch of words is parsed."""
        self._unfinished = {ticket: self._unfinished[ticket] for ticket in unfinished}
        requests: list[Any] = [
            self._unfinished.pop(work) if isinstance(work, int) else _outcome(self._begin, work) for work in works
        ]
        answers = [request if isinstance(request, Exception) else _outcome(self._read, request) for request in requests]
        alike = defaultdict(list)
        for number, (answer, request) in enumerate(zip(answers, requests, strict=True)):
            if answer is None:
                work, format = request.work, request.sentences[0].format
                alike[format, work.parsing, work.tagging, work.scores, work.keep].append(number)
        for (_, *steps), numbers in alike.items():
            groups = [self._batch(requests[number]) for number in numbers]
            outcomes = _outcome(self._parsed, groups, *steps)
            if isinstance(outcomes, Exception):  # each request may succeed by itself
                alone = (_outcome(self._parsed, [group], *steps) for group in groups)
                outcomes = [answer if isinstance(answer, Exception) else answer[0] for answer in alone]
            for number, outcome in zip(numbers, outcomes, strict=True):
                answers[number] = outcome if isinstance(outcome, Exception) else self._answer(requests[number], outcome)
        return answers

    def _begin(self, work: ParsingRequest) -> _Request:
        if work.tokenizer is not None:
            return _Request(work, rows=self._split(work.data, work.tokenizer))
        return _Request(work, sentences=self._words(work))

    def _read(self, request: _Request) -> Done | Unfinished | None:
        """Split a batch of a raw text; None once there are sentences to parse."""
        work = request.work
        if request.sentences is None:
            words = 0
            for row in request.rows:
                request.split.append(row)
                words += row.count("\n")
                if words >= self._limits.batch:
                    return self._postponed(request, self._limits.words)
            request.sentences = read_text("".join(request.split), "conllu", self._limits)
        if not request.sentences:
            return Done([] if isinstance(work.data, bytes) else "")
        if work.parsing and not request.parsed:
            request.warnings = check_input(request.sentences, self._model, work.allow_empty, work.tagging)
            longest = self._model.longest
            if long := sum(longest is not None and len(sentence) > longest for sentence in request.sentences):
                request.warnings = [*request.warnings, beyond_pairs(longest, long)]
        return None

    def _batch(self, request: _Request) -> list[Sentence]:
        """Remove a batch of sentences from those to parse."""
        sentences = request.sentences or []
        words = number = 0
        while number < len(sentences) and words < self._limits.batch:
            words += len(sentences[number])
            number += 1
        batch, request.sentences = sentences[:number], sentences[number:]
        return batch

    def _answer(self, request: _Request, parsed: Sequence[Sentence]) -> Done | Unfinished:
        request.parsed += parsed
        if request.sentences:
            return self._postponed(request, sum(map(len, request.sentences)))
        return self._written(request.parsed, request.work)._replace(warnings=request.warnings)

    def _postponed(self, request: _Request, words: int) -> Unfinished:
        self._last_ticket += 1
        self._unfinished[self._last_ticket] = request
        return Unfinished(self._last_ticket, words)

    def _words(self, work: ParsingRequest) -> list[Sentence]:
        if isinstance(work.data, str):
            return read_text(work.data, work.source, self._limits, self._model.annotation)
        return read_json(work.data, self._limits, {*self._columns, *(ARC if work.keep else ())})

    def _split(self, data: str | bytes, options: str) -> Iterator[str]:
        """The sentences of a raw text in CoNLL-U."""
        chosen = {*options.split(";")} - {""}
        check_names("tokenizer", sorted(chosen), TOKENIZER_OPTIONS)
        stream = io.BytesIO(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
        segmenter = require_segmenter(self._model.segmenter)
        return segmented(segmenter, stream, lines="presegmented" in chosen, ranges="ranges" in chosen)

    def _parsed(
        self, groups: Sequence[Sequence[Sentence]], parsing: bool, tagging: bool, scores: bool, keep: bool
    ) -> list[list[Sentence]]:
        """Parse the sentences of several requests in one batch."""
        sentences = list(chain.from_iterable(groups))
        if parsing:
            kept = "given" if keep else None
            sentences = self._model.parse_chunk(sentences, scores=scores, retag=tagging, keep=kept)
        elif tagging:
            sentences = self._model.tagged(sentences, retag=True)
        rest = iter(sentences)
        return [list(islice(rest, len(group))) for group in groups]

    def _written(self, sentences: list[Sentence], work: ParsingRequest) -> Done:
        """Return an answer in the form of the request."""
        result: Any = "".join(map(conll_text, sentences))
        if isinstance(work.data, bytes):
            columns = self.predicted if work.tokenizer is None else ["form", *self.predicted, "misc"]
            result = to_json(sentences, columns, work.scores)
        return Done(result, len(sentences), sum(map(len, sentences)))


def _outcome(function: Callable[..., Any], *values: Any) -> Any:
    """Return the result of a function, or its error in a form that can be sent to another process."""
    try:
        return function(*values)
    except (CrossarcError, MemoryError) as error:
        return error
    except Exception as error:  # internal errors become the answer, so that the process continues
        return RuntimeError(f"{type(error).__name__}: {error}")
