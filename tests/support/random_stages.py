"""Random stages of parsers: linear guides with random feature models and weights."""

from __future__ import annotations

import random

import numpy as np
from crossarc.features.extractor import Extractor
from crossarc.features.template import FeatureModel
from crossarc.parser.learners.learner import Learner
from crossarc.parser.learners.linear.svm import LinearSVM
from crossarc.parser.learners.linear.weights import SparseWeights
from crossarc.parser.search.greedy import Fallback
from crossarc.parser.search.learned_guide import ValueIds
from crossarc.parser.search.stage import Stage
from crossarc.transitions.registry import make_system
from crossarc.transitions.system import TransitionSystem
from numpy.typing import NDArray
from plain_configurations import LABELS, SIZES
from random_features import every_template, random_columns

MAX_TEMPLATES = 50
"""Maximum number of templates in a feature model; more would make tests slow."""


def learner_of(
    extractor: Extractor, keys: list[NDArray[np.int64]], classes: int, largest: int, dice: random.Random
) -> LinearSVM:
    """A learner with random weights up to ``largest`` for half of the keys; one class in ten has no weights."""
    known = np.unique(np.concatenate([key.ravel() for key in keys]))
    chooser = np.random.default_rng(dice.randrange(2**32))
    known = chooser.permutation(known[known >= 0])[: len(known) // 2]
    learner = LinearSVM()
    learner.slots_, learner.n_classes_, learner.scale_ = extractor.slots, classes, dice.choice([1.0, 1e-4, 0.3])
    learner.classes_ = np.flatnonzero(chooser.random(classes) < 0.9).astype(np.int32)
    learner.bias_ = chooser.integers(-largest, largest + 1, classes).astype(np.int32) * (dice.random() < 0.3)
    weights = chooser.integers(-largest, largest + 1, (len(known), classes)).astype(np.int16)
    weights[chooser.random(weights.shape) < chooser.random((len(known), 1))] = 0  # rows of any density
    return learner.with_weights(SparseWeights.of(known, weights, np.arange(classes)))


def random_stage(
    name: str, dice: random.Random, lengths: list[int], largest: int, templates: int | None = None
) -> tuple[Stage, ValueIds]:
    """(stage, encoded columns) with random features, and random weights for features that occur in its derivations.

    name: transition system.
    lengths: number of words of each sentence.
    largest: greatest absolute weight.
    templates: number of templates (default: random).
    """
    system = make_system(name, single_root=dice.random() < 0.5)
    model = every_template(system.sources, dice)
    model = FeatureModel(tuple(dice.sample(model.templates, templates or dice.randint(1, MAX_TEMPLATES))))
    extractor = Extractor(model, SIZES, LABELS)
    ids = random_columns(dice, lengths)
    pairs = [
        (number, label if move.labelled else -1) for number, move in enumerate(system.moves) for label in range(LABELS)
    ]
    inventory = np.array(dice.sample(sorted(set(pairs)), dice.randint(1, len(set(pairs)))))
    places = np.array([[dice.random() < 0.6 for _ in range(LABELS)] for _ in range(2)]) if dice.random() < 0.5 else None
    return stage_with(system, extractor, inventory, places, ids, lengths, largest, dice), ids


def stage_with(
    system: TransitionSystem,
    extractor: Extractor,
    inventory: NDArray[np.int64],
    places: NDArray[np.bool_] | None,
    ids: ValueIds,
    lengths: list[int],
    largest: int,
    dice: random.Random,
) -> Stage:
    """A stage with random weights for features that occur in its derivations."""
    learner: Learner = learner_of(extractor, [np.empty(0, dtype=np.int64)], len(inventory), 1, dice)
    seen: list[NDArray[np.int64]] = []
    for _ in range(2):
        stage = Stage(system, extractor, inventory, Fallback(0, 1), learner, places)
        stage.derive(system.initial(np.array(lengths)), ids, lambda step: seen.append(step.decision.keys))
        learner = learner_of(extractor, seen, len(inventory), largest, dice)
    return Stage(system, extractor, inventory, Fallback(0, 1), learner, places)
