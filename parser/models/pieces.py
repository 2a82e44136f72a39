"""Parsing files: bytes in, bytes out, without an object for each word where the model does not need any.

Pieces are parsed in this process, or in several that share one copy of the model.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..base.errors import CrossarcError
from ..treebank import Piece, Sentence, block_of, conll_text, sentences_in
from .model import ParserModel
from .words import BlockWords, TokenMemory


class Parsed(NamedTuple):
    """What a piece has become: its bytes, and how many sentences and words it has, and how many of the sentences are
    longer than the model likes them (:attr:`~.model.ParserModel.longest`)."""

    data: bytes
    sentences: int
    words: int
    long: int


SentencesToText = Callable[[Sequence[Sentence]], Iterable[str]]


class PieceParser:
    """Parses pieces of files with a model.

    write: gives the text of sentences, for more than their best trees; no blocks are parsed then. retag: as
    of :meth:`~.model.ParserModel.parse`.
    """

    def __init__(self, model: ParserModel, write: SentencesToText | None = None, retag: bool = False) -> None:
        self._model = model
        self._write = write
        self._retag = retag
        self._memory = TokenMemory()

    def __call__(self, piece: Piece) -> Parsed:
        """Raises CrossarcError as reading the file as sentences and parsing them would."""
        block = None if self._write else block_of(piece)
        if block is not None and {"head", "deprel"} <= block.format.index.keys() and block.place("head") > 1:
            words = BlockWords(block, piece, self._memory, self._retag)
            lengths, data = words.lengths, words.with_trees(self._model.trees(words))
        else:
            sentences = list(sentences_in(piece))
            write = self._write or partial(texts, self._model, self._retag, False)
            lengths, data = np.array(list(map(len, sentences))), "".join(write(sentences)).encode()
        longest = self._model.longest
        long = 0 if longest is None else int((lengths > longest).sum())
        return Parsed(data, len(lengths), int(lengths.sum()), long)

    def warm(self, pieces: Sequence[Piece]) -> None:
        """Load and compile what parsing the pieces will need, by parsing the first sentence of them."""
        self._model.hint_workload(sum(piece.data.count(b"\n") for piece in pieces))
        if pieces:
            first, _, _ = pieces[0].data.partition(b"\n\n")
            self(pieces[0]._replace(data=first))


def texts(model: ParserModel, retag: bool, confidences: bool, sentences: Sequence[Sentence]) -> Iterable[str]:
    """The text of the parsed sentences. retag, confidences: as of :meth:`~.model.ParserModel.parse`."""
    return map(conll_text, model.parse_chunk(sentences, confidences, retag=retag))


SMALLEST, LARGEST = 2**15, 2**21
"""Bytes of a piece: some hundred sentences at least, so that many of them are advanced in lockstep."""
REMOTE_SIZE = 2**23
"""Bytes of a piece for another machine: as many as a large model has, which goes along with each."""
PIECES = 4
PACKED = 8
"""Approximate ratio of unpacked to packed size of compressed treebanks."""
AHEAD = 2
"""Maximum number of finished pieces per process that wait for output: a slow reader must not pile up results."""


def piece_size(target: str, jobs: int) -> int:
    """The bytes of the pieces in which a file, or "-", is best read for so many processes: each should get several."""
    if jobs == 1:
        return LARGEST
    if not os.path.isfile(target):
        return LARGEST // 2
    unpacked = os.path.getsize(target) * (PACKED if Path(target).suffix in (".gz", ".xz") else 1)
    return min(LARGEST, max(SMALLEST, unpacked // (PIECES * jobs)))


def parse_pieces(
    parse: Callable[[Piece], Parsed],
    pieces: Iterable[Piece],
    jobs: int = 1,
    warm: Callable[[Sequence[Piece]], None] = lambda pieces: None,
) -> Iterator[Parsed]:
    """The results of ``parse`` for the pieces, in their order, computed by ``jobs`` processes.

    Where processes can be forked (not on Windows, nor macOS) they see the model in the memory of this one. warm: is
    called with the first pieces before they part, to load what all of them need. Raises CrossarcError if ``jobs`` is no
    number above 0 or a process ends before it should, and whatever ``parse`` raises, once everything before it is given
    back.
    """
    if jobs < 1:
        raise CrossarcError(f"jobs: found {jobs}, expected a number, 1 or more")
    return map(parse, pieces) if jobs == 1 else _in_processes(parse, pieces, jobs, warm)


_parse: Callable[[Piece], Parsed]


def _in_processes(
    parse: Callable[[Piece], Parsed], pieces: Iterable[Piece], jobs: int, warm: Callable[[Sequence[Piece]], None]
) -> Iterator[Parsed]:
    stream = iter(pieces)
    first = list(islice(stream, jobs))  # errors at the beginning of the file are raised here
    if not first:
        return
    fork = sys.platform == "linux"
    if fork:
        with suppress(CrossarcError):  # raised again where it is due
            warm(first)
    context = multiprocessing.get_context("fork" if fork else "spawn")
    executor = ProcessPoolExecutor(len(first), context, _begin, (parse,))
    try:
        yield from in_order(lambda piece: executor.submit(_parsed, piece), chain(first, stream), AHEAD * jobs)
    except (BrokenExecutor, MemoryError) as error:
        raise CrossarcError("a worker process ended before it should; was there too little memory?") from error
    finally:
        for process in list((executor._processes or {}).values()):
            process.terminate()  # do not wait for results that are no longer needed
        executor.shutdown()


class Result(Protocol):
    """A result that another process computes."""

    def result(self) -> Any:
        """Wait for the result. Raises the error of the computation."""


def in_order(submit: Callable[[Piece], Result], pieces: Iterable[Piece], ahead: int) -> Iterator[Any]:
    """The results of the pieces in their order. ahead: so many are submitted before the first of them is waited for."""
    waiting: deque[Result] = deque()
    for piece in pieces:
        waiting.append(submit(piece))
        if len(waiting) == ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _begin(parse: Callable[[Piece], Parsed]) -> None:
    """Prepare a process: it has ``parse``, leaves interrupts to the first process, and ends with that."""
    global _parse
    _parse = parse
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    first = multiprocessing.parent_process()
    Thread(target=_end_after, args=(first,), daemon=True).start()


def _end_after(process: BaseProcess) -> None:
    process.join()
    os._exit(1)


def _parsed(piece: Piece) -> Parsed:
    return _parse(piece)
