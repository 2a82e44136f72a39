"""The kinds of parsers that a config can describe: their systems, config keys and default features."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
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
    systems: values of the config key ``system`` that select the kind.
    options: keys and sections that only some kinds have, this kind among them.
    features: returns the default feature model of a config.
    columns: columns that the parser reads in addition to those of its features.
    """

    name: str
    systems: Collection[str]
    options: tuple[str, ...]
    features: Callable[[Any], str]
    columns: frozenset[str] = frozenset()

    def knows(self, key: str) -> bool:
        """Return whether a parser of this kind uses a dotted key."""
        others = {option for kind in KINDS for option in kind.options} - {*self.options}
        return not any(f"{key}.".startswith(f"{option}.") for option in others)


def _suiting_learner(config: Any) -> str:
    preferred = config.learner_type.features
    return preferred if preferred in ready_features().get(config.first_system, ()) else "rich"


ORDERS = ("first-order", "second-order")
GUIDED = ("oracle", "guide", "root.label", "training", "search")
KINDS = (
    ParserKind("transitions", SYSTEMS, GUIDED, _suiting_learner),
    ParserKind("transitions", (THREE_STEP,), (*GUIDED, "passes"), _suiting_learner),
    ParserKind("graph", (GRAPH,), ("graph",), lambda own: ORDERS[own.graph.order - 1], frozenset({"upos"})),
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
