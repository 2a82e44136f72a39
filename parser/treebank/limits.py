"""Limits of reading and training: far above all known treebanks, so that hostile files cannot fill the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..base.errors import CrossarcError

LINE = 10_000_000
"""Maximum number of bytes of a line."""
SENTENCE = 100_000
"""Maximum number of lines of a sentence, including comments."""
BYTES = 50_000_000
"""Maximum number of bytes of a sentence, including comments."""
COLUMNS = 1_000
"""Maximum number of columns of a row."""
LABELS = 10_000
"""Maximum number of labels in training, including those that transforms add; the tables of learners grow with them."""


def above(found: str, most: int) -> str:
    """The message that a value is above a limit."""
    return f"found {found}; allowed: {most} at most"


def too_many_lines() -> str:
    """The message that a sentence has too many lines."""
    return above(f"a sentence of more than {SENTENCE} lines", SENTENCE)


def within_lines(blocks: Iterable[bytes], source: str) -> Iterator[bytes]:
    """The blocks of a file with LF line ends. Raises CrossarcError at a line of more than :data:`LINE` bytes."""
    number = 1
    begun = 0  # bytes so far of the line that continues in the next block
    for block in blocks:
        lines = block.split(b"\n") if begun + len(block) > LINE else []
        for own, row in enumerate(lines, number):
            if len(row) + (begun if own == number else 0) > LINE:
                raise CrossarcError(f"{source}:{own}: {above(f'a line of more than {LINE} bytes', LINE)}")
        cut = block.rfind(b"\n")
        begun = begun + len(block) if cut < 0 else len(block) - cut - 1
        number += block.count(b"\n")
        yield block


def within_bytes(paragraphs: bytes, line: int, source: str) -> bytes:
    """The paragraphs unchanged. Raises CrossarcError if one has more than :data:`BYTES` bytes.

    paragraphs: paragraphs separated by blank lines.
    line: line number of the first paragraph.
    """
    if len(paragraphs) > BYTES:
        for own in paragraphs.split(b"\n\n"):
            body = own.strip(b"\n")
            if len(body) > BYTES:
                at = line + len(own) - len(own.lstrip(b"\n"))
                raise CrossarcError(f"{source}:{at}: {above(f'a sentence of more than {BYTES} bytes', BYTES)}")
            line += own.count(b"\n") + 2
    return paragraphs
