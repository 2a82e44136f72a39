"""Array types of configurations: integers and booleans."""

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
UNUSED: Ints = np.empty(0, dtype=np.int64)
"""In place of the arrays that only configurations over trees have."""
STACK, BUFFER, OTHER_STACK = range(3)
"""The numbers of the lists of nodes; the last one is the inactive stack of 2-planar parsing."""
SIDES = {"left": 0, "right": 1}
"""The numbers of the sides of a node, on which it has dependents."""


class Arrays(NamedTuple):
    """The arrays of a batch of configurations, int64, for compiled loops.

    Of (B * width,) with ``width`` places for each configuration, or (B,): one value for each. lists, sizes: with an
    axis before, one entry for each list of nodes, whose first ``sizes`` places are filled; the first node is the last
    of these. first, second, counts: with an axis before, one entry for each side.
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
    """int64 (rows,): how many rows of its group stand before each; ``groups`` is ascending."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)
