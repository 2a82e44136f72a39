"""Structured learning with beams: the averaged perceptron with max-violation updates (Huang, Fayong & Guo 2012).

A sentence is corrected if its best derivation is not the gold derivation. The correction applies at the step where the
score of the best partial derivation exceeds the score of the gold one most. Up to this step, the transitions of the
gold derivation are strengthened and those of the best one are weakened, by the smallest sufficient amount
(:meth:`~.perceptron.Perceptron.correct`). With a margin, as in large-margin learning, derivations that leave the gold
derivation get this amount added to their scores.

Several sentences are searched with the same weights. Their corrections are then applied one by one, each only as far as
earlier corrections have left a violation. The corrections are similar, so applying all of them in full would overshoot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import Extractor
from ....transitions.configuration import NONE, Bools, Ints
from ....transitions.system import TransitionSystem
from ...base.errors import CrossarcError
from ...base.progress import Progress, task
from ...learners.instances import KeyMatrix
from ...search.beam import STAY, Beam
from ...search.learned_guide import LearnedGuide, ValueIds
from ...training.derivations import DerivedBatch, merge_instances
from .perceptron import Perceptron


@dataclass(frozen=True, slots=True)
class GoldDerivations:
    """The gold derivations of a batch of sentences of similar length.

    lengths: int64 (B,), numbers of words
    ids: value ids of the nodes
    keys: for each sentence, the features along its gold derivation
    classes: for each sentence, int64 (steps,), the transitions
    usable: bool (B,), whether the sentence is used in training
    """

    lengths: Ints
    ids: ValueIds
    keys: Sequence[KeyMatrix]
    classes: Sequence[Ints]
    usable: Bools


class StructuredPerceptron(Perceptron):
    """The averaged perceptron, which learns from whole derivations with a beam."""

    mini_batch: ClassVar[int] = 8
    """Larger values are faster and learn more slowly."""

    def fit_derivations(
        self, system: TransitionSystem, extractor: Extractor, batches: Any, beam: int, progress: Progress
    ) -> NDArray[np.int64]:
        return learn_with_beam(self, system, extractor, batches, beam, progress)


def learn_with_beam(
    learner: Perceptron,
    system: TransitionSystem,
    extractor: Extractor,
    batches: Sequence[DerivedBatch],
    width: int,
    progress: Progress,
) -> Ints:
    """Train ``learner`` on gold derivations with beams of ``width``; return the inventory, int64 (classes, 2).

    batches: batches of few sentences, which are scored with the same weights

    Incomplete derivations and excluded sentences are ignored. Raises CrossarcError if no derivation is left.
    """
    usable = [batch.complete & ~batch.batch.skip for batch in batches]
    if not any(rows.any() for rows in usable):
        raise CrossarcError(
            "the oracle cannot derive any tree, and the learner needs whole derivations; "
            "allowed: underivable: projectivize, another oracle or learner"
        )
    # default transitions of other sentences have no label and must not be predicted
    taught = [batch.recorded.without(~right) for batch, right in zip(batches, usable, strict=True)]
    instances, inventory, recorded = merge_instances(taught, extractor, by_sentence=True)
    classes = instances.target.astype(np.int64)
    derivations = []
    start = 0
    for batch, right, sentence in zip(batches, usable, recorded, strict=True):
        steps = np.bincount(sentence, minlength=len(batch.complete))
        ends = start + np.cumsum(steps)
        parts = [slice(end - count, end) for end, count in zip(ends.tolist(), steps.tolist(), strict=True)]
        start = int(ends[-1])
        derivations.append(
            GoldDerivations(
                batch.batch.gold.lengths,
                batch.batch.ids,
                [instances.matrix.part(part) for part in parts],
                [classes[part] for part in parts],
                right,
            )
        )
    learner.begin(instances)
    progress(
        f"{len(instances.target)} instances, {len(instances.slots)} feature slots, {len(learner.keys_)} features, "
        f"{len(inventory)} transitions; training {learner.name} with a beam of {width}"
    )
    order = np.random.default_rng(learner.seed)
    sentences = sum(len(derivation.lengths) for derivation in derivations)
    with task(progress, f"training {learner.name}", "derivations", learner.epochs * sentences) as advance:
        for epoch in range(learner.epochs):
            corrected = 0
            for number in order.permutation(len(derivations)).tolist():
                batch = derivations[number]
                guide = LearnedGuide(learner, extractor, batch.ids, inventory, system)
                for violation in _violations(learner, guide, batch, width):
                    corrected += learner.correct(*violation)
                learner.count()
                advance(len(batch.lengths))
            progress(f"epoch {epoch + 1} of {learner.epochs}: {corrected} derivations corrected")
    learner.finish()
    return inventory


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the beam: the keys of the running rows, their indices among all rows, and the chosen extensions."""

    keys: NDArray[np.int64]
    place: Ints
    parent: Ints
    chosen: Ints


