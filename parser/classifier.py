"""A trained guide as the greedy driver's decider, and training instances as what an oracle decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..features.extractor import Extractor
from ..transitions.configuration import NONE, Bools, Configuration, Ints
from ..transitions.system import TransitionSystem
from .guides.guide import Guide, Instances, Slot

__all__ = ["Classifier", "Recorder", "merge_instances"]


@dataclass(frozen=True, slots=True)
class Classifier:
    """Decides by a guide's scores: the best-scoring transition among those whose move is permissible.

    columns: value ids of the batch being parsed. inventory: int64 (classes, 2), the move number and label of each
    class: the transitions seen in training, so that no other is ever taken. system: is asked which labels are
    permissible, if it has moves where that differs.
    """

    guide: Guide
    extractor: Extractor
    columns: Mapping[str, NDArray[np.integer]]
    inventory: Ints
    system: TransitionSystem | None = None

    def decide(self, c: Configuration, legal: Bools) -> tuple[Ints, Ints]:
        """(moves, labels); a move of -1 where no class is permissible. Ties go to the lower class number."""
        return self.choose(self.scores(c, legal, self.extractor.keys(c, self.columns)))

    def scores(self, c: Configuration, legal: Bools, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, classes): the guide's scores for ``keys``, those of ``c``; minus infinity where a class is not
        permissible."""
        scores = self.guide.scores(keys)
        scores[~legal[:, self.inventory[:, 0]]] = -np.inf
        if self.system is not None and self.system.label_dependent:
            self._forbid_labels(self.system, c, legal, scores)
        return scores

    def choose(self, scores: NDArray[np.float32]) -> tuple[Ints, Ints]:
        """The decisions that scores mean, see :meth:`decide`."""
        best = np.argmax(scores, axis=1)
        impossible = np.isneginf(scores[np.arange(len(best)), best])
        moves, labels = self.inventory[best].T
        return np.where(impossible, NONE, moves), np.where(impossible, NONE, labels)

    def _forbid_labels(
        self, system: TransitionSystem, c: Configuration, legal: Bools, scores: NDArray[np.float32]
    ) -> None:
        for move in system.label_dependent:
            number = system.moves.index(move)
            rows = np.flatnonzero(legal[:, number])
            classes = np.flatnonzero(self.inventory[:, 0] == number)
            if rows.size and classes.size:
                allowed = system.permissible_labels(c.at(rows))[move]
                row, column = np.nonzero(~allowed[:, self.inventory[classes, 1]])
                scores[rows[row], classes[column]] = -np.inf


class Recorder:
    """Observes a derivation and keeps each configuration's features and what was decided there.

    Rows where the guide was not followed are not kept: what a default transition does is nothing to learn. ``skip``
    says for each sentence of the batch whether to leave it out.
    """

    def __init__(self, extractor: Extractor, columns: Mapping[str, NDArray[np.integer]], skip: Bools) -> None:
        self._extractor = extractor
        self._columns = columns
        self._skip = skip
        self._keys: list[NDArray[np.int64]] = []
        self._decisions: list[Ints] = []

    def __call__(self, c: Configuration, moves: Ints, labels: Ints, unguided: Bools) -> None:
        kept = ~unguided & ~self._skip[c.origin // c.width]
        if not kept.any():
            return
        c = c.at(kept)
        self._keys.append(np.ascontiguousarray(self._extractor.keys(c, self._columns)))
        self._decisions.append(np.stack([moves[kept], labels[kept]], axis=1))

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
    slots = tuple(Slot(slot.template, slot.offset, slot.size) for slot in extractor.slots)
    keys = np.concatenate([keys for keys, _ in recorded])
    return Instances(keys, target.ravel().astype(np.int32), slots, len(inventory)), inventory
