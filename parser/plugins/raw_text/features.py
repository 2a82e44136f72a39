"""Features of the decisions of a tokenizer, as hashes of substrings (uint64, (rows, features)).

A template names substrings, joined by ``+``; each template is one feature. A substring has a form (``word``: in lower
case, ``form``: as it is written, ``shape``: classes of characters), and may have a slice in Python's notation:

- ``word1[:3]`` has the first three characters of the next token, ``word0`` is the token itself, ``word-1`` the one
  before. For gaps, the tokens are chunks.
- ``c64(word1)`` is the group of the next token in a division of the words into 64 groups (see
  :class:`~.groups.WordGroups`).
- ``word[-2:0]`` has the two characters before the gap. Slices without a number end with the chunk of the gap.

A gap is the place after a character that is not a space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from ....transitions.configuration import Bools, Ints
from .characters import Characters, Hashes, combined
from .groups import WordGroups

FINAL = ".?!…。！？؟۔।"
"""Marks that often end sentences."""
LARGEST = 12
"""Larger numbers count as this one."""
AROUND = """
    word[-1:0] word[-2:0] word[-3:0] word[-4:0] word[0:1] word[0:2] word[0:3] word[0:4]
    word[-1:0]+word[0:1] word[-2:0]+word[0:1] word[-1:0]+word[0:2] word[-2:0]+word[0:2]
    word[-3:0]+word[0:2] word[-2:0]+word[0:3] word[-3:0]+word[0:3]
"""
CONTEXT = "word[-2:0]+word[0:2]"
"""The template for gaps that may end a token, within chunks of letters."""
UNSPACED = """
    word[-1:0] word[-2:0] word[-3:0] word[-4:0] word[-5:0] word[0:1] word[0:2] word[0:3] word[0:4] word[0:5]
    word[-1:1] word[-1:2] word[-1:3] word[-1:4] word[-2:1] word[-2:2] word[-2:3] word[-3:1] word[-3:2] word[-4:1]
    word[-2:-1] word[-3:-2] word[1:2] word[2:3]
    script[-1:0] script[0:1] script[-1:1] script[-2:0] script[0:2] script[-2:1] script[-1:2] script[-2:2]
    script[-3:2] script[-2:3] script[-3:3]
    ending starting ending+starting covering covering+place ending+starting+covering ending+starting+covering+place
    ending+word[-1:0] starting+word[0:1] covering+word[-1:0] covering+word[0:1] ending+starting+word[-1:1]
    left right left+right left+word[0:1] right+word[-1:0]
"""
"""Templates for ends of tokens in scripts without spaces. Slices cross spaces. For the rest see
:func:`~.gaps.word_values`."""
NEIGHBOURS = """
    score0 score-1 score1 score-1+score0 score0+score1 score-1+score0+score1 score-2+score-1+score0+score1+score2
"""
"""Templates over the scores of a gap and of the gaps around it, see :func:`~.gaps.score_values`."""
GAP = f"""
    {AROUND} {AROUND.replace("word", "shape")}
    word[:0] word[0:] word[:0]+word[0:] shape[:0]+shape[0:] word[:0]+shape[0:1] shape[:0]+shape[0:1]
    word0+shape1[:1] word[-1:0]+word[0:1]+shape1[:1] space+word[:0]+shape1[:1] space+shape[:0]+shape1[:1]
    space+word1 space+word[:0]+word1 space+word-1+word[:0] space+word-1+word[:0]+word1
    space+word1+word2 space+word[:0]+word1+word2 space+shape0[:1]+shape1[:1]+shape2[:1]
