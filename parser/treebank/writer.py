"""Writing of sentences, the exact inverse of reading. Files are written completely or not at all."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NoReturn, cast

from ..base.errors import CrossarcError
from ..base.locks import lock, open_here
from .sentence import Sentence, file_texts, only_sentences
from .source import Target, compression_named, require_target, source_name

_YOUNG = 2.0
"""Seconds in which another process may have opened a file and not locked it yet, or closed it and not renamed it."""
_HELD = 1 << 24
"""Number of bytes of output that are held in memory until all of it is made; more are held in a file."""
_COPIED = 1 << 16
"""Number of bytes that are copied at once from such a file."""
_MOST_LINKS = 40
"""Links that Linux follows in one name; a name with more of them cannot be opened."""


def write_sentences(sentences: Iterable[Sentence], target: Target) -> None:
    """Write sentences as CoNLL, UTF-8 with LF line ends.

    target: a path, "-" (standard output), or an open stream, binary or text.

    A file appears, or is replaced, when all sentences are written. Files ending in ``.gz``, ``.bz2`` and ``.xz`` are
    compressed. Raises CrossarcError if the target cannot be written, an item is not a sentence, or sentences have other
    columns; BrokenPipeError if the reader of a pipe has closed it, and TypeError for other targets.

    >>> import crossarc
    >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> crossarc.write_sentences([dogs], "dogs.conllu.gz")
    >>> [again] = crossarc.read_sentences("dogs.conllu.gz")
    >>> again.heads()
    [-1, 2, 0]
    """
    with output(target) as write:
        for text in file_texts(only_sentences(sentences)):
            write(text.encode())


@contextmanager
def output(target: Target, *, whole: bool = False, at_once: bool = False) -> Iterator[Callable[[bytes], object]]:
    """A function that writes parts of UTF-8 text in the block, as :func:`write_sentences` writes sentences.

    whole: whether a stream, too, gets all parts or, after an exception in the block, none.
    at_once: whether a stream gets each part as soon as it is written.
    """
    require_target(target, "write")
    if isinstance(target, str | Path) and str(target) != "-":
        with atomic_output(target) as file:
            yield file.write
        return
    stream: IO[Any] = sys.stdout if isinstance(target, str | Path) else target
    told = "<stdout>" if stream is not target else source_name(target)
    with _telling(told):
        stream.flush()
    binary: IO[Any] = getattr(stream, "buffer", stream)
    is_text = hasattr(binary, "encoding")  # also of what wraps a text stream, as the command line does

    def write(part: bytes) -> None:
        try:  # one context for each sentence would take a tenth of the writing time
            binary.write(part.decode() if is_text else part)
            if at_once:
                binary.flush()
        except OSError as error:
            _tell(error, told)

    if whole:
        with SpooledTemporaryFile(_HELD) as held:
            yield held.write
            held.seek(0)
            for lines in iter(partial(held.readlines, _COPIED), []):
                write(b"".join(lines))
    else:
        yield write
    with _telling(told):
        binary.flush()


@contextmanager
def atomic_output(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary stream to a file that appears under its name only if the block ends without an exception.

    The content is written to a new file in the same folder, which must exist, and this file is renamed at the end.
    After an exception nothing is left. Unfinished files of the same name, left by killed processes, are removed.

    Names that end in ``.gz``, ``.bz2`` or ``.xz`` get compressed contents. Existing devices and named pipes are written
    directly. Links are followed, unless another user made the link in a folder that this other user does not own.

    Raises CrossarcError, ``path: cannot be written: why``.
    """
    name = str(path)
    with _telling(name):
        _refuse_foreign_link(Path(path), name)
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise CrossarcError(f"{path}: cannot be written: it is a folder")
        whole = not target.exists() or target.is_file()
    if not whole:
        with _opened(target, "wb", name) as stream, _compressed(stream, target) as compressed:
            yield compressed
        return
    _remove_abandoned(target)
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with _opened(beside, "xb", name) as stream:
            with _telling(name):
                lock(stream)
                if target.exists() and hasattr(os, "fchmod"):  # the path could lead to a file of another user by now
                    os.fchmod(stream.fileno(), stat.S_IMODE(target.stat().st_mode))
            with _compressed(stream, target) as compressed:
                yield compressed
            with _telling(name):
                stream.flush()
                if os.utime in os.supports_fd:
                    os.utime(stream.fileno())
        with _telling(name):
            beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


class _OutputFile(io.FileIO):
    """A file whose write errors name the path that the user gave. Other errors in the block stay as they are."""

    def __init__(self, path: Path, mode: str, told: str) -> None:
        super().__init__(path, mode)
        self._told = told

    def write(self, data: Any) -> int:
        with _telling(self._told):
            return super().write(data)

    def close(self) -> None:
        with _telling(self._told):
            super().close()


def _opened(path: Path, mode: str, told: str) -> IO[bytes]:
    with _telling(told):
        return io.BufferedWriter(_OutputFile(path, mode, told))


def _refuse_foreign_link(path: Path, told: str) -> None:
    """Refuse a link with which another user may try to have a file of this user overwritten."""
    for _ in range(_MOST_LINKS):
        if not path.is_symlink():
            return
        owner = path.lstat().st_uid
        if owner != path.parent.stat().st_uid and owner != os.geteuid():
            raise CrossarcError(f"{told}: cannot be written: {path} is a link of another user; write another file")
        path = path.parent / path.readlink()


def _remove_abandoned(target: Path) -> None:
    """Remove the unfinished files of this target that no running process writes."""
    beginning = (
        f".{target.name}."  # tested first, since each target looks through a folder of perhaps thousands of files
    )
    unfinished = re.compile(rf"{re.escape(beginning)}[0-9a-f]{{8}}\.part")
    with suppress(OSError):
        for name in os.listdir(target.parent):
            if not name.startswith(beginning):
                continue
            path = target.parent / name
            if unfinished.fullmatch(name) and time.time() - path.lstat().st_mtime > _YOUNG:
                with suppress(OSError), open_here(path, "rb") as stream:
                    if lock(stream):
                        path.unlink()


@contextmanager
def _compressed(stream: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    """The stream through the compressor that the suffix of the path names. Equal contents give equal bytes."""
    kind = compression_named(path)
    if not kind:
        yield stream
        return
    packer: Any = {".gz": gzip.GzipFile, ".bz2": bz2.BZ2File, ".xz": lzma.LZMAFile}[kind]
    options: Any = {"filename": "", "fileobj": stream, "mtime": 0} if kind == ".gz" else {"filename": stream}
    with packer(mode="wb", **options) as packed, io.BufferedWriter(packed, 1 << 16) as buffered:
        yield cast(IO[bytes], buffered)


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """Convert an OSError to a CrossarcError.

    A closed pipe stays a BrokenPipeError, which commands handle themselves.
    """
    try:
        yield
    except OSError as error:
        _tell(error, name)


def _tell(error: OSError, name: str) -> NoReturn:
    if isinstance(error, BrokenPipeError):
        raise error
    raise CrossarcError(f"{name}: cannot be written: {error.strerror or error}") from None
