"""Planar and 2-planar parsing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .arc_eager import REDUCE, LinkSystem
from .arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from .configuration import Bools, Configuration, Ints
from .system import Move

SWITCH = Move("SWITCH", "SWI", labelled=False)


class Planar(LinkSystem):
    """Planar: arcs neither pop nor shift (Gómez-Rodríguez & Nivre 2010, section 3).

    ===========  ============================================  =========================================
    SHIFT        (σ, j|β, A) → (σ|j, β, A)
    REDUCE       (σ|i, β, A) → (σ, β, A)
    LEFT-ARC l   (σ|i, j|β, A) → (σ|i, j|β, A ∪ (j, l, i))     i ≠ 0, no head of i in A, no path i →* j
    RIGHT-ARC l  (σ|i, j|β, A) → (σ|i, j|β, A ∪ (i, l, j))     no head of j in A, no path j →* i
    ===========  ============================================  =========================================

    Node 0 is the leftmost node, so that the trees without crossing arcs are the projective trees. A word that is
    reduced without a head may be attached to node 0 at the end and cross an arc: see :meth:`TransitionSystem.finish`.
    All configurations with an empty buffer are terminal. Each word is shifted once and gets at most one head, and each
    node but the last may be reduced, so there are at most 3n transitions. The default transition is SHIFT, which is
    always permissible.
    """

    name = "planar"
    moves: ClassVar[tuple[Move, ...]] = (SHIFT, LEFT_ARC, RIGHT_ARC, REDUCE)
    projective = False
    place = 9

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        return {SHIFT: c.buffer_size > 0, **self.acyclic_arcs(c), REDUCE: c.stack_size > 0}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SHIFT:
            c.push(c.pop_buffer())
        elif move is LEFT_ARC:
            c.add_arc(c.buffer(0), label, c.stack(0))
        elif move is RIGHT_ARC:
            c.add_arc(c.stack(0), label, c.buffer(0))
        elif move is REDUCE:
            c.remove(0)

    def max_transitions(self, n: int) -> int:
        return 3 * n


class TwoPlanar(Planar):
    """2-planar: two stacks, so that arcs of two planes may cross (Gómez-Rodríguez & Nivre 2010, section 4; 2013).

    ===========  ======================================================  =========================================
    SHIFT        (σ, σ', j|β, A) → (σ|j, σ'|j, β, A)
    REDUCE       (σ|i, σ', β, A) → (σ, σ', β, A)
    LEFT-ARC l   (σ|i, σ', j|β, A) → (σ|i, σ', j|β, A ∪ (j, l, i))       i ≠ 0, no head of i in A, no path i →* j
    RIGHT-ARC l  (σ|i, σ', j|β, A) → (σ|i, σ', j|β, A ∪ (i, l, j))       no head of j in A, no path j →* i
    SWITCH       (σ, σ', β, A) → (σ', σ, β, A)                           the last transition was not SWITCH
    ===========  ======================================================  =========================================

    σ is the active stack. Each node but the last may be reduced from both stacks, and each transition other than
    SWITCH may follow a SWITCH, so there are at most 8n transitions. Terminal configurations and default transition are
    those of planar.
    """

    name = "2-planar"
    moves = (*Planar.moves, SWITCH)
    sources = ("Stack", "OtherStack", "Input", "Lookahead")
    place = 10

    def initial(self, lengths: NDArray[np.integer]) -> Configuration:
        return Configuration(lengths, two_stacks=True)

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        return {**super().permissible(c), SWITCH: c.mark == 0}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SWITCH:
            c.switch()
        elif move is SHIFT:
            c.push_other(c.buffer(0))
        super().apply(c, move, label)
        c.set_mark(1 if move is SWITCH else 0)

    def max_transitions(self, n: int) -> int:
        return 8 * n
