"""The techniques that tuning tries: those of ready configs, by the share of crossing arcs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ...base.errors import CrossarcError
from ...base.parameters import parameters_of
from ...config.config import AUTO, Config, ExploreOptions, TrainingOptions
from ...config.feature_files import READY_MODELS, load_features
from ...config.kinds import GRAPH
from ...config.loading import load_config
from ...learners.registry import make_learner
from .search import Option
from .trial import Candidate

TECHNIQUES: Sequence[tuple[float, str, str]] = (
    (0.1, "pseudo-projective", ""),
    (0.1, "swap", ""),
    (0.0, "arc-standard", ""),
    (0.0, "arc-eager", ""),
    (0.1, "pseudo-projective", "arc-eager"),
    (0.0, "arc-hybrid", ""),
    (0.1, "arc-hybrid-swap", ""),
    (1.0, "pseudo-projective", "arc-hybrid"),
    (1.0, "covington", ""),
)
"""The per cent of crossing arcs from which on a technique is tried; a ready config; the system that it gets instead.
Where time is short the first ones are tried.

Below 0.5 per cent no technique gained or lost with the paper's features (experiments/papers/kuhlmann_nivre_2010, table
4, French); Attardi's system was the best on none of five treebanks, and Covington's costs most.
"""
COSTS = (1 / 3, 0.6, 1.7, 3.0)
"""Factors of the penalty C that are tried."""
OTHER_VALUES = {"min_count": (1, 2, 3, 4), "k": (3, 5, 9, 15)}
"""Values of other parameters that are tried, of learners that have these parameters."""
NOT_PSEUDO = "pseudo-projective"
FULL = "full"


def candidate_of(config: Config, columns: Collection[str]) -> Candidate:
    """The candidate that a config describes.

    columns: columns that features may name
    """
    features = load_features(config.features_name, config.first_system, columns)
    treebank = replace(config.treebank, dev="")
    return Candidate(replace(config, model="", treebank=treebank), tuple(features.lines()))


def technique_options(base: Config, percent: float, columns: Collection[str]) -> list[Option]:
    """The techniques that may help on a treebank with ``percent`` per cent of crossing arcs.

    Each replaces the technique of the base. Guide, features and all other settings stay the same. The user's own
    feature model is used only with its system; other systems get their ready model.
    """
    found: dict[str, Option] = {}
    for least, name, system in TECHNIQUES:
        if percent < least:
            continue
        ready = load_config(name)
        try:
            config = _combined(base, replace(ready, system=system) if system else ready)
        except CrossarcError:  # the technique does not support the base's exploration or anchors
            continue
        candidate = candidate_of(config, columns)
        title = f"{system}, {name}" if system else name
        if candidate != candidate_of(base, columns):
            found.setdefault(candidate.digest(), Option(title, candidate))
    return list(found.values())


def graph_options(base: Config, columns: Collection[str], epochs: int) -> list[Option]:
    """The ready graph-based parser on the base's treebank, with ``epochs`` epochs."""
    ready = load_config(GRAPH)
    config = replace(ready, treebank=base.treebank, root=replace(ready.root, single=base.root.single))
    config = replace(config, graph=replace(config.graph, epochs=epochs))
    return [Option(f"graph-based, {epochs} epochs", candidate_of(config, columns))]


def explored(option: Option) -> list[Option]:
    """The option with one round of exploration; empty if it is not supported, or if the option explores already."""
    config = option.candidate.config
    if config.training.explore.rounds:
        return []
    try:
        training = TrainingOptions(ExploreOptions(rounds=1))
        config = replace(config, training=training)
    except CrossarcError:
        return []
    return [Option(f"{option.name}, explored", replace(option.candidate, config=config))]


def full_templates(system: str, columns: Collection[str]) -> list[str]:
    """The templates of the system's largest ready model that use only the given columns.

    columns: names as in feature models, possibly pieces of columns

    Empty if there is no such model.
    """
    try:
        features = load_features(FULL, system, None)
    except CrossarcError:
        return []
    return [str(own) for own in features.templates if {part.column for part in own.parts if part.column} <= {*columns}]


def parameter_options(candidate: Candidate, name: str) -> list[Option]:
    """Options with other values of a parameter; empty if the learner does not have the parameter."""
    learner = make_learner(candidate.config.guide)
    if name not in parameters_of(type(learner)):
        return []
    now = getattr(learner, name)
    if name == "C":
        values = [float(f"{now * factor:.2g}") for factor in COSTS]
    else:
        values = [value for value in OTHER_VALUES[name] if value != now]
    return [Option(f"{name} {value}", candidate.with_guide(**{name: value})) for value in values]


def _combined(base: Config, technique: Config) -> Config:
    own = tuple(spec for spec in base.transforms if not str(spec).startswith(NOT_PSEUDO))
    features = base.features
    if features not in (AUTO, *READY_MODELS) and technique.first_system != base.first_system:
        features = AUTO
    return replace(
        base,
        system=technique.system,
        oracle=technique.oracle,
        transforms=(*own, *technique.transforms),
        underivable=technique.underivable,
        features=features,
    )
