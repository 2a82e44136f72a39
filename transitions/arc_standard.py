"""The arc-standard system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from .configuration import ROOT, Bools, Configuration, Ints
from .system import Move, TransitionSystem

SHIFT = Move("SHIFT", "SH", labelled=False)
LEFT_ARC = Move("LEFT-ARC", "LA", labelled=True)
RIGHT_ARC = Move("RIGHT-ARC", "RA", labelled=True)


class ArcStandard(TransitionSystem):
    """Arc-standard with arcs between the two topmost stack nodes (Nivre 2009; Kuhlmann & Nivre 2010, figure 2).

    ======================  =======================================  ==================
    SHIFT                   (σ, i|β, A) → (σ|i, β, A)
    LEFT-ARC l              (σ|i|j, β, A) → (σ|j, β, A ∪ (j, l, i))  i ≠ 0
    RIGHT-ARC l             (σ|i|j, β, A) → (σ|i, β, A ∪ (i, l, j))
    ======================  =======================================  ==================

    Every derivation has 2n transitions. A single root means that node 0 gets its dependent last. The default
    transition is SHIFT, else RIGHT-ARC, else LEFT-ARC.
    """

    name = "arc-standard"
    place = 1
    moves: ClassVar[tuple[Move, ...]] = (SHIFT, LEFT_ARC, RIGHT_ARC)
    default_moves = (SHIFT, RIGHT_ARC, LEFT_ARC)
    projective = True

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        two = c.stack_size >= 2
        return {
            SHIFT: c.buffer_size > 0,
            LEFT_ARC: two & (c.stack(1) != ROOT),
            RIGHT_ARC: two & self.may_take_right_dependent(c),
        }

    def arcs(self, c: Configuration) -> Mapping[Move, tuple[Ints, Ints]]:
        i, j = c.stack(1), c.stack(0)
        return {LEFT_ARC: (j, i), RIGHT_ARC: (i, j)}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SHIFT:
            c.push(c.pop_buffer())
        elif move is LEFT_ARC:
            c.add_arc(c.stack(0), label, c.stack(1))
            c.remove(1)
        elif move is RIGHT_ARC:
            c.add_arc(c.stack(1), label, c.stack(0))
            c.remove(0)

    def max_transitions(self, n: int) -> int:
        return 2 * n
