"""The stages of a parser in sequence: a first one, and the passes that follow it (Lacroix & Béchet 2014)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...transitions.step import Observer
from .greedy import DerivedTrees
from .learned_guide import ValueIds
from .stage import Stage

__all__ = ["derive_stages"]


def derive_stages(
    stages: Sequence[Stage],
    lengths: NDArray[np.integer],
    ids: ValueIds,
    observers: Sequence[Observer | None] = (),
    beam: int = 1,
) -> DerivedTrees:
    """Parse a batch with a parser's stages: the first one builds a tree, each pass after it rebuilds some of it.

    observers: one for each stage, or none at all. beam: how many derivations the first stage follows at a time; only
    greedy ones, 1 at a time, are observed.
    """
    (first, watch), *passes = zip(stages, observers or [None] * len(stages), strict=True)
    initial = first.system.initial(lengths)
    derived = first.derive(initial, ids, watch) if beam == 1 else first.derive_best(initial, ids, beam)[0][0]
    anchors = derived.heads, derived.deprels
    defaults = derived.defaults
    for stage, observe in passes:
        found = derived.heads, derived.deprels
        derived = stage.derive(stage.system.over(lengths, anchors, found, stage.label_count), ids, observe)
        defaults = defaults + derived.defaults
    return DerivedTrees(derived.heads, derived.deprels, defaults)