def _violations(
    learner: Perceptron, guide: LearnedGuide, batch: GoldDerivations, width: int
) -> Iterator[tuple[NDArray[np.int64], Ints, Ints, float]]:
    """The corrections of a batch, one for each sentence whose best derivation is not the gold derivation.

    Both derivations end at the step where the best other one is ahead of the gold one by most (max-violation, Huang,
    Fayong & Guo 2012). A correction has the arguments of :meth:`Perceptron.correct`: from the first difference on, the
    keys and the class of each transition, 1 for those of the gold derivation and -1 for those of the other one; and the
    margin.
    """
    steps, best, gold = _search(learner, guide, batch, width)
    excess = np.array([score for _, score, _ in best]) - gold.T[1 : len(best) + 1]
    is_gold = np.array([right for _, _, right in best])
    worst = np.argmax(np.where(is_gold, -np.inf, excess), axis=0)
    for sentence in np.flatnonzero(batch.usable & ~is_gold[-1]).tolist():
        step = int(worst[sentence])
        path = _path(steps[: step + 1], int(best[step][0][sentence]))
        right_path = batch.classes[sentence][: step + 1].tolist()
        same = 0
        while same < min(len(path), len(right_path)) and path[same][1] == right_path[same]:
            same += 1
        taken = [(keys, chosen) for keys, chosen in path[same:] if chosen != STAY]  # without steps after its end
        right = batch.keys[sentence].decoded(slice(same, len(right_path)))
        yield (
            np.concatenate([right, *(keys[None] for keys, _ in taken)]),
            np.array(right_path[same:] + [chosen for _, chosen in taken]),
            np.repeat([1, -1], [len(right), len(taken)]),
            learner.margin * len(guide.extractor.slots),
        )


def _path(steps: Sequence[_Step], row: int) -> list[tuple[NDArray[np.int64], int]]:
    """(features, class) of each transition that led to a row after the last step; :data:`STAY` contributes none."""
    path = []
    for step in reversed(steps):
        parent, chosen = int(step.parent[row]), int(step.chosen[row])
        path.append((step.keys[step.place[parent]], chosen))
        row = parent
    return path[::-1]


def _search(
    learner: Perceptron, guide: LearnedGuide, batch: GoldDerivations, width: int
) -> tuple[list[_Step], list[tuple[Ints, NDArray[np.float64], Bools]], NDArray[np.float64]]:
    """Return (steps of the beam, best rows, scores of the gold derivations).

    The best rows hold, after each step and for each sentence, the best row, its score, and whether it is a beginning of
    the gold derivation. Scores of gold derivations are float64 (sentences, steps + 1).
    """
    system = guide.system
    beam = Beam(system, system.initial(batch.lengths), guide.inventory, width)
    most = max(map(len, batch.classes))
    targets = np.full((len(batch.lengths), max(most, system.max_transitions(int(batch.lengths.max())))), STAY)
    gold = np.zeros((len(batch.lengths), targets.shape[1] + 1))
    for sentence, (keys, classes) in enumerate(zip(batch.keys, batch.classes, strict=True)):
        targets[sentence, : len(classes)] = classes
        gold_scores = learner.scores_of(keys.decoded(), classes)
        gold[sentence, 1:] = gold_scores.sum()
        gold[sentence, 1 : len(gold_scores) + 1] = np.cumsum(gold_scores)
    on_gold = np.ones(len(batch.lengths), dtype=np.bool_)
    steps: list[_Step] = []
    best = []
    while beam.running.size:
        live = beam.live
        legal = system.legal(live)
        seen, scores = guide.scored(live, legal)
        place = np.full(len(beam.c), NONE)
        place[beam.running] = np.arange(len(beam.running))
        if learner.margin:
            gold_scores = targets[beam.sentence[beam.running], len(steps)]
            scores = _ahead(scores, gold_scores, on_gold[beam.running], learner.margin * len(guide.extractor.slots))
        parent, chosen = beam.extend(legal, scores)
        steps.append(_Step(seen, place, parent, chosen))
        on_gold = on_gold[parent] & (chosen == targets[beam.sentence, len(steps) - 1])
        first = np.searchsorted(beam.sentence, np.arange(len(batch.lengths)))
        best.append((first, beam.score[first], on_gold[first]))
    return steps, best, gold


def _ahead(scores: NDArray[np.float32], target: Ints, on_gold: Bools, margin: float) -> NDArray[np.float32]:
    """The scores (rows, classes), plus ``margin`` for transitions that leave the gold derivation.

    target: int64 (rows,), the next transition of the gold derivation, or :data:`STAY`
    on_gold: bool (rows,), whether the row is a beginning of the gold derivation
    """
    on_path = np.flatnonzero(on_gold & (target != STAY))
    ahead = scores.copy()
    ahead[on_path] += np.float32(margin)
    ahead[on_path, target[on_path]] = scores[on_path, target[on_path]]
    return ahead
