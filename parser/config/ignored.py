"""What a config says that its system does not look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from .config import Config
from .graph_options import GRAPH

__all__ = ["ignored_by_graph"]

TRANSITION_BASED = (
    "guide",
    "batch_size",
    "root.label",
    "root.exclusive",
    "search",
    "first",
    "left",
    "right",
    "anchors",
)
"""Keys and sections of transition-based parsers."""


def ignored_by_graph(config: Config) -> list[str]:
    """The dotted keys with other values than the default that a config of the system graph has without effect."""
    own, default = _flat(asdict(config)), _flat(asdict(Config(system=GRAPH)))
    sections = (*TRANSITION_BASED, *(["underivable"] if config.graph.nonprojective != "none" else []))
    return [
        key
        for key, value in own.items()
        if value != default.get(key) and any(f"{key}.".startswith(f"{section}.") for section in sections)
    ]


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat.update(_flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value})
    return flat
