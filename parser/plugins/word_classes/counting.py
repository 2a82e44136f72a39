"""Counts of neighbours in raw text: one pass over the text, whose tokens are kept in a temporary file as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError

OFFSETS = (-2, -1, 1, 2)
"""Places of the neighbours that are counted, relative to a word."""
CONTEXTS = 3000
"""Number of words that are counted as neighbours, the most frequent ones."""
BLOCK = 1 << 20
"""Number of tokens whose neighbours are counted together."""
FULL, LEAST = 8_000_000, 2
"""Number of tokens of a text from which on words need :data:`OFTEN` occurrences. In shorter texts the number shrinks
with the square root of the length, to :data:`LEAST`."""
OFTEN = 4
GAP = 2
"""Number of empty places between sentences, so that words of two sentences are no neighbours."""
NONE = np.uint32(2**32 - 1)


@dataclass(frozen=True)
class NeighbourCounts:
    """Numbers of neighbours of words.

    words: the words, the most frequent first.
    frequency: number of occurrences of each word (int64, (words,)).
    neighbours: how often each context stands at each offset (csr matrix of float32, (words, offsets x contexts)).
    tokens: number of tokens of the text.
    left_out: number of its sentences that were left out.
    """

    words: list[str]
    frequency: NDArray[np.int64]
    neighbours: Any
    tokens: int
    left_out: int


def count(sentences: Iterable[Sequence[str]], without: frozenset[str] = frozenset()) -> NeighbourCounts:
    """Count the neighbours of frequent words. Memory depends on the number of different tokens, not on all.

    sentences: sentences of folded tokens.
    without: sentences to leave out, as :func:`key_of` writes them.

    Raises CrossarcError for a text without frequent words.
    """
    numbers: dict[str, int] = {}
    total = left_out = 0
    with TemporaryFile(prefix="crossarc-") as file:
        pending = array("I")
        for sentence in sentences:
            if without and key_of(sentence) in without:
                left_out += 1
                continue
            pending.extend([numbers.setdefault(token, len(numbers)) for token in sentence])
            pending.extend([int(NONE)] * GAP)
            total += len(sentence)
            if len(pending) >= BLOCK:
                pending.tofile(file)
                pending = array("I")
        pending.tofile(file)
        file.flush()
        frequency = np.zeros(len(numbers) + 1, dtype=np.int64)
        for block in _blocks(file):
            frequency += np.bincount(np.minimum(block, len(numbers)), minlength=len(numbers) + 1)
        frequency = frequency[:-1]
        least = int(max(LEAST, min(OFTEN, round(OFTEN * (total / FULL) ** 0.5))))
        order = np.argsort(-frequency, kind="stable")
        order = order[frequency[order] >= least]
        if len(order) < GAP:
            raise CrossarcError(f"the raw text has {total} tokens, too few to learn word classes; give more text")
        row_of = np.full(len(numbers) + 1, -1, dtype=np.int64)
        row_of[order] = np.arange(len(order))
        neighbours = _neighbours(file, row_of, len(order))
    names = list(numbers)
    return NeighbourCounts([names[number] for number in order.tolist()], frequency[order], neighbours, total, left_out)


def key_of(sentence: Sequence[str]) -> str:
    """A sentence without signs, for comparison with others."""
    return " ".join(token for token in sentence if token[0].isalnum())


def keys_of(sentences: Iterable[Sequence[str]]) -> frozenset[str]:
    """Texts by which sentences are recognized in raw text: their words, joined by spaces.

    Sentences of fewer than four words have none, since they occur in any text.
    """
    keys = map(key_of, sentences)
    return frozenset(key for key in keys if key.count(" ") >= 3)


def _blocks(file: IO[bytes]) -> Iterable[NDArray[np.uint32]]:
    file.seek(0)
    while len(block := np.fromfile(file, dtype=np.uint32, count=BLOCK)):
        yield block


def _neighbours(file: IO[bytes], row_of: NDArray[np.int64], words: int) -> Any:
    from scipy import sparse  # slow to import; parsing does without

    contexts = min(CONTEXTS, words)
    shape = words, len(OFFSETS) * contexts
    counts = sparse.csr_matrix(shape, dtype=np.float32)
    rows = np.empty(0, dtype=np.int64)
    first, reach = 0, max(OFFSETS)
    for block in chain(_blocks(file), [np.empty(0, dtype=np.uint32)]):
        rows = np.concatenate([rows, row_of[np.minimum(block, len(row_of) - 1)]])
        last = max(first, len(rows) - reach if len(block) else len(rows))  # later words need the next block
        centre = np.arange(first, last)
        parts = []
        for place, offset in enumerate(OFFSETS):
            at = centre + offset
            inside = (at >= 0) & (at < len(rows))
            word, near = rows[centre[inside]], rows[at[inside]]
            right = (word >= 0) & (near >= 0) & (near < contexts)
            parts.append((word[right], near[right] + place * contexts))
        word, near = map(np.concatenate, zip(*parts, strict=True))
        counts += sparse.coo_matrix((np.ones(len(word), np.float32), (word, near)), shape=shape).tocsr()
        kept = max(0, last - reach)
        rows, first = rows[kept:], last - kept
    return counts
