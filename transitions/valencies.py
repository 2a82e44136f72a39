"""The list θ of valencies and the trees under construction, which configurations over trees have in addition."""

from __future__ import annotations

from .arrays import Bools, Ints


class ValencyList:
    """The polarized valencies of a :class:`~.configuration.Configuration` (Lacroix & Béchet 2014).

    The waiting valencies of each label form a stack. ``_waiting`` (labels, B) has the topmost node of each stack;
    ``_below`` has, for each node, the next node below it. ``_found_heads`` and ``_found_deprels`` hold the trees under
    construction.
    """

    __slots__ = ("_below", "_found_deprels", "_found_heads", "_waiting")

    rows: Ints
    base: Ints
    width: int
    _heads: Ints
    _deprels: Ints
    _waiting: Ints
    _below: Ints
    _found_heads: Ints
    _found_deprels: Ints

    def valencies(self) -> Ints:
        """int64 (rows, labels): for each label, the node whose valency was put into θ last; -1 if there is none.

        The First Available principle allows only these valencies to be paired.
        """
        return self._waiting[:, self.rows].T

    def waiting(self) -> list[tuple[int, int]]:
        """(node, label) of all valencies in θ of the first row."""
        found = []
        for label, node in enumerate(self.valencies()[0].tolist()):
            while node >= 0:
                found.append((node, label))
                node = int(self._below[self.base[0] + node])
        return found

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
        for own, found in ((self._heads, self._found_heads), (self._deprels, self._found_deprels)):
            own.reshape(-1, self.width)[self.rows] = found.reshape(-1, self.width)[self.rows]
