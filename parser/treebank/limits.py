"""Limits of reading and training: generous and configurable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..base.errors import CrossarcError
from ..base.parameters import check_parameters, parameter, whole


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The section ``treebank.limits``: maximal sizes of the input.

    line: bytes of a line.
    sentence: lines of a sentence, including comments.
    bytes: bytes of a sentence, including comments.
    columns: columns of a row.
    labels: different dependency labels of a training treebank.

    Raises CrossarcError for values that are not allowed.

    >>> import io
    >>> import crossarc
    >>> list(crossarc.read_sentences(io.StringIO("1\\tw" + "\\t_" * 8), limits=crossarc.ReadingLimits(columns=9)))
    Traceback (most recent call last):
    crossarc.parser.base.errors.CrossarcError: <stream>:1: found 10 columns; allowed: 9 at most (limit columns)
    """

    line: int = parameter(10_000_000, whole(1), "maximum number of bytes of a line")
    sentence: int = parameter(100_000, whole(1), "maximum number of lines of a sentence, including comments")
    bytes: int = parameter(50_000_000, whole(1), "maximum number of bytes of a sentence, including comments")
    columns: int = parameter(1_000, whole(1), "maximum number of columns of a row")
    labels: int = parameter(
        10_000, whole(1), "maximum number of labels in training, including those that transforms add"
    )

    def __post_init__(self) -> None:
        check_parameters(self, "treebank.limits.")


NO_MORE = ReadingLimits()
"""The default limits."""


def above(found: str, most: int, limit: str) -> str:
    """The message that a value is above a limit."""
    return f"found {found}; allowed: {most} at most (limit {limit})"


def too_many_lines(most: int) -> str:
    """The message that a sentence has too many lines."""
    return above(f"a sentence of more than {most} lines", most, "sentence")


def within_lines(blocks: Iterable[bytes], most: int, source: str) -> Iterator[bytes]:
    """The blocks of a file with LF line ends. Raises CrossarcError at a line of more than ``most`` bytes."""
    number = 1
    begun = 0  # bytes so far of the line that continues in the next block
    for block in blocks:
        first = block.find(b"\n")
        rest = len(block) - first - 1
        if begun + (first if first >= 0 else len(block)) > most:
            raise _too_long(number, most, source)
        if first >= 0 and rest > most:
            for own, row in enumerate(block[first + 1 :].split(b"\n"), number + 1):
                if len(row) > most:
                    raise _too_long(own, most, source)
        begun = begun + len(block) if first < 0 else len(block) - block.rfind(b"\n") - 1
        number += block.count(b"\n")
        yield block


def within_bytes(paragraphs: bytes, line: int, most: int, source: str) -> bytes:
    """The paragraphs unchanged. Raises CrossarcError if one has more than ``most`` bytes.

    paragraphs: paragraphs separated by blank lines.
    line: line number of the first paragraph.
    """
    if len(paragraphs) > most:
        for own in paragraphs.split(b"\n\n"):
            body = own.strip(b"\n")
            if len(body) > most:
                at = line + len(own) - len(own.lstrip(b"\n"))
                found = above(f"a sentence of more than {most} bytes", most, "bytes")
                raise CrossarcError(f"{source}:{at}: {found}")
            line += own.count(b"\n") + 2
    return paragraphs


def _too_long(number: int, most: int, source: str) -> CrossarcError:
    return CrossarcError(f"{source}:{number}: {above(f'a line of more than {most} bytes', most, 'line')}")
