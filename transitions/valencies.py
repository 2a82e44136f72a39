"""Configurations over trees with a list θ of valencies, which the passes of three-step parsing have."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from .configuration import NONE, Bools, Configuration, Ints


class TreeConfiguration(Configuration):
    """A batch of configurations that start from trees and have polarized valencies (Lacroix & Béchet 2014).

    :meth:`head` and :meth:`deprel` read the initial trees. The waiting valencies of each label form a stack.
    ``_waiting`` (labels, B) has the topmost node of each stack; ``_below`` has, for each node, the next node below it.
    ``_found_heads`` and ``_found_deprels`` hold the trees under construction.
    """

    __slots__ = ("_below", "_found_deprels", "_found_heads", "_waiting")
    _slots = (*Configuration._slots, *__slots__)

    _waiting: Ints
    _below: Ints
    _found_heads: Ints
    _found_deprels: Ints

    @classmethod
    def over(
        cls,
        lengths: NDArray[np.integer],
        anchors: tuple[Ints, Ints],
        trees: tuple[Ints, Ints],
        labels: int,
        *,
        right_to_left: bool = False,
    ) -> Self:
        """Make configurations that start from trees and have an empty list θ of valencies.

        anchors: heads and deprels, int64 (B, width), of the trees that :meth:`head` and :meth:`deprel` read
        trees: heads and deprels, int64 (B, width), the initial values of the trees that transitions build
        labels: number of labels
        right_to_left: whether to begin with all words on the stack and an empty buffer

        The width is the length of the longest sentence + 2; places outside the words hold -1.
        """
        c = cls(lengths)
        c._found_heads, c._found_deprels = (array.ravel().copy() for array in trees)
        c._below = np.full(c._heads.size, NONE)
        c._waiting = np.full((labels, len(c)), NONE)
        heads, deprels = anchors
        for word in range(1, c.width - 1):
            part = c.at(np.flatnonzero(heads[:, word] >= 0))
            part.add_arc(heads[part.rows, word], deprels[part.rows, word], np.full(len(part), word))
            if right_to_left:
                part.push(part.pop_buffer())
        if right_to_left:
            c._seen[:] = 0
        return c

    def valencies(self) -> Ints:
        """int64 (rows, labels): for each label, the node whose valency was put into θ last; -1 if there is none.

        The First Available principle allows only these valencies to be paired.
        """
        return self._waiting[:, self.rows].T

    def waiting(self) -> list[tuple[int, int]]:
        """(node, label) of all valencies in θ of the first row."""
        children = []
        for label, node in enumerate(self.valencies()[0].tolist()):
            while node >= 0:
                children.append((node, label))
                node = int(self._below[self.base[0] + node])
        return children

    def nearest_valent(self) -> Ints:
        """The node with a valency in θ that is nearest to the top of the stack; -1 if θ is empty."""
        nodes = self.valencies()
        away = np.where(nodes == NONE, self.width, np.abs(nodes - self.stack(0)[:, None]))
        return nodes[np.arange(len(self)), np.argmin(away, axis=1)] if nodes.size else np.full(len(self), NONE)

    def found_head(self, node: Ints) -> Ints:
        """The head of ``node`` in the tree under construction; -1 for node 0 and for "no node"."""
        return self._found_heads[self.base + node]

    def reattached(self, node: Ints) -> Bools:
        """Whether the current arc to ``node`` differs from its arc in the initial tree."""
        place = self.base + node
        return (self._found_heads[place] != self._heads[place]) | (self._found_deprels[place] != self._deprels[place])

    def put_valency(self, label: Ints, node: Ints) -> None:
        """Put a valency of ``node`` into θ."""
        self._below[self.base + node] = self._waiting[label, self.rows]
        self._waiting[label, self.rows] = node

    def pair_valency(self, head: Ints, label: Ints) -> None:
        """Remove the last valency of the label from θ and reattach its node to ``head``."""
        place = self.base + self._waiting[label, self.rows]
        self._waiting[label, self.rows] = self._below[place]
        self._found_heads[place] = head
        self._found_deprels[place] = label

    def settle(self) -> None:
        """Make :meth:`head` and :meth:`deprel` return the new tree; the lists of dependents do not change."""
        for target, final in ((self._heads, self._found_heads), (self._deprels, self._found_deprels)):
            target.reshape(-1, self.width)[self.rows] = final.reshape(-1, self.width)[self.rows]


def over_trees(c: Configuration) -> TreeConfiguration:
    """Return configurations as those of a pass. Raises TypeError for configurations of other systems."""
    if not isinstance(c, TreeConfiguration):
        raise TypeError("found configurations without valencies; passes begin with trees")
    return c
