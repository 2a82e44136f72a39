"""Columns without a value: a model that looks at them parses, but not well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from .sentence import Sentence

__all__ = ["watch_empty_columns"]

FIRST = 1000
"""Sentences that are looked at: those of the first batch that a parser reads."""
EMPTY = frozenset({"_", ""})


def watch_empty_columns(
    sentences: Iterable[Sentence], names: Collection[str], tell: Callable[[list[str]], None], first: int = FIRST
) -> Iterator[Sentence]:
    """The sentences as they come; ``tell`` gets those of the columns ``names`` that have no value in any of the first,
    in the order of the file.

    It is called once, after the first so many sentences or at the end of fewer, and not at all if each column has a
    value. Columns that are not there at all are not empty.
    """
    left = list(names)
    seen = 0
    for sentence in sentences:
        if seen < first:
            seen += 1
            there = sentence.format.index
            left = sorted({name for name in left if name in there and EMPTY.issuperset(sentence.column(name))})
            left.sort(key=there.__getitem__)
            if seen == first and left:
                tell(left)
        yield sentence
    if 0 < seen < first and left:
        tell(left)
