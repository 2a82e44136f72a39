"""Notes below tables and reports that explain their terms."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 99
LONGEST = 16
SHOWN = 3


def format_notes(notes: Iterable[tuple[str, str]]) -> list[str]:
    """Format terms and meanings as indented lines of under 100 characters. The meanings form a second column.

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


def grouped_lines(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The entries, each (kind, line), by kind in the order of first occurrence: a heading with their number, then the
    first three.

    >>> print(*grouped_lines([("cycle", f"line {number}") for number in (2, 5, 9, 11)]), sep="\\n")
    cycle: 4
      line 2
      line 5
      line 9
      and 1 more; --json lists them
    """
    groups: dict[str, list[str]] = {}
    for kind, line in entries:
        groups.setdefault(kind, []).append(line)
    for kind, lines in groups.items():
        yield f"{kind}: {len(lines)}"
        yield from (f"  {line}" for line in lines[:SHOWN])
        if len(lines) > SHOWN:
            yield f"  and {len(lines) - SHOWN} more; --json lists them"
