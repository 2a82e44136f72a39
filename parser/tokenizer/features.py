"""Features of the four decisions of a tokenizer, as hashes of substrings (uint64, (rows, features)).

A gap is the place after a character that is not a space.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...transitions.configuration import Bools, Ints
from .characters import Characters, Hashes, combined

CONTEXTS = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3), (3, 3))
"""Numbers of characters before and after a gap whose combination is a feature."""
NONE = np.zeros(1, np.uint64)


def _matrix(columns: Sequence[Hashes], rows: int) -> Hashes:
    """The columns side by side; equal substrings in different columns get different hashes."""
    result = np.empty((rows, len(columns)), dtype=np.uint64)
    for number, column in enumerate(columns):
        result[:, number] = combined(column, np.full(1, number + 1, dtype=np.uint64))
    return result


def _number(values: Ints | Bools, most: int) -> Hashes:
    return np.minimum(values, most).astype(np.uint64)


def gap_context(text: Characters, gaps: Ints) -> Hashes:
    """Two characters on each side of gaps, within their chunk, in lower case (uint64, (k,)). gaps: int64 (k,)."""
    after = gaps + 1
    left = text.hashes(text.lower, np.maximum(after - 2, text.start[gaps]), after)
    return combined(left, text.hashes(text.lower, after, np.minimum(after + 2, text.end[gaps])))


def gap_features(text: Characters, gaps: Ints) -> Hashes:
    """Features that decide whether a token ends at a gap. gaps: characters before the gaps (int64, (k,))."""
    after, start, end = gaps + 1, text.start[gaps], text.end[gaps]
    following = text.following[np.minimum(after, len(text) - 1)]
    then = text.following[np.minimum(text.end[following], len(text) - 1)]
    before = text.preceding[np.maximum(start - 1, 0)]
    near, there, back = (_number(text.paragraph[at] == text.paragraph[gaps], 1) for at in (following, then, before))
    columns: list[Hashes] = []
    for prefixes in (text.lower, text.shape):
        lefts = {n: text.hashes(prefixes, np.maximum(after - n, start), after) for n in range(1, 5)}
        rights = {n: text.hashes(prefixes, after, np.minimum(after + n, end)) for n in range(1, 5)}
        columns += [*lefts.values(), *rights.values(), *(combined(lefts[a], rights[b]) for a, b in CONTEXTS)]
    left, right = text.hashes(text.lower, start, after), text.hashes(text.lower, after, end)
    shape_left, shape_right = text.hashes(text.shape, start, after), text.hashes(text.shape, after, end)
    next_chunk = text.hashes(text.lower, following, text.end[following]) * near
    next_shape = text.hashes(text.shape, following, following + 1) * near
    chunk_after = text.hashes(text.lower, then, text.end[then]) * there
    shape_after = text.hashes(text.shape, then, then + 1) * there
    previous = text.hashes(text.lower, text.start[before], before + 1) * back
    beyond = text.following[np.minimum(end, len(text) - 1)]
    around = text.hashes(text.shape, beyond, beyond + 1) * _number(text.paragraph[beyond] == text.paragraph[gaps], 1)
    at_space = _number(after == end, 1)
    columns += [
        left,
        right,
        combined(left, right),
        combined(shape_left, shape_right),
        combined(left, next_shape),
        combined(shape_left, next_shape),
        combined(text.hashes(text.lower, start, end), _number(after == start, 1), around),
        combined(
            text.hashes(text.lower, after - 1, after),
            text.hashes(text.lower, after, np.minimum(after + 1, end)),
            around,
        ),
        combined(at_space, left, next_chunk),
        combined(at_space, next_chunk),
        combined(at_space, previous, left),
        combined(at_space, previous, left, next_chunk),
        combined(at_space, left, next_chunk, chunk_after),
        combined(at_space, next_chunk, chunk_after),
        combined(at_space, text.hashes(text.shape, start, start + 1), next_shape, shape_after),
    ]
    return _matrix(columns, len(gaps))


def _neighbours(text: Characters, prefixes: Hashes, starts: Ints, ends: Ints, distance: int) -> Hashes:
    """The hashes of the tokens at a distance from each token; 0 beyond the paragraph."""
    at = np.arange(len(starts)) + distance
    inside = (at >= 0) & (at < len(starts))
    at = np.where(inside, at, 0)
    inside &= text.paragraph[starts[at]] == text.paragraph[starts]
    return np.where(inside, text.hashes(prefixes, starts[at], ends[at]), NONE)


def sentence_features(text: Characters, starts: Ints, ends: Ints) -> Hashes:
    """Features that decide whether a sentence ends after a token. starts, ends: all tokens (int64, (tokens,))."""
    words = {d: _neighbours(text, text.lower, starts, ends, d) for d in range(-3, 4)}
    shapes = {d: _neighbours(text, text.shape, starts, ends, d) for d in range(-1, 3)}
    first, first1, first2 = (_neighbours(text, text.shape, starts, starts + 1, d) for d in range(3))
    spaced = text.space[np.minimum(ends, len(text) - 1)].astype(np.uint64)
    suffix2 = text.hashes(text.lower, np.maximum(ends - 2, starts), ends)
    suffix3 = text.hashes(text.lower, np.maximum(ends - 3, starts), ends)
    suffix1 = text.hashes(text.lower, np.maximum(ends - 1, starts), ends)
    suffix4 = text.hashes(text.lower, np.maximum(ends - 4, starts), ends)
    prefix = _neighbours(text, text.lower, starts, np.minimum(starts + 3, ends), 1)
    prefix1, prefix2, prefix4 = (
        _neighbours(text, text.lower, starts, np.minimum(starts + size, ends), 1) for size in (1, 2, 4)
    )
    before1, before2, before3 = (
        _neighbours(text, text.lower, np.maximum(ends - size, starts), ends, -1) for size in (1, 2, 3)
    )
    earlier = _neighbours(text, text.lower, np.maximum(ends - 2, starts), ends, -2)
    back2, back1, first3 = (_neighbours(text, text.shape, starts, starts + 1, d) for d in (-2, -1, 3))
    columns = [
        *words.values(),
        *(shapes[d] for d in (-1, 0, 1)),
        *(combined(words[d], words[d + 1]) for d in (-2, -1, 0, 1)),
        combined(words[-1], words[0], words[1]),
        combined(words[0], words[1], words[2]),
        combined(words[-1], words[1]),
        combined(words[0], words[2]),
        combined(shapes[0], shapes[1]),
        combined(shapes[-1], shapes[0], shapes[1]),
        combined(shapes[0], shapes[1], shapes[2]),
        combined(words[0], first1),
        combined(words[0], first1, spaced),
        combined(words[-1], words[0], first1),
        combined(shapes[-1], words[0], first1, first2),
        combined(spaced, words[0], first1, first2),
        combined(words[0], shapes[1]),
        combined(shapes[0], words[1]),
        combined(words[0], spaced),
        combined(words[0], prefix),
        suffix2,
        suffix3,
        prefix,
        combined(suffix2, prefix),
        combined(suffix3, prefix),
        combined(suffix3, first1),
        combined(suffix3, words[1]),
        first1,
        combined(first, first1),
        text.hashes(text.exact, starts, ends),
        _neighbours(text, text.exact, starts, ends, 1),
        suffix1,
        suffix4,
        prefix1,
        prefix2,
        prefix4,
        combined(suffix1, prefix1),
        combined(suffix2, prefix2),
        before2,
        before3,
        combined(suffix1, before1),
        combined(suffix2, before2),
        combined(suffix3, before2),
        combined(suffix1, before3),
        combined(back2, back1, first, first1, first2),
        combined(back1, first, first1, first2, first3),
        combined(suffix2, first1, first2),
        combined(suffix2, before2, earlier),
        combined(back2, back1, first, first1, first2, first3),
    ]
    return _matrix(columns, len(starts))


def multiword_features(text: Characters, starts: Ints, ends: Ints) -> Hashes:
    """Features that decide whether a token stands for several words. starts, ends: all tokens (int64, (tokens,))."""
    before, word, after = (_neighbours(text, text.lower, starts, ends, d) for d in (-1, 0, 1))
    columns = [
        word,
        text.hashes(text.exact, starts, ends),
        text.hashes(text.shape, starts, ends),
        _number(ends - starts, 12),
        combined(word, after),
        combined(before, word),
        combined(before, word, after),
        combined(word, _neighbours(text, text.lower, starts, np.minimum(starts + 2, ends), 1)),
        combined(word, _neighbours(text, text.lower, np.maximum(ends - 2, starts), ends, 1)),
        combined(word, _neighbours(text, text.lower, np.maximum(ends - 2, starts), ends, -1)),
    ]
    for size in range(1, 7):
        columns.append(text.hashes(text.lower, np.maximum(ends - size, starts), ends))
        columns.append(text.hashes(text.lower, starts, np.minimum(starts + size, ends)))
    return _matrix(columns, len(starts))


def split_features(text: Characters, places: Ints) -> Hashes:
    """Features that decide how a character of a multiword token is rewritten. places: characters (int64, (k,)).

    The chunks of the text are the multiword tokens.
    """
    start, end = text.start[places], text.end[places]
    after = places + 1
    columns = [text.hashes(text.lower, places, after)]
    for size in range(1, 6):
        low, high = np.maximum(places - size, start), np.minimum(after + size, end)
        columns += [
            text.hashes(text.lower, low, after),
            text.hashes(text.lower, low, places),
            text.hashes(text.lower, places, high),
            text.hashes(text.lower, after, high),
        ]
    for left, right in (*CONTEXTS, (4, 4)):
        low, high = np.maximum(places - left, start), np.minimum(after + right, end)
        columns.append(combined(text.hashes(text.lower, low, after), text.hashes(text.lower, after, high)))
    whole_left, whole_right = text.hashes(text.lower, start, after), text.hashes(text.lower, after, end)
    beginning = text.hashes(text.lower, start, np.minimum(start + 3, end))
    remaining = _number(end - places, 8)
    columns += [
        whole_left,
        whole_right,
        combined(whole_left, whole_right),
        _number(places - start, 8),
        remaining,
        combined(columns[0], remaining),
        combined(beginning, text.hashes(text.lower, places, np.minimum(after + 1, end))),
    ]
    return _matrix(columns, len(places))
