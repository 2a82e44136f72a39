"""The stages of a parser in sequence: a first one, and the passes that follow it (Lacroix & Béchet 2014)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...transitions.three_step import ValencyPass
from .greedy import DerivedTrees, Observer
from .stage import Columns, Stage

__all__ = ["derive_stages"]


def derive_stages(
    stages: Sequence[Stage],
    lengths: NDArray[np.integer],
    columns: Columns,
    observers: Sequence[Observer | None] = (),
) -> DerivedTrees:
    """Parse a batch with a parser's stages: the first one builds a tree, each pass after it rebuilds some of it.

    observers: of the passes, in their order.
    """
    first, *passes = stages
    derivation = first.derive(first.system.initial(lengths), columns)
    anchors = derivation.heads, derivation.deprels
    defaults = derivation.defaults
    for stage, observe in zip(passes, observers or [None] * len(passes), strict=True):
        assert isinstance(stage.system, ValencyPass)
        found = derivation.heads, derivation.deprels
        derivation = stage.derive(stage.system.over(lengths, anchors, found, stage.labels), columns, observe)
        defaults = defaults + derivation.defaults
    return DerivedTrees(derivation.heads, derivation.deprels, defaults)
