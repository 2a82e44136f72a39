"""The line of words below the arcs, with multiword tokens and empty nodes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ...treebank import Sentence
from ...treebank.sentence import misc_entries

SOFT_HYPHEN = "\u00ad"
"""The format character that terminals show."""
HANGUL_VOWEL, HANGUL_FINAL = "\u1160", "\u11ff"
"""The first and last letters of Korean that are drawn into the square of the letter before."""
FIRST_STRONG_ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"


class MultiwordToken(NamedTuple):
    """A token that is written as one word and analysed as the words ``first`` to ``last``."""

    first: int
    last: int
    form: str


class EmptyNode(NamedTuple):
    """An empty node after word ``after`` (0: at the beginning). The tree has no arc to it."""

    after: int
    form: str


@dataclass(frozen=True, slots=True)
class WordLine:
    """The words below the arcs.

    below: rows of n texts below the words, such as parts of speech.
    """

    forms: Sequence[str]
    below: Sequence[Sequence[str]] = ()
    multiword: Sequence[MultiwordToken] = ()
    empty: Sequence[EmptyNode] = ()
    right_to_left: bool = False


def word_line(sentence: Sentence, below: Sequence[str] | None = None) -> WordLine:
    """Return the line of a sentence.

    below: names of columns to show below the words, or keys of MISC, which have a capital, such as Gloss (default:
        parts of speech, if any).

    Raises CrossarcError for a column that the format does not have.
    """
    form = sentence.format.index["form"]
    multiword = [MultiwordToken(first, last, cells[form]) for first, last, cells in sentence.multiword_tokens()]
    rows = ((before, row.split("\t")) for before, row in sentence.extras)
    empty = [EmptyNode(before, cells[form]) for before, cells in rows if "-" not in cells[0]]
    if below is None:
        below = [name for name in ("upos",) if name in sentence.format.index and {*sentence.column(name)} - {"_"}]
    columns = [_misc_values(sentence, name) if name[:1].isupper() else sentence.column(name) for name in below]
    return WordLine(sentence.column("form"), columns, multiword, empty, right_to_left(sentence.column("form")))


def _misc_values(sentence: Sentence, key: str) -> tuple[str, ...]:
    """The value of a key of MISC for each word; "_" without it."""
    return tuple(misc_entries(misc).get(key, "") or "_" for misc in sentence.column("misc"))


def right_to_left(forms: Sequence[str]) -> bool:
    """Return whether most letters of the words belong to scripts that run from right to left."""
    kinds = [unicodedata.bidirectional(letter) for form in forms for letter in form]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")


def text_columns(content: str) -> int:
    """Return the number of terminal columns of a text: two for a wide character, none for marks and joiners."""
    return len(content) if content.isascii() else sum(map(_columns, content))


@lru_cache(maxsize=1 << 14)
def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") and character != SOFT_HYPHEN:
        return 0
    if HANGUL_VOWEL <= character <= HANGUL_FINAL:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def isolated(form: str) -> str:
    """Return a word so that it keeps its place in a terminal that orders texts from right to left."""
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in form):
        return f"{FIRST_STRONG_ISOLATE}{form}{END_OF_ISOLATE}"
    return form
