"""The arc-hybrid system, and arc-hybrid with online reordering."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from .arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from .configuration import ROOT, Bools, Configuration, Ints
from .swap import SWAP
from .system import Move, TransitionSystem


class ArcHybrid(TransitionSystem):
    """Arc-hybrid: LEFT-ARC as in arc-eager, RIGHT-ARC as in arc-standard (Kuhlmann, Gómez-Rodríguez & Satta 2011).

    ======================  =======================================  ==================
    SHIFT                   (σ, i|β, A) → (σ|i, β, A)
    LEFT-ARC l              (σ|i, j|β, A) → (σ, j|β, A ∪ (j, l, i))  i ≠ 0
    RIGHT-ARC l             (σ|i|j, β, A) → (σ|i, β, A ∪ (i, l, j))
    ======================  =======================================  ==================

    Every derivation has 2n transitions, since each word is shifted once and removed once. A single root means that node
    0 gets its dependent last. The default transition is SHIFT, else RIGHT-ARC.
    """

    name = "arc-hybrid"
    place = 3
    moves: ClassVar[tuple[Move, ...]] = (SHIFT, LEFT_ARC, RIGHT_ARC)
    default_moves = (SHIFT, RIGHT_ARC)
    projective = True

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        some = c.buffer_size > 0
        return {
            SHIFT: some,
            LEFT_ARC: some & (c.stack(0) != ROOT),
            RIGHT_ARC: (c.stack_size >= 2) & self.may_take_right_dependent(c),
        }

    def arcs(self, c: Configuration) -> Mapping[Move, tuple[Ints, Ints]]:
        j = c.stack(0)
        return {LEFT_ARC: (c.buffer(0), j), RIGHT_ARC: (c.stack(1), j)}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SHIFT:
            c.push(c.pop_buffer())
        elif move is LEFT_ARC:
            c.add_arc(c.buffer(0), label, c.stack(0))
            c.remove(0)
        elif move is RIGHT_ARC:
            c.add_arc(c.stack(1), label, c.stack(0))
            c.remove(0)

    def max_transitions(self, n: int) -> int:
        return 2 * n


class ArcHybridSwap(ArcHybrid):
    """Arc-hybrid that can reorder the words (de Lhoneux, Stymne & Nivre 2017).

    ======================  =======================================  ==================
    SHIFT                   (σ, i|β, A) → (σ|i, β, A)
    LEFT-ARC l              (σ|i, j|β, A) → (σ, j|β, A ∪ (j, l, i))  i ≠ 0
    RIGHT-ARC l             (σ|i|j, β, A) → (σ|i, β, A ∪ (i, l, j))
    SWAP                    (σ|i, j|β, A) → (σ, j|i|β, A)            0 < i < j
    ======================  =======================================  ==================

    The system derives every tree. A derivation with s swaps has 2n + 2s transitions. Two words are swapped at most
    once, so there are at most n² + n transitions, as in :class:`~.swap.Swap`. Single root and default transition are
    those of arc-hybrid.
    """

    name = "arc-hybrid-swap"
    place = 6
    moves = (SHIFT, LEFT_ARC, RIGHT_ARC, SWAP)
    projective = False
    derives_all = True
    sources = ("Stack", "Input", "Lookahead", "Swapped")

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        i, j = c.stack(0), c.buffer(0)
        return {**super().permissible(c), SWAP: (i > 0) & (i < j)}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SWAP:
            i = c.stack(0)
            c.remove(0)
            c.push_buffer(i, behind=1)
        else:
            super().apply(c, move, label)

    def max_transitions(self, n: int) -> int:
        return n * n + n
