"""Columns without a value: a model that looks at them parses, but not well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice

from .blocks import Piece, sentences_in
from .sentence import Sentence

__all__ = ["watch_empty_columns", "watch_empty_pieces"]

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
            left = _without_value(sentence, left)
            if seen == first and left:
                tell(left)
        yield sentence
    if 0 < seen < first and left:
        tell(left)


def watch_empty_pieces(
    pieces: Iterable[Piece], names: Collection[str], tell: Callable[[list[str]], None], first: int = FIRST
) -> Iterator[Piece]:
    """The pieces of a file as they come, watched as :func:`watch_empty_columns` watches sentences; of those of the
    beginning so many are looked at as it takes until each column has had a value."""
    left = list(names)
    seen = 0
    for piece in pieces:
        if left and seen < first:
            for sentence in islice(sentences_in(piece), first - seen):
                seen += 1
                left = _without_value(sentence, left)
                if not left:
                    break
            if seen == first and left:
                tell(left)
        yield piece
    if 0 < seen < first and left:
        tell(left)


def _without_value(sentence: Sentence, names: Collection[str]) -> list[str]:
    """Those of the columns that have no value in the sentence, in the order of the file."""
    there = sentence.format.index
    left = {name for name in names if name in there and EMPTY.issuperset(sentence.column(name))}
    return sorted(sorted(left), key=there.__getitem__)
