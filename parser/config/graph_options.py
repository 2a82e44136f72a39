"""The section ``graph`` of a config: how a graph-based parser scores, searches and learns."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.errors import CrossarcError
from ..base.parameters import FLAG, NONPROJECTIVE, check_parameters, one_of, parameter, real, whole
from .kinds import GRAPH


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """The section ``graph``. Raises CrossarcError for values and combinations that there are not."""

    order: int = parameter(2, one_of(1, 2), "1: edges are scored (Eisner 1996); 2: pairs of them, too (Carreras 2007)")
    labelled: bool = parameter(
        True, FLAG, "whether all labels of an arc compete in the chart, or only the best by the edge's own score"
    )
    candidates: int = parameter(
        10,
        whole(0),
        "the candidate heads of a word at most, chosen by a first-order model (Martins et al. 2010); 0: all heads",
    )
    nonprojective: str = parameter(
        "npa",
        one_of(*NONPROJECTIVE),
        "npa: single changes to the best projective tree (McDonald and Pereira 2006); mst: the maximum spanning tree, "
        "of order 1",
    )
    threshold: float = parameter(
        0.3,
        real(least=0),
        "what a change of npa must gain more than; 1 is the margin of a wrong head (Bohnet 2010: 0.3)",
    )
    epochs: int = parameter(10, whole(1, 1000), "passes over the treebank, at most")
    held_out: int = parameter(
        0,
        whole(0),
        "one batch in so many is held out; training ends when two epochs do not gain on these; 0: after all epochs",
    )
    algorithm: str = parameter("passive-aggressive", one_of("passive-aggressive", "adagrad"), "how weights are updated")
    C: float = parameter(1.0, real(above=0), "passive-aggressive: the largest step")
    rate: float = parameter(0.1, real(above=0), "adagrad: the learning rate")
    batch_size: int = parameter(4, whole(1, 4096), "sentences that are decoded before the weights change")
    table_bits: int = parameter(24, whole(8, 28), "of the table that features are hashed into")
    seed: int = parameter(1, whole(0), "of the order of sentences")

    def __post_init__(self) -> None:
        check_parameters(self, f"{GRAPH}.")
        if self.nonprojective == "mst" and self.order != 1:
            raise CrossarcError(
                f"{GRAPH}.nonprojective: found 'mst' with order {self.order}; allowed: order 1 for it, or none, npa"
            )
        if self.held_out == 1:
            raise CrossarcError(f"{GRAPH}.held_out: found 1, which leaves no sentences; allowed: 0, or 2 and more")
