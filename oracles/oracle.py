"""The base class of oracles, which are guides with access to the gold tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol, Self, TypeAlias

import numpy as np

from ..transitions.configuration import NONE, Bools, Configuration, Ints
from ..transitions.step import Decision
from ..transitions.system import Move, TransitionSystem
from ..transitions.trees import Heads, completed

Test: TypeAlias = tuple[Move, Bools | bool, Ints | None]
"""A test of an oracle: the move that it predicts, the condition, and the labels."""


def look_up(array: Ints, c: Configuration, node: Ints) -> Ints:
    """The value at ``node`` (B,) in the row of ``array`` (B, width) of each configuration; arbitrary for "no node"."""
    return array.ravel()[c.origin + node]


class Labelled(Protocol):
    """A labelled tree: its lists of heads and labels begin with node 0."""

    @property
    def heads(self) -> list[int]: ...

    @property
    def deprels(self) -> list[str]: ...


class Gold:
    """The gold trees of a batch.

    heads, deprels: int64 (B, width) with width = longest sentence + 2, as in :class:`Configuration`; node 0 and places
        after a sentence's words hold -1, and so do words without a gold head
    partial: bool (B,), whether a word has no gold head
    trees: the trees; words without a gold head have heads that keep the tree projective if possible
    """

    def __init__(self, heads: Sequence[Heads], deprels: Sequence[Sequence[int]]) -> None:
        self.lengths = np.array([len(tree) - 1 for tree in heads], dtype=np.int64)
        width = int(self.lengths.max(initial=0)) + 2
        self.partial = np.array([NONE in tree[1:] for tree in heads], dtype=np.bool_)
        self.trees = [
            completed(tree) if is_partial else tree for tree, is_partial in zip(heads, self.partial, strict=True)
        ]
        self.heads = np.full((len(heads), width), NONE, dtype=np.int64)
        self.deprels = np.full((len(heads), width), NONE, dtype=np.int64)
        for row, (tree, labels) in enumerate(zip(heads, deprels, strict=True)):
            self.heads[row, 1 : len(tree)] = tree[1:]
            self.deprels[row, 1 : len(tree)] = labels[1:]
        rows, words = np.nonzero(self.heads >= 0)
        places = rows * width + self.heads[rows, words]
        self._counts = np.bincount(places, minlength=self.heads.size)
        self._starts = np.cumsum(self._counts) - self._counts
        self._dependents = words[np.argsort(places, kind="stable")]

    @classmethod
    def of(cls, trees: Sequence[Labelled], labels: Sequence[str]) -> Self:
        """Make the gold trees with labels as indices into ``labels``; unknown labels become -1."""
        number = {label: place for place, label in enumerate(labels)}
        deprels = [[NONE, *(number.get(label, NONE) for label in tree.deprels[1:])] for tree in trees]
        return cls([tree.heads for tree in trees], deprels)

    def head(self, c: Configuration, node: Ints) -> Ints:
        """The gold head of ``node`` in each row; -1 for node 0 and for "no node"."""
        return look_up(self.heads, c, node)

    def deprel(self, c: Configuration, node: Ints) -> Ints:
        """The gold label of ``node`` in each row; -1 for node 0 and for "no node"."""
        return look_up(self.deprels, c, node)

    def earliest_links(self) -> Ints:
        """int64 (B, width): for each word, the first node that the gold tree links it to."""
        earliest = self.heads.copy()
        rows, words = np.nonzero(self.heads > 0)
        np.minimum.at(earliest, (rows, self.heads[rows, words]), words)
        return earliest

    def complete(self, c: Configuration, node: Ints) -> Bools:
        """Bool (rows,): whether the node has all its gold dependents (A_G^i is contained in A).

        Dependents are compared only for nodes with at least as many dependents as in the gold tree, since some may be
        wrong.
        """
        count = look_up(self._counts, c, node)
        result: Bools = c.arity(node, "left") + c.arity(node, "right") >= count
        rows = np.flatnonzero(result & (count > 0))
        if rows.size:
            count, head = count[rows], node[rows]
            ends = np.cumsum(count)
            before = self._starts[c.origin[rows] + head] - (ends - count)
            dependents = self._dependents[np.repeat(before, count) + np.arange(ends[-1])]
            attached = c.at(np.repeat(rows, count)).head(dependents) == np.repeat(head, count)
            result[rows] = np.logical_and.reduceat(attached, ends - count)
        return result


class Oracle(ABC):
    """A static oracle for one transition system over the gold trees of one batch.

    systems: names of the systems that the oracle serves
    name: name in configs

    The default oracle of a system is the first in the file that is named after the system.
    """

    systems: ClassVar[tuple[str, ...]]
    name: ClassVar[str] = "static"

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        self.system = system
        self.gold = gold

    @abstractmethod
    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """Return the move that leads to the gold tree, and its label (-1 for no label).

        legal: bool (rows, moves), the permissible moves

        A move of -1 means that the oracle has no prediction: the gold tree cannot be derived from the configuration.
        """

    def first_of(self, legal: Bools, tests: Sequence[Test]) -> Decision:
        """Decide by an ordered list of tests (move, condition, label): the first that holds in each row.

        A test predicts its move only where the move is permissible. A row in which no test holds gets -1.
        """
        moves = np.full(len(legal), NONE)
        labels = np.full(len(legal), NONE)
        for move, condition, label in reversed(tests):
            number = self.system.moves.index(move)
            holds = condition & legal[:, number]
            moves = np.where(holds, number, moves)
            labels = np.where(holds, NONE if label is None else label, labels)
        return Decision(moves, labels)
