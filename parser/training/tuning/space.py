"""The search space of tuning: the parsers that differ from a given one in technique, features or one parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from ...base.errors import CrossarcError
from ...base.parameters import parameter_values
from ...config.config import AUTO, Config
from ...config.feature_files import READY_MODELS
from ...config.kinds import GRAPH
from ...config.levels import choose, feature_model
from ...config.loading import Document, load_config
from ...config.own_treebank import TreebankProfile
from ...config.ready import ACCURATE, ready_features

TECHNIQUES = (
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
"""The percentage of crossing arcs from which on a technique is tried; a ready config; the system that replaces its own.

Below 0.5 percent no technique gained or lost with the paper's features (experiments/papers/kuhlmann_nivre_2010, table
4, French); Attardi's system was the best on none of five treebanks, and Covington's costs most.
"""
FACTORS = (1 / 3, 0.6, 1.7, 3.0)
"""Factors of the penalty C."""
VALUES = {"min_count": (1, 2, 3, 4), "k": (3, 5, 9, 15)}
"""Values of other parameters, of learners that have them."""


def neighbours(config: Config, facts: TreebankProfile) -> dict[str, Config]:
    """Return the parsers that differ from a config in one respect, by a description of the difference.

    Settings that are no part of the search space stay the same. The user's own feature model is used only with its
    system; other systems get their ready model.
    """
    found: dict[str, Config] = {}
    for name, changed in _changes(config, facts):
        try:
            other = changed()
        except CrossarcError:  # the config's exploration, anchors or oracle exclude the change
            continue
        if other != config:
            found.setdefault(name, other)
    return found


def recommended(base: Config, facts: TreebankProfile) -> dict[str, Config]:
    """Return the parser of the level ``accurate`` with the treebank and root of a config."""
    own = load_config(Document(ACCURATE, choose(ACCURATE, facts)[0]))
    return {f"level {ACCURATE}": replace(own, techniques=(), treebank=base.treebank, root=base.root, tags=base.tags)}


def graph_based(base: Config) -> dict[str, Config]:
    """Return the ready graph-based parser with the treebank and root of a config."""
    ready = load_config(GRAPH)
    root = replace(ready.root, single=base.root.single)
    return {"graph-based": replace(ready, treebank=base.treebank, root=root, tags=base.tags)}


def _changes(config: Config, facts: TreebankProfile) -> Iterator[tuple[str, Callable[[], Config]]]:
    if not config.kind.knows("guide"):
        return
    for least, name, system in TECHNIQUES:
        if facts.crossing >= least:
            yield f"{name} {system}".strip(), partial(_with_technique, config, name, system)
    ready = ready_features().get(config.first_system, ())
    for features in dict.fromkeys(("rich", "full", feature_model(facts))):
        if features in ready and features != config.features_name:
            yield f"features {features}", partial(replace, config, features=features)
    now = parameter_values(config.learner())
    if "C" in now:
        for factor in FACTORS:
            value = float(f"{now['C'] * factor:.2g}")
            yield f"C {value}", partial(replace, config, guide={**config.guide, "C": value})
    for parameter in [own for own in VALUES if own in now]:
        for number in VALUES[parameter]:
            if number != now[parameter]:
                yield f"{parameter} {number}", partial(replace, config, guide={**config.guide, parameter: number})
    rounds = int(not config.explore)
    yield "explored" if rounds else "not explored", partial(replace, config, explore=rounds)


def _with_technique(base: Config, name: str, system: str) -> Config:
    ready = load_config(name)
    other = replace(ready, system=system) if system else ready
    own = tuple(spec for spec in base.transforms if not str(spec).startswith("pseudo-projective"))
    features = base.features
    shared = features in (AUTO, *READY_MODELS) and features in (AUTO, *ready_features().get(other.first_system, ()))
    if not shared and other.first_system != base.first_system:
        features = AUTO
    return replace(
        base,
        system=other.system,
        oracle=other.oracle,
        transforms=(*own, *other.transforms),
        underivable=other.underivable,
        features=features,
    )
