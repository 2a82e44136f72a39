"""Parse files piece by piece, from bytes to bytes, without objects for words unless the model needs them.

Pieces are parsed in this process, or in several processes that share one copy of the model.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain, islice
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from ..base.errors import CrossarcError
from ..base.text_files import tsv_row
from ..treebank import Piece, Sentence, block_of, compression_named, conll_text, sentences_in
from ..treebank.tree import trees_in
from .files import load_model
from .inputs import Untagged, needed_tags, without_tags
from .model import ParserModel
from .words import BlockWords, SentenceWords, TokenMemory


class ParsedPiece(NamedTuple):
    """The result of parsing a piece.

    data: the bytes of the output.
    sentences, words: their numbers in the piece.
    long: number of sentences that are longer than :attr:`~.model.ParserModel.longest`.
    read: number of bytes of the piece.
    untagged: the sentences without tags, for which pieces are not parsed.
    """

    data: bytes
    sentences: int
    words: int
    long: int
    read: int
    untagged: Untagged | None = None


RANKED = re.compile(rb"# *(k_best|probability) *=")
"""Comments on trees, which parsing removes."""
SentencesToText = Callable[[Sequence[Sentence]], Iterable[str]]


class PieceParser:
    """Parses pieces of files with a model.

    write: converts sentences to their output text. With it, and with arcs to keep, pieces are parsed as sentences,
        otherwise as blocks.
    trees: whether to parse; otherwise words only get tags.
    allow_empty: whether to parse sentences without tags. Otherwise, after the first of them, they are only counted.
    options: of :meth:`~.model.ParserModel.parse_chunk`.
    """

    def __init__(
        self,
        model: ParserModel,
        write: SentencesToText | None = None,
        trees: bool = True,
        allow_empty: bool = False,
        **options: Any,
    ) -> None:
        self._model = model
        self._needed = needed_tags(model) if trees and not allow_empty else set()
        self._refused = False
        self._write = write or partial(texts if trees else tagged_texts, model, options)
        self._in_blocks = write is None and not options.get("keep")
        self._flags = options.get("retag", False), options.get("keep_deps", False)
        self._trees = trees
        self._scores = options.get("scores", False)
        self._memory = TokenMemory()

    def __call__(self, piece: Piece) -> ParsedPiece:
        """Parse a piece. Raises CrossarcError for invalid sentences, as reading and parsing them does."""
        in_blocks = self._in_blocks and not (self._trees and RANKED.search(piece.data))
        block = block_of(piece) if in_blocks else None
        if block is not None and {"head", "deprel"} <= block.format.index.keys() and block.place("head") > 1:
            words = BlockWords(block, piece, self._memory, *self._flags)
            lengths = words.lengths
            if self._needed and (self._refused or words.without(self._needed).any()):
                return self._counted(piece, list(sentences_in(piece)))
            if self._trees:
                data = words.with_trees(self._model.annotate(words, scores=self._scores))
            else:
                self._model.fill(words)
                data = words.with_tags()
        else:
            sentences = list(sentences_in(piece))
            if self._needed and (self._refused or any(without_tags(sentence, self._needed) for sentence in sentences)):
                return self._counted(piece, sentences)
            lengths, data = np.array(list(map(len, sentences))), "".join(self._write(sentences)).encode()
        longest = self._model.longest if self._trees else None
        long = 0 if longest is None else int((lengths > longest).sum())
        return ParsedPiece(data, len(lengths), int(lengths.sum()), long, len(piece.data))

    def _counted(self, piece: Piece, sentences: Sequence[Sentence]) -> ParsedPiece:
        """The result without trees for a piece, some sentences of which have no tags."""
        self._refused = True
        untagged = Untagged.among(sentences, self._needed)
        return ParsedPiece(b"", len(sentences), sum(map(len, sentences)), 0, len(piece.data), untagged)

    def warm(self, pieces: Sequence[Piece]) -> None:
        """Load or compile the code for the pieces by parsing their first sentence."""
        self._model.hint_workload(sum(piece.data.count(b"\n") for piece in pieces))
        if pieces:
            first, _, _ = pieces[0].data.partition(b"\n\n")
            self(pieces[0]._replace(data=first))


def texts(model: ParserModel, options: Mapping[str, Any], sentences: Sequence[Sentence]) -> Iterable[str]:
    """The text of the parsed sentences. options: of :meth:`~.model.ParserModel.parse_chunk`."""
    return map(conll_text, model.parse_chunk(sentences, **options))


def tagged_texts(model: ParserModel, options: Mapping[str, Any], sentences: Sequence[Sentence]) -> Iterable[str]:
    """The text of the sentences with predicted tags."""
    return map(conll_text, model.tagged(sentences, options.get("retag", False)))


HEADING = "sent_id\tword\tform\thead\tdeprel\tconf\tconf_head\n"


def score_rows(model: ParserModel, retag: bool, keep: str | None, sentences: Sequence[Sentence]) -> Iterator[str]:
    """The lines of the table, after :data:`HEADING`, one per word. retag, keep: see :meth:`ParserModel.parse`."""
    trees, probabilities = model.scored(SentenceWords(sentences, retag, keep=keep))
    scores = zip(*probabilities.tolist(), strict=True)
    for sentence, tree in zip(sentences, trees_in(trees), strict=True):
        words = zip(sentence.column("form"), tree.heads[1:], tree.deprels[1:], strict=True)
        for number, (form, head, deprel) in enumerate(words, 1):
            arc, alone = next(scores)
            yield tsv_row((sentence.id, number, form, head, deprel, f"{arc:.4f}", f"{alone:.4f}"))


SMALLEST, LARGEST = 2**15, 2**21
"""Minimum and maximum number of bytes of a piece. The minimum is some hundred sentences, enough for large batches."""
REMOTE_SIZE = 2**23
"""Number of bytes of a piece for another machine: about the size of a large model, which is sent with each piece."""
PIECES = 4
"""Number of pieces per process if the size of the file is known."""
PACKED = 8
"""Approximate ratio of unpacked to packed size of compressed treebanks."""
AHEAD = 2
"""Maximum number of finished pieces per process that wait for output: a slow reader must not pile up results."""
PATIENCE = 5.0
"""Seconds to wait for a thread of the executor that older versions of Python may leave blocked."""


def piece_size(target: str, jobs: int) -> int:
    """The best size in bytes of the pieces of a file, so that each process gets several pieces.

    target: a path or "-".
    jobs: number of processes.
    """
    if jobs == 1:
        return LARGEST
    if not os.path.isfile(target):
        return LARGEST // 2
    unpacked = os.path.getsize(target) * (PACKED if compression_named(target) else 1)
    return min(LARGEST, max(SMALLEST, unpacked // (PIECES * jobs)))


def parse_pieces(
    parse: Callable[[Piece], ParsedPiece],
    pieces: Iterable[Piece],
    jobs: int = 1,
    warm: Callable[[Sequence[Piece]], None] = lambda pieces: None,
) -> Iterator[ParsedPiece]:
    """The results of ``parse`` for the pieces, in their order.

    jobs: number of processes.
    warm: receives the first pieces before processes are forked, to load the code that all processes need.

    Forked processes (on Linux) share the model in the memory of this process. Raises CrossarcError if ``jobs`` is below
    1 or a process ends unexpectedly. An error of ``parse`` is raised after all earlier results are returned.
    """
    if jobs < 1:
        raise CrossarcError(f"jobs: found {jobs}, expected a number, 1 or more")
    return map(parse, pieces) if jobs == 1 else _in_processes(parse, pieces, jobs, warm)


BETWEEN = b"\n\n"
"""What is between two sentences in a piece, and behind each in the result."""


class Together(NamedTuple):
    """The result of parsing several files as one. data: the bytes of each file. sentences, words: of all files."""

    data: list[bytes]
    sentences: int
    words: int


def parse_together(parser: PieceParser, files: Sequence[Sequence[Piece]]) -> Together | None:
    """The results of small files, parsed as one piece, since the cost of a piece hardly grows with its sentences.

    files: the pieces of each file.

    None if a file has something to tell of that must be told for the file: sentences without tags, or ones that are
    parsed differently because of their length. Raises CrossarcError for invalid sentences, with their place in a piece
    of all files.
    """
    pieces = [piece for file in files for piece in file]
    counts = [sum(piece.data.count(BETWEEN) + 1 for piece in file) for file in files]
    if not pieces:
        return Together([b"" for _ in files], 0, 0)
    if any(piece.layout != pieces[0].layout for piece in pieces):
        return None
    parsed = parser(pieces[0]._replace(data=BETWEEN.join(piece.data for piece in pieces)))
    blocks = parsed.data.split(BETWEEN)[:-1]
    if parsed.untagged or parsed.long or not len(blocks) == parsed.sentences == sum(counts):
        return None
    ends = np.cumsum(counts).tolist()
    data = [b"".join(block + BETWEEN for block in blocks[end - n : end]) for end, n in zip(ends, counts, strict=True)]
    return Together(data, parsed.sentences, parsed.words)


_parse: Callable[[Piece], ParsedPiece]


def _in_processes(
    parse: Callable[[Piece], ParsedPiece], pieces: Iterable[Piece], jobs: int, warm: Callable[[Sequence[Piece]], None]
) -> Iterator[ParsedPiece]:
    stream = iter(pieces)
    first = list(islice(stream, jobs))  # errors at the beginning of the file are raised here
    if not first:
        return
    fork = sys.platform == "linux"
    if fork:
        with suppress(CrossarcError):  # the same error is raised again when the piece is parsed
            warm(first)
    context = multiprocessing.get_context("fork" if fork else "spawn")
    executor = ProcessPoolExecutor(len(first), context, _begin, (parse,))
    waiting: deque[Future[ParsedPiece]] = deque()
    try:
        for piece in chain(first, stream):
            waiting.append(executor.submit(_parsed, piece))
            if len(waiting) == AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except (BrokenExecutor, MemoryError) as error:
        raise CrossarcError(
            "a worker process ended unexpectedly, possibly for lack of memory; use fewer jobs"
        ) from error
    finally:
        _end(executor)


def _end(executor: Any) -> None:
    """End the processes of an executor without waiting for results that are no longer needed.

    A process may end while it writes a result or before it has read a piece. The executor's threads that read results
    and write pieces notice this only if nobody else holds the other end of their pipe, so this process closes its
    copies. After the unexpected end of a process, newer versions of Python close that of the pieces in a thread of the
    executor. Two threads that close it at once may close a file of somebody else, so that thread is to finish first.
    """
    if executor._broken and executor._executor_manager_thread is not None:
        executor._executor_manager_thread.join(PATIENCE)
    executor._result_queue._writer.close()
    executor._call_queue._reader.close()
    for process in list((executor._processes or {}).values()):
        process.terminate()
    executor.shutdown()


def _begin(parse: Callable[[Piece], ParsedPiece]) -> None:
    """Prepare a worker process: it stores ``parse``, ignores interrupts, and ends when the main process ends."""
    global _parse
    _parse = parse
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    first = multiprocessing.parent_process()
    Thread(target=_end_after, args=(first,), daemon=True).start()


def _end_after(process: BaseProcess) -> None:
    process.join()
    os._exit(1)


def _parsed(piece: Piece) -> ParsedPiece:
    return _parse(piece)


def parse_remotely(
    pieces: Iterable[Piece], address: str, path: Path, beam: int, **options: Any
) -> Iterator[ParsedPiece]:
    """The parsed pieces, in their order, from the workers of a cluster, which read the model file.

    address: of the cluster, see :func:`~..base.cluster.on_cluster`.
    path: absolute path of the model file.
    beam: number of derivations in the beam; 0 for that of the model.
    options: of :class:`PieceParser`.

    An error, as in local parsing, is raised after all earlier results.
    """
    from joblib import Parallel, delayed

    from ..base.cluster import on_cluster

    with on_cluster(address), Parallel(n_jobs=-1, return_as="generator", pre_dispatch="2 * n_jobs") as parallel:
        for result in parallel(delayed(_parsed_in_worker)(piece, path, beam, **options) for piece in pieces):
            if isinstance(result, Exception):
                raise result
            yield result


def _parsed_in_worker(piece: Piece, path: Path, beam: int, **options: Any) -> ParsedPiece | CrossarcError:
    try:
        return _parser_there(path, beam, **options)(piece)
    except CrossarcError as error:
        return error


@lru_cache(maxsize=1)
def _parser_there(path: Path, beam: int, **options: Any) -> PieceParser:
    model = load_model(path)
    if beam:
        model = model.with_beam(beam)
    model.hint_workload(REMOTE_SIZE)
    return PieceParser(model, **options)
