"""Training one stage of a parser: what its oracle makes of the trees, and the learner that is fitted to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor
from ...features.template import FeatureModel, TemplateError
from ...oracles.oracle import Gold, Oracle
from ...oracles.registry import make_dynamic_oracle, make_oracle
from ...transitions.configuration import NONE, ROOT, Bools, Ints
from ...transitions.system import TransitionSystem
from ..config.config import AUTO, MINIMAL_COST, Config
from ..errors import CrossarcError
from ..learners.learner import Learner
from ..learners.memory import say_memory
from ..learners.perceptron import Perceptron
from ..progress import Advance, Progress, task
from ..search.greedy import Fallback, derive
from ..search.stage import Stage, column_sizes
from ..transforms.projectivize import projectivize
from ..treebank import Table, encode_columns
from ..treebank.batches import batches_by_length
from ..treebank.tree import Tree, usual_labels
from .exploration import TrainingBatch, explored, folds_of
from .fitting import fit
from .instances import InstanceRecorder, merge_instances
from .structured import MINI_BATCH, SentenceRecorder, learn_with_beam

__all__ = ["TrainingData", "train_stage"]


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What a stage is trained on: trees with their columns, names for messages, label names, and symbol tables."""

    trees: Sequence[Tree]
    names: Sequence[str]
    labels: tuple[str, ...]
    tables: Mapping[str, Table]


def train_stage(
    config: Config,
    system: TransitionSystem,
    features: FeatureModel,
    learner: Learner,
    data: TrainingData,
    progress: Progress,
) -> Stage:
    """Derive the training trees with the config's oracle, and fit the learner to what it decided."""
    sizes = column_sizes(data.tables, features.columns)
    try:
        extractor = Extractor(features, sizes, len(data.labels))
    except TemplateError as error:
        raise CrossarcError(str(error)) from error
    fallback, places = _fallback(config, data), _label_places(config, data)
    trees, skip = _derivable(config, system, fallback, data, progress)
    if isinstance(learner, Perceptron):
        derived = []
        for batch in _batches(MINI_BATCH, data, trees, skip, range(len(trees))):
            recorder = SentenceRecorder(extractor, batch.ids, len(batch.skip))
            derive(system, _oracle(config, system, batch), system.initial(batch.gold.lengths), fallback, recorder)
            derived.append((batch, recorder))
        inventory = learn_with_beam(learner, system, extractor, derived, config.search.beam, progress)
        return Stage(system, features, sizes, len(data.labels), inventory, fallback, learner, extractor, places)
    options = config.training.explore
    folds = folds_of(len(trees), options.folds, options.seed) if options.rounds else [list(range(len(trees)))]
    batches = [_batches(config.batch_size, data, trees, skip, fold) for fold in folds]
    with task(progress, "deriving", "sentences", len(trees)) as advance:
        recorded = [
            [_recorded(config, system, fallback, extractor, batch, advance) for batch in fold] for fold in batches
        ]
    instances, inventory = merge_instances([own for fold in recorded for own in fold], extractor)
    starts = np.cumsum([0, *(sum(len(keys) for keys, _ in fold) for fold in recorded)]).tolist()
    del recorded
    if options.rounds:
        on_path = len(instances.target)
        instances = explored(
            system, learner, extractor, fallback, instances, inventory, starts, batches, options.rounds, progress
        )
        progress(f"{len(instances.target) - on_path} instances off the gold path, of {options.folds} folds")
    progress(
        f"{len(instances.target)} instances, {len(instances.slots)} feature slots, {len(inventory)} transitions; "
        f"training {learner.name}"
    )
    say_memory(learner, instances, progress)
    fit(learner, instances, progress)
    return Stage(system, features, sizes, len(data.labels), inventory, fallback, learner, extractor, places)


def _label_places(config: Config, data: TrainingData) -> Bools | None:
    """bool (2, labels): which labels arcs from words, and arcs from node 0, have in training."""
    if config.root.exclusive is False:
        return None
    number = {label: place for place, label in enumerate(data.labels)}
    places = np.zeros((2, len(number)), dtype=np.bool_)
    for tree in data.trees:
        for head, label in zip(tree.heads[1:], tree.deprels[1:], strict=True):
            places[int(head == ROOT), number[label]] = True
    return places


def _fallback(config: Config, data: TrainingData) -> Fallback:
    """Labels for arcs that no guide labels."""
    root, orphan = usual_labels(data.trees)
    if config.root.label != AUTO:
        root = config.root.label
        if root not in data.labels:
            raise CrossarcError(f"root.label: {root!r} is no label of the training treebank")
    return Fallback(data.labels.index(root), data.labels.index(orphan))


