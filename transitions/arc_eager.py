"""The arc-eager system."""

from __future__ import annotations

from collections.abc import Mapping

from .arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from .configuration import NONE, Bools, Configuration, Ints
from .system import Move, TransitionSystem

REDUCE = Move("REDUCE", "RE", labelled=False)


class LinkSystem(TransitionSystem):
    """A system whose arcs link the top of the stack and the first node of the buffer; an empty buffer ends it."""

    default_moves = (SHIFT,)

    def arcs(self, c: Configuration) -> Mapping[Move, tuple[Ints, Ints]]:
        i, j = c.stack(0), c.buffer(0)
        return {LEFT_ARC: (j, i), RIGHT_ARC: (i, j)}

    def terminal(self, c: Configuration) -> Bools:
        return c.buffer_size == 0

    def acyclic_arcs(self, c: Configuration) -> Mapping[Move, Bools]:
        """For each arc move, the rows in which it gives a word its only head and does not close a cycle."""
        i, j = c.stack(0), c.buffer(0)
        return {
            LEFT_ARC: (i > 0) & (c.head(i) == NONE) & (c.top(j) != i),
            RIGHT_ARC: (c.stack_size > 0) & (c.head(j) == NONE) & (c.top(i) != j) & self.may_attach_to_root(c, i),
        }

    def projective_moves(self, c: Configuration, pass_over: Move) -> Mapping[Move, Bools]:
        """For each move, the rows in which it is permissible in a system whose nodes leave the stack with their head.

        pass_over: the move that passes a node with a head
        """
        i = c.stack(0)
        headed = c.head(i) != NONE
        return {
            SHIFT: c.buffer_size > 0,
            LEFT_ARC: (i > 0) & ~headed,
            RIGHT_ARC: self.may_attach_to_root(c, i),
            pass_over: headed,
        }


class ArcEager(LinkSystem):
    """Arc-eager: arcs between the top of the stack and the first node of the buffer (Nivre 2003; Nivre 2008).

    ======================  =========================================  =================
    SHIFT                   (σ, j|β, A) → (σ|j, β, A)
    LEFT-ARC l              (σ|i, j|β, A) → (σ, j|β, A ∪ (j, l, i))    i ≠ 0, no head of i in A
    RIGHT-ARC l             (σ|i, j|β, A) → (σ|i|j, β, A ∪ (i, l, j))
    REDUCE                  (σ|i, β, A) → (σ, β, A)                    a head of i in A
    ======================  =========================================  =================

    The first node of the buffer never has a head. Node 0 never gets a head and stays at the bottom of the stack. All
    configurations with an empty buffer are terminal. There are at most 2n - 1 transitions, because each word enters
    the stack once and each word but the last may leave it once. :meth:`TransitionSystem.finish` attaches words that
    have no head at the end. A single root means that node 0 gets at most one dependent by RIGHT-ARC. The default
    transition is SHIFT, which is always permissible.
    """

    name = "arc-eager"
    place = 2
    moves = (SHIFT, LEFT_ARC, RIGHT_ARC, REDUCE)
    projective = True

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        return self.projective_moves(c, REDUCE)

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SHIFT:
            c.push(c.pop_buffer())
        elif move is LEFT_ARC:
            c.add_arc(c.buffer(0), label, c.stack(0))
            c.remove(0)
        elif move is RIGHT_ARC:
            c.add_arc(c.stack(0), label, c.buffer(0))
            c.push(c.pop_buffer())
        elif move is REDUCE:
            c.remove(0)

    def max_transitions(self, n: int) -> int:
        return max(2 * n - 1, 0)
