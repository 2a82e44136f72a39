"""The swap system: arc-standard with online reordering."""

from __future__ import annotations

from collections.abc import Mapping

from .arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT, ArcStandard
from .configuration import Bools, Configuration, Ints
from .system import Move

SWAP = Move("SWAP", "SW", labelled=False)


class Swap(ArcStandard):
    """Arc-standard that can reorder the words (Nivre 2009; Kuhlmann & Nivre 2010, figure 2, parser P3).

    ======================  =======================================  ==================
    SHIFT                   (σ, i|β, A) → (σ|i, β, A)
    LEFT-ARC l              (σ|i|j, β, A) → (σ|j, β, A ∪ (j, l, i))  i ≠ 0
    RIGHT-ARC l             (σ|i|j, β, A) → (σ|i, β, A ∪ (i, l, j))
    SWAP                    (σ|i|j, β, A) → (σ|j, i|β, A)            0 < i < j
    ======================  =======================================  ==================

    The system derives every tree. A derivation with s swaps has 2n + 2s transitions, because each swapped node is
    shifted again. Two words are swapped at most once, so s ≤ n(n - 1)/2 and there are at most n² + n transitions. A
    single root means that node 0 gets its dependent last. The default transition is that of arc-standard: SHIFT, else
    RIGHT-ARC, else LEFT-ARC.
    """

    name = "swap"
    place = 5
    moves = (SHIFT, LEFT_ARC, RIGHT_ARC, SWAP)
    projective = False
    derives_all = True
    sources = ("Stack", "Input", "Lookahead", "Swapped")

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        i, j = c.stack(1), c.stack(0)
        return {**super().permissible(c), SWAP: (i > 0) & (i < j)}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SWAP:
            i = c.stack(1)
            c.remove(1)
            c.push_buffer(i)
        else:
            super().apply(c, move, label)

    def max_transitions(self, n: int) -> int:
        return n * n + n
