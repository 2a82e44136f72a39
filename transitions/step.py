"""Steps of derivations: the decisions of a guide, and the records that observers of the driver receive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .configuration import Bools, Configuration, Ints


class Decision(NamedTuple):
    """The decisions of a guide for the rows of a batch.

    moves: int64 (rows,); -1 leaves the choice to the default transition
    labels: int64 (rows,); -1 for no label
    keys: feature keys that the learner was given, int64 (rows, slots), if the guide uses a learner
    scores: scores of the learner, float32 (rows, classes), minus infinity for classes that are not permissible
    """

    moves: Ints
    labels: Ints
    keys: NDArray[np.int64] | None = None
    scores: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class DerivationStep:
    """One transition in every row of a batch, about to be applied.

    c: the configurations before the transition
    legal: bool (rows, moves), the permissible moves
    moves, labels: int64 (rows,), the transitions
    unguided: bool (rows,), whether the transition is the default because the guide predicted none that is permissible
    decision: the decision of the guide
    """

    c: Configuration
    legal: Bools
    moves: Ints
    labels: Ints
    unguided: Bools
    decision: Decision

    @property
    def sentences(self) -> Ints:
        """int64 (rows,): the number of each row's sentence in the batch that the derivation started with."""
        return self.c.origin // self.c.width


Observer = Callable[[DerivationStep], None]
"""A function that the driver calls before each transition."""
