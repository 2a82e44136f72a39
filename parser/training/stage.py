"""Training one stage of a parser: what its oracle makes of the trees, and the learner that is fitted to it."""

from __future__ import annotations

import numpy as np

from ...features.extractor import Extractor
from ...features.template import FeatureModel, TemplateError
from ...transitions.configuration import ROOT, Bools
from ...transitions.system import TransitionSystem
from ..base.errors import CrossarcError
from ..base.progress import Progress
from ..config.config import Config, chosen
from ..learners.learner import DerivationLearner, Learner
from ..learners.memory import say_memory
from ..search.greedy import Fallback
from ..search.stage import Stage, column_sizes
from ..treebank.tree import usual_labels
from .derivations import Derivations, TrainingData
from .exploration import explored, folds_of
from .fitting import fit
from .instances import merge_instances
from .structured import MINI_BATCH, learn_with_beam


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
    options = config.training.explore
    trees, labels = len(data.trees), len(data.labels)
    if isinstance(learner, DerivationLearner):
        derivations = Derivations(config, system, extractor, fallback, data, all_steps=True)
        [gold] = derivations.of([range(trees)], MINI_BATCH, progress)
        inventory = learn_with_beam(learner, system, extractor, gold, config.search.beam, progress)
        return Stage(system, features, sizes, labels, inventory, fallback, learner, extractor, places)
    folds = folds_of(trees, options.folds, options.seed) if options.rounds else [list(range(trees))]
    derived = Derivations(config, system, extractor, fallback, data).of(folds, config.batch_size, progress)
    taught = [own.taught() for fold in derived for own in fold]
    batches = [[own.batch for own in fold] for fold in derived]
    del derived
    instances, inventory, sentences = merge_instances(taught, extractor)
    sizes_of_folds = np.add.reduceat(list(map(len, sentences)), np.cumsum([0, *map(len, batches[:-1])]))
    starts = np.cumsum([0, *sizes_of_folds]).tolist()
    del taught
    if options.rounds:
        say_memory(learner, instances, progress)
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
    ready = [instances]
    del instances, batches, data
    fit(learner, ready.pop(), progress)  # nobody else holds them: the learner can let go of what it needs no more
    return Stage(system, features, sizes, labels, inventory, fallback, learner, extractor, places)


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
    usual, orphan = usual_labels(data.trees)
    root = chosen(config.root.label, lambda: usual)
    if root not in data.labels:
        raise CrossarcError(f"root.label: {root!r} is no label of the training treebank")
    return Fallback(data.labels.index(root), data.labels.index(orphan))
