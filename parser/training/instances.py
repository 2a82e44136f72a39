"""Training instances: the features of each configuration and the decision of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor
from ...transitions.configuration import Bools, Configuration, Ints
from ...transitions.step import Step
from ..learners.instances import Instances, KeyMatrix
from ..search.learned_guide import ValueIds

Certain = Callable[[Configuration, Bools], Bools]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The decisions in the derivations of a batch, step by step, in the order of the sentences.

    matrix: the features
    decisions: int64 (instances, 2), move number and label of each instance
    step, sentence: int32 (instances,), the step and the sentence of each instance; sentence -1 excludes it from
        training
    """

    matrix: KeyMatrix
    decisions: Ints
    step: NDArray[np.int32]
    sentence: NDArray[np.int32]

    def without(self, sentences: Bools) -> Recorded:
        """The decisions without some sentences of the batch.

        sentences: bool (B,), the sentences to exclude
        """
        return replace(self, sentence=np.where(sentences[self.sentence], np.int32(-1), self.sentence))


class InstanceRecorder:
    """Observes a derivation and records the features of each configuration and the decision.

    Rows in which a default transition replaces the decision are not recorded, because they teach nothing; with
    ``all_steps`` they are recorded, so that derivations are complete. complete: bool (B,), whether the guide was
    followed in every step. certain: function from configurations and permissible moves to the rows to record.
    """

    def __init__(
        self, extractor: Extractor, ids: ValueIds, batch: int, all_steps: bool = False, certain: Certain | None = None
    ) -> None:
        self.complete = np.ones(batch, dtype=np.bool_)
        self._extractor = extractor
        self._ids = ids
        self._all_steps = all_steps
        self._certain = certain
        self._keys: list[NDArray[np.int64]] = []
        self._decisions: list[Ints] = []
        self._sentences: list[Ints] = []

    def __call__(self, step: Step) -> None:
        self.complete[step.sentences[step.unguided]] = False
        wanted = np.ones(len(step.moves), dtype=np.bool_) if self._all_steps else ~step.unguided
        if self._certain is not None:
            wanted &= self._certain(step.c, step.legal)
        kept = slice(None) if wanted.all() else np.flatnonzero(wanted)
        self._keys.append(self._extractor.keys(step.c if isinstance(kept, slice) else step.c.at(kept), self._ids))
        self._decisions.append(np.stack([step.moves[kept], step.labels[kept]], axis=1))
        self._sentences.append(step.sentences[kept])

    def recorded(self) -> Recorded:
        """Return the instances, and release their keys."""
        sizes = list(map(len, self._sentences))
        keys = self._keys or [np.empty((0, len(self._extractor.slots)), dtype=np.int64)]
        result = Recorded(
            KeyMatrix.of(np.concatenate(keys)),
            np.concatenate(self._decisions or [np.empty((0, 2), dtype=np.int64)]),
            np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
            np.concatenate(self._sentences or [np.empty(0, dtype=np.int64)]).astype(np.int32),
        )
        self._keys.clear()
        return result


def merge_instances(
    batches: Sequence[Recorded], extractor: Extractor, by_sentence: bool = False
) -> tuple[Instances, Ints, list[Ints]]:
    """Return (instances of all batches, inventory, sentences).

    by_sentence: whether instances are ordered by sentence; otherwise by step

    The inventory of decisions is in ascending order, int64 (classes, 2). The last result has, for each batch, the
    sentences of its instances in their order.
    """
    batch = np.repeat(np.arange(len(batches)), [len(own.matrix) for own in batches])
    step, sentence = (np.concatenate([getattr(own, name) for own in batches]) for name in ("step", "sentence"))
    rows = np.lexsort((step, sentence, batch) if by_sentence else (sentence, step, batch))
    rows = rows[sentence[rows] >= 0]
    inventory, target = np.unique(np.concatenate([own.decisions for own in batches])[rows], axis=0, return_inverse=True)
    matrix = KeyMatrix.joined([own.matrix for own in batches], rows)
    classes, slots = target.ravel().astype(np.int32), tuple(extractor.slots)
    instances = Instances(matrix, classes, slots, len(inventory), inventory[:, 0])
    ends = np.searchsorted(batch[rows], np.arange(1, len(batches)))
    return instances, inventory, np.split(sentence[rows], ends)