"""
"""Templates for ends of tokens. space: whether the chunk ends at the gap."""
SENTENCE = """
    word-3 word-2 word-1 word0 word1 word2 word3 shape-1 shape0 shape1 form0 form1
    word-2+word-1 word-1+word0 word0+word1 word1+word2 word-1+word0+word1 word0+word1+word2 word-1+word1 word0+word2
    shape0+shape1 shape-1+shape0+shape1 shape0+shape1+shape2 word0+shape1 shape0+word1
    word0+space word0+shape1[:1] word0+shape1[:1]+space word-1+word0+shape1[:1]
    shape-1+word0+shape1[:1]+shape2[:1] space+word0+shape1[:1]+shape2[:1]
    word0[-1:] word0[-2:] word0[-3:] word0[-4:] word1[:1] word1[:2] word1[:3] word1[:4]
    word0+word1[:3] word0[-1:]+word1[:1] word0[-2:]+word1[:2] word0[-2:]+word1[:3] word0[-3:]+word1[:3]
    word0[-3:]+word1 word0[-3:]+shape1[:1] word0[-2:]+shape1[:1]+shape2[:1]
    word-1[-2:] word-1[-3:] word0[-1:]+word-1[-1:] word0[-2:]+word-1[-2:] word0[-3:]+word-1[-2:] word0[-1:]+word-1[-3:]
    word0[-2:]+word-1[-2:]+word-2[-2:]
    shape1[:1] shape0[:1]+shape1[:1] shape-2[:1]+shape-1[:1]+shape0[:1]+shape1[:1]+shape2[:1]
    shape-1[:1]+shape0[:1]+shape1[:1]+shape2[:1]+shape3[:1]
    shape-2[:1]+shape-1[:1]+shape0[:1]+shape1[:1]+shape2[:1]+shape3[:1]
    since until since+shape0[:1]+shape1[:1] until+shape0[:1]+shape1[:1] since+until+shape0[:1]+shape1[:1]
    since+word0[-2:]+shape1[:1] until+word0[-2:]+shape1[:1]
"""
"""Templates for ends of sentences. space: whether a space follows the token. since, until: see :func:`_distances`."""
GROUPED = """
    c16(word-1) c16(word0) c16(word1) c16(word2) c64(word-1) c64(word0) c64(word1) c64(word2)
    c256(word-1) c256(word0) c256(word1) c256(word2)
    c16(word-1)+c16(word1) c16(word0)+c16(word1) c16(word1)+c16(word2) c16(word-1)+c16(word2)
    c64(word-1)+c64(word1) c64(word0)+c64(word1) c64(word1)+c64(word2) c64(word-1)+c64(word2)
    word0+c16(word1) word0+c64(word1) word0+c256(word1) word0+c16(word1)+c16(word2)
    shape1[:1]+c64(word1) word0+shape1[:1]+c64(word1)
"""
"""More templates for ends of sentences, where groups of words are known."""
MULTIWORD = """
    word0 form0 shape0 length word-1+word0 word0+word1 word-1+word0+word1
    word0+word1[:2] word0+word1[-2:] word0+word-1[-2:]
    word0[-1:] word0[-2:] word0[-3:] word0[-4:] word0[-5:] word0[-6:]
    word0[:1] word0[:2] word0[:3] word0[:4] word0[:5] word0[:6]
"""
"""Templates for multiword tokens."""
CHARACTER = """
    word[-1:0] word[-2:0] word[-3:0] word[-4:0] word[-5:0] word[-6:0] word[:0]
    word[-2:-1] word[-3:-1] word[-4:-1] word[-5:-1] word[-6:-1]
    word[-1:1] word[-1:2] word[-1:3] word[-1:4] word[-1:5]
    word[0:1] word[0:2] word[0:3] word[0:4] word[0:5] word[0:]
    word[-2:0]+word[0:1] word[-3:0]+word[0:1] word[-2:0]+word[0:2] word[-3:0]+word[0:2]
    word[-4:0]+word[0:2] word[-3:0]+word[0:3] word[-4:0]+word[0:3] word[-5:0]+word[0:4] word[:0]+word[0:]
    before after word[-1:0]+after
