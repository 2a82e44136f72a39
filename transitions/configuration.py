"""Batches of parser configurations, held as arrays and advanced in lockstep.

This module handles all arrays of the transition systems, so that a system reads like the table in its paper.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from .arrays import BUFFER, NONE, OTHER_STACK, ROOT, SIDES, STACK, Arrays, Bools, Ints

__all__ = ["NONE", "ROOT", "Arrays", "Bools", "Ints"]


class Configuration:
    """A batch of B parser configurations (stack, buffer, arcs), or a view of some of its rows.

    Every method works on the rows of the view: it takes and returns arrays with one value per row, int64 unless stated
    otherwise. :meth:`at` returns a view that shares the arrays, so that changes to a view change the batch. Methods
    that look something up broadcast: for a column of indices or nodes, (m, 1) or (m, rows), they return (m, rows).

    Nodes are 0..n; "no node" is -1. Internally, each array is flattened and has one row of ``width`` = longest sentence
    + 2 places per configuration. The last place of a row always holds "none", so that looking up node -1 reads the
    sentinel of the row before and needs no test.

    :meth:`retract` keeps the top of the stack in the places behind the stack, and :meth:`restore` returns it to the
    stack. These are the lists λ1 and λ2 of Covington's algorithm (Nivre 2008).

    With two stacks (Gómez-Rodríguez & Nivre 2010), :meth:`stack` and similar methods refer to the active stack.
    """

    __slots__ = (*(f"_{name}" for name in Arrays._fields[1:]), "_switches", "base", "rows", "width")
    _slots: ClassVar[tuple[str, ...]] = __slots__

    def __init__(self, lengths: NDArray[np.integer], *, two_stacks: bool = False) -> None:
        """Make the initial configurations ([0], [1..n], {}) of sentences.

        lengths: integers (B,), the number of words of each sentence
        two_stacks: whether configurations have a second stack, [0], as well
        """
        self._lengths = np.asarray(lengths, dtype=np.int64)
        batch = len(self._lengths)
        self.width = int(self._lengths.max(initial=0)) + 2
        size = batch * self.width
        self.rows = np.arange(batch)
        self.base = self.rows * self.width
        self._origin = self.rows * self.width
        lists = 3 if two_stacks else 2
        self._lists = np.full((lists, size), NONE)
        self._lists[::OTHER_STACK, self.base] = ROOT
        left = self._lengths[:, None] - np.arange(self.width)  # the last filled place holds the first node
        self._lists[BUFFER] = np.where(left > 0, left, NONE).ravel()
        self._sizes = np.ones((lists, batch), dtype=np.int64)
        self._sizes[BUFFER] = self._lengths
        self._context_size, self._seen, self._mark, self._switches = np.zeros((4, batch), dtype=np.int64)
        self._swapped = np.full(batch, NONE)
        self._heads, self._deprels, self._above = np.full((3, size), NONE)
        self._first, self._second = np.full((2, len(SIDES), size), NONE)
        self._counts = np.zeros((len(SIDES), size), dtype=np.int64)

    def __len__(self) -> int:
        """The number of rows of this view."""
        return len(self.rows)

    def at(self, index: NDArray[np.integer] | Bools) -> Self:
        """A view of the rows that ``index`` (positions or a mask within this view) selects; it shares the arrays."""
        view = object.__new__(type(self))
        for name in self._slots:
            setattr(view, name, getattr(self, name))
        view.rows = self.rows[index]
        view.base = self.base[index]
        return view

    def compact(self) -> Self:
        """A separate batch with copies of the rows of this view."""
        copy = object.__new__(type(self))
        copy.width = self.width
        copy.rows = np.arange(len(self.rows))
        copy.base = copy.rows * self.width
        for name in self._slots:
            if name.startswith("_"):
                setattr(copy, name, self._compact(getattr(self, name)))
        return copy

    def _compact(self, array: Ints) -> Ints:
        """Select the rows of this view from an array with one or ``width`` places per configuration of the batch."""
        *others, size = array.shape
        each = size // max(len(self._lengths), 1)
        rows = np.take(array.reshape(*others, len(self._lengths), each), self.rows, axis=-2)
        return rows.reshape(*others, len(self.rows) * each)

    def arrays(self) -> Arrays:
        """The arrays of the whole batch, also for a view; changes to them change the batch."""
        return Arrays(self.width, *(getattr(self, f"_{name}") for name in Arrays._fields[1:]))

    @property
    def origin(self) -> Ints:
        """Start of each row's sentence in a flattened array (B, width) of the original batch.

        ``array.ravel()[c.origin + node]`` looks up the value of a node in an array of the whole batch, such as the gold
        heads or a column of the treebank. It is valid after :meth:`compact` too.
        """
        return self._origin[self.rows]

    # --- content of configurations --------------------------------------------------------------------------------

    @property
    def lengths(self) -> Ints:
        """The number of words n."""
        return self._lengths[self.rows]

    @property
    def stack_size(self) -> Ints:
        """The number of nodes on the stack, with node 0."""
        return self._sizes[STACK][self.rows]

    @property
    def buffer_size(self) -> Ints:
        """The number of nodes in the buffer."""
        return self._sizes[BUFFER][self.rows]

    @property
    def context_size(self) -> Ints:
        """The number of nodes that :meth:`retract` has put aside (Covington's λ2)."""
        return self._context_size[self.rows]

    @property
    def swapped(self) -> Ints:
        """The node that was most recently moved back from the stack to the buffer; -1 if there is none."""
        return self._swapped[self.rows]

    @property
    def two_stacks(self) -> bool:
        """Whether the configurations have a second stack."""
        return len(self._lists) > OTHER_STACK

    @property
    def switches(self) -> Ints:
        """Number of exchanges of the two stacks."""
        return self._switches[self.rows]

    @property
    def mark(self) -> Ints:
        """The most recent number given to :meth:`set_mark`; initially 0."""
        return self._mark[self.rows]

    def stack(self, k: int | Ints) -> Ints:
        """The k-th node from the top of the stack (0 is the top); -1 if the stack has at most k nodes."""
        return self._node(STACK, k)

    def other_stack(self, k: int | Ints) -> Ints:
        """The k-th node from the top of the inactive stack; -1 if that stack has at most k nodes."""
        return self._node(OTHER_STACK, k)

    def buffer(self, k: int | Ints) -> Ints:
        """The k-th node of the buffer (0 is the first); -1 if the buffer has at most k nodes."""
        return self._node(BUFFER, k)

    def _node(self, number: int, k: int | Ints) -> Ints:
        return self._lists[number][self.base + np.maximum(self._sizes[number][self.rows] - 1 - k, NONE)]

    def lookahead(self, k: int | Ints) -> Ints:
        """The k-th of the words that have never left the buffer; unlike :meth:`buffer`, it ignores reordering."""
        node = self._seen[self.rows] + 1 + k
        return np.where(node <= self._lengths[self.rows], node, NONE)

    def context(self, k: int | Ints) -> Ints:
        """The k-th of the nodes put aside by :meth:`retract` (Covington's λ2); -1 where there are fewer."""
        place = self.base + np.minimum(self._sizes[STACK][self.rows] + k, self.width - 1)
        return np.where(k < self._context_size[self.rows], self._lists[STACK][place], NONE)

    def head(self, node: Ints) -> Ints:
        """The head of ``node``; -1 if it has no head, and for "no node"."""
        return self._heads[self.base + node]

    def deprel(self, node: Ints) -> Ints:
        """The label of the arc to ``node``; -1 if it has no head, and for "no node"."""
        return self._deprels[self.base + node]

    def on_stack(self) -> Bools:
        """bool (rows, width): whether each node is on the stack; nodes that :meth:`retract` has put aside are not."""
        return self._listed(STACK)

    def on_other_stack(self) -> Bools:
        """bool (rows, width): whether each node is on the inactive stack."""
        return self._listed(OTHER_STACK)

    def in_buffer(self) -> Bools:
        """bool (rows, width): whether each node is in the buffer."""
        return self._listed(BUFFER)

    def _listed(self, number: int) -> Bools:
        nodes = self._lists[number].reshape(-1, self.width)[self.rows]
        filled = np.arange(self.width) < self._sizes[number][self.rows, None]
        listed = np.zeros(nodes.shape, dtype=np.bool_)
        np.put_along_axis(listed, np.where(filled, nodes, self.width - 1), True, axis=1)
        listed[:, -1] = False
        return listed

    def dependent(self, node: Ints, side: str, k: int = 0) -> Ints:
        """The outermost dependent (k = 0) of ``node`` on its "left" or "right", or the next one inwards (k = 1)."""
        return (self._second if k else self._first)[SIDES[side]][self.base + node]

    def arity(self, node: Ints, side: str) -> Ints:
        """The number of dependents of ``node`` on its "left" or "right" side; 0 for "no node"."""
        return self._counts[SIDES[side]][self.base + node]

    def root_children(self) -> Ints:
        """The number of dependents of node 0."""
        return self._counts[SIDES["right"]][self.base]

    def heads_matrix(self) -> Ints:
        """int64 (rows, width): the heads of nodes 0..n of each row, then -1."""
        return self._heads.reshape(-1, self.width)[self.rows]

    def deprels_matrix(self) -> Ints:
        """int64 (rows, width): the labels of the arcs to nodes 0..n of each row, then -1."""
        return self._deprels.reshape(-1, self.width)[self.rows]

    def top(self, node: Ints) -> Ints:
        """The headless node at the top of the path of heads from ``node``, possibly ``node`` itself; -1 for "no node".

        An arc from h to a node d without a head closes a cycle iff ``top(h) == d``. Paths are compressed as in a
        union-find structure, so that long chains of arcs are not climbed repeatedly.
        """
        ancestor = node
        while True:
            place = self.base + ancestor
            above = np.where(self._above[place] == NONE, self._heads[place], self._above[place])
            if (above == NONE).all():
                break
            ancestor = np.where(above == NONE, ancestor, above)
        self._above[self.base + node] = np.where(ancestor == node, NONE, ancestor)
        return ancestor

    # --- effects of transitions -----------------------------------------------------------------------------------

    def push(self, node: Ints) -> None:
        """Put ``node`` on top of the stack."""
        self._insert(STACK, node)

    def push_other(self, node: Ints) -> None:
        """Put ``node`` on top of the inactive stack."""
        self._insert(OTHER_STACK, node)

    def push_buffer(self, node: Ints, behind: int = 0) -> None:
        """Put ``node`` back into the buffer after its first ``behind`` nodes."""
        self._insert(BUFFER, node, behind)
        self._swapped[self.rows] = node

    def _insert(self, number: int, node: Ints, behind: int = 0) -> None:
        nodes, size = self._lists[number], self._sizes[number][self.rows]
        for place in range(behind):
            nodes[self.base + size - place] = nodes[self.base + size - place - 1]
        nodes[self.base + size - behind] = node
        self._sizes[number][self.rows] = size + 1

    def remove(self, k: int) -> None:
        """Remove the k-th node from the top of the stack."""
        nodes, size = self._lists[STACK], self._sizes[STACK][self.rows] - 1
        for place in range(k, 0, -1):
            nodes[self.base + size - place] = nodes[self.base + size - place + 1]
        self._sizes[STACK][self.rows] = size

    def pop_buffer(self) -> Ints:
        """Remove the first node from the buffer and return it."""
        node = self.buffer(0)
        self._sizes[BUFFER][self.rows] -= 1
        self._seen[self.rows] = np.maximum(self._seen[self.rows], node)
        return node

    def switch(self) -> None:
        """Exchange the active and the inactive stack."""
        both = [[STACK], [OTHER_STACK]]
        for array in (self._lists.reshape(len(self._lists), -1, self.width), self._sizes):
            array[both, self.rows] = array[both[::-1], self.rows]
        self._switches[self.rows] += 1

    def set_mark(self, number: int) -> None:
        """Store a number for the transition system's own use, such as whether the last transition was SWITCH."""
        self._mark[self.rows] = number

    def retract(self) -> None:
        """Put the top of the stack aside, in front of the nodes put aside before: λ1|i, λ2 becomes λ1, i|λ2."""
        self._sizes[STACK][self.rows] -= 1
        self._context_size[self.rows] += 1

    def restore(self) -> None:
        """Return all nodes that were put aside to the stack: λ1, λ2 becomes λ1·λ2, []."""
        self._sizes[STACK][self.rows] += self._context_size[self.rows]
        self._context_size[self.rows] = 0

    def drop_context(self) -> None:
        """Discard all nodes that were put aside: λ1, λ2 becomes λ1, []."""
        self._context_size[self.rows] = 0

    def add_arc(self, head: Ints, label: Ints, dependent: Ints) -> None:
        """Add the arc (head, label, dependent)."""
        self._heads[self.base + dependent] = head
        self._deprels[self.base + dependent] = label
        right = dependent > head
        if right.any():
            self._add_dependent("right", right, head, dependent)
        if not right.all():
            self._add_dependent("left", ~right, head, dependent)

    def set_label(self, dependent: Ints, label: Ints) -> None:
        """Relabel the arc to ``dependent``."""
        self._deprels[self.base + dependent] = label

    def _add_dependent(self, side: str, chosen: Bools, head: Ints, dependent: Ints) -> None:
        place = self.base[chosen] + head[chosen]
        new = dependent[chosen]
        first, second = self._first[SIDES[side]], self._second[SIDES[side]]
        outer, inner = first[place], second[place]
        if side == "right":
            first[place] = np.maximum(outer, new)
            second[place] = np.maximum(inner, np.minimum(outer, new))
        else:
            outermost = (outer == NONE) | (new < outer)
            first[place] = np.where(outermost, new, outer)
            second[place] = np.where(outermost, outer, np.where((inner == NONE) | (new < inner), new, inner))
        self._counts[SIDES[side]][place] += 1
