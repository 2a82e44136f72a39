"""Texts as arrays of characters whose substrings have constant-time hashes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Bools, Ints

Hashes: TypeAlias = NDArray[np.uint64]

BASE = 0x9E3779B97F4A7C15
"""An odd number, so that it has an inverse modulo 2**64."""
SPACE, UPPER, LETTER, DIGIT, OTHER = range(1, 6)
"""Classes of characters. A character that is none of the first four has the class OTHER plus its code point."""
OPENING = OTHER + 0x110000
"""The class of straight quotation marks that open a quotation."""
LINE_END, QUOTATION_MARK = ord("\n"), ord('"')
INVISIBLE = "\ufeff"
"""Characters that separate tokens although Unicode does not count them as spaces: the byte order mark."""


def is_space(character: str) -> bool:
    """Whether the character separates tokens."""
    return character.isspace() or character in INVISIBLE


class Characters:
    """The characters of a text and of an empty line after it, with their chunks (maximal sequences without spaces).

    text: the characters.
    codes: code points (uint32, (n,)).
    space: whether a character is a space (bool, (n,)).
    letters: whether it is a letter or a mark (bool, (n,)).
    chunks: first characters of the chunks (int64, (chunks,)).
    chunk: number of the chunk that contains a character (int64, (n,)).
    start, end: first and last + 1 character of the chunk that contains a character (int64, (n,)).
    following: the nearest character at or after a character that is not a space (int64, (n,)); n - 1 if there is none.
    lines: number of line ends up to a character (int64, (n,)).
    paragraph: number of the paragraph of a character; empty lines end paragraphs (int64, (n,)).
    """

    def __init__(self, text: str) -> None:
        self.text = f"{text}\n\n"
        self.codes = np.frombuffer(self.text.encode("utf-32-le"), np.uint32)
        n = len(self.codes)
        known = np.flatnonzero(np.bincount(self.codes))
        classes, lowered = (_table(known, kind)[self.codes] for kind in (_class_of, _lower_of))
        self.space: Bools = classes == SPACE
        self.letters: Bools = (classes == LETTER) | (classes == UPPER)
        at = np.arange(n)
        begins = ~self.space & np.roll(self.space, 1)
        self.chunks = np.flatnonzero(begins)
        self.chunk = np.cumsum(begins) - 1
        self.start = np.maximum.accumulate(np.where(self.space, at + 1, 0))
        self.end = np.minimum.accumulate(np.where(self.space, at, n)[::-1])[::-1]
        self.following = np.minimum.accumulate(np.where(self.space, n - 1, at)[::-1])[::-1]
        preceding = np.maximum.accumulate(np.where(self.space, 0, at))
        self.lines = np.cumsum(self.codes == LINE_END)
        empty_line = self.space & (self.lines - self.lines[preceding] > 1)
        self.paragraph = np.cumsum(empty_line & ~np.concatenate([[False], empty_line[:-1]]))
        marks = np.flatnonzero(self.codes == QUOTATION_MARK)
        classes[marks[self._opening(marks)]] = OPENING
        self._powers, self._inverse = _powers(BASE, n), _powers(pow(BASE, -1, 2**64), n + 1)
        forms = ("form", self.codes), ("word", lowered), ("shape", classes)
        self._prefixes = {form: self._sums(values) for form, values in forms}

    def _sums(self, values: NDArray[Any]) -> Hashes:
        """The sums of the characters' values up to each place (uint64, (n + 1,)). values: (n,)."""
        terms = (values.astype(np.uint64) + np.uint64(1)) * self._powers
        return np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms)])

    def _opening(self, marks: Ints) -> Bools:
        """Whether straight quotation marks open a quotation (bool, (k,)). marks: their places (int64, (k,)).

        A space on one side only decides. Other marks alternate, and the first one of a paragraph opens a quotation.
        """
        before, after = self.space[marks - 1], self.space[marks + 1]
        first = np.diff(self.paragraph[marks], prepend=-1) > 0
        at = np.arange(len(marks))
        decided = np.maximum.accumulate(np.where(first | (before != after), at, 0))
        opens = np.where(before != after, before, True)[decided]
        return np.where((at - decided) % 2 == 0, opens, ~opens)

    def forms(self, starts: Ints, ends: Ints) -> list[str]:
        """The substrings between places. starts, ends: int64 (k,)."""
        return [self.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def hashes(self, form: str, start: Ints, end: Ints) -> Hashes:
        """The hashes of substrings (uint64, (k,)). start, end: int64 (k,).

        form: ``form`` for the characters, ``word`` for their lower case, ``shape`` for their classes, ``script`` for
            the scripts of letters, marks and digits.
        """
        if form not in self._prefixes:
            self._prefixes[form] = self._sums(_table(np.flatnonzero(np.bincount(self.codes)), _script_of)[self.codes])
        end = np.maximum(start, end)
        return (self._prefixes[form][end] - self._prefixes[form][start]) * self._inverse[start]


def combined(*hashes: Hashes) -> Hashes:
    """One hash of several (uint64, (k,)); the order matters."""
    result = np.zeros(1, np.uint64)
    for code in hashes:
        result = (result ^ code) * np.uint64(0xFF51AFD7ED558CCD)
        result = result ^ (result >> np.uint64(32))
    return result


def _powers(base: int, n: int) -> Hashes:
    """The powers of a number modulo 2**64, from exponent 0 on (uint64, (n,))."""
    powers = np.full(n, base, dtype=np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _table(known: Ints, kind: Callable[[int], int]) -> Hashes:
    """The values of known characters, by code point (uint64)."""
    table = np.zeros(int(known[-1]) + 1, dtype=np.uint64)
    table[known] = [kind(code) for code in known.tolist()]
    return table


@lru_cache(maxsize=1 << 14)
def _class_of(code: int) -> int:
    character = chr(code)
    if is_space(character):
        return SPACE
    category = unicodedata.category(character)
    if category == "Lu":
        return UPPER
    if category[0] in "LM":
        return LETTER
    return DIGIT if category[0] == "N" else OTHER + code


@lru_cache(maxsize=1 << 14)
def _script_of(code: int) -> int:
    """A number of the script of a letter, mark or digit, by the first word of its name: CJK, HIRAGANA, THAI, DIGIT."""
    character = chr(code)
    if unicodedata.category(character)[0] not in "LMN":
        return code
    return 0x110000 + crc32(unicodedata.name(character, "").partition(" ")[0].encode())


@lru_cache(maxsize=1 << 14)
def _lower_of(code: int) -> int:
    return ord(chr(code).lower()[0])
