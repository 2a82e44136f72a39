"""The section ``graph`` of a config: how a graph-based parser scores, searches and learns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..errors import CrossarcError
from ..graph.decode import NONPROJECTIVE

__all__ = ["GRAPH", "GraphOptions", "graph_keys", "require_graph_option"]

GRAPH = "graph"
"""The system that is no transition system but searches for the best tree, and the section of its options."""
ALGORITHMS = ("passive-aggressive", "adagrad")


def _one_of(*allowed: Any) -> tuple[Callable[[Any], bool], str]:
    names = ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in allowed)
    return lambda value: any(type(value) is type(own) and value == own for own in allowed), f"allowed: {names}"


def _whole(least: int, most: int) -> tuple[Callable[[Any], bool], str]:
    return lambda value: type(value) is int and least <= value <= most, f"allowed: a number from {least} to {most}"


def _number(least: float, strict: bool) -> tuple[Callable[[Any], bool], str]:
    def allowed(value: Any) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and (least < value < float("inf") if strict else least <= value < float("inf"))

    return allowed, f"allowed: a number {'above' if strict else 'from'} {least:g}{'' if strict else ' up'}"


CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "order": _one_of(1, 2),
    "labelled": _one_of(True, False),
    "nonprojective": _one_of(*NONPROJECTIVE),
    "threshold": _number(0, strict=False),
    "epochs": _whole(1, 1000),
    "algorithm": _one_of(*ALGORITHMS),
    "C": _number(0, strict=True),
    "rate": _number(0, strict=True),
    "batch_size": _whole(1, 4096),
    "table_bits": _whole(8, 28),
    "seed": _whole(0, 2**31 - 1),
}


def graph_keys() -> tuple[str, ...]:
    """The keys of the section, dotted."""
    return tuple(f"{GRAPH}.{name}" for name in CHECKS)


def require_graph_option(key: str, value: Any, where: str = "") -> None:
    """Raise CrossarcError, which begins with ``where``, for a value that a key of :func:`graph_keys` cannot have."""
    allowed, what = CHECKS[key.removeprefix(f"{GRAPH}.")]
    if not allowed(value):
        raise CrossarcError(f"{where}{key}: found {value!r}; {what}")


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """order: 1 scores edges, 2 pairs of them, too. labelled: whether all labels of an arc compete in the chart, or only
    the best by the edge's own score. nonprojective: ``none``; ``npa``, non-projective approximation, where a change
    must gain more than the threshold (1 is the margin of a wrong head; Bohnet 2010: 0.3); ``mst``, the maximum spanning
    tree, for order 1.

    epochs, algorithm, C, rate, table_bits, seed: see :class:`~crossarc.parser.graph.learning.LearningOptions`.
    batch_size: how many sentences are decoded with the same weights before these change. Raises CrossarcError for
    values and combinations that there are not.
    """

    order: int = 2
    labelled: bool = True
    nonprojective: str = "npa"
    threshold: float = 0.3
    epochs: int = 10
    algorithm: str = "passive-aggressive"
    C: float = 1.0
    rate: float = 0.1
    batch_size: int = 4
    table_bits: int = 24
    seed: int = 1

    def __post_init__(self) -> None:
        for name in CHECKS:
            require_graph_option(f"{GRAPH}.{name}", getattr(self, name))
        if self.nonprojective == "mst" and self.order != 1:
            raise CrossarcError(
                f"{GRAPH}.nonprojective: found 'mst' with order {self.order}; allowed: order 1 for it, or none, npa"
            )

    def to_json(self) -> dict[str, Any]:
        """The options by their names."""
        return asdict(self)
