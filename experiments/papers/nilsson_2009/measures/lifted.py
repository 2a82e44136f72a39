"""Lifted arcs, whose precision and recall are in table 5.7 of Nilsson (2009)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .....parser.evaluate.comparison import Mask
from .....parser.transforms.lifting.labels import taken_apart
from .....parser.transforms.lifting.projectivize import projectivize
from .....parser.treebank.tree import Tree


def lifted_in(gold: Sequence[Tree]) -> Mask:
    """bool[N]: which tokens' arcs projectivization lifts, shortest arcs first; the same for every encoding."""
    lifts = [projectivize(tree.heads)[1].lifts for tree in gold]
    flags = [word in own for tree, own in zip(gold, lifts, strict=True) for word in range(1, len(tree.heads))]
    return np.array(flags, dtype=np.bool_)


def marked_in(uninverted: Sequence[Tree]) -> Mask:
    """bool[N]: which tokens' labels say, before the inverse transform, that their arcs were lifted."""
    flags = [taken_apart(label).head_label is not None for tree in uninverted for label in tree.deprels[1:]]
    return np.array(flags, dtype=np.bool_)
