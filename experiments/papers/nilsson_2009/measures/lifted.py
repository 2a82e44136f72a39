"""Precision and recall of lifted arcs (Nilsson 2009, table 5.7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .....parser.evaluate import Comparison, PrecisionRecall
from .....parser.evaluate.comparison import Mask
from .....parser.transforms.lifting.labels import taken_apart
from .....parser.transforms.lifting.projectivize import projectivize
from .....parser.treebank.tree import Tree

__all__ = ["lifted_arcs", "lifted_in", "marked_in"]


def lifted_in(gold: Sequence[Tree]) -> Mask:
    """bool[N]: which tokens' arcs projectivization lifts, shortest arcs first; the same for every encoding."""
    flags: list[bool] = []
    for tree in gold:
        lifts = projectivize(tree.heads)[1].lifts
        flags.extend(word in lifts for word in range(1, len(tree.heads)))
    return np.array(flags, dtype=np.bool_)


def marked_in(uninverted: Sequence[Tree]) -> Mask:
    """bool[N]: which tokens' labels say, before the inverse transform, that their arcs were lifted."""
    return np.array(
        [taken_apart(label).head_label is not None for vote in uninverted for label in vote.deprels[1:]], dtype=np.bool_
    )


def lifted_arcs(comparison: Comparison, marked: Mask, lifted: Mask) -> PrecisionRecall:
    """Precision over the marked arcs, recall over those lifted in the gold trees, without punctuation.

    comparison: of the inverted trees: an arc is right if it has the right head in the end.
    """
    marked, lifted = marked & ~comparison.punctuation, lifted & ~comparison.punctuation
    right = comparison.head_right
    return PrecisionRecall(*(int(np.count_nonzero(mask)) for mask in (marked, marked & right, lifted, lifted & right)))
