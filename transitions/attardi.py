"""Attardi's system: arc-standard with arcs across one stack node."""

from __future__ import annotations

from collections.abc import Mapping

from .arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT, ArcStandard
from .configuration import ROOT, Bools, Configuration, Ints
from .system import Move

LEFT_ARC_2 = Move("LEFT-ARC-2", "LA2", labelled=True)
RIGHT_ARC_2 = Move("RIGHT-ARC-2", "RA2", labelled=True)


class Attardi(ArcStandard):
    """Arc-standard with non-adjacent arcs (Attardi 2006; Kuhlmann & Nivre 2010, figure 2, parser P2).

    ======================  =============================================  ==================
    SHIFT                   (σ, i|β, A) → (σ|i, β, A)
    LEFT-ARC l              (σ|i|j, β, A) → (σ|j, β, A ∪ (j, l, i))        i ≠ 0
    RIGHT-ARC l             (σ|i|j, β, A) → (σ|i, β, A ∪ (i, l, j))
    LEFT-ARC-2 l            (σ|i|j|k, β, A) → (σ|j|k, β, A ∪ (k, l, i))    i ≠ 0
    RIGHT-ARC-2 l           (σ|i|j|k, β, A) → (σ|i, j|β, A ∪ (i, l, k))
    ======================  =============================================  ==================

    The system derives some non-projective trees, but not all. Each arc removes a word, and each RIGHT-ARC-2 makes one
    word be shifted again, so a derivation with r of them has 2n + r transitions. The last arc is never a RIGHT-ARC-2;
    hence there are at most 3n - 1 transitions. A single root means that node 0 gets its dependent last, so never by
    RIGHT-ARC-2. The default transition is that of arc-standard: SHIFT, else RIGHT-ARC, else LEFT-ARC.
    """

    name = "attardi"
    place = 4
    moves = (SHIFT, LEFT_ARC, RIGHT_ARC, LEFT_ARC_2, RIGHT_ARC_2)
    projective = False

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        three = c.stack_size >= 3
        below_root = three & (c.stack(2) != ROOT)
        return {
            **super().permissible(c),
            LEFT_ARC_2: below_root,
            RIGHT_ARC_2: below_root if self.single_root else three,
        }

    def arcs(self, c: Configuration) -> Mapping[Move, tuple[Ints, Ints]]:
        i, k = c.stack(2), c.stack(0)
        return {**super().arcs(c), LEFT_ARC_2: (k, i), RIGHT_ARC_2: (i, k)}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is LEFT_ARC_2:
            c.add_arc(c.stack(0), label, c.stack(2))
            c.remove(2)
        elif move is RIGHT_ARC_2:
            j = c.stack(1)
            c.add_arc(c.stack(2), label, c.stack(0))
            c.remove(0)
            c.remove(0)
            c.push_buffer(j)
        else:
            super().apply(c, move, label)

    def max_transitions(self, n: int) -> int:
        return max(3 * n - 1, 0)
