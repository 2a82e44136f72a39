"""Addresses: they name the node of a configuration that a feature describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..transitions.configuration import Configuration, Ints
from ..transitions.valencies import over_trees
from .piece import own_functions

NO_INDEX = -1
"""Index of an address whose source is a single node, not a list."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a node: the ``index``-th node of a ``source``, then functions to apply, the innermost first.

    ``ldep(head(Stack[0]))`` is ``Address("Stack", 0, ("head", "ldep"))``; ``pred(Head)`` is ``Address("Head", -1,
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
    "Waiting": lambda c, k: np.where(k == 0, over_trees(c).nearest_valent(), -1),
}
"""The lists of nodes that addresses may name.

Stack: the stack from the top
OtherStack: the inactive stack of 2-planar parsing from the top
Input: the buffer, possibly reordered, from its first node
Lookahead: the words that have never left the buffer
Left, LeftContext: Covington's λ1 and λ2 from the nearest node
Swapped: Swapped[0] is the node that was most recently moved back to the buffer
Waiting: Waiting[0] is the nearest node with a valency in θ (Lacroix & Béchet 2014)

Each function takes the configurations and a column of indices, int64 (indices, 1), and returns nodes, int64 (indices,
rows), -1 for "no node".
"""

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
"""Functions from node to node.

head: head of the node
ldep, rdep: outermost dependent on the left or right
ldep2, rdep2: the next dependent inwards on the left or right
lsib, rsib: nearest sibling on the left or right
pred, succ: word before or after the node in the sentence
"""


def node_function(name: str) -> Callable[[Configuration, Ints], Ints]:
    """The function from node to node of a name, possibly a user's. Raises KeyError if there is none."""
    return FUNCTIONS[name] if name in FUNCTIONS else own_functions(2)[name]


FACTOR_NODES = ("Head", "Dependent", "Between", "Sibling", "Grandchild")
"""Nodes of a factor of a tree in graph-based parsing; they need no index. Between is every word between the ends."""


def _sibling(c: Configuration, nodes: Ints, direction: int) -> Ints:
    """int64, shape of ``nodes`` (m, rows): the nearest node on one side that has the same head."""
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
