"""The list θ of valencies and the growing trees, which configurations over trees hold in addition."""

from __future__ import annotations

from .arrays import Bools, Ints


class ValencyList:
    """The part of a :class:`~.configuration.Configuration` that is about polarized valencies (Lacroix & Béchet 2014).

    For each label the valencies that wait are a stack: ``_waiting`` (labels, B) has the node on top of each, ``_below``
    for each node the one below it. ``_found_heads`` and ``_found_deprels`` are the trees as they are built.
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
        """int64 (rows, labels): for each label the node whose valency was put last of those in θ; -1 if none is.

        These are the valencies that the First Available principle lets be paired.
        """
        return self._waiting[:, self.rows].T

    def waiting(self) -> list[tuple[int, int]]:
        """(node, label) of all valencies in θ, of the first row."""
        found = []
        for label, node in enumerate(self.valencies()[0].tolist()):
            while node >= 0:
                found.append((node, label))
                node = int(self._below[self.base[0] + node])
        return found

    def found_head(self, node: Ints) -> Ints:
        """The head of ``node`` in the tree as it is built; -1 for node 0 and for no node."""
        return self._found_heads[self.base + node]

    def reattached(self, node: Ints) -> Bools:
        """Whether the arc to ``node`` differs from the one in the initial tree."""
        place = self.base + node
        return (self._found_heads[place] != self._heads[place]) | (self._found_deprels[place] != self._deprels[place])

    def put_valency(self, label: Ints, node: Ints) -> None:
        """Put a valency of ``node`` into θ."""
        self._below[self.base + node] = self._waiting[label, self.rows]
        self._waiting[label, self.rows] = node

    def pair_valency(self, head: Ints, label: Ints) -> None:
        """Take the valency of that label that was put last out of θ, and reattach its node to ``head``."""
        place = self.base + self._waiting[label, self.rows]
        self._waiting[label, self.rows] = self._below[place]
        self._found_heads[place] = head
        self._found_deprels[place] = label

    def settle(self) -> None:
        """Let :meth:`head` and :meth:`deprel` speak of the tree that was built; dependents stay as they were."""
        for own, found in ((self._heads, self._found_heads), (self._deprels, self._found_deprels)):
            own.reshape(-1, self.width)[self.rows] = found.reshape(-1, self.width)[self.rows]
