"""A step of a derivation: the decisions of a guide, and the steps that observers of the driver receive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .configuration import Bools, Configuration, Ints


class Decision(NamedTuple):
    """The decisions of a guide for the rows of a batch.

    moves, labels: int64 (rows,); a move of -1 leaves the choice to the default transition, a label of -1 is none.
    keys, scores: of a guide that asks a learner, what it looked at and what came of it: int64 (rows, slots) and float32
    (rows, classes), minus infinity where a class is not permissible.
    """

    moves: Ints
    labels: Ints
    keys: NDArray[np.int64] | None = None
    scores: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One transition of every row of a batch, about to be taken.

    c: the configurations before it. legal: bool (rows, moves), the permissible moves. moves, labels: int64 (rows,),
    what is done. unguided: bool (rows,), where that is the default transition, because the guide had no prediction or
    none that is permissible. decision: what the guide had decided.
    """

    c: Configuration
    legal: Bools
    moves: Ints
    labels: Ints
    unguided: Bools
    decision: Decision

    @property
    def sentences(self) -> Ints:
        """int64 (rows,): the number of each row's sentence in the batch that the derivation began with."""
        return self.c.origin // self.c.width


Observer = Callable[[Step], None]
"""A function that the driver calls before each transition."""
