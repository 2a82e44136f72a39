"""The kinds of parsers that a config may describe: their systems, and the keys that each of them knows."""

from __future__ import annotations

from dataclasses import dataclass

from ...features.address import FACTOR_NODES
from ...transitions.registry import SYSTEMS, system_type

THREE_STEP = "three-step"
"""The system that is a projective one followed by the passes of :data:`~crossarc.transitions.registry.PASSES`."""
GRAPH = "graph"
"""The system that is no transition system but searches for the best tree, and the section of its options."""


@dataclass(frozen=True, slots=True)
class ParserKind:
    """name: of its models. systems: that it has. options: the keys and sections that not all kinds know."""

    name: str
    systems: tuple[str, ...]
    options: tuple[str, ...]

    def knows(self, key: str) -> bool:
        """Whether a parser of this kind looks at a dotted key."""
        others = {option for kind in KINDS for option in kind.options} - {*self.options}
        return not any(f"{key}.".startswith(f"{option}.") for option in others)


GUIDED = ("oracle", "guide", "root.label", "root.exclusive", "training", "search", "batch_size")
KINDS = (
    ParserKind("transitions", tuple(SYSTEMS), GUIDED),
    ParserKind("transitions", (THREE_STEP,), (*GUIDED, "first", "left", "right", "anchors")),
    ParserKind("graph", (GRAPH,), ("graph",)),
)


def kind_of(system: str) -> ParserKind:
    """The kind that has a system."""
    return next(kind for kind in KINDS if system in kind.systems)


def nodes(system: str) -> tuple[str, ...]:
    """The nodes that features of a system's parsers may look at."""
    return FACTOR_NODES if system == GRAPH else system_type(system).sources
