"""The oracles of the swap system (Kuhlmann & Nivre 2010, figure 3, tests 1, 2, 5, 6 in that order)."""

from __future__ import annotations

import numpy as np

from ..transitions.arc_standard import SHIFT
from ..transitions.configuration import Bools, Configuration, Ints
from ..transitions.step import Decision
from ..transitions.swap import SWAP
from ..transitions.system import TransitionSystem
from ..transitions.trees import is_projective, projective_components, projective_order
from .arc_standard import ArcStandardOracle
from .oracle import Gold, look_up


def projective_orders(gold: Gold) -> Ints:
    """int64 (B, width): the position of each node in the projective order of its gold tree."""
    order = np.tile(np.arange(gold.heads.shape[1]), (len(gold.trees), 1))
    for row, tree in enumerate(gold.trees):
        if not is_projective(tree):
            order[row, : len(tree)] = projective_order(tree)
    return order


class SwapOracle(ArcStandardOracle):
    """Predict a gold arc where one is due, else SWAP where it is due, else SHIFT."""

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        super().__init__(system, gold)
        self.order = projective_orders(gold)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        return self.first_of(legal, [*self.arcs_of_top(c), (SWAP, self.swap_due(c), None), (SHIFT, True, None)])

    def swap_due(self, c: Configuration) -> Bools:
        """Test 5: the top of the stack precedes the node below it in the projective order."""
        return look_up(self.order, c, c.stack(0)) < look_up(self.order, c, c.stack(1))


class LazySwapOracle(SwapOracle):
    """SWAP is due only if, in addition, the top of the stack is at the end of its maximal projective component.

    While the first node of the buffer belongs to the same component, the oracle first builds the component and then
    swaps it as one node (Nivre, Kuhlmann & Hall 2009).
    """

    systems = ("swap",)
    name = "lazy"

    def __init__(self, system: TransitionSystem, gold: Gold) -> None:
        super().__init__(system, gold)
        self.component = np.zeros_like(self.order)
        for row in np.flatnonzero((self.order != np.arange(self.order.shape[1])).any(axis=1)).tolist():
            self.component[row, : len(gold.trees[row])] = projective_components(gold.trees[row])

    def swap_due(self, c: Configuration) -> Bools:
        k = c.buffer(0)
        component_ends = (k < 0) | (look_up(self.component, c, c.stack(0)) != look_up(self.component, c, k))
        return super().swap_due(c) & component_ends


class EagerSwapOracle(SwapOracle):
    """SWAP is due as soon as the two topmost stack nodes are not in the gold tree's projective order (Nivre 2009)."""

    systems = ("swap",)
    name = "eager"