def _derivable(
    config: Config, system: TransitionSystem, fallback: Fallback, data: TrainingData, progress: Progress
) -> tuple[list[list[int]], np.ndarray]:
    """(heads of every tree as the oracle is to derive them, bool (trees,): which to leave out)."""
    heads = [tree.heads for tree in data.trees]
    skip = np.zeros(len(heads), dtype=np.bool_)
    reached = _reached(config, system, fallback, data, heads, range(len(heads)))
    lost = [number for number, ok in reached.items() if not ok]
    if not lost:
        return heads, skip
    share = f"{len(lost)} of {len(heads)} trees ({100 * len(lost) / len(heads):.1f} %)"
    if config.underivable == "refuse":
        raise CrossarcError(f"the {system.name} oracle cannot derive {share}, the first is {data.names[lost[0]]}")
    progress(f"the {system.name} oracle cannot derive {share}: {config.underivable}")
    if config.underivable == "skip":
        skip[lost] = True
        if skip.all():
            raise CrossarcError(f"the {system.name} oracle can derive no tree of the training treebank")
    elif config.underivable == "projectivize":
        heads = _projectivized(config, system, fallback, data, heads, lost, progress)
    return heads, skip


def _projectivized(
    config: Config,
    system: TransitionSystem,
    fallback: Fallback,
    data: TrainingData,
    heads: Sequence[list[int]],
    lost: Sequence[int],
    progress: Progress,
) -> list[list[int]]:
    """The trees with the lost ones made projective; where that does not help a system that is not projective, as they
    were."""
    result = list(heads)
    for number in lost:
        result[number] = projectivize(heads[number])[0]
    still = [number for number, ok in _reached(config, system, fallback, data, result, lost).items() if not ok]
    if still:
        progress(f"{len(still)} of them cannot be derived as projective trees either, and are as far as possible")
    if not system.projective:
        for number in still:
            result[number] = heads[number]
    return result


def _gold(data: TrainingData, heads: Sequence[list[int]], numbers: Sequence[int]) -> Gold:
    label_number = {label: number for number, label in enumerate(data.labels)}
    deprels = [[NONE, *map(label_number.__getitem__, data.trees[number].deprels[1:])] for number in numbers]
    return Gold([heads[number] for number in numbers], deprels)


def _reached(
    config: Config,
    system: TransitionSystem,
    fallback: Fallback,
    data: TrainingData,
    heads: Sequence[list[int]],
    numbers: Sequence[int],
) -> dict[int, bool]:
    """For each tree of those numbers, in ascending order, whether the oracle derives it."""
    reached: dict[int, bool] = {}
    for places in batches_by_length([len(heads[number]) - 1 for number in numbers], config.batch_size):
        batch = [numbers[place] for place in places]
        gold = _gold(data, heads, batch)
        oracle = make_oracle(system, gold, config.oracle_name)
        derivation = derive(system, oracle, system.initial(gold.lengths), fallback)
        reached.update(zip(batch, (derivation.heads == gold.heads).all(axis=1).tolist(), strict=True))
    return {number: reached[number] for number in numbers}


def _batches(
    size: int, data: TrainingData, heads: Sequence[list[int]], skip: np.ndarray, numbers: Sequence[int]
) -> list[TrainingBatch]:
    """The trees of those numbers in batches of similar length, ``size`` each."""
    batches = []
    for places in batches_by_length([len(heads[number]) - 1 for number in numbers], size):
        own = [numbers[place] for place in places]
        by_name = {name: [data.trees[number].columns[name] for number in own] for name in data.tables}
        batches.append(TrainingBatch(_gold(data, heads, own), encode_columns(by_name, data.tables), skip[own]))
    return batches


def _recorded(
    config: Config,
    system: TransitionSystem,
    fallback: Fallback,
    extractor: Extractor,
    batch: TrainingBatch,
    advance: Advance,
) -> tuple[NDArray[np.int64], Ints]:
    """What the config's oracle decides in a batch."""
    recorder = InstanceRecorder(extractor, batch.ids, batch.skip)
    derive(system, _oracle(config, system, batch), system.initial(batch.gold.lengths), fallback, recorder)
    advance(len(batch.skip))
    return recorder.recorded()


def _oracle(config: Config, system: TransitionSystem, batch: TrainingBatch) -> Oracle:
    """The oracle that derives what is learned: the config's, or the dynamic one for derivations of minimal cost."""
    if config.underivable == MINIMAL_COST:
        return make_dynamic_oracle(system, batch.gold)
    return make_oracle(system, batch.gold, config.oracle_name)
