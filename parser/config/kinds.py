"""The kinds of parsers, each declared once: systems, config keys, default features, model class, training."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from ...features.address import FACTOR_NODES
from ...transitions.registry import SYSTEMS, system_type
from .ready import ready_features

THREE_STEP = "three-step"
"""System with three steps: a projective system, then the passes of :data:`~crossarc.transitions.registry.PASSES`."""
FIRST = "arc-eager"
"""System of the first step of three-step; the keys oracle, features and guide apply to this step."""
GRAPH = "graph"
"""Name of the graph-based method in the config key ``system``, and of the section with its options."""


@dataclass(frozen=True, slots=True)
class ParserKind:
    """A kind of parser.

    name: name of the kind in its models.
    model: ``module:class`` of its models in the package ``models``.
    systems: values of the config key ``system`` that select the kind.
    options: keys and sections that only some kinds have, this kind among them.
    features: returns the default feature model of a config.
    columns: columns that the parser reads in addition to those of its features.
    fit: ``module:function`` in the package ``training`` that makes a model from features and training data.
    """

    name: str
    model: str
    systems: Collection[str] = ()
    options: tuple[str, ...] = ()
    features: Callable[[Any], str] = str
    columns: frozenset[str] = frozenset()
    fit: str = ""

    def knows(self, key: str) -> bool:
        """Return whether a parser of this kind uses a dotted key."""
        others = {option for kind in KINDS for option in kind.options} - {*self.options}
        return not any(f"{key}.".startswith(f"{option}.") for option in others)


def _suiting_learner(config: Any) -> str:
    preferred = config.learner_type.features
    return preferred if preferred in ready_features().get(config.first_system, ()) else "rich"


ORDERS = ("first-order", "second-order")
GUIDED = ("oracle", "guide", "root.label", "techniques", "underivable", "explore", "beam")
_TRANSITIONS = ParserKind(
    "transitions", "transition_model:TransitionModel", SYSTEMS, GUIDED, _suiting_learner, fit="stage:train_stages"
)
KINDS = (
    _TRANSITIONS,
    replace(_TRANSITIONS, systems=(THREE_STEP,), options=(*GUIDED, "passes")),
    ParserKind(
        "graph",
        "graph_model:GraphModel",
        (GRAPH,),
        ("graph",),
        lambda own: ORDERS[own.graph.order - 1],
        frozenset({"upos"}),
        "graph:train_graph",
    ),
    ParserKind("blend", "blend_model:BlendModel"),
)


def kind_of(system: str) -> ParserKind:
    """Return the kind that has a system."""
    return next(kind for kind in KINDS if system in kind.systems)


def known_system(name: str) -> bool:
    """Return whether some kind has a system, also if it was registered after this module was imported."""
    return any(name in kind.systems for kind in KINDS)


def nodes(system: str) -> tuple[str, ...]:
    """Return the nodes that feature models for a system may address."""
    return FACTOR_NODES if system == GRAPH else system_type(system).sources
