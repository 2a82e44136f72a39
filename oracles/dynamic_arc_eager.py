"""The dynamic oracle of arc-eager (Goldberg & Nivre 2012, 2013)."""

from __future__ import annotations

import numpy as np

from ..transitions.arc_eager import REDUCE
from ..transitions.arc_standard import LEFT_ARC, RIGHT_ARC, SHIFT
from ..transitions.configuration import NONE, ROOT, Bools, Configuration, Ints
from .dynamic import DynamicOracle


class DynamicArcEagerOracle(DynamicOracle):
    """Of the top of the stack s and the first node of the buffer b, with σ the stack and β the rest of the buffer:

    =========  ==================================================================================================
    LEFT-ARC   the gold head of s in β, and the gold dependents of s in b|β
    RIGHT-ARC  the gold head of b in σ or β, unless it is s, and the gold dependents of b in σ that have no head
    REDUCE     the gold dependents of s in b|β
    SHIFT      the gold head of b in σ, and the gold dependents of b in σ that have no head
    =========  ==================================================================================================

    Exact for projective trees, where all gold arcs that are in reach one by one are so together (arc decomposition;
    Goldberg & Nivre 2013), and for other trees the sum of what is lost one by one: of all their configurations of 4
    words the cheapest move loses an arc that could be had in 0.06 %. Under a single root, which the
    papers do not have, node 0 is the head of nothing more once it has its dependent, and RIGHT-ARC from it also loses
    the gold arc from it that is in β.
    """

    systems = ("arc-eager",)
    preference = (LEFT_ARC, RIGHT_ARC, SHIFT, REDUCE)

    def costs(self, c: Configuration, legal: Bools) -> Ints:
        s, b = c.stack(0), c.buffer(0)
        gold, stack, words = self.gold_heads(c), c.on_stack(), np.arange(c.width)
        head_s, head_b = self.gold.head(c, s), self.gold.head(c, b)
        dependents_s = np.count_nonzero((gold == s[:, None]) & (words >= b[:, None]), axis=1)
        dependents_b = np.count_nonzero((gold == b[:, None]) & stack & (c.heads_matrix() == NONE), axis=1)
        head_on_stack = stack[np.arange(len(c)), head_b] & self.system.may_attach_to_root(c, head_b)
        roots_ahead = self.system.single_root & (s == ROOT) & ((gold == ROOT) & (words > b[:, None])).any(axis=1)
        return self.priced(
            {
                LEFT_ARC: (head_s > b) + dependents_s,
                RIGHT_ARC: ((head_b != s) & (head_on_stack | (head_b > b))) + dependents_b + roots_ahead,
                REDUCE: dependents_s,
                SHIFT: head_on_stack + dependents_b,
            },
            legal,
        )
