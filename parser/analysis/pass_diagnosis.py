"""Diagnosis of three-step passes: the trees of the first step, and pairs refused because of cycles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...transitions.step import Step
from ...transitions.three_step import ValencyPass
from ..models.transition_model import TransitionModel
from ..models.words import SentenceWords
from ..search.stage import Stage
from ..treebank import Sentence


@dataclass(frozen=True, slots=True)
class RefusedCycles:
    """Number of pairs that were not permissible because they would close a cycle.

    steps: number of steps at which a waiting valency could not be paired because its word dominates the current one.
    wanted: number of these steps at which the learner scored that pair best, so that the refusal changed the parse.
    """

    steps: int = 0
    wanted: int = 0


def first_step(model: TransitionModel, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield the trees of the first step: projective trees, in which anchors replace non-projective arcs."""
    return replace(model, stages=model.stages[:1]).parse(sentences)


def refused_cycles(model: TransitionModel, sentences: Iterable[Sentence]) -> dict[str, RefusedCycles]:
    """Return for each pass the pairs that were refused because of cycles while parsing ``sentences``."""
    watchers = [_Watcher(stage) for stage in model.stages[1:]]
    for batch in model.batches(SentenceWords(sentences)):
        model.derive(batch, [None, *watchers])
    return {own.stage.system.name: RefusedCycles(own.steps, own.wanted) for own in watchers}


@dataclass(slots=True)
class _Watcher:
    stage: Stage
    steps: int = 0
    wanted: int = 0

    def __call__(self, step: Step) -> None:
        system, inventory = self.stage.system, self.stage.inventory
        assert isinstance(system, ValencyPass)
        rows = np.flatnonzero(system.cyclic(step.c).any(axis=1))
        if not rows.size:
            return
        assert step.decision.keys is not None
        self.steps += len(rows)
        view = step.c.at(rows)
        is_pair = inventory[:, 0] == system.moves.index(system.pair)
        label = np.maximum(inventory[:, 1], 0)
        refused = is_pair & system.cyclic(view)[:, label]
        allowed = np.where(is_pair, system.pairable(view)[:, label], system.legal(view)[:, inventory[:, 0]])
        scores = self.stage.learner.scores(step.decision.keys[rows])
        best = np.argmax(np.where(refused | allowed, scores, -np.inf), axis=1)
        self.wanted += int(refused[np.arange(len(rows)), best].sum())
