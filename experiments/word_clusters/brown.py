"""Brown clusters: a binary tree over words, each merge losing the least mutual information of adjacent clusters.

Brown, Della Pietra, deSouza, Della Pietra & Mercer (1992); with a window of so many clusters at a time, as in their
section 3: the most frequent words begin with a cluster each, the others join one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["Window", "brown_clusters"]

Floats = NDArray[np.float64]
TINY = 1e-300


def brown_clusters(sentences: Iterable[Sequence[str]], clusters: int, most: int) -> dict[str, str]:
    """The path of each word from the root of the tree to its cluster, in 0s and 1s: words with equal paths are in one.

    clusters: how many. most: of words, the most frequent (equally frequent ones in the order of the alphabet); the
    others have no cluster. Prefixes of paths are coarser clusters.
    """
    frequency: Counter[str] = Counter()
    adjacent: Counter[tuple[str, str]] = Counter()
    for words in sentences:
        frequency.update(words)
        adjacent.update(pairwise(words))
    order = sorted(frequency, key=lambda word: (-frequency[word], word))[:most]
    number = {word: place for place, word in enumerate(order)}
    total = max(1, adjacent.total())
    after: list[dict[int, float]] = [{} for _ in order]
    before: list[dict[int, float]] = [{} for _ in order]
    left, right = np.zeros(len(order)), np.zeros(len(order))
    for (first, second), count in adjacent.items():
        one, two = number.get(first), number.get(second)
        if one is not None:
            left[one] += count / total
        if two is not None:
            right[two] += count / total
        if one is not None and two is not None:
            after[one][two] = before[two][one] = count / total
    size = min(clusters, len(order))
    window = Window(size + 1)
    slot_of = np.full(len(order), -1)
    members: list[list[int]] = [[] for _ in range(size + 1)]

    def enter(word: int, slot: int) -> None:
        slot_of[word] = slot
        members[slot] = [word]
        following, preceding = np.zeros(size + 1), np.zeros(size + 1)
        for other, share in after[word].items():
            if slot_of[other] >= 0:
                following[slot_of[other]] += share
        for other, share in before[word].items():
            if slot_of[other] >= 0:
                preceding[slot_of[other]] += share
        window.put(slot, following, preceding, left[word], right[word])

    def merge() -> tuple[int, int]:
        first, second = window.cheapest()
        window.merge(first, second)
        slot_of[members[second]] = first
        members[first] += members[second]
        members[second] = []
        return first, second

    free = size
    for word in range(len(order)):
        enter(word, word if word < size else free)
        if word >= size:
            _, free = merge()
    inside = {slot: list(own) for slot, own in enumerate(members) if own}
    merges = [merge() for _ in range(len(inside) - 1)]
    return _paths(order, inside, merges)


def _paths(order: Sequence[str], inside: dict[int, list[int]], merges: Sequence[tuple[int, int]]) -> dict[str, str]:
    path = {merges[-1][0] if merges else slot: "" for slot in list(inside)[:1]}
    for first, second in reversed(merges):
        path[second] = path[first] + "1"
        path[first] += "0"
    return {order[word]: path[slot] for slot, words in inside.items() for word in words}


class Window:
    """So many clusters, numbered, some of them empty, and what it would cost to merge any two.

    Probabilities are shares of all adjacent pairs of words: ``pairs[i, j]`` that one of cluster i is followed by one of
    cluster j, ``left[i]`` and ``right[j]`` that a pair begins, and ends, with one, whatever the other is.
    """

    def __init__(self, size: int) -> None:
        self.pairs = np.zeros((size, size))
        self.left, self.right = np.zeros(size), np.zeros(size)
        self.used = np.zeros(size, dtype=np.bool_)
        # of each two clusters, merged, the information with all clusters, as if these two were still there
        self._merged = np.zeros((size, size))

    def put(self, slot: int, following: Floats, preceding: Floats, left: float, right: float) -> None:
        """Fill an empty slot; the place of the cluster itself in ``following`` and ``preceding`` is the same pair."""
        self._change(slot, following, preceding, left, right)
        self.used[slot] = True

    def merge(self, first: int, second: int) -> None:
        """Put all of the second cluster into the first, which leaves the second slot empty."""
        following, preceding = self.pairs[first] + self.pairs[second], self.pairs[:, first] + self.pairs[:, second]
        following[first] += following[second]
        preceding[first] += preceding[second]
        following[second] = preceding[second] = 0
        left, right = self.left[first] + self.left[second], self.right[first] + self.right[second]
        nothing = np.zeros(len(self.used))
        self._change(second, nothing, nothing, 0.0, 0.0)
        self._change(first, following, preceding, left, right)
        self.used[second] = False

    def cheapest(self) -> tuple[int, int]:
        """The two clusters whose merge loses the least information, the one with the lower number first."""
        losses = self.losses()
        first, second = np.unravel_index(np.argmin(losses), losses.shape)
        return int(first), int(second)

    def losses(self) -> Floats:
        """float64 (slots, slots): the information lost by merging two clusters; infinite below and on the diagonal, and
        for empty slots."""
        p, left, right = self.pairs, self.left, self.right
        own = np.diag(p)
        information = _information(p, left[:, None], right)
        with_all = information.sum(axis=0) + information.sum(axis=1) - np.diag(information)
        lefts, rights = left[:, None] + left, right[:, None] + right
        # what _merged counts of a merged cluster with each of the two as they were is the merged cluster with itself
        with_first = _information(own[:, None] + p.T, lefts, right[:, None])
        with_first += _information(own[:, None] + p, left[:, None], rights)
        with_itself = _information(own[:, None] + own + p + p.T, lefts, rights)
        merged = self._merged - with_first - with_first.T + with_itself
        losses: Floats = with_all[:, None] + with_all - information - information.T - merged
        losses[~(self.used[:, None] & self.used)] = np.inf
        losses[np.tril_indices(len(losses))] = np.inf
        return losses

    def _change(self, slot: int, following: Floats, preceding: Floats, left: float, right: float) -> None:
        self._merged -= self._with(slot)
        self.pairs[slot], self.pairs[:, slot] = following, preceding
        self.left[slot], self.right[slot] = left, right
        self._merged += self._with(slot)
        p, lefts, rights = self.pairs, self.left[slot] + self.left, self.right[slot] + self.right
        every = _information(p[slot] + p, lefts[:, None], self.right).sum(axis=1)
        every += _information((p[:, slot, None] + p).T, self.left, rights[:, None]).sum(axis=1)
        self._merged[slot], self._merged[:, slot] = every, every

    def _with(self, slot: int) -> Floats:
        """float64 (slots, slots): of each two clusters, merged, the information with the one in the slot."""
        following, preceding = self.pairs[:, slot], self.pairs[slot]
        result = _information(
            following[:, None] + following, self.left[:, None] + self.left, self.right[slot]
        ) + _information(preceding[:, None] + preceding, self.left[slot], self.right[:, None] + self.right)
        return result


def _information(pair: Floats, left: Floats | float, right: Floats | float) -> Floats:
    """What a pair of clusters adds to the mutual information of adjacent ones; 0 where it does not occur."""
    result: Floats = pair * np.log(np.maximum(pair, TINY) / np.maximum(left * right, TINY))
    return result
