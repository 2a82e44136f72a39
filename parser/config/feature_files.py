"""Loading of feature models from files and from the installed ready models."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from ...features.template import FeatureModel, TemplateError, parse_feature_model
from ..base.errors import CrossarcError, choices
from ..base.text_files import read_text
from .config import Config
from .kinds import nodes
from .ready import ready_feature_model, ready_features

READY_MODELS = ("rich", "full", "small", "plain")
"""The ready feature models of each system.

rich: has merges; for linear guides.
full: rich with parts of morphology, neighbouring words and sets of dependents.
small: two fifths of the templates of rich.
plain: has no merges; for kernels and memory-based learners."""


def load_stage_features(config: Config, columns: Collection[str] | None) -> dict[str, FeatureModel]:
    """Load the feature models that a config names, by system: of its first step and of each pass that follows."""
    names = {config.first_system: config.features_name, **config.pass_features}
    return {system: load_features(name, system, columns) for system, name in names.items()}


def load_features(choice: str, system: str, columns: Collection[str] | None) -> FeatureModel:
    """Load the feature model that a config names: a ready model of the system, or a YAML file.

    choice: name of a ready model, or file.
    system: transition system, or "graph".
    columns: column names of the treebank; None allows all names.

    Raises CrossarcError for a model that cannot be read or used.
    """
    ready = sorted(ready_features().get(system, ()), key=lambda model: (*READY_MODELS, model).index(model))
    if choice in ready:
        name = f"{system}-{choice}"
        text = ready_feature_model(name)
    elif choice.endswith(".yaml"):
        name = choice
        text = read_text(choice, "feature model")
    else:
        raise CrossarcError(f"features: found {choices(choice, ['auto', *ready, 'a file ending in .yaml'])}")
    folder = Path(choice).parent

    def extended(other: str, where: str) -> str:
        try:
            return read_text(folder / other, "feature model") if other.endswith(".yaml") else ready_feature_model(other)
        except CrossarcError as error:
            raise CrossarcError(f"{where}: extends: {error}") from error

    try:
        return parse_feature_model(text, name, columns, nodes(system), extended)
    except TemplateError as error:
        raise CrossarcError(str(error)) from error
