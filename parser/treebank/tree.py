"""The tree of a sentence without its source, for transforms, votes and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .sentence import Sentence

Columns = Mapping[str, Sequence[str]]
"""n strings for each named column, one per word."""


class Tree(NamedTuple):
    """A labelled dependency tree over the words 1..n, with those columns of its words that are needed.

    heads: n + 1 heads, ``heads[0] == -1``.
    deprels: n + 1 deprels, ``deprels[0] == ""``.
    columns: n strings per column; may be empty.
    """

    heads: list[int]
    deprels: list[str]
    columns: Columns = MappingProxyType({})


class FlatTrees(NamedTuple):
    """The trees of many sentences as arrays, in which each sentence follows the previous one.

    lengths: number of words of each sentence (int64, (sentences,)).
    heads: heads, numbered within the sentence (int64, (words,)).
    labels: indices into ``names`` (int64, (words,)).
    names: the deprels.
    """

    lengths: NDArray[np.int64]
    heads: NDArray[np.int64]
    labels: NDArray[np.int64]
    names: Sequence[str]

    @property
    def sentences(self) -> NDArray[np.int64]:
        """int64 (words,): the number of the sentence of each word."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def label_names(self) -> NDArray[np.object_]:
        """object (words,): the deprel of each word."""
        return np.array([*self.names, None], dtype=object)[self.labels]


def right_arcs(trees: FlatTrees, gold: FlatTrees) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(whether head and label of each word are right, whether its head is): bool (words,) each."""
    heads = trees.heads == gold.heads
    return heads & (trees.label_names() == gold.label_names()), heads


def flat_trees(trees: Sequence[Tree]) -> FlatTrees:
    """The trees as arrays, without their columns. Deprels are numbered in order of first occurrence."""
    heads = [head for tree in trees for head in tree.heads[1:]]
    labels, names = numbered([label for tree in trees for label in tree.deprels[1:]])
    lengths = [len(tree.heads) - 1 for tree in trees]
    return FlatTrees(np.array(lengths, dtype=np.int64), np.array(heads, dtype=np.int64), labels, names)


def numbered(values: Sequence[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """The number of each value (int64, (values,)), and the different values in order of first occurrence."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(numbers.__getitem__, values), np.int64, len(values)), tuple(numbers)


def trees_in(flat: FlatTrees) -> list[Tree]:
    """The trees one by one, without columns."""
    heads = flat.heads.tolist()
    deprels = flat.label_names().tolist()
    ends = np.cumsum([0, *flat.lengths]).tolist()
    return [Tree([-1, *heads[start:end]], ["", *deprels[start:end]]) for start, end in pairwise(ends)]


def trees_of(sentences: Iterable[Sentence]) -> list[Tree]:
    """The trees of sentences, without columns."""
    return [Tree(sentence.heads(), sentence.deprels()) for sentence in sentences]


def usual_labels(trees: Iterable[Tree]) -> tuple[str, str]:
    """The most frequent label of arcs from node 0, and the most frequent label of arcs from its dependents.

    Words without a head (-1) count as dependents of node 0. Among equally frequent labels the first in the alphabet is
    used. If one kind of arcs is missing, both labels are that of the other kind, or "".
    """
    from_root: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for tree in trees:
        for head, label in zip(tree.heads[1:], tree.deprels[1:], strict=True):
            if head == 0:
                from_root[label] += 1
            elif head > 0 >= tree.heads[head]:
                below[label] += 1
    root, other = (max(sorted(counts), key=counts.__getitem__, default="") for counts in (from_root, below))
    return root or other, other or root
