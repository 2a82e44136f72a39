"""Training instances: each configuration's features and what was decided there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor
from ...transitions.configuration import Bools, Ints
from ...transitions.step import Step
from ..learners.learner import Instances
from ..search.learned_guide import ValueIds

__all__ = ["InstanceRecorder", "merge_instances"]


class InstanceRecorder:
    """Observes a derivation and keeps each configuration's features and what was decided there.

    Rows where the guide was not followed are not kept: what a default transition does is nothing to learn. ``skip``
    says for each sentence of the batch whether to leave it out.
    """

    def __init__(self, extractor: Extractor, ids: ValueIds, skip: Bools) -> None:
        self._extractor = extractor
        self._ids = ids
        self._skip = skip
        self._keys: list[NDArray[np.int64]] = []
        self._decisions: list[Ints] = []

    def __call__(self, step: Step) -> None:
        kept = ~step.unguided & ~self._skip[step.sentences]
        if not kept.any():
            return
        self._keys.append(np.ascontiguousarray(self._extractor.keys(step.c.at(kept), self._ids)))
        self._decisions.append(np.stack([step.moves[kept], step.labels[kept]], axis=1))

    def recorded(self) -> tuple[NDArray[np.int64], Ints]:
        """(keys, decisions): int64 (instances, slots) and the move number and label of each, int64 (instances, 2)."""
        slots = len(self._extractor.slots)
        if not self._keys:
            return np.empty((0, slots), dtype=np.int64), np.empty((0, 2), dtype=np.int64)
        return np.concatenate(self._keys), np.concatenate(self._decisions)


def merge_instances(recorded: Sequence[tuple[NDArray[np.int64], Ints]], extractor: Extractor) -> tuple[Instances, Ints]:
    """The instances of all batches, and the inventory of their decisions in ascending order, int64 (classes, 2)."""
    decisions = np.concatenate([decisions for _, decisions in recorded])
    inventory, target = np.unique(decisions, axis=0, return_inverse=True)
    keys = np.concatenate([keys for keys, _ in recorded])
    classes = target.ravel().astype(np.int32)
    return Instances(keys, classes, tuple(extractor.slots), len(inventory), inventory[:, 0]), inventory
