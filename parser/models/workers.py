"""Processes that parse pieces of a file: text in, text out, one copy of the model for all of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

from ..base.errors import CrossarcError
from ..treebank import Piece
from .pieces import Parsed

SMALLEST, LARGEST = 2**15, 2**21
"""Bytes of a piece: some hundred sentences at least, so that many of them are advanced in lockstep."""
REMOTE_SIZE = 2**23
"""Bytes of a piece for another machine: as many as a large model has, which goes along with each."""
PIECES = 4
PACKED = 8
"""Compressed treebanks unpack to about so many times their size."""
AHEAD = 2
"""So many pieces for each process may be done before the ones that are due: a slow reader must not pile up results."""


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
    first = list(islice(stream, jobs))  # raises here what the beginning of the file has wrong
    if not first:
        return
    fork = sys.platform == "linux"
    if fork:
        with suppress(CrossarcError):  # raised again where it is due
            warm(first)
    others = multiprocessing.active_children()
    context = multiprocessing.get_context("fork" if fork else "spawn")
    pool = ProcessPoolExecutor(len(first), context, _begin, (parse,))
    doing: deque[Future[Parsed]] = deque()
    try:
        for piece in chain(first, stream):
            doing.append(pool.submit(_parsed, piece))
            if len(doing) == AHEAD * len(first):
                yield doing.popleft().result()
        while doing:
            yield doing.popleft().result()
    except (BrokenProcessPool, MemoryError) as error:
        raise CrossarcError("a worker process ended before it should; was there too little memory?") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():  # at once, whatever they are parsing
            if process not in others:
                process.terminate()
                process.join()


def _begin(parse: Callable[[Piece], Parsed]) -> None:
    """Prepare a worker process."""
    global _parse
    _parse = parse
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is handled by the first process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # by which the first process ends this one


def _parsed(piece: Piece) -> Parsed:
    return _parse(piece)
