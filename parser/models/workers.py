"""Processes that parse pieces of a file: text in, text out, one copy of the model for all of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

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


def _in_processes(
    parse: Callable[[Piece], Parsed], pieces: Iterable[Piece], jobs: int, warm: Callable[[Sequence[Piece]], None]
) -> Iterator[Parsed]:
    stream = enumerate(pieces)
    first = list(islice(stream, jobs))  # raises here what the beginning of the file has wrong
    fork = sys.platform == "linux"
    if fork and first:
        with suppress(CrossarcError):  # said again where it is due
            warm([piece for _, piece in first])
    context: Any = multiprocessing.get_context("fork" if fork else "spawn")
    ours: list[Connection] = []
    processes = []
    try:
        for _ in first:
            own, theirs = context.Pipe()
            process = context.Process(target=_work, args=(parse, theirs, [*ours, own] if fork else []), daemon=True)
            process.start()
            theirs.close()
            ours.append(own)
            processes.append(process)
        yield from _collected(ours, first, stream)
    finally:
        for own in ours:
            own.close()
        for process in processes:
            process.terminate()
            process.join()


def _collected(
    workers: list[Connection], first: list[tuple[int, Piece]], stream: Iterator[tuple[int, Piece]]
) -> Iterator[Parsed]:
    """Hand out a piece to each worker and the next one to whichever is ready, and give back results in order."""
    doing: dict[Connection, int] = {}
    done: dict[int, Parsed | Exception] = {}
    waiting = list(reversed(first))
    idle = list(workers)
    due = 0
    ended = False
    while True:
        while idle and not ended and (waiting or len(done) + len(doing) < AHEAD * len(workers)):
            task = waiting.pop() if waiting else next(stream, None)
            if task is None:
                ended = True
                break
            worker = idle.pop()
            _exchanged(worker.send, task[1])
            doing[worker] = task[0]
        if due in done:
            result = done.pop(due)
            if isinstance(result, Exception):
                raise result
            due += 1
            yield result
        elif doing:
            for ready in wait(list(doing)):
                assert isinstance(ready, Connection)
                done[doing.pop(ready)] = _exchanged(ready.recv)
                idle.append(ready)
        else:
            return


def _exchanged(exchange: Callable[..., Any], *values: Any) -> Any:
    try:
        return exchange(*values)
    except (EOFError, OSError) as error:
        raise CrossarcError("a worker process ended before it should; was there too little memory?") from error


def _work(parse: Callable[[Piece], Parsed], connection: Connection, others: list[Connection]) -> None:
    """Parse what comes, until the other end is closed. others: the ends of other processes, which forking has opened
    here, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the first process's affair
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # by which that ends this one, at once
    for other in others:
        other.close()
    with suppress(EOFError, BrokenPipeError, MemoryError):  # of the last the first process hears by the silence
        while True:
            piece = connection.recv()
            try:
                result: Parsed | Exception = parse(piece)
            except Exception as error:  # raised where the result is asked for
                result = error
            connection.send(result)
