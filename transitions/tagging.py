"""The system that labels each word from left to right."""

from __future__ import annotations

from collections.abc import Mapping

from .configuration import Bools, Configuration, Ints
from .system import Move, TransitionSystem

TAG = Move("TAG", "TAG", labelled=True)


class Tagging(TransitionSystem):
    """Labels each word from left to right: greedy tagging as a transition system.

    ======================  =======================================
    TAG l                   (σ|i, j|β, A) → (σ|i|j, β, A ∪ (i, l, j))
    ======================  =======================================

    Every derivation has n transitions and ends with an empty buffer. Its tree is the chain in which each word depends
    on the word before it and has its tag as label.
    """

    name = "tagging"
    place = 100
    moves = (TAG,)
    default_moves = (TAG,)
    projective = True
    chains = True

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        return {TAG: c.buffer_size > 0}

    def arcs(self, c: Configuration) -> Mapping[Move, tuple[Ints, Ints]]:
        return {TAG: (c.stack(0), c.buffer(0))}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        c.add_arc(c.stack(0), label, c.buffer(0))
        c.push(c.pop_buffer())

    def terminal(self, c: Configuration) -> Bools:
        return c.buffer_size == 0

    def max_transitions(self, n: int) -> int:
        return n