"""
"""Templates for the characters of multiword tokens. before, after: numbers of characters up to the gap and after it."""
_GROUP = re.compile(r"(\w+)\((.+)\)")
_SUBSTRING = re.compile(r"(word|form|shape|script)(-?\d)?(?:\[(-?\d*):(-?\d*)\])?")


def token_features(
    templates: str, text: Characters, starts: Ints, ends: Ints, groups: WordGroups | None = None
) -> Hashes:
    """The features of tokens.

    starts, ends: all tokens (int64, (tokens,)). groups: what templates with groups of words need.
    """
    numbers = np.arange(len(starts))
    counts: dict[str, Ints | Bools] = {"space": text.space[ends], "length": ends - starts}

    def value(name: str) -> Hashes:
        if name in counts:
            return _number(counts[name])
        if name in ("since", "until"):
            return _distances(text, starts, ends)[name]
        if groups and (group := _GROUP.fullmatch(name)):
            return groups.of(value(group[2]), group[1])
        return _part(text, starts, ends, numbers, name)

    return _features(templates, len(starts), value)


def gap_features(templates: str, text: Characters, gaps: Ints, values: Mapping[str, Hashes] | None = None) -> Hashes:
    """The features of gaps. gaps: characters before the gaps (int64, (k,)).

    values: values of other names (uint64, (k,)). With them, slices go up to the ends of the paragraph.
    """
    after, start, end = gaps + 1, text.start[gaps], text.end[gaps]
    counts = {"space": after == end, "before": after - start, "after": end - after}
    if values is not None:
        paragraphs, paragraph = text.paragraph[text.chunks], text.paragraph[gaps]
        start = text.chunks[np.searchsorted(paragraphs, paragraph)]
        end = text.end[text.chunks[np.searchsorted(paragraphs, paragraph, side="right") - 1]]

    def value(name: str) -> Hashes:
        if values is not None and name in values:
            return values[name]
        if name in counts:
            return _number(counts[name])
        form, distance, first, last = _substring(name)
        if distance:
            return _part(text, text.chunks, text.end[text.chunks], text.chunk[gaps], name)
        low = np.maximum(after + int(first), start) if first else start
        return text.hashes(form, low, np.minimum(after + int(last), end) if last else end)

    return _features(templates, len(gaps), value)


def _distances(text: Characters, starts: Ints, ends: Ints) -> dict[str, Hashes]:
    """Numbers of tokens since the last final mark, and from the next token until the next one, on a logarithmic scale.

    Ends of paragraphs count as final marks. starts, ends: all tokens (int64, (tokens,)).
    """
    at, n = np.arange(len(starts)), len(starts)
    final = np.isin(text.codes[ends - 1], [ord(mark) for mark in FINAL]) | (
        np.diff(text.paragraph[starts], append=-1) != 0
    )
    since = at - np.maximum.accumulate(np.where(np.roll(final, 1), at, 0))
    until = np.minimum.accumulate(np.where(final, at, n)[::-1])[::-1]
    tokens = {"since": since, "until": np.append(until[1:], n) - at - 1}
    return {name: _number((2 * np.log2(counts + 1)).astype(np.int64)) for name, counts in tokens.items()}


def _features(templates: str, rows: int, value: Callable[[str], Hashes]) -> Hashes:
    """The features of templates. value: the values of what a template names (uint64, (rows,))."""
    known, names = cache(value), templates.split()
    columns = np.empty((len(names), rows), dtype=np.uint64)
    for number, name in enumerate(names, 1):
        columns[number - 1] = combined(*map(known, name.split("+")), np.full(1, number, dtype=np.uint64))
    return columns.T


def _part(text: Characters, starts: Ints, ends: Ints, numbers: Ints, name: str) -> Hashes:
    """The hashes of parts of tokens (uint64, (k,)); 0 beyond the paragraph.

    starts, ends: all tokens (int64, (tokens,)). numbers: the tokens from which distances count (int64, (k,)).
    """
    form, distance, first, last = _substring(name)
    at = np.clip(numbers + int(distance), 0, max(0, len(starts) - 1))
    inside = (at == numbers + int(distance)) & (text.paragraph[starts[at]] == text.paragraph[starts[numbers]])
    start, end = starts[at], ends[at]
    low = np.maximum(end + int(first), start) if first else start
    return text.hashes(form, low, np.minimum(start + int(last), end) if last else end) * inside


def _substring(name: str) -> Sequence[str]:
    """The form, distance, and beginning and end of the slice of a substring; "" for what is not given."""
    match = _SUBSTRING.fullmatch(name)
    assert match is not None
    return match.groups("")


def _number(values: Ints | Bools) -> Hashes:
    return np.minimum(values, LARGEST).astype(np.uint64)
