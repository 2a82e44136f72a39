"""The dynamic oracle of arc-hybrid, and the static-dynamic one of arc-hybrid with swap."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import NONE, Bools, Configuration, Ints
from ..transitions.swap import SWAP
from ..transitions.system import Move, TransitionSystem
from .dynamic import IMPERMISSIBLE, DynamicOracle
from .oracle import Gold, look_up
from .swap import projective_orders


class DynamicArcHybridOracle(DynamicOracle):
    """The cost of a move is the number of the following arcs, which it loses (Goldberg & Nivre 2013).

    s is the top of the stack, s1 the node below it, b the first node of the buffer, σ the stack and β the rest of the
    buffer.

    =========  ====================================================================================
    LEFT-ARC   the gold head of s if it is s1 or in β, and the gold dependents of s in b|β
    RIGHT-ARC  the gold head of s in b|β, and the gold dependents of s in b|β
    SHIFT      the gold head of b in σ unless it is s, and the gold dependents of b in σ
    =========  ====================================================================================

    Costs are exact for projective trees, also under a single root. For other trees, the cost is the number of arcs that
    are lost individually. In 0.03 % of all configurations of their trees of 4 words, the cheapest move loses a
    reachable arc.
    """

    systems = ("arc-hybrid",)
    preference: ClassVar[tuple[Move, ...]] = (LEFT_ARC, RIGHT_ARC, SHIFT)

    def costs(self, c: Configuration, legal: Bools) -> Ints:
        s, b = c.stack(0), c.buffer(0)
        gold, buffer = self.gold_heads(c), c.in_buffer()
        dependents = np.count_nonzero((gold == s[:, None]) & buffer, axis=1)
        head = self.gold.head(c, s)
        in_buffer = buffer[np.arange(len(c)), head]
        below = (head == c.stack(1)) & (head != NONE)
        return self.priced(
            {
                LEFT_ARC: (below | (in_buffer & (head != b))) + dependents,
                RIGHT_ARC: in_buffer + dependents,
                SHIFT: self.lost_by_shift(c),
            },
            legal,
        )

    def lost_by_shift(self, c: Configuration) -> Ints:
        """int64 (rows,): the number of gold arcs between the stack and the first buffer node that SHIFT loses."""
        b, stack = c.buffer(0), c.on_stack()
        head = self.gold.head(c, b)
        dependents = np.count_nonzero((self.gold_heads(c) == b[:, None]) & stack & (b != NONE)[:, None], axis=1)
        return (stack[np.arange(len(c)), head] & (head != c.stack(0))) + dependents


class StaticDynamicOracle(DynamicArcHybridOracle):
    """Static for SWAP and dynamic for the rest, after de Lhoneux, Stymne & Nivre (2017).

    SWAP is due where the first node of the buffer b precedes the top of the stack s in the projective order of the gold
    tree. Where it is due, it costs nothing and SHIFT is excluded. Where it is not due, SWAP is excluded. An excluded
    transition costs as much as the sentence has words. While these rules are obeyed, the stack is in projective order.
    Each stack node that some buffer node precedes in this order will return to the buffer, and all gold arcs between
    such a node and the remaining nodes are reachable. Hence the costs of the other transitions are

    =========  =====================================================================================================
    LEFT-ARC   as in arc-hybrid; or, where s will be back in the buffer, all gold arcs of s but one from b
    RIGHT-ARC  as in arc-hybrid; or, where s will be back in the buffer, all gold arcs of s but one from s1
    SHIFT      as in arc-hybrid; or nothing where some node of β precedes b in projective order: b will be back
    =========  =====================================================================================================

    These costs are exact for all trees among the derivations that obey the rules. In the paper, only SWAP costs nothing
    where it is due. Here, a gold arc to a node that needs no further arcs costs nothing either; it is as good and saves
    swaps. After a SWAP that was not due, the costs are an approximation: in 3 % of all configurations of 4 words, most
    of which follow such a SWAP, the cheapest move loses a reachable arc.
    """

    systems = ("arc-hybrid-swap",)
    exact_for_all = True
    preference = (LEFT_ARC, RIGHT_ARC, SWAP, SHIFT)

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        super().__init__(system, gold)
        self.order = projective_orders(gold)

    def costs(self, c: Configuration, legal: Bools) -> Ints:
        s, s1, b = c.stack(0), c.stack(1), c.buffer(0)
        rows = np.arange(len(c))
        gold, buffer, order = self.gold_heads(c), c.in_buffer(), self.order[c.origin // c.width]
        order_s, order_b = look_up(self.order, c, s), look_up(self.order, c, b)
        first = np.where(buffer, order, IMPERMISSIBLE).min(axis=1)
        back = first < order_s
        due = legal[:, self.system.moves.index(SWAP)] & (order_b < order_s)
        left = np.where(back[:, None], buffer | c.on_stack(), buffer)
        dependents = np.count_nonzero((gold == s[:, None]) & left, axis=1)
        head = self.gold.head(c, s)
        live = left[rows, head] | ((head == s1) & (head != NONE))
        not_taken = c.lengths
        return self.priced(
            {
                LEFT_ARC: (live & (head != b)) + dependents,
                RIGHT_ARC: (live & (head != s1)) + dependents,
                SHIFT: np.where(due, not_taken, np.where(first < order_b, 0, self.lost_by_shift(c))),
                SWAP: np.where(due, 0, not_taken),
            },
            legal,
        )
