"""The section ``graph`` of a config: how a graph-based parser scores, searches and learns."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.errors import CrossarcError
from ..base.parameters import FLAG, NONPROJECTIVE, check_parameters, one_of, parameter, real, whole
from .kinds import GRAPH


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """The section ``graph``. Raises CrossarcError for values and combinations that are not allowed."""

    order: int = parameter(
        2, one_of(1, 2), "1: score single edges (Eisner 1996); 2: score pairs of edges, too (Carreras 2007)"
    )
    labelled: bool = parameter(
        True,
        FLAG,
        "whether all labels of an arc compete in the chart; false: only the best label by the edge's own score",
    )
    candidates: int = parameter(
        10,
        whole(0),
        "maximum number of candidate heads per word, chosen by a first-order model (Martins et al. 2010); 0: all",
    )
    nonprojective: str = parameter(
        "npa",
        one_of(*NONPROJECTIVE),
        "method for crossing arcs; npa: single changes to the best projective tree (McDonald and Pereira 2006); mst: "
        "the maximum spanning tree, only for order 1; none: projective trees only",
    )
    threshold: float = parameter(
        0.3,
        real(least=0),
        "gain that a change of npa must exceed; 1 is the margin of a wrong head (Bohnet 2010: 0.3)",
    )
    epochs: int = parameter(10, whole(1, 1000), "maximum number of passes over the treebank")
    held_out: int = parameter(
        0,
        whole(0),
        "n: hold out one batch in n, end training after two epochs without a gain on these batches; 0: run all epochs",
    )
    algorithm: str = parameter("passive-aggressive", one_of("passive-aggressive", "adagrad"), "update of the weights")
    C: float = parameter(1.0, real(above=0), "maximum step of passive-aggressive updates")
    rate: float = parameter(0.1, real(above=0), "learning rate of adagrad")
    batch_size: int = parameter(
        4, whole(1, 4096), "number of sentences that are decoded before each update of the weights"
    )
    table_bits: int = parameter(
        24, whole(8, 28), "size of the table that features are hashed into, in bits: 2 to this power entries"
    )
    seed: int = parameter(1, whole(0), "random seed of the order of sentences")

    def __post_init__(self) -> None:
        check_parameters(self, f"{GRAPH}.")
        if self.nonprojective == "mst" and self.order != 1:
            raise CrossarcError(
                f"{GRAPH}.nonprojective: found 'mst' with order {self.order}; allowed: order 1 for it, or none, npa"
            )
        if self.held_out == 1:
            raise CrossarcError(f"{GRAPH}.held_out: found 1, which leaves no sentences; allowed: 0, or 2 and more")
