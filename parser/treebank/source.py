"""Reading of files and pipes, compressed or not, as paragraphs of text, with one block in memory at a time."""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, TypeAlias

from ..base.errors import CrossarcError
from . import limits
from .faults import PLAIN_TEXT, Fault

Target: TypeAlias = str | Path | IO[Any]
"""A path, "-" for the standard stream, or an open stream, binary or text (including io.StringIO)."""

_BLOCK = 1 << 20
_LEAST_TABS = 5  # number of TABs from ID to FEATS, the narrowest row of any format
_LINE_END = re.compile(rb"\r+\n")
_ROW_AFTER_CR = re.compile(rb"\r(?:#|\d+\t)")
_LINE = re.compile(rb"\n")
_HEAD = 64
"""Number of bytes in which UTF-16 without a byte order mark is recognized: every other one is 0."""
_GAP = re.compile(rb"\n\n(?!\n)")
_MAGIC = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\x00": ".xz", b"(\xb5/\xfd": ".zst"}
"""Suffixes of compressed files by their first bytes, with which no text in UTF-8 begins."""
_LONG_MAGIC = {b"PK\x03\x04": ".zip"} | {b"BZh%d1AY&SY" % level: ".bz2" for level in range(1, 10)}
"""The same for first bytes that begin no text if there are all of them."""
_LONGEST_MAGIC = max(map(len, [*_MAGIC, *_LONG_MAGIC]))
COMPRESSED = (".gz", ".bz2", ".xz")
"""Suffixes of compressed files that are read and written."""


def compression(head: bytes) -> str:
    """The suffix of compressed data; "" for other data. head: their first bytes, possibly few."""
    few = (suffix for magic, suffix in _MAGIC.items() if head and magic.startswith(head[: len(magic)]))
    return next(few, next((suffix for magic, suffix in _LONG_MAGIC.items() if head.startswith(magic)), ""))


def compression_named(path: str | Path) -> str:
    """The suffix of compressed files that a name has, in lower case; "" for other names."""
    suffix = Path(path).suffix.lower()
    return suffix if suffix in COMPRESSED else ""


def require_target(target: object, method: str) -> None:
    """Raise TypeError unless the target is a path or a stream with the method, and CrossarcError if it is closed.

    method: "read" or "write".
    """
    if isinstance(target, str | Path):
        return
    stream: Any = target
    if not callable(getattr(stream, method, None)):
        raise TypeError(f"expected a path, '-' or an open file to {method}, found {type(target).__name__}")
    if getattr(stream, "closed", False) is True:
        raise CrossarcError(f"{source_name(stream)}: is closed, expected a file that is open to {method}")


def source_name(target: Target) -> str:
    """The name of the source in messages."""
    if isinstance(target, str | Path):
        return "<stdin>" if str(target) == "-" else str(target)
    name = getattr(target, "name", None)
    return name if isinstance(name, str) else "<stream>"


def size_of(target: Target) -> int | None:
    """The number of bytes that reading a file takes; None for streams, pipes, compressed files and unreadable files."""
    if not isinstance(target, str | Path) or not Path(target).is_file():
        return None
    try:
        with open(target, "rb") as file:
            return None if compression(file.read(_LONGEST_MAGIC)) else os.fstat(file.fileno()).st_size
    except OSError:
        return None


def parts_of(target: Target, lines: bool = False) -> Iterator[tuple[int, bytes]]:
    """The parts of a source, each with the number of its first line.

    target: the source, a path, "-" (standard input), or an open stream.
    lines: whether each line is a part. Otherwise a part ends before a blank line; if several blank lines follow each
        other, all but the last belong to the part.

    A part is returned as soon as it is complete. CRLF becomes LF; a byte order mark is removed. Raises CrossarcError
    for files that cannot be read or decompressed, and for lines and paragraphs above the limits.
    """
    name = source_name(target)
    split, ends = (_LINE.split, 1) if lines else (_GAP.split, 2)
    held, line = b"", 1
    for block in _normalized(target, name):
        *parts, held = split(held + block)
        for part in parts:
            limits.check(part, line, name)
            yield line, _without_mark(part, line)
            line += part.count(b"\n") + ends
        if line == 1 and len(held) >= _BLOCK and not lines:
            _require_row(held, name)
        limits.check(held, line, name)
    yield line, _without_mark(held, line)


def _without_mark(raw: bytes, line: int) -> bytes:
    """The bytes without a byte order mark, which only line 1 can have. line: number of the line where they begin."""
    return raw.removeprefix(codecs.BOM_UTF8) if line == 1 else raw


def paragraphs_in(text: str, line: int) -> Iterator[tuple[int, str]]:
    """The paragraphs of a text, each with the number of its first line and without its last line end.

    text: text with LF line ends; blank lines separate paragraphs.
    line: line number of the first line.
    """
    for paragraph in text.split("\n\n"):
        body = paragraph.lstrip("\n")
        if body:
            yield line + len(paragraph) - len(body), body.rstrip("\n")
        line += paragraph.count("\n") + 2


def joined(parts: Iterable[tuple[int, bytes]], size: int) -> Iterator[tuple[int, bytes]]:
    """Paragraphs, joined to pieces of about ``size`` bytes, each with the number of its first line.

    size: approximate number of bytes; 0 yields each paragraph as soon as it is complete.

    Pieces have no line ends at the beginning and end.
    """
    held: list[bytes] = []
    first = waiting = 0
    for line, part in parts:
        first = first if held else line
        held.append(part)
        waiting += len(part)
        if waiting >= size:
            yield from _stripped(first, b"\n\n".join(held))
            held, waiting = [], 0
    yield from _stripped(first, b"\n\n".join(held))


def _stripped(line: int, raw: bytes) -> Iterator[tuple[int, bytes]]:
    body = raw.lstrip(b"\n")
    if body:
        yield line + len(raw) - len(body), body.rstrip(b"\n")


def _require_row(head: bytes, name: str) -> None:
    """Raise CrossarcError if the first complete row after the comments is not a CoNLL row.

    Another file without blank lines would otherwise be held in memory as one sentence.
    """
    for number, row in enumerate(head.split(b"\n")[:-1], 1):
        if row and not row.startswith((b"#", b"\xef\xbb\xbf#")):
            if row.count(b"\t") < _LEAST_TABS:
                message = f"not a CoNLL row, expected 10 or more columns separated by TAB{PLAIN_TEXT}"
                raise CrossarcError(f"{name}:{number}: {message}")
            return


def _normalized(target: Target, name: str) -> Iterator[bytes]:
    """Blocks with LF line ends. CRs at the end of a line or of the file are removed."""
    held = b""
    with opened(target, name) as stream:
        while block := _guarded(stream, name):
            block = held + block if held else block
            held = b""
            if b"\n" not in block and _ROW_AFTER_CR.search(block):
                remedy = "convert them: tr '\\r' '\\n' < OLD > NEW"
                raise CrossarcError(f"{name}: lines end in CR alone, expected LF or CRLF; {remedy}")
            if b"\r" in block:
                line = block.rstrip(b"\r")
                held = block[len(line) :]
                block = _LINE_END.sub(b"\n", line)
            yield block


def decoded(raw: bytes, name: str, line: int, bad: list[Fault] | None = None) -> str:
    """The text of bytes in UTF-8.

    raw: the bytes.
    name: file name for messages.
    line: line number of the first line.
    bad: receives a fault for each invalid line, which is then read with replacement characters.

    Raises CrossarcError for invalid UTF-8 if ``bad`` is None.
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        pass
    for number, row in enumerate(raw.split(b"\n"), line):
        try:
            row.decode()
        except UnicodeDecodeError as error:
            message = f"byte 0x{row[error.start]:02x} at position {error.start + 1} of the line, expected UTF-8"
            report(Fault(number, "encoding", message), name, bad)
    return raw.decode("utf-8", "replace")


def report(fault: Fault, name: str, bad: list[Fault] | None) -> None:
    """Add a fault to the list, or raise it as CrossarcError if there is none. name: file name."""
    if bad is None:
        raise fault.error(name) from None
    bad.append(fault)


@contextmanager
def opened(target: Target, name: str) -> Iterator[io.BufferedIOBase]:
    """The decompressed bytes. Closes files at the end; streams from the caller stay open."""
    with _named(name):
        raw = _buffered(target)
    with raw:
        with _naming(name):
            kind = compression(raw.peek(_LONGEST_MAGIC))
        if kind and kind not in COMPRESSED:
            known = ", ".join(COMPRESSED)
            raise CrossarcError(f"{name}: compressed as {kind}, which is not read; unpack it, or use one of {known}")
        if (named := compression_named(name)) and named != kind:
            raise CrossarcError(f"{name}:1: not compressed as {named}, although the file name says so; rename the file")
        openers: Mapping[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, "": nullcontext}
        with openers[kind](raw) as unpacked:
            with _naming(name):
                head = unpacked.peek(_HEAD)[:_HEAD]
            if _is_utf16(head):
                remedy = "save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8"
                raise CrossarcError(f"{name}: UTF-16, expected UTF-8; {remedy}")
            yield unpacked


def _is_utf16(head: bytes) -> bool:
    """Whether a file begins with the byte order mark of UTF-16, or as ASCII text does in UTF-16 without the mark."""
    every_other_is_0 = len(head) == _HEAD and any(head[::2]) != any(head[1::2])
    return head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or every_other_is_0


def _guarded(stream: io.BufferedIOBase, name: str) -> bytes:
    """The next available bytes. Does not wait for a full block: data from a pipe are passed on as they arrive."""
    with _naming(name):
        return stream.read1(_BLOCK)


class HashedFile(io.FileIO):
    """A file that computes the SHA-256 of its bytes while it is read. Raises CrossarcError if it cannot be opened."""

    def __init__(self, path: str) -> None:
        self._digest = hashlib.sha256()
        with _named(path):
            super().__init__(path)

    def readinto(self, buffer: Any) -> int:
        size = super().readinto(buffer)
        self._digest.update(memoryview(buffer)[:size])
        return size

    def sha256(self) -> str:
        """The SHA-256 of the whole file, in hexadecimal; reads what is left of it."""
        rest = bytearray(_BLOCK)
        while self.readinto(rest):
            pass
        return self._digest.hexdigest()


@contextmanager
def _named(name: str) -> Iterator[None]:
    """As :func:`_naming`, for opening: also for names with a null character."""
    try:
        with _naming(name):
            yield
    except ValueError as error:
        raise CrossarcError(f"{name!a}: cannot be read: {error}") from None


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Convert file errors to CrossarcErrors that name the file."""
    try:
        yield
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise CrossarcError(f"{name}: damaged compressed data: {error}") from None
    except OSError as error:
        fault = "cannot be read" if error.errno else "damaged compressed data"  # bzip2 raises OSError without a number
        raise CrossarcError(f"{name}: {fault}: {error.strerror or error}") from None


def _buffered(target: Any) -> io.BufferedReader:
    """A buffer in front of a file, of standard input, or of a stream of the caller; it never closes the last two."""
    if isinstance(target, str | Path) and str(target) != "-":
        return io.BufferedReader(io.FileIO(target), _BLOCK)
    stream: Any = sys.stdin if isinstance(target, str | Path) else target
    if stream is None:
        raise CrossarcError("<stdin>: cannot be read: standard input is closed")
    stream = getattr(stream, "buffer", stream)
    return io.BufferedReader(_Bytes(getattr(stream, "read1", stream.read)), 4 * _BLOCK)


class _Bytes(io.RawIOBase):
    """The bytes that a function returns which reads at most so many bytes or characters."""

    def __init__(self, read: Callable[[int], bytes | str]) -> None:
        self._read = read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._read(max(1, len(buffer) // 4))  # a character has four bytes at most
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")  # half a surrogate pair is rejected later as invalid UTF-8
        buffer[: len(data)] = data
        return len(data)


def require_file(path: str) -> None:
    """Raise CrossarcError for a pipe or a device, which can be read only once. Missing files are reported when read."""
    file = Path(path)
    if path == "-" or (file.exists() and not file.is_file() and not file.is_dir()):
        raise CrossarcError(f"{source_name(path)}: a pipe, which cannot be read twice; expected a file")


def checksum(path: str) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal. Raises CrossarcError if the path is unreadable or not a file."""
    require_file(path)
    with _naming(path), open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
