"""Loading of feature models from files and from the installed ready models."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ...features.template import FeatureModel, TemplateError, parse_feature_model
from ...transitions.registry import system_type
from ..base.errors import CrossarcError, choices
from ..base.lazy import Lazy
from ..base.text_files import read_text
from .config import ParserConfig
from .ready import ready_feature_model, ready_features

SUPPLIED: Mapping[str, Callable[[FeatureModel, str, Collection[str]], FeatureModel]] = Lazy(__package__, {}, "SUPPLIED")
"""Functions that extend ready feature models by templates over a column, by the name of the column.

Plugins declare them. The column stands in no file: a step of the model supplies it. The parameters are the model, its
system and the nodes that templates may address.
"""
READY_MODELS = ("rich", "full", "small", "plain")
"""The ready feature models of each system.

rich: has merges; for linear guides.
full: rich with parts of morphology, neighbouring words and sets of dependents.
small: two fifths of the templates of rich.
plain: has no merges; for kernels and memory-based learners."""


def load_stage_features(config: ParserConfig, columns: Collection[str] | None) -> dict[str, FeatureModel]:
    """Load the feature models that a config names, by system: one, or for three-step parsing that of each pass, too.

    columns: column names of the treebank; None allows all names.

    Raises CrossarcError for a model that cannot be read or used.
    """
    return {
        system: load_features(name, system, columns, config.nodes(system))
        for system, name in config.feature_names.items()
    }


def load_features(
    choice: str, system: str, columns: Collection[str] | None, nodes: Sequence[str] | None = None
) -> FeatureModel:
    """Load the feature model that a config names: a ready model, or a YAML file.

    choice: name of a ready model of the system, of one of another system with the same nodes as ``SYSTEM-MODEL``, or
        file.
    system: transition system, or another method that builds trees.
    columns: column names of the treebank; None allows all names.
    nodes: the nodes that the model may address; None: those of the transition system.

    Raises CrossarcError for a model that cannot be read or used.
    """
    every = ready_features()
    ready = sorted(every.get(system, ()), key=lambda model: (*READY_MODELS, model).index(model))
    others = [f"{other}-{model}" for other, models in every.items() for model in models]
    if choice in ready or choice in others:
        name = f"{system}-{choice}" if choice in ready else choice
        text = ready_feature_model(name)
    elif choice.endswith(".yaml"):
        name = choice
        text = read_text(choice, "feature model")
    else:
        raise CrossarcError(f"features: found {choices(choice, ['auto', *ready, 'a file ending in .yaml'])}")

    def extended(other: str, where: str) -> str:
        try:
            return read_text(other, "feature model") if other.endswith(".yaml") else ready_feature_model(other)
        except CrossarcError as error:
            raise CrossarcError(f"{where}: extends: {error}") from error

    sources = system_type(system).sources if nodes is None else nodes
    try:
        model = parse_feature_model(text, name, columns, sources, extended)
    except TemplateError as error:
        raise CrossarcError(str(error)) from error
    if columns is not None and not choice.endswith(".yaml"):
        for column in SUPPLIED:
            model = SUPPLIED[column](model, system, sources) if column in columns else model
    return model
