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
"""In place of the arrays that only configurations over trees, or with two stacks, have."""


class Arrays(NamedTuple):
    """The arrays of a batch of configurations themselves, int64, for compiled loops: (B * width,), or (B,) for sizes
    and single nodes. What stands where is said at :class:`Configuration`."""

    width: int
    origin: Ints
    lengths: Ints
    stack: Ints
    stack_size: Ints
    context_size: Ints
    buffer: Ints
    buffer_size: Ints
    seen: Ints
    swapped: Ints
    heads: Ints
    deprels: Ints
    above: Ints
    first_left: Ints
    first_right: Ints
    second_left: Ints
    second_right: Ints
    count_left: Ints
    count_right: Ints
    other: Ints = UNUSED
    other_size: Ints = UNUSED
    mark: Ints = UNUSED


def ranks(groups: Ints) -> Ints:
    """int64 (rows,): how many rows of its group stand before each; ``groups`` is ascending."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)
