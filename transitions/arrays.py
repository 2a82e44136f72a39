"""Array types of configurations, and the numbers of their lists and sides."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

NONE = -1
"""No node, or no label."""
ROOT = 0
"""The artificial root node."""
STACK, BUFFER, OTHER_STACK = range(3)
"""Numbers of the lists of nodes; OTHER_STACK is the inactive stack of 2-planar parsing."""
SIDES = {"left": 0, "right": 1}
"""Numbers of the two sides on which a node has dependents."""


class Arrays(NamedTuple):
    """The arrays of a batch of B configurations, for compiled loops (int64); see :class:`.configuration.Configuration`.

    width: number of places of a configuration in arrays with one value per node, (B * width,).
    origin: start of the sentence in arrays of the original batch, (B,).
    lengths: number of words, (B,).
    lists, sizes: lists of nodes, (lists, B * width), and their sizes, (lists, B). The first ``sizes`` places of a list
        are filled; its first node, such as the top of the stack, is in the last filled place.
    context_size: number of nodes that were put aside, (B,).
    seen: the last word that has left the buffer, (B,).
    swapped: the node that was last moved back to the buffer, (B,).
    heads, deprels: of each node, (B * width,).
    above: an ancestor of each node, a short cut to the top of its tree; -1 where only its head is known, (B * width,).
    first, second: the outermost dependents of each node, and the next ones inwards, (sides, B * width).
    counts: number of dependents of each node, (sides, B * width).
    mark: a number that a transition system may store, see :meth:`.configuration.Configuration.set_mark`, (B,).
    """

    width: int
    origin: Ints
    lengths: Ints
    lists: Ints
    sizes: Ints
    context_size: Ints
    seen: Ints
    swapped: Ints
    heads: Ints
    deprels: Ints
    above: Ints
    first: Ints
    second: Ints
    counts: Ints
    mark: Ints


def ranks(groups: Ints) -> Ints:
    """int64 (rows,): the number of earlier rows in the same group.

    groups: int64 (rows,), ascending
    """
    return np.arange(len(groups)) - np.searchsorted(groups, groups)
