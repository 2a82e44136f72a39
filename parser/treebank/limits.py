"""Limits of reading and training: far above all known treebanks, so that hostile files cannot fill the memory."""

from __future__ import annotations

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


def above(size: str, most: int) -> str:
    """The message that a value is above a limit."""
    return f"found {size}; allowed: {most} at most"


def check(part: bytes, line: int, source: str) -> None:
    """Raise CrossarcError if a part of a file without blank lines inside is above the limits.

    line: line number of its beginning.
    """
    body = part.strip(b"\n")
    line += len(part) - len(part.lstrip(b"\n"))
    if len(body) > LINE:
        for number, row in enumerate(body.split(b"\n"), line):
            if len(row) > LINE:
                raise CrossarcError(f"{source}:{number}: {above(f'a line of more than {LINE} bytes', LINE)}")
    if len(body) > BYTES:
        raise CrossarcError(f"{source}:{line}: {above(f'a sentence of more than {BYTES} bytes', BYTES)}")
    if len(body) > SENTENCE and body.count(b"\n") >= SENTENCE:
        raise CrossarcError(f"{source}:{line}: {above(f'a sentence of more than {SENTENCE} lines', SENTENCE)}")
