"""The kinds of parsers: how each is trained, and what features suit it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...features.template import FeatureModel
from ...transitions.registry import make_system
from ..base.progress import Progress
from ..config.config import Config, chosen
from ..config.feature_files import GRAPH_MODELS
from ..config.kinds import kind_of
from ..config.ready import ready_features
from ..graph.features import TAGS
from ..learners.learner import Learner
from ..learners.registry import feature_model
from ..models.graph_model import GraphModel
from ..models.trained import TrainedParser
from ..models.transition_model import TransitionModel
from ..treebank import Table
from ..treebank.symbols import batches_by_length
from ..treebank.tree import Tree
from .derivations import TrainingData
from .graph import train_graph
from .passes import PassData, train_passes
from .stage import train_stage


@dataclass(slots=True)
class Prepared:
    """What a parser is trained on: trees as transformed, the first ones of three-step, names for messages."""

    single_root: bool
    features: FeatureModel
    pass_features: Mapping[str, FeatureModel]
    learner: Learner
    trees: Sequence[Tree]
    first: Sequence[Tree]
    names: Sequence[str]
    tables: Mapping[str, Table]
    labels: tuple[str, ...]


def _train_graph(config: Config, own: Prepared, common: Mapping[str, Any], progress: Progress) -> TrainedParser:
    parser = train_graph(config, own.single_root, own.features, own.trees, own.tables, own.labels, progress)
    return GraphModel(parser=parser, **common)


def _train_stages(config: Config, own: Prepared, common: Mapping[str, Any], progress: Progress) -> TrainedParser:
    system = make_system(config.first_system, single_root=own.single_root)
    data = [TrainingData(own.first, own.names, own.labels, own.tables)]
    if not config.passes:
        own.trees = own.first = own.names = ()  # the stage can let go of them before its learner is fitted
    stages = [train_stage(config, system, own.features, own.learner, data.pop(), progress)]
    if config.passes:
        batches = list(batches_by_length([len(tree.heads) - 1 for tree in own.trees], config.batch_size))
        passes = PassData(own.trees, own.first, own.labels, own.tables, batches)
        stages += train_passes(config, own.pass_features, passes, stages[0], progress)
    return TransitionModel(stages=tuple(stages), **common)


def _suiting_learner(config: Config) -> str:
    preferred = feature_model(config.guide)
    return preferred if preferred in ready_features().get(config.first_system, ()) else "rich"


@dataclass(frozen=True, slots=True)
class Training:
    """How parsers of a kind are trained.

    features: the feature model of a config that names none. columns: what is read beside what features look at. train:
    the model, of what is prepared and of what all models keep. check: refuses parameters that do not fit the features.
    """

    features: Callable[[Config], str]
    train: Callable[[Config, Prepared, Mapping[str, Any], Progress], TrainedParser]
    columns: frozenset[str] = frozenset()
    check: Callable[[Learner, FeatureModel], None] = lambda learner, features: None


KINDS: Mapping[str, Training] = {
    "transitions": Training(
        _suiting_learner, _train_stages, check=lambda learner, features: learner.check_templates(features.lines())
    ),
    "graph": Training(lambda config: GRAPH_MODELS[config.graph.order - 1], _train_graph, frozenset({TAGS})),
}
"""By the names of their models, see :mod:`..config.kinds`."""


def feature_choice(config: Config) -> str:
    return chosen(config.features, lambda: KINDS[kind_of(config.system).name].features(config))
