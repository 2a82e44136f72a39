"""Exploration: training on configurations that the parser's own errors lead to (Goldberg & Nivre 2012).

A parser makes too few errors in its own training sentences. Therefore a learner trained on the rest of the treebank
parses each fold. After a parse has left the gold path, every configuration becomes an instance. Its class is the
cheapest transition; of several cheapest transitions, the one that the learner scores best. Sentences with words without
a gold head have no gold path: in them, a configuration becomes an instance if the gold arcs determine the transition.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...oracles.dynamic import IMPERMISSIBLE, DynamicOracle
from ...oracles.oracle import Gold, Oracle
from ...oracles.registry import make_dynamic_oracle, make_oracle
from ...transitions.configuration import Bools, Ints
from ...transitions.step import DerivationStep
from ..base.errors import CrossarcError
from ..base.progress import Progress, counted, task
from ..learners.instances import BLOCK, Instances, KeyMatrix
from ..learners.key_file import KeyFile
from ..search.greedy import derive
from ..search.learned_guide import ValueIds
from ..search.stage import Stage

FOLDS = 2
"""Number of parts of the treebank; each is explored by a learner that was trained on the others."""


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """Sentences of similar length: their gold trees, the value ids of their nodes, and which to leave out."""

    gold: Gold
    ids: ValueIds
    skip: Bools


def folds_of(sentences: int, folds: int, seed: int) -> list[list[int]]:
    """Divide the sentences at random into ``folds`` parts of equal size, each as ascending sentence numbers.

    Raises CrossarcError if there are fewer sentences than folds.
    """
    if sentences < folds:
        raise CrossarcError(f"found {sentences} training sentences, expected {folds} or more, one for each fold")
    part = np.random.default_rng(seed).permutation(sentences) % folds
    return [np.flatnonzero(part == fold).tolist() for fold in range(folds)]


class Explorer:
    """Observes the derivations of a learner, and records the best transitions after they have left the gold path.

    oracle, static: dynamic and static oracle of the batch. Costs are slow to compute for some systems, so they are
        computed only after a derivation differs from the static oracle's.
    inventory: transitions of the learner's guide
    skip: bool (B,), the sentences to exclude
    """

    def __init__(self, oracle: DynamicOracle, static: Oracle, inventory: Ints, skip: Bools) -> None:
        self._oracle = oracle
        self._static = static
        self._canonical = ~oracle.gold.partial
        self._inventory = inventory
        self._skip = skip
        self._astray = oracle.gold.partial.copy()
        self._keys: list[NDArray[np.int64]] = []
        self._targets: list[NDArray[np.int32]] = []

    def __call__(self, step: DerivationStep) -> None:
        keys, scores = step.decision.keys, step.decision.scores
        assert keys is not None
        assert scores is not None
        sentences = step.sentences
        wanted = self._static.decide(step.c, step.legal)
        same = (wanted.moves == step.moves) & (wanted.labels == step.labels) & ~step.unguided
        self._canonical[sentences] &= same
        rows = np.flatnonzero(~self._canonical[sentences] & ~self._skip[sentences])
        if not len(rows):
            return
        sentences, scores = sentences[rows], scores[rows]
        c, legal = step.c.at(rows), step.legal[rows]
        costs = self._oracle.class_costs(c, legal, self._inventory)
        cheapest = costs.min(axis=1)
        right = costs == cheapest[:, None]
        kept = self._astray[sentences] & (cheapest < IMPERMISSIBLE) & self._oracle.certain(c, legal)
        if kept.any():
            self._keys.append(keys[rows[kept]])
            self._targets.append(best_of(scores[kept], right[kept]).astype(np.int32))
        self._astray[sentences] |= ~right[np.arange(len(right)), np.argmax(scores, axis=1)]

    def recorded(self) -> tuple[KeyMatrix, NDArray[np.int32]]:
        """Return (features, class numbers) of the instances to learn from, and release their keys."""
        keys, targets = self._keys or [np.empty((0, 0), dtype=np.int64)], self._targets or [np.empty(0, dtype=np.int32)]
        result = KeyMatrix.of(np.concatenate(keys)), np.concatenate(targets)
        self._keys.clear()
        return result


def best_of(scores: NDArray[np.float32], right: Bools) -> Ints:
    """int64 (rows,): the best-scoring class among the right ones, even if all of them score minus infinity."""
    likely = np.where(right, np.maximum(scores, np.finfo(np.float32).min), -np.inf)
    return np.argmax(likely, axis=1)


class Sample(NamedTuple):
    """The sentences that are explored, in folds.

    instances: the instances on their gold paths, in memory
    starts: start of each fold among the instances, and the end of the last
    batches: batches of each fold
    """

    instances: Instances
    starts: Sequence[int]
    batches: Sequence[Sequence[TrainingBatch]]


def explored(stage: Stage, sample: Sample, rounds: int, progress: Progress) -> list[Instances]:
    """Return the instances that exploration adds, by fold.

    stage: stage with an untrained learner, whose copies are trained
    rounds: number of rounds; the learners of each later round are also trained on the instances of the round before
    """
    instances, starts, batches = sample
    folds = range(len(batches))
    system, learner = stage.system, stage.learner
    gathered: list[Instances] = []
    for number in range(1, rounds + 1):
        now = []
        for fold in folds:
            others = [other for other in folds if other != fold]
            parts = [instances.part(slice(*starts[other : other + 2])) for other in others]
            parts += [gathered[other] for other in others if gathered]
            what = f"exploring, round {number} of {rounds}, fold {fold + 1} of {len(folds)}"
            trained = copy.deepcopy(learner)
            with task(progress, f"{what}: training {learner.name}"):
                trained.fit(joined(parts))
            recorded = []
            sentences = sum(len(batch.skip) for batch in batches[fold])
            counted_batches = counted(
                batches[fold], progress, what, "sentences", sentences, size=lambda batch: len(batch.skip)
            )
            for batch in counted_batches:
                guide = replace(stage, learner=trained).guide(batch.ids)
                oracles = make_dynamic_oracle(system, batch.gold), make_oracle(system, batch.gold)
                explorer = Explorer(*oracles, stage.inventory, batch.skip)
                derive(system, guide, system.initial(batch.gold.lengths), stage.fallback, explorer)
                matrix, target = explorer.recorded()
                recorded.append(replace(instances, matrix=matrix, target=target))
            now.append(joined(recorded))
        gathered = now
    return gathered


def joined(parts: list[Instances]) -> Instances:
    """Join the instances of all parts, which have the same slots and classes.

    parts: emptied, as in :meth:`.KeyMatrix.joined`
    """
    known = [part for part in parts if len(part.target)] or parts[:1]
    parts.clear()
    if len(known) == 1:
        return known[0]
    target, matrices = np.concatenate([part.target for part in known]), [part.matrix for part in known]
    slots, n_classes, moves = known[0].slots, known[0].n_classes, known[0].moves
    known.clear()
    return Instances(KeyMatrix.joined(matrices), target, slots, n_classes, moves)


def with_more(instances: Instances, file: KeyFile, parts: list[Instances]) -> Instances:
    """The instances whose features are in a file, which gets those of the parts, too. parts: emptied."""
    targets = [instances.target]
    while parts:
        part = parts.pop(0)
        for first in range(0, len(part.matrix), BLOCK):
            file.add(part.matrix.part(slice(first, first + BLOCK)))
        targets.append(part.target)
    return replace(instances, target=np.concatenate(targets))
