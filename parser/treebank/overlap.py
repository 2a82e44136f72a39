"""Whether sentences stand in a treebank of which a sample is known."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Sequence

from .sentence import Sentence

MOST_KEPT = 2048
"""Number of sentences in a sample; it is the treebank itself if that is smaller."""
LEAST_WORDS = 4
"""Minimum number of words of a sentence that is compared; shorter ones occur in many treebanks."""
SHARE = 0.3
"""Minimum share of sentences that stand in both treebanks, if one was not made apart from the other."""


def _keys(sentences: Iterable[Sentence]) -> set[int]:
    """A number for each sentence of enough words, from its forms and arcs."""
    keys = set()
    for sentence in sentences:
        if len(sentence) >= LEAST_WORDS:
            columns = (sentence.column(name) for name in ("form", "head", "deprel") if name in sentence.format.index)
            keys.add(zlib.crc32("\n".join(map("\t".join, columns)).encode("utf-8", "surrogatepass")))
    return keys


def sample_of(sentences: Iterable[Sentence]) -> list[int]:
    """A sample of a treebank, ascending: the smallest keys of its sentences, so that any part of it can be compared."""
    return sorted(_keys(sentences))[:MOST_KEPT]


def overlap(sentences: Sequence[Sentence], sample: Collection[int]) -> float:
    """The share of the sentences that stand in a treebank, estimated. sample: of the treebank."""
    below = max(sample, default=0) if len(sample) == MOST_KEPT else 1 << 32
    keys = [key for key in _keys(sentences) if key <= below]
    return len(set(keys).intersection(sample)) / len(keys) if keys else 0.0
