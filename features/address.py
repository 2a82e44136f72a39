"""Addresses: which node of a configuration a feature looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..transitions.configuration import Configuration, Ints

NO_INDEX = -1
"""The index of an address whose source is one node, not a list."""


@dataclass(frozen=True, slots=True)
class Address:
    """A node: the ``index``-th of a ``source``, then one function after the other, the innermost first.

    ``ldep(head(Stack[0]))`` is ``Address("Stack", 0, ("head", "ldep"))``, ``pred(Head)`` is ``Address("Head", -1,
    ("pred",))``.
    """

    source: str
    index: int
    functions: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = self.source if self.index == NO_INDEX else f"{self.source}[{self.index}]"
        for function in self.functions:
            text = f"{function}({text})"
        return text


SOURCES: Mapping[str, Callable[[Configuration, Ints], Ints]] = {
    "Stack": lambda c, k: c.stack(k),
    "OtherStack": lambda c, k: c.other_stack(k),
    "Input": lambda c, k: c.buffer(k),
    "Lookahead": lambda c, k: c.lookahead(k),
    "Left": lambda c, k: c.stack(k),
    "LeftContext": lambda c, k: c.context(k),
    "Swapped": lambda c, k: np.where(k == 0, c.swapped, -1),
    "Waiting": lambda c, k: np.where(k == 0, c.nearest_valent(), -1),
}
"""The lists of nodes: Stack[0] is the top, OtherStack[0] that of 2-planar's inactive stack, Input[0] the first node of
the (reordered) buffer, Lookahead[0] the first word that has never left it, Left and LeftContext Covington's λ1 and λ2
from the nearest node on, Swapped[0] the node that was last moved back to the buffer, Waiting[0] the nearest node with a
valency in θ (Lacroix & Béchet 2014). Each takes the configurations and a column of indices, int64 (indices, 1), and
gives nodes, int64 (indices, rows), -1 for none."""

FUNCTIONS: Mapping[str, Callable[[Configuration, Ints], Ints]] = {
    "head": lambda c, node: c.head(node),
    "ldep": lambda c, node: c.dependent(node, "left", 0),
    "ldep2": lambda c, node: c.dependent(node, "left", 1),
    "rdep": lambda c, node: c.dependent(node, "right", 0),
    "rdep2": lambda c, node: c.dependent(node, "right", 1),
    "lsib": lambda c, node: _sibling(c, node, -1),
    "rsib": lambda c, node: _sibling(c, node, 1),
    "pred": lambda c, node: np.where(node > 1, node - 1, -1),
    "succ": lambda c, node: np.where((node > 0) & (node < c.lengths), node + 1, -1),
}
"""From node to node: head; outermost dependent on the left and right (ldep, rdep) and the one next to it (ldep2,
rdep2); nearest sibling on the left and right (lsib, rsib); the word before and after in the sentence (pred, succ)."""


FACTOR_NODES = ("Head", "Dependent", "Between", "Sibling", "Grandchild")
"""The nodes of a factor of a tree, for graph-based parsing: one node each, so without an index. Between is every word
between head and dependent."""


def _sibling(c: Configuration, nodes: Ints, direction: int) -> Ints:
    """int64 like ``nodes``, (m, rows): the nearest node to one side that has the same head."""
    heads = c.heads_matrix()
    places = np.arange(c.width)
    result = np.full(nodes.shape, -1)
    for row, node in enumerate(nodes):
        head = np.take_along_axis(heads, np.maximum(node, 0)[:, None], axis=1)
        beyond = places > node[:, None] if direction > 0 else places < node[:, None]
        sibling = (heads == head) & beyond & (head >= 0) & (node >= 0)[:, None]
        ordered = sibling if direction > 0 else sibling[:, ::-1]
        nearest = np.argmax(ordered, axis=1)
        nearest = nearest if direction > 0 else c.width - 1 - nearest
        result[row] = np.where(sibling.any(axis=1), nearest, -1)
    return result
