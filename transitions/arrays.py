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
    """The arrays of a batch of B configurations, int64, for compiled loops.

    Arrays have the shape (B * width,), with ``width`` places per configuration, or (B,), with one value per
    configuration.

    lists, sizes: an additional first axis has one entry per list of nodes. The first ``sizes`` places of a list are
        filled; the last filled place holds the first node.
    first, second, counts: an additional first axis has one entry per side.
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
