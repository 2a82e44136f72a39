"""Long lists in readable form: entries grouped by kind, with counts and first occurrences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SHOWN = 3


def grouped_lines(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The entries, each (kind, line), by kind in the order of first occurrence: a heading with their number, then the
    first three.

    >>> print(*grouped_lines([("cycle", f"line {number}") for number in (2, 5, 9, 11)]), sep="\\n")
    cycle: 4
      line 2
      line 5
      line 9
      and 1 more; --all lists them
    """
    groups: dict[str, list[str]] = {}
    for kind, line in entries:
        groups.setdefault(kind, []).append(line)
    for kind, lines in groups.items():
        yield f"{kind}: {len(lines)}"
        yield from (f"  {line}" for line in lines[:SHOWN])
        if len(lines) > SHOWN:
            yield f"  and {len(lines) - SHOWN} more; --all lists them"
