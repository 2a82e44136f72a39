"""Configurations, in batches: many parser configurations held as arrays and advanced in lockstep.

All array handling of the framework's transition systems is here, so that a system can be written as its paper's table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import NONE, ROOT, UNUSED, Arrays, Bools, Ints
from .second_stack import SecondStack
from .valencies import ValencyList

__all__ = ["NONE", "ROOT", "Arrays", "Bools", "Ints"]


class Configuration(SecondStack):
    """A batch of B parser configurations (stack, buffer, arcs), or a view of some of its rows.

    Every method speaks of the rows of the view: it takes and returns arrays of one value for each row, int64 unless
    said otherwise. :meth:`at` gives a view that shares the arrays, so what is done to a view is done to the batch.

    Methods that look something up broadcast: a column of indices or nodes, (m, 1) or (m, rows), gives (m, rows).

    Nodes are 0..n, "no node" is -1. Internally each array has one row of ``width`` = longest sentence + 2 places for
    each configuration, flattened; the last place of a row always holds "none", so that looking up node -1 in a row
    reads the sentinel of the row before it and needs no test.

    The stack's places behind its top are kept by :meth:`retract` and given back by :meth:`restore`: these are the lists
    λ1 and λ2 of Covington's algorithm (Nivre 2008).

    With two stacks, :meth:`stack` and the like speak of the active one; see :class:`SecondStack`.

    :meth:`over_trees` gives configurations that start from trees and hold polarized valencies (Lacroix & Béchet 2014).
    """

    __slots__ = (
        "_above",
        "_buffer",
        "_buffer_size",
        "_context_size",
        "_counts",
        "_deprels",
        "_first",
        "_heads",
        "_lengths",
        "_origin",
        "_second",
        "_seen",
        "_stack",
        "_stack_size",
        "_swapped",
        "base",
        "rows",
        "width",
    )

    def __init__(self, lengths: NDArray[np.integer], *, two_stacks: bool = False) -> None:
        """The initial configurations ([0], [1..n], {}) of sentences with ``lengths`` words (integers, shape (B,)).

        two_stacks: with a second stack, [0], too.
        """
        self._lengths = np.asarray(lengths, dtype=np.int64)
        batch = len(self._lengths)
        self.width = int(self._lengths.max(initial=0)) + 2
        size = batch * self.width
        self.rows = np.arange(batch)
        self.base = self.rows * self.width
        self._origin = self.rows * self.width
        self._stack = np.full(size, NONE)
        self._stack[self.base] = ROOT
        self._stack_size = np.ones(batch, dtype=np.int64)
        self._context_size = np.zeros(batch, dtype=np.int64)
        places = np.arange(self.width)
        self._buffer = np.where(
            places < self._lengths[:, None], self._lengths[:, None] - places, NONE
        ).ravel()  # reversed: the first node is the last of the filled places
        self._buffer_size = self._lengths.copy()
        self._seen = np.zeros(batch, dtype=np.int64)
        self._swapped = np.full(batch, NONE)
        self._heads = np.full(size, NONE)
        self._deprels = np.full(size, NONE)
        self._above = np.full(size, NONE)
        self._first = {side: np.full(size, NONE) for side in ("left", "right")}
        self._second = {side: np.full(size, NONE) for side in ("left", "right")}
        self._counts = {side: np.zeros(size, dtype=np.int64) for side in ("left", "right")}
        self._found_heads = self._found_deprels = self._below = self._waiting = UNUSED
        self._other = self._other_size = self._switches = self._mark = UNUSED
        if two_stacks:
            self._other, self._other_size = self._stack.copy(), self._stack_size.copy()
            self._switches, self._mark = np.zeros((2, batch), dtype=np.int64)

    @classmethod
    def over_trees(
        cls,
        lengths: NDArray[np.integer],
        heads: Ints,
        deprels: Ints,
        found: tuple[Ints, Ints],
        labels: int,
        *,
        right_to_left: bool = False,
    ) -> Configuration:
        """Configurations that start from trees, with an empty list θ of valencies of ``labels`` labels.

        heads, deprels: int64 (B, width), the arcs that :meth:`head` and the like speak of. found: heads and deprels,
        int64 (B, width), of the trees as they are built, at first. All are -1 outside the words, the width is that of
        the longest sentence + 2. right_to_left: begin with all words on the stack and an empty buffer.
        """
        c = cls(lengths)
        words = np.arange(1, c.width - 1)
        if right_to_left:
            c._stack.reshape(-1, c.width)[:, 1:-1] = np.where(words <= c._lengths[:, None], words, NONE)
            c._stack_size += c._lengths
            c._buffer_size[:] = 0
        c._heads = heads.ravel().copy()
        c._deprels = deprels.ravel().copy()
        c._found_heads, c._found_deprels = (array.ravel().copy() for array in found)
        c._below = np.full(c._heads.size, NONE)
        c._waiting = np.full((len(c), labels), NONE)
        rows, dependents = np.nonzero(heads >= 0)
        head = heads[rows, dependents]
        for side, chosen in (("right", dependents > head), ("left", dependents < head)):
            c._add_dependents(side, c.base[rows[chosen]] + head[chosen], dependents[chosen])
        return c

    def __len__(self) -> int:
        """The number of rows of this view."""
        return len(self.rows)

    def at(self, index: NDArray[np.integer] | Bools) -> Configuration:
        """A view of the rows that ``index`` (positions or a mask within this view) selects; arrays are shared."""
        view = object.__new__(type(self))
        for name in (*ValencyList.__slots__, *SecondStack.__slots__, *self.__slots__):
            setattr(view, name, getattr(self, name))
        view.rows = self.rows[index]
        view.base = self.base[index]
        return view

    def compact(self) -> Configuration:
        """A batch of its own with copies of the rows of this view."""
        copy = object.__new__(type(self))
        copy.width = self.width
        copy.rows = np.arange(len(self.rows))
        copy.base = copy.rows * self.width
        for name in (*ValencyList.__slots__, *SecondStack.__slots__, *self.__slots__):
            value = getattr(self, name)
            if name in ("rows", "base", "width"):
                continue
            if isinstance(value, dict):
                setattr(copy, name, {side: self._compact(array) for side, array in value.items()})
            else:
                setattr(copy, name, self._compact(value))
        return copy

    def _compact(self, array: Ints) -> Ints:
        if array is UNUSED:
            return array
        if array.ndim == 2 or array.size == self._lengths.size:
            return array[self.rows]
        return array.reshape(-1, self.width)[self.rows].ravel()

    def arrays(self) -> Arrays:
        """The arrays of the whole batch, whichever rows this is a view of; what is done to them is done to it."""
        return Arrays(
            self.width,
            self._origin,
            self._lengths,
            self._stack,
            self._stack_size,
            self._context_size,
            self._buffer,
            self._buffer_size,
            self._seen,
            self._swapped,
            self._heads,
            self._deprels,
            self._above,
            *(kept[side] for kept in (self._first, self._second, self._counts) for side in ("left", "right")),
        )._replace(other=self._other, other_size=self._other_size, mark=self._mark)

    @property
    def origin(self) -> Ints:
        """Start of each row's sentence in a flattened array (B, width) of the batch as it was created.

        ``array.ravel()[c.origin + node]`` looks up what an array of the whole batch, such as the gold heads or a column
        of the treebank, says of a node, also after :meth:`compact`.
        """
        return self._origin[self.rows]

    # --- content of configurations --------------------------------------------------------------------------------

    @property
    def lengths(self) -> Ints:
        """The number of words n."""
        return self._lengths[self.rows]

    @property
    def stack_size(self) -> Ints:
        return self._stack_size[self.rows]

    @property
    def buffer_size(self) -> Ints:
        return self._buffer_size[self.rows]

    @property
    def context_size(self) -> Ints:
        """The number of nodes that :meth:`retract` has put aside (Covington's λ2)."""
        return self._context_size[self.rows]

    @property
    def swapped(self) -> Ints:
        """The node that was last moved back from the stack to the buffer; -1 if there was none."""
        return self._swapped[self.rows]

    def stack(self, k: int | Ints) -> Ints:
        """The k-th node from the top of the stack (0 is the top); -1 where the stack is not that deep."""
        return self._stack[self.base + np.maximum(self._stack_size[self.rows] - 1 - k, NONE)]

    def buffer(self, k: int | Ints) -> Ints:
        """The k-th node of the buffer (0 is the first); -1 where it is not that long."""
        return self._buffer[self.base + np.maximum(self._buffer_size[self.rows] - 1 - k, NONE)]

    def lookahead(self, k: int | Ints) -> Ints:
        """The k-th of the words that have never left the buffer; unlike :meth:`buffer` blind to reordering."""
        node = self._seen[self.rows] + 1 + k
        return np.where(node <= self._lengths[self.rows], node, NONE)

    def context(self, k: int | Ints) -> Ints:
        """The k-th of the nodes put aside by :meth:`retract` (Covington's λ2); -1 where there are fewer."""
        place = self._stack_size[self.rows] + k
        return np.where(
            k < self._context_size[self.rows], self._stack[self.base + np.minimum(place, self.width - 1)], NONE
        )

    def head(self, node: Ints) -> Ints:
        """The head of ``node``; -1 if it has none, or for no node."""
        return self._heads[self.base + node]

    def deprel(self, node: Ints) -> Ints:
        """The label of the arc to ``node``; -1 if it has none, or for no node."""
        return self._deprels[self.base + node]

    def on_stack(self) -> Bools:
        """bool (rows, width): which nodes are on the stack; what :meth:`retract` has put aside is not."""
        return self._listed(self._stack, self._stack_size)

    def in_buffer(self) -> Bools:
        """bool (rows, width): which nodes are in the buffer."""
        return self._listed(self._buffer, self._buffer_size)

    def dependent(self, node: Ints, side: str, k: int = 0) -> Ints:
        """The outermost dependent (k = 0), or the one next to it (k = 1), of ``node`` on its "left" or "right"."""
        return (self._second if k else self._first)[side][self.base + node]

    def valency(self, node: Ints, side: str) -> Ints:
        """The number of dependents of ``node`` on its "left" or "right"; 0 for no node."""
        return self._counts[side][self.base + node]

    def root_children(self) -> Ints:
        """The number of dependents of node 0."""
        return self._counts["right"][self.base]

    def heads_matrix(self) -> Ints:
        """int64 (rows, width): the heads of nodes 0..n of each row, then -1."""
        return self._heads.reshape(-1, self.width)[self.rows]

    def deprels_matrix(self) -> Ints:
        """int64 (rows, width): the labels of the arcs to nodes 0..n of each row, then -1."""
        return self._deprels.reshape(-1, self.width)[self.rows]

    def top(self, node: Ints) -> Ints:
        """The node without a head that ``node`` descends from, or is; -1 for no node.

        An arc from h to a node d without a head closes a cycle iff ``top(h) == d``. Paths are compressed as in a
        union-find structure, so that long chains of arcs are not climbed again and again.
        """
        found = node
        while True:
            place = self.base + found
            above = np.where(self._above[place] == NONE, self._heads[place], self._above[place])
            if (above == NONE).all():
                break
            found = np.where(above == NONE, found, above)
        self._above[self.base + node] = np.where(found == node, NONE, found)
        return found

    def nearest_valent(self) -> Ints:
        """The node with a valency in θ that is nearest to the top of the stack; -1 if θ is empty."""
        nodes = self.valencies()
        away = np.where(nodes == NONE, self.width, np.abs(nodes - self.stack(0)[:, None]))
        return nodes[np.arange(len(self)), np.argmin(away, axis=1)] if nodes.size else np.full(len(self), NONE)

    # --- effects of transitions -----------------------------------------------------------------------------------

    def push(self, node: Ints) -> None:
        """Put ``node`` on top of the stack."""
        size = self._stack_size[self.rows]
        self._stack[self.base + size] = node
        self._stack_size[self.rows] = size + 1

    def remove(self, k: int) -> None:
        """Take the k-th node from the top out of the stack."""
        size = self._stack_size[self.rows] - 1
        for place in range(k, 0, -1):
            self._stack[self.base + size - place] = self._stack[self.base + size - place + 1]
        self._stack_size[self.rows] = size

    def pop_buffer(self) -> Ints:
        """Take the first node out of the buffer and return it."""
        size = self._buffer_size[self.rows] - 1
        node = self._buffer[self.base + size]
        self._buffer_size[self.rows] = size
        self._seen[self.rows] = np.maximum(self._seen[self.rows], node)
        return node

    def push_buffer(self, node: Ints, behind: int = 0) -> None:
        """Put ``node`` back into the buffer behind this number of its first nodes."""
        size = self._buffer_size[self.rows]
        for place in range(behind):
            self._buffer[self.base + size - place] = self._buffer[self.base + size - place - 1]
        self._buffer[self.base + size - behind] = node
        self._buffer_size[self.rows] = size + 1
        self._swapped[self.rows] = node

    def retract(self) -> None:
        """Put the top of the stack aside, in front of the nodes put aside before: λ1|i, λ2 becomes λ1, i|λ2."""
        self._stack_size[self.rows] -= 1
        self._context_size[self.rows] += 1

    def restore(self) -> None:
        """Give the stack back all that was put aside: λ1, λ2 becomes λ1·λ2, []."""
        self._stack_size[self.rows] += self._context_size[self.rows]
        self._context_size[self.rows] = 0

    def drop_context(self) -> None:
        """Discard all that was put aside: λ1, λ2 becomes λ1, []."""
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
        first, second = self._first[side], self._second[side]
        outer, inner = first[place], second[place]
        if side == "right":
            first[place] = np.maximum(outer, new)
            second[place] = np.maximum(inner, np.minimum(outer, new))
        else:
            outermost = (outer == NONE) | (new < outer)
            first[place] = np.where(outermost, new, outer)
            second[place] = np.where(outermost, outer, np.where((inner == NONE) | (new < inner), new, inner))
        self._counts[side][place] += 1

    def _add_dependents(self, side: str, place: Ints, new: Ints) -> None:
        """Fill the lists of the outermost dependents of one side from all arcs at once."""
        first, second = self._first[side], self._second[side]
        for outermost, candidates in ((first, None), (second, first)):
            chosen = np.ones(len(new), dtype=np.bool_) if candidates is None else new != candidates[place]
            if side == "right":
                np.maximum.at(outermost, place[chosen], new[chosen])
            else:
                outermost[place[chosen]] = self.width
                np.minimum.at(outermost, place[chosen], new[chosen])
        self._counts[side] += np.bincount(place, minlength=self._counts[side].size)
