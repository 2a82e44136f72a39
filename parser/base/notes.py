"""Notes under tables and reports that explain their words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

WIDTH = 99
LONGEST = 16


def format_notes(notes: Iterable[tuple[str, str]]) -> list[str]:
    """Words and their meanings as lines of under 100 characters, indented, the meanings one below the other.

    >>> print(*format_notes([("P", "precision"), ("labelled P", "the label right too")]), sep="\\n")
      P           precision
      labelled P  the label right too
    """
    listed = list(notes)
    column = min(LONGEST, max((len(word) for word, _ in listed), default=0)) + 4
    lines = []
    for word, meaning in listed:
        start = f"  {word}  ".ljust(column)
        lines += textwrap.wrap(meaning, WIDTH, initial_indent=start, subsequent_indent=" " * column)
    return lines
