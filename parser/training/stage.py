"""Training of the stages of a transition-based parser: the oracle derives the trees, and a learner is fitted.

Three-step parsers (Lacroix & Béchet 2014) have passes that follow a projective parser.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...features.template import FeatureModel
from ...oracles.oracle import Gold
from ...oracles.three_step import ValencyOracle
from ...transitions.configuration import ROOT, Bools, Ints
from ...transitions.registry import make_system
from ...transitions.system import TransitionSystem
from ...transitions.three_step import as_pass
from ..base.progress import Progress, counted, task
from ..config.config import Config
from ..learners.instances import Instances, KeyMatrix
from ..learners.key_file import KeyFile
from ..learners.learner import Learner
from ..models.transition_model import TransitionModel
from ..search.greedy import derive
from ..search.stage import Stage
from ..treebank.symbols import BATCH, batches_by_length, encode_columns
from .derivations import Derivations, InstanceRecorder, Recorded, TrainingData, merge_instances
from .exploration import FOLDS, Sample, TrainingBatch, explored, folds_of, joined, with_more

MANY_KEYS = 10**8
"""Number of feature keys, about half of those of the instances, from which on they lie in a file: treebanks of half a
million words with the features of ``accurate``, of two million with those of ``fast``."""
EXPLORED_WORDS = 300_000
"""Maximum number of words that are explored if the keys lie in a file, in sentences that are evenly spread: each k-th
sentence with the smallest such k."""


def train_stages(
    config: Config,
    features: Mapping[str, FeatureModel],
    data: TrainingData,
    common: Mapping[str, Any],
    progress: Progress,
) -> TransitionModel:
    """Train the parser of a config.

    features: feature model of each stage, by system
    common: attributes that all models have
    """
    (name, first_features), *passes = features.items()
    system = make_system(name, single_root=config.root.single is True)
    first = train_stage(config, system, first_features, data, progress)
    return TransitionModel(stages=(first, *train_passes(config, dict(passes), data, first, progress)), **common)


def train_passes(
    config: Config, features: Mapping[str, FeatureModel], data: TrainingData, first: Stage, progress: Progress
) -> list[Stage]:
    """Train the passes of a config, each on the gold trees as the earlier passes change them.

    features: feature model of each pass
    first: the first step

    Raises CrossarcError for features that cannot be used.
    """
    trees_of_pass: dict[int, tuple[Ints, Ints]] = {}
    stages: list[Stage] = []
    batches = list(batches_by_length([len(tree.heads) - 1 for tree in data.trees]))
    for name, model in features.items():
        system = make_system(name, single_root=first.system.single_root)
        extractor = data.extractor(model)
        recorded: list[Recorded] = []
        watched = counted(batches, progress, f"deriving, {name}", "sentences", len(data.trees), size=len)
        for number, rows in enumerate(watched):
            gold, anchors = (Gold.of([trees[row] for row in rows], data.labels) for trees in (data.trees, data.first))
            start = anchors.heads, anchors.deprels
            tables = {column: data.tables[column] for column in model.columns}
            ids = encode_columns([data.trees[row].columns for row in rows], tables)
            recorder = InstanceRecorder(extractor, ids, len(rows))
            c = as_pass(system).over(gold.lengths, start, trees_of_pass.get(number, start), len(data.labels))
            derived = derive(system, ValencyOracle(system, gold, start), c, first.fallback, recorder)
            trees_of_pass[number] = derived.heads, derived.deprels
            recorded.append(recorder.recorded())
        instances, inventory, _ = merge_instances(recorded, extractor)
        del recorded
        learner = config.learner()
        (pair,) = system.label_dependent
        pairs = int((inventory[instances.target, 0] == system.moves.index(pair)).sum())
        progress(
            f"{name}: {pairs} valencies, {len(instances.target)} instances, {len(instances.slots)} feature slots, "
            f"{len(inventory)} transitions; training {learner.name}"
        )
        with task(progress, f"training {learner.name}"):
            learner.fit(instances)
        stages.append(Stage(system, extractor, inventory, first.fallback, learner))
    return stages


def _seeds(learner: Learner) -> Iterator[int]:
    """The seeds of the learner and of its guides, as far as they have one."""
    if (seed := getattr(learner, "seed", None)) is not None:
        yield seed
    for guide in getattr(learner, "guides", ()):
        yield from _seeds(guide)


def train_stage(
    config: Config, system: TransitionSystem, features: FeatureModel, data: TrainingData, progress: Progress
) -> Stage:
    """Derive the training trees with the config's oracle, and fit the learner to its decisions.

    With ``explore``, the learner is also fitted to decisions off the gold derivations.

    data: to free memory, its trees and names are removed before the learner is fitted, unless passes follow or the
        learner learns from whole derivations.
    """
    learner = config.learner()
    extractor = data.extractor(features)
    places = None if system.chains else _label_places(data)  # node 0 heads the first word of every chain
    rounds, trees = config.explore, len(data.first)
    if learner.of_derivations:
        derivations = Derivations(config, system, extractor, data, all_steps=True)
        [gold] = derivations.of([range(trees)], learner.mini_batch, progress)
        inventory = learner.fit_derivations(system, extractor, gold, config.beam, progress)
        return Stage(system, extractor, inventory, data.fallback, learner, places)
    words = sum(len(tree.heads) - 1 for tree in data.first)
    file = KeyFile() if learner.reads_blocks and words * len(extractor.slots) >= MANY_KEYS else None
    folds: list[list[int]] = []
    if rounds:
        some = range(0, trees, -(-words // EXPLORED_WORDS) if file is not None else 1)
        folds = [[some[place] for place in fold] for fold in folds_of(len(some), FOLDS, next(_seeds(learner), 1))]
    derivations = Derivations(config, system, extractor, data)
    instances, inventory, sample = _gold_instances(derivations, folds, file, progress)
    if folds:
        assert sample is not None
        unguided = Stage(system, extractor, inventory, data.fallback, learner)
        if file is not None:
            progress(f"exploring {sum(map(len, folds))} of {trees} sentences")
        parts = explored(unguided, sample, rounds, progress)
        off_path = sum(len(part.target) for part in parts)
        sample = None
        if file is None:
            parts = [instances, *parts]
            del instances  # the list has the only reference, so that joining can release it
            instances = joined(parts)
        else:
            instances = with_more(instances, file, parts)
        progress(f"{off_path} instances off the gold path, of {FOLDS} folds")
    progress(
        f"{len(instances.target)} instances, {len(instances.slots)} feature slots, {len(inventory)} transitions; "
        f"training {learner.name}"
    )
    if not config.projectivizes:
        data.trees = data.first = data.names = ()
    ready = [instances]
    del instances, file, sample
    with task(progress, f"training {learner.name}"):
        learner.fit(ready.pop())  # the only reference, so that the learner can release what it no longer needs
    return Stage(system, extractor, inventory, data.fallback, learner, places)


def _gold_instances(
    derivations: Derivations, folds: Sequence[Sequence[int]], file: KeyFile | None, progress: Progress
) -> tuple[Instances, Ints, Sample | None]:
    """(instances of the gold derivations of all trees, inventory, the trees to explore).

    folds: numbers of the trees to explore; the others follow them.
    file: receives the keys of the instances (None: they stay in memory).
    """
    rest = sorted(set(range(len(derivations.data.first))).difference(*folds))
    taught: list[Recorded] = []
    kept: list[KeyMatrix] = []
    batches: list[list[TrainingBatch]] = [[] for _ in folds]
    for fold, derived in derivations.each([*folds, rest], BATCH, progress):
        recorded = derived.recorded.without(derived.batch.skip)
        if fold < len(folds):
            batches[fold].append(derived.batch)
        if file is not None:
            kept += [recorded.matrix.part(recorded.sentence >= 0)] if fold < len(folds) else []
            recorded = recorded.filed(file)
        taught.append(recorded)
    instances, inventory, sentences = merge_instances(taught, derivations.extractor, file=file)
    if not folds:
        return instances, inventory, None
    ends = np.cumsum([0, *map(len, sentences)])
    starts = ends[np.cumsum([0, *map(len, batches)])].tolist()
    explorable = instances
    if file is not None:
        matrix, target = KeyMatrix.joined(kept), instances.target[: starts[-1]]
        explorable = replace(instances, matrix=matrix, target=target, file=None)
    return instances, inventory, Sample(explorable, starts, batches)


def _label_places(data: TrainingData) -> Bools:
    """bool (2, labels): the labels of arcs from words, and of arcs from node 0, in training."""
    number = {label: place for place, label in enumerate(data.labels)}
    places = np.zeros((2, len(number)), dtype=np.bool_)
    for tree in data.first:
        for head, label in zip(tree.heads, tree.deprels, strict=True):
            if head >= 0:
                places[int(head == ROOT), number[label]] = True
    return places
