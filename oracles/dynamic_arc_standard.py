"""The dynamic oracle of arc-standard: a dynamic program after Goldberg, Sartorio & Satta (2014)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import NONE, Bools, Configuration, Ints
from .dynamic import ExpectedArcsOracle

UNREACHED = -(2**20)
"""The number of gold arcs of a tree that cannot be built."""
SIZES = 4 * 2 ** np.arange(28)
"""Numbers of nodes to which the stack and the buffer are padded."""


class DynamicArcStandardOracle(ExpectedArcsOracle):
    """Arc-standard is not arc-decomposable: gold arcs that are reachable individually may not be reachable together.

    A dynamic program over the stack and the collapsed buffer finds the best tree. Words of the buffer that have gold
    arcs only to other words of the buffer are attached to their gold heads without loss. The remaining words of the
    buffer have a gold arc to or from the stack, or a gold descendant with such an arc; they are joined one by one.

    A state consists of the number of stack nodes, from the top, and of remaining words that have been joined to one
    tree, and the root of this tree. The next node of either side becomes a dependent of the root, or its head. Stack
    nodes without gold arcs to the remaining words can become dependents of any neighbour and are ignored.

    Costs are exact for projective trees, also under a single root, where node 0 comes last. For other trees they are an
    approximation: in 0.02 % of all configurations of their trees of 5 words, the cheapest move loses a reachable arc.
    """

    systems = ("arc-standard",)
    preference = (LEFT_ARC, RIGHT_ARC, SHIFT)

    def reachable(self, c: Configuration) -> Ints:
        gold, buffer = self.gold_heads(c), c.in_buffer()
        links = _Links.of(c, gold, buffer)
        within = buffer & np.take_along_axis(buffer, gold, axis=1) & ~links.kept
        built = (gold != NONE) & (c.heads_matrix() == gold)
        arcs = np.count_nonzero(within | built, axis=1)
        # Rows with similar numbers of nodes to join share their steps. Nodes without gold arcs are added to rows with
        # fewer nodes: they can become dependents of any neighbour, and lose nothing.
        left, right = (SIZES[np.searchsorted(SIZES, size)] for size in links.sizes())
        for most_left, most_right in set(zip(left.tolist(), right.tolist(), strict=True)):
            rows = np.flatnonzero((left == most_left) & (right == most_right))
            arcs[rows] += _best_joins(links.heads(rows, most_left, most_right), most_left, self.system.single_root)
        return arcs


@dataclass(frozen=True, slots=True)
class _Links:
    """The nodes of a batch with a gold arc to or from the stack, or a gold descendant in the buffer that has one."""

    gold: Ints
    stack: Ints
    kept: Bools
    buffer: Bools

    @classmethod
    def of(cls, c: Configuration, gold: Ints, buffer: Bools) -> _Links:
        stack = c.stack(np.arange(int(c.stack_size.max(initial=1)))[:, None]).T
        on_stack = c.on_stack()
        live = on_stack | buffer
        here = live & np.take_along_axis(live, gold, axis=1)  # the arc to the node may still be added
        touched = here & (on_stack | np.take_along_axis(on_stack, gold, axis=1))
        kept = touched.copy()
        np.put_along_axis(kept, np.where(touched, gold, NONE), True, axis=1)
        up = kept & buffer
        while up.any():
            above = np.zeros_like(kept)
            np.put_along_axis(above, np.where(up, gold, NONE), True, axis=1)
            up = above & buffer & ~kept
            kept |= up
        kept[:, 0] = True
        kept[:, -1] = False
        return cls(gold, stack, kept & live, buffer)

    def sizes(self) -> tuple[Ints, Ints]:
        """(rows,) each: the number of kept nodes on the stack, and in the buffer."""
        return np.count_nonzero(self.kept & ~self.buffer, axis=1), np.count_nonzero(self.kept & self.buffer, axis=1)

    def heads(self, rows: Ints, left: int, right: int) -> Ints:
        """int64 (rows, left + right): the number of each node's gold head, or -1.

        rows: configurations with at most ``left`` kept nodes on the stack and ``right`` in the buffer

        Nodes of the stack are numbered first, from the top, and node 0 is the last of them; nodes of the buffer follow.
        Numbers without a node have no gold head.
        """
        gold, stack, kept = self.gold[rows], self.stack[rows], self.kept[rows]
        chosen = np.take_along_axis(kept, stack, axis=1) & (stack != NONE)
        ahead = kept & self.buffer[rows]
        number = np.full(gold.shape, NONE)
        np.put_along_axis(number, stack, np.where(chosen, np.cumsum(chosen, axis=1) - 1, NONE), axis=1)
        number[ahead] = left + (np.cumsum(ahead, axis=1) - 1)[ahead]
        number[:, 0], number[:, -1] = left - 1, NONE
        heads = np.full((len(rows), left + right), NONE)
        configurations, nodes = np.nonzero(number != NONE)
        heads[configurations, number[configurations, nodes]] = number[configurations, gold[configurations, nodes]]
        return heads


def _best_joins(heads: Ints, left: int, single_root: bool) -> Ints:
    """int64 (rows,): the largest number of gold arcs with which all nodes can be joined.

    heads: int64 (rows, nodes), the number of each node's gold head, or -1
    left: number of stack nodes; they come first, from the top, and the last of them is node 0
    """
    rows, nodes = heads.shape
    right = nodes - left
    is_head = heads[:, :, None] == np.arange(nodes)  # (rows, dependent, head)
    start = np.full((rows, nodes), UNREACHED)
    start[:, 0] = 0
    column = [start]  # the states with one stack node, by the number of buffer words
    for word in range(left, nodes):
        column.append(_join(column[-1], is_head, word))
    for node in range(1, left):
        last = node == left - 1
        joined: list[Ints] = []
        for taken, before in enumerate(column):
            state = _join(before, is_head, node, keep=not last, head=not (last and single_root and taken < right))
            if joined:
                state = np.maximum(state, _join(joined[-1], is_head, left + taken - 1))
            joined.append(state)
        column = joined
    return column[-1][:, left - 1]


def _join(states: Ints, is_head: Bools, node: int, *, keep: bool = True, head: bool = True) -> Ints:
    """The states (rows, roots) after ``node`` has become a dependent of each root (``keep``) or its head (``head``)."""
    joined = states + is_head[:, node, :] if keep else np.full_like(states, UNREACHED)
    if head:
        joined[:, node] = (states + is_head[:, :, node]).max(axis=1)
    return joined
