"""A model in a separate process, which can be stopped at any time to enforce the limits of requests."""

from __future__ import annotations

import io
import logging
import multiprocessing
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, pairwise
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ..annotation.keep import GIVEN
from ..base.errors import CrossarcError, check_names
from ..models.files import model_in
from ..models.inputs import check_input
from ..models.model import ParserModel
from ..models.pieces import PieceParser
from ..models.raw import require_tokenizer, segmented
from ..treebank import Piece, Sentence, block_of, conll_text, read_sentences
from .exchange import read_json, read_piece, to_json
from .limits import Limits
from .log import log_as_json

COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
"""JSON columns that are read in addition to those of the model's features, because a blend may weight votes by tag."""
ARC = ("head", "deprel")
TOKENIZER_OPTIONS = ("presegmented", "ranges")


class Work(NamedTuple):
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


class _Read(NamedTuple):
    piece: Piece
    warnings: Sequence[str]


class Worker:
    """The process of a model.

    path: name of the model for messages.
    """

    def __init__(self, path: str, limits: Limits) -> None:
        context: Any = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
        if sys.platform == "linux":
            context.set_forkserver_preload([__name__])
        self._connection, theirs = context.Pipe()
        level = logging.getLogger("crossarc").getEffectiveLevel()
        self._process = context.Process(target=_work, args=(path, limits, level, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def load(self, content: bytes) -> list[str]:
        """Load the content of a model file. Return the steps of the model in UDPipe's terms.

        Raises CrossarcError if it is not a model, and EOFError or OSError if the process has ended.
        """
        self._connection.send_bytes(content)
        found: list[str] | CrossarcError = self._connection.recv()
        if isinstance(found, CrossarcError):
            raise found
        return found

    def answers(self, works: Sequence[Work]) -> Sequence[Done | Exception]:
        """Return the answer to each request. Raises EOFError or OSError if the process has ended."""
        self._connection.send(works)
        answers: Sequence[Done | Exception] = self._connection.recv()
        return answers

    def stop(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()


def _work(path: str, limits: Limits, level: int, connection: Connection) -> None:
    """Answer requests until the main process closes the connection."""
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
            connection.send(parser(connection.recv()))


class WorkParser:
    """Reads requests, parses them together, and writes the answers. limits: limits of requests."""

    def __init__(self, model: ParserModel, limits: Limits) -> None:
        self._model, self._limits = model, limits
        self._columns = {*COLUMNS, *model.looked_at}
        self.predicted = [tagger.column for tagger in model.taggers]
        self.steps = ["tokenizer"] * bool(model.tokenizer) + ["tagger"] * bool(self.predicted) + ["parser"]
        self.steps += ["scores"] * (model.calibration is not None)
        self._parsers: dict[tuple[bool, ...], PieceParser] = {}
        model.warm()
        word = Sentence.from_tokens([dict.fromkeys(COLUMNS, "x")])
        self([Work(conll_text(word), "conllu")])

    def __call__(self, works: Sequence[Work]) -> list[Done | Exception]:
        """Return the answer to each request, or its error."""
        answers = [_outcome(self._read, work) for work in works]
        alike = defaultdict(list)
        for number, (own, work) in enumerate(zip(answers, works, strict=True)):
            if isinstance(own, _Read):
                alike[own.piece.layout, work.parsing, work.tagging, work.scores, work.keep].append(number)
        for (_, *steps), numbers in alike.items():
            parse = self._parser(*steps)
            pieces = [answers[number].piece for number in numbers]
            found = _outcome(parsed_together, parse, pieces)
            if isinstance(found, Exception):  # each request may succeed by itself
                found = [_outcome(parsed_alone, parse, piece) for piece in pieces]
            for number, own in zip(numbers, found, strict=True):
                answers[number] = (
                    own if isinstance(own, Exception) else self._written(own, answers[number], works[number])
                )
        return answers

    def _read(self, work: Work) -> _Read | Done:
        piece = self._split(work.data, work.tokenizer) if work.tokenizer is not None else self._words(work)
        if piece is None:
            return Done([] if isinstance(work.data, bytes) else "")
        return _Read(piece, check_input(piece, self._model, work.allow_empty, work.tagging) if work.parsing else [])

    def _words(self, work: Work) -> Piece | None:
        if isinstance(work.data, str):
            return read_piece(work.data, work.source, self._limits, self._model.annotation)
        sentences = read_json(work.data, self._limits, {*self._columns, *(ARC if work.keep else ())})
        return read_piece("".join(map(conll_text, sentences)), "conllu", self._limits)

    def _split(self, data: str | bytes, options: str) -> Piece | None:
        """The sentences of a raw text."""
        chosen = {*options.split(";")} - {""}
        check_names("tokenizer", sorted(chosen), TOKENIZER_OPTIONS)
        stream = io.BytesIO(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
        tokenizer = require_tokenizer(self._model.tokenizer)
        rows = segmented(tokenizer, stream, lines="presegmented" in chosen, ranges="ranges" in chosen)
        return read_piece("".join(rows), "conllu", self._limits)

    def _parser(self, *steps: bool) -> PieceParser:
        """Return the parser of pieces for the steps parsing, tagging, scores and keep of :class:`Work`."""
        if steps not in self._parsers:
            parsing, tagging, scores, keep = steps
            model = self._model if parsing or tagging else replace(self._model, taggers=())
            options: Any = {"scores": scores, "keep": GIVEN if keep else None}
            self._parsers[steps] = PieceParser(model, trees=parsing, retag=tagging, **options)
        return self._parsers[steps]

    def _written(self, done: Done, read: _Read, work: Work) -> Done:
        """Return an answer in the form of the request, with its warnings."""
        if isinstance(work.data, bytes):
            sentences = list(read_sentences(io.StringIO(done.result), "conllu"))
            columns = self.predicted if work.tokenizer is None else ["form", *self.predicted, "misc"]
            done = done._replace(result=to_json(sentences, columns, work.scores))
        return done._replace(warnings=read.warnings)


def parsed_alone(parse: PieceParser, piece: Piece) -> Done:
    """Parse a piece."""
    own = parse(piece)
    return Done(own.data.decode(), own.sentences, own.words)


def parsed_together(parse: PieceParser, pieces: Sequence[Piece]) -> list[Done]:
    """Parse pieces in one batch. Raises CrossarcError if they must be parsed one by one."""
    if len(pieces) == 1:
        return [parsed_alone(parse, pieces[0])]
    together = pieces[0]._replace(data=b"\n\n".join([piece.data for piece in pieces]))
    block = block_of(together)
    if block is None:
        raise CrossarcError("the pieces cannot be parsed in one batch")
    sentences = parse(together).data.decode().split("\n\n")
    ends = accumulate((piece.data.count(b"\n\n") + 1 for piece in pieces), initial=0)
    return [
        Done("\n\n".join(sentences[start:end]) + "\n\n", end - start, int(block.lengths[start:end].sum()))
        for start, end in pairwise(ends)
    ]


def _outcome(function: Callable[..., Any], *values: Any) -> Any:
    """Return the result of a function, or its error in a form that can be sent to another process."""
    try:
        return function(*values)
    except (CrossarcError, MemoryError) as error:
        return error
    except Exception as error:  # internal errors become the answer, so that the process continues
        return RuntimeError(f"{type(error).__name__}: {error}")
