"""The second stack of configurations in 2-planar parsing."""

from __future__ import annotations

import numpy as np

from .arrays import NONE, Bools, Ints
from .valencies import ValencyList


class SecondStack(ValencyList):
    """The part of a :class:`~.configuration.Configuration` about the second stack (Gómez-Rodríguez & Nivre 2010).

    The active stack is that of all configurations, ``_stack`` and ``_stack_size``; the inactive one is ``_other``
    (B * width,) with ``_other_size`` (B,). ``_switches`` (B,) counts how often they were exchanged, ``_mark`` (B,) is
    a number that the transition system notes for itself. All four are empty arrays with a single stack.
    """

    __slots__ = ("_mark", "_other", "_other_size", "_switches")

    _stack: Ints
    _stack_size: Ints
    _other: Ints
    _other_size: Ints
    _switches: Ints
    _mark: Ints

    @property
    def two_stacks(self) -> bool:
        """Whether the configurations have a second stack."""
        return self._other.size > 0

    def other_stack(self, k: int | Ints) -> Ints:
        """The k-th node from the top of the inactive stack; -1 where that stack is not that deep."""
        return self._other[self.base + np.maximum(self._other_size[self.rows] - 1 - k, NONE)]

    def on_other_stack(self) -> Bools:
        """bool (rows, width): which nodes are on the inactive stack."""
        return self._listed(self._other, self._other_size)

    def _listed(self, places: Ints, size: Ints) -> Bools:
        """bool (rows, width): which nodes are among the first ``size`` (B,) of ``places`` (B * width,)."""
        nodes = places.reshape(-1, self.width)[self.rows]
        filled = np.arange(self.width) < size[self.rows, None]
        listed = np.zeros(nodes.shape, dtype=np.bool_)
        np.put_along_axis(listed, np.where(filled, nodes, self.width - 1), True, axis=1)
        listed[:, -1] = False
        return listed

    @property
    def switches(self) -> Ints:
        """Number of exchanges of the two stacks."""
        return self._switches[self.rows]

    @property
    def mark(self) -> Ints:
        """The number that :meth:`set_mark` noted last; 0 at first."""
        return self._mark[self.rows]

    def set_mark(self, number: int) -> None:
        """Note a number for the transition system's own use, such as whether the last transition was SWITCH."""
        self._mark[self.rows] = number

    def push_other(self, node: Ints) -> None:
        """Put ``node`` on top of the inactive stack."""
        size = self._other_size[self.rows]
        self._other[self.base + size] = node
        self._other_size[self.rows] = size + 1

    def switch(self) -> None:
        """Exchange the active and the inactive stack."""
        own, other = self._stack.reshape(-1, self.width), self._other.reshape(-1, self.width)
        own[self.rows], other[self.rows] = other[self.rows], own[self.rows]
        sizes = self._stack_size[self.rows]
        self._stack_size[self.rows] = self._other_size[self.rows]
        self._other_size[self.rows] = sizes
        self._switches[self.rows] += 1
