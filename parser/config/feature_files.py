"""Where feature models come from: files, and the ready models that are installed with crossarc."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from ...features.address import FACTOR_NODES
from ...features.piece import column_and_key
from ...features.template import FeatureModel, TemplateError, parse_feature_model
from ...transitions.registry import system_type
from ..base.errors import CrossarcError, choices
from ..base.text_files import read_text
from ..treebank import Sentence
from .graph_options import GRAPH
from .ready import ready_feature_model, ready_features

__all__ = ["GRAPH_MODELS", "READY_MODELS", "feature_columns", "load_features", "nameable_columns", "treebank_column"]

AS_NAMED: Mapping[str, str] = MappingProxyType({})
"""No column is read in the place of another."""
DERIVED = {"morph": "feats"}
"""Columns that features may name besides those of the treebank: ``morph`` is FEATS as one value, not as a set."""
NOT_FOR_FEATURES = frozenset({"id", "head", "deprel", "phead", "pdeprel", "deps"})

READY_MODELS = ("rich", "full", "small", "plain")
"""rich: with merges, for linear guides. full: that, and pieces of morphology, neighbours and sets of dependents. small:
a third of rich. plain: without merges, for kernels and memory."""
GRAPH_MODELS = ("first-order", "second-order")
"""Those of graph-based parsing, for edges and for pairs of edges."""


def load_features(choice: str, system: str, columns: Collection[str] | None) -> FeatureModel:
    """The feature model that a config names: a ready one of the system, or a YAML file.

    columns: the names that the treebank has; None allows all. Raises CrossarcError for a model that cannot be read or
    used.
    """
    ready = sorted(ready_features().get(system, ()), key=lambda model: (*READY_MODELS, model).index(model))
    sources = FACTOR_NODES if system == GRAPH else system_type(system).sources
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
        return parse_feature_model(text, name, columns, sources, extended)
    except TemplateError as error:
        raise CrossarcError(str(error)) from error


def nameable_columns(names: Collection[str]) -> list[str]:
    """The columns that features may name in a treebank with the columns ``names``: not the numbering, nor the tree."""
    own = [name for name in names if name not in NOT_FOR_FEATURES]
    return own + [derived for derived, column in DERIVED.items() if column in own]


def treebank_column(name: str, reads: Mapping[str, str] = AS_NAMED) -> str:
    """The column of a treebank that features look at under a name.

    reads: the columns that are read in the place of others.
    """
    column, _ = column_and_key(name)
    return reads.get(column, DERIVED.get(column, column))


def feature_columns(
    sentence: Sentence, names: Collection[str], reads: Mapping[str, str] = AS_NAMED
) -> dict[str, tuple[str, ...]]:
    """The columns of a sentence that features name. Raises CrossarcError for one that it lacks.

    reads: the columns that are read in the place of some of the names.
    """
    return {name: sentence.column(treebank_column(name, reads)) for name in names}
