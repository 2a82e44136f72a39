"""The tree of a sentence, apart from where it came from: what transforms, votes and scores work on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

__all__ = ["Columns", "Tree", "trees_of", "usual_labels"]

Columns = Mapping[str, Sequence[str]]
"""n strings for each named column, one a word."""


class Tree(NamedTuple):
    """A labelled dependency tree over the words 1..n, with whatever columns of its words are needed.

    ``heads`` and ``deprels`` have length n + 1 with ``heads[0] == -1`` and ``deprels[0] == ""``; every column has n
    strings, and there may be none.
    """

    heads: list[int]
    deprels: list[str]
    columns: Columns = MappingProxyType({})


class _Sentence(Protocol):
    def heads(self) -> list[int]: ...

    def deprels(self) -> list[str]: ...


def trees_of(sentences: Iterable[_Sentence]) -> list[Tree]:
    """The trees that sentences were read or parsed with, without columns."""
    return [Tree(sentence.heads(), sentence.deprels()) for sentence in sentences]


def usual_labels(trees: Iterable[Tree]) -> tuple[str, str]:
    """The most frequent label of arcs from node 0, and that of arcs from the words which hang there.

    Of equally frequent ones the first in the alphabet; without such arcs the other one, or "".
    """
    from_root: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for tree in trees:
        for head, label in zip(tree.heads[1:], tree.deprels[1:], strict=True):
            if head == 0:
                from_root[label] += 1
            elif tree.heads[head] == 0:
                below[label] += 1
    root = max(sorted(from_root), key=from_root.__getitem__, default="")
    return root, max(sorted(below), key=below.__getitem__, default=root)
