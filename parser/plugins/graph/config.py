"""The config of graph-based parsers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from ....features.address import FACTOR_NODES
from ...base.errors import CrossarcError
from ...base.parameters import TEXT, check_parameters, one_of, parameter, whole
from ...config.config import ParserConfig

GRAPH = "graph"
"""The method in the config key ``system``, and the section with its options."""
NONPROJECTIVE = ("none", "npa", "mst")
"""Methods for crossing arcs: none; non-projective approximation of the best projective tree (McDonald & Pereira 2006);
the maximum spanning tree, for first-order scores (McDonald et al. 2005)."""
ORDERS = ("first-order", "second-order")
"""The ready feature models, by the order of the parser."""


@dataclass(frozen=True)
class GraphOptions:
    """The section ``graph``: options of graph-based parsing.

    Raises CrossarcError for values and combinations that are not allowed.
    """

    order: int = parameter(
        2, one_of(1, 2), "scored parts of a tree; 1: single edges (Eisner 1996); 2: pairs of edges, too (Carreras 2007)"
    )
    candidates: int = parameter(
        10,
        whole(0),
        "maximum number of candidate heads per word; a first-order model chooses them (Martins et al. 2010); 0: all",
    )
    nonprojective: str = parameter(
        "npa",
        one_of(*NONPROJECTIVE),
        "method for crossing arcs; npa: single changes to the best projective tree (McDonald and Pereira 2006); mst: "
        "the maximum spanning tree, only for order 1; none: projective trees only",
    )
    epochs: int = parameter(10, whole(1, 1000), "maximum number of passes over the treebank")
    table_bits: int = parameter(
        24, whole(8, 28), "size of the table that features are hashed into, in bits: 2 to this power entries"
    )

    def __post_init__(self) -> None:
        check_parameters(self, f"{GRAPH}.")
        if self.nonprojective == "mst" and self.order != 1:
            raise CrossarcError(
                f"{GRAPH}.nonprojective: found 'mst' with order {self.order}; use order 1, or nonprojective none or npa"
            )


@dataclass(frozen=True)
class GraphConfig(ParserConfig):
    """All settings of a graph-based parser. Raises CrossarcError for values that are not allowed."""

    kind: ClassVar[str] = GRAPH
    systems: ClassVar[Collection[str]] = (GRAPH,)
    columns: ClassVar[frozenset[str]] = frozenset({"upos"})

    system: str = parameter(GRAPH, TEXT, "graph")
    graph: GraphOptions = GraphOptions()

    @property
    def default_features(self) -> str:
        return ORDERS[self.graph.order - 1]

    @classmethod
    def nodes(cls, system: str) -> tuple[str, ...]:
        return FACTOR_NODES
