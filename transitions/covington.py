"""Covington's algorithm as transition systems, non-projective and projective."""

from __future__ import annotations

from collections.abc import Mapping

from .arc_eager import LinkSystem
from .arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from .configuration import Bools, Configuration, Ints
from .system import Move

NO_ARC = Move("NO-ARC", "NA", labelled=False)


class Covington(LinkSystem):
    """Non-projective list-based parsing (Covington 2001; Nivre 2008, section 5.1): every pair of nodes is looked at.

    ==========  ======================================================  =========================================
    LEFT-ARC l  (λ1|i, λ2, j|β, A) → (λ1, i|λ2, j|β, A ∪ (j, l, i))     i ≠ 0, no head of i in A, no path i →* j
    RIGHT-ARC l (λ1|i, λ2, j|β, A) → (λ1, i|λ2, j|β, A ∪ (i, l, j))     no head of j in A, no path j →* i
    NO-ARC      (λ1|i, λ2, β, A) → (λ1, i|λ2, β, A)
    SHIFT       (λ1, λ2, j|β, A) → (λ1·λ2|j, [], β, A)
    ==========  ======================================================  =========================================

    λ1 is the stack; λ2 is the context that :meth:`Configuration.retract` puts aside. The initial configuration is
    ([0], [], [1..n], {}). All configurations with an empty buffer are terminal. The system derives every tree. Word j
    meets at most the j nodes before it and is then shifted, so there are at most n(n + 3)/2 transitions. A single root
    means that node 0 gets at most one dependent. :meth:`TransitionSystem.finish` attaches words that have no head at
    the end. The default transition is SHIFT, which is always permissible.
    """

    name = "covington"
    place = 7
    moves = (SHIFT, LEFT_ARC, RIGHT_ARC, NO_ARC)
    projective = False
    derives_all = True
    sources = ("Left", "LeftContext", "Input", "Lookahead")

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        return {SHIFT: c.buffer_size > 0, **self.acyclic_arcs(c), NO_ARC: c.stack_size > 0}

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is SHIFT:
            c.restore()
            c.push(c.pop_buffer())
            return
        if move is LEFT_ARC:
            c.add_arc(c.buffer(0), label, c.stack(0))
        elif move is RIGHT_ARC:
            c.add_arc(c.stack(0), label, c.buffer(0))
        c.retract()

    def max_transitions(self, n: int) -> int:
        return n * (n + 3) // 2


class CovingtonProjective(Covington):
    """Projective list-based parsing (Covington 2001; after Nivre 2008, section 5.2).

    ==========  ======================================================  =========================================
    LEFT-ARC l  (λ1|i, λ2, j|β, A) → (λ1, [], j|β, A ∪ (j, l, i))       i ≠ 0, no head of i in A
    RIGHT-ARC l (λ1|i, λ2, j|β, A) → (λ1|i|j, [], β, A ∪ (i, l, j))
    NO-ARC      (λ1|i, λ2, β, A) → (λ1, i|λ2, β, A)                     a head of i in A
    SHIFT       (λ1, λ2, j|β, A) → (λ1·λ2|j, [], β, A)
    ==========  ======================================================  =========================================

    An arc drops the nodes that it covers, so that no later arc crosses it. NO-ARC passes only nodes with a head, so
    that no arc covers a word without a head. REDUCE of arc-eager removes a node permanently; NO-ARC removes it until
    the next SHIFT. Terminal configurations, single root and default transition are those of the non-projective system.

    There are at most 2n - 1 + ⌊(n - 1)²/4⌋ transitions. Let m words enter the stack by RIGHT-ARC and n - m by SHIFT.
    Only shifted words, except the last, can be removed by LEFT-ARC, each once. Before each SHIFT, NO-ARC can pass only
    the m words that have a head. The sum is n + (n - m - 1) + m(n - m). Words that NO-ARC passes before a RIGHT-ARC
    are dropped and not passed again.
    """

    name = "covington-projective"
    projective = True
    derives_all = False

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        return self.projective_moves(c, NO_ARC)

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is LEFT_ARC:
            c.add_arc(c.buffer(0), label, c.stack(0))
            c.drop_context()
            c.remove(0)
        elif move is RIGHT_ARC:
            c.add_arc(c.stack(0), label, c.buffer(0))
            c.drop_context()
            c.push(c.pop_buffer())
        else:
            super().apply(c, move, label)

    def max_transitions(self, n: int) -> int:
        return max(2 * n - 1 + (n - 1) ** 2 // 4, 0)
