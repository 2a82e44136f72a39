"""A model in a separate process, which can be stopped at any time to enforce the limits of requests."""

from __future__ import annotations

import hashlib
import io
import logging
import multiprocessing
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate, pairwise, product
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from ..annotation.keep import GIVEN
from ..base.errors import CrossarcError, check_names
from ..models.files import model_in
from ..models.inputs import check_input
from ..models.model import ParserModel
from ..models.pieces import PieceParser
from ..models.raw import require_tokenizer, segmented
from ..models.taggers import tagged
from ..treebank import Piece, Sentence, block_of, conll_text, sentences_in
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
    given: Piece | list[Sentence]
    warnings: Sequence[str]


class ChangedError(CrossarcError):
    """A further process of a model has read another file than the first one."""


class Worker:
    """The process of a model.

    digest: SHA-256 of the file that the first process has read; the process loads no other file.
    """

    def __init__(self, path: str, limits: Limits, digest: str = "") -> None:
        context: Any = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
        if sys.platform == "linux":
            context.set_forkserver_preload([__name__])
        self._connection, theirs = context.Pipe()
        level = logging.getLogger("crossarc").getEffectiveLevel()
        self._process = context.Process(target=_work, args=(path, limits, digest, level, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def wait(self) -> tuple[list[str], str]:
        """Wait until requests can be answered.

        Return the steps of the model in UDPipe's terms, and the SHA-256 of the file that was loaded.

        Raises CrossarcError if the model cannot be loaded, and :class:`ChangedError`.
        """
        found = self._connection.recv()
        if isinstance(found, CrossarcError):
            raise found
        steps, digest = found
        return steps, digest

    def answers(self, works: Sequence[Work]) -> Sequence[Done | Exception]:
        """Return the answer to each request. Raises EOFError or OSError if the process has ended."""
        self._connection.send(works)
        answers: Sequence[Done | Exception] = self._connection.recv()
        return answers

    def stop(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()


def _work(path: str, limits: Limits, digest: str, level: int, connection: Connection) -> None:
    """Answer requests until the main process closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    log_as_json(level)
    with suppress(EOFError, OSError, MemoryError):
        try:
            content = _content(path)
            found = hashlib.sha256(content).hexdigest()
            if digest not in ("", found):
                raise ChangedError("the model file has changed; the service must be restarted")
            parser = WorkParser(model_in(content, path), limits)
        except CrossarcError as error:
            connection.send(error)
            return
        connection.send((parser.steps, found))
        while True:
            connection.send(parser(connection.recv()))


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise CrossarcError(f"{path}: cannot be read: {error.strerror or error}") from error


class WorkParser:
    """Reads requests, parses them together, and writes the answers. limits: limits of requests."""

    def __init__(self, model: ParserModel, limits: Limits) -> None:
        self._model, self._limits = model, limits
        self._columns = {*COLUMNS, *model.looked_at}
        self.predicted = [tagger.column for tagger in model.taggers]
        self.steps = ["tokenizer"] * bool(model.tokenizer) + ["tagger"] * bool(self.predicted) + ["parser"]
        self.steps += ["scores"] * (model.calibration is not None)
        flags = product((False, True), repeat=2)
        self._pieces = {(retag, scores): PieceParser(model, retag=retag, scores=scores) for retag, scores in flags}
        model.warm()
        word = Sentence.from_tokens([dict.fromkeys(COLUMNS, "x")])
        self([Work(conll_text(word), "conllu")])  # text is parsed by other code than sentences

    def __call__(self, works: Sequence[Work]) -> list[Done | Exception]:
        """Return the answer to each request, or its error."""
        answers = [_outcome(self._read, work) for work in works]
        alike = defaultdict(list)
        for number, own in enumerate(answers):
            if isinstance(own, _Read):
                layout = own.given.layout if isinstance(own.given, Piece) else None
                raw = works[number].tokenizer is not None and layout is None
                work = works[number]
                alike[layout, raw, work.parsing, work.tagging, work.scores, work.keep].append(number)
        for numbers in alike.values():
            batch = [answers[number] for number in numbers]
            found = _outcome(self._answers, batch, works[numbers[0]])
            if isinstance(found, Exception):  # each request may succeed by itself
                each = [_outcome(self._answers, [own], works[numbers[0]]) for own in batch]
                found = [own if isinstance(own, Exception) else own[0] for own in each]
            for number, own in zip(numbers, found, strict=True):
                answers[number] = own
        return answers

    def _read(self, work: Work) -> _Read | Done:
        given: Piece | list[Sentence] | None
        if work.tokenizer is not None:
            given = self._split(work.data, work.tokenizer)
        elif isinstance(work.data, bytes):
            given = read_json(work.data, self._limits, {*self._columns, *(ARC if work.keep else ())})
        else:
            given = read_piece(work.data, work.source, self._limits, self._model.annotation)
        if not given:
            return Done([] if isinstance(work.data, bytes) else "")
        return _Read(given, check_input(given, self._model, work.allow_empty, work.tagging) if work.parsing else [])

    def _split(self, data: str | bytes, options: str) -> Piece | list[Sentence] | None:
        """The sentences of a raw text: a piece, or, for bytes, sentences."""
        chosen = {*options.split(";")} - {""}
        check_names("tokenizer", sorted(chosen), TOKENIZER_OPTIONS)
        stream = io.BytesIO(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
        tokenizer = require_tokenizer(self._model.tokenizer)
        rows = segmented(tokenizer, stream, lines="presegmented" in chosen, ranges="ranges" in chosen)
        piece = read_piece("".join(rows), "conllu", self._limits)
        return list(sentences_in(piece)) if piece and isinstance(data, bytes) else piece

    def _answers(self, batch: Sequence[_Read], work: Work) -> list[Done]:
        """Return the answers to requests of the same kind as ``work``."""
        given: list[Any] = [read.given for read in batch]
        if not isinstance(given[0], Piece):
            done = self._parsed(given, work)
        elif work.parsing:
            done = self._parsed_pieces(given, work)
        else:
            done = [self._unparsed(piece, work) for piece in given]
        return [own._replace(warnings=read.warnings) for own, read in zip(done, batch, strict=True)]

    def _parsed(self, given: Sequence[list[Sentence]], work: Work) -> list[Done]:
        sentences = [sentence for own in given for sentence in own]
        keep = GIVEN if work.keep else None
        parsed = self._model.parse_chunk(sentences, work.scores, retag=work.tagging, keep=keep)
        columns = self.predicted if work.tokenizer is None else ["form", *self.predicted, "misc"]
        ends = accumulate(map(len, given), initial=0)
        return [
            Done(to_json(parsed[start:end], columns, work.scores), end - start, sum(map(len, parsed[start:end])))
            for start, end in pairwise(ends)
        ]

    def _unparsed(self, piece: Piece, work: Work) -> Done:
        sentences = list(sentences_in(piece))
        if work.tagging:
            sentences = tagged(sentences, self._model.taggers, retag=True)
        return Done("".join(map(conll_text, sentences)), len(sentences), sum(map(len, sentences)))

    def _parsed_pieces(self, pieces: Sequence[Piece], work: Work) -> list[Done]:
        """Parse pieces in one batch. Raises CrossarcError if they must be parsed one by one."""
        parse = self._pieces[work.tagging, work.scores]
        if len(pieces) == 1:
            own = parse(pieces[0])
            return [Done(own.data.decode(), own.sentences, own.words)]
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
