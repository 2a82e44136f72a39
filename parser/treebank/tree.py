"""The tree of a sentence, apart from where it came from: what transforms, votes and scores work on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

__all__ = ["Columns", "Tree", "trees_of"]

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
