"""Arguments and work arrays of the compiled loop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Arrays
from .plan import FeaturePlan
from .program import Program
from .tables import CELLS, Keys, Weights


class Choice(NamedTuple):
    """The classes that are chosen among.

    bias: int32 (classes,), what is added to the sums of weights. moves, labels: int64 (classes,), of each class; -1 in
    place of the move of a class that training has not seen. default_moves: int64, in order of preference. label_places:
    bool (2, labels), see :class:`LearnedGuide`; (2, 0) if all are allowed. moves of which arcs are known: see
    :attr:`Program.heads`.
    """

    bias: NDArray[np.int32]
    moves: NDArray[np.int64]
    labels: NDArray[np.int64]
    default_moves: NDArray[np.int64]
    label_places: NDArray[np.bool_]


class Work(NamedTuple):
    """A batch, and all that is needed to parse it. columns: see :func:`.plan.packed_columns`."""

    c: Arrays
    columns: NDArray[np.int32]
    program: Program
    plan: FeaturePlan
    keys: Keys
    learned: Weights
    choice: Choice


class Scratch(NamedTuple):
    """Arrays for the sentence that is parsed, or with an axis before theirs, for :data:`LANES` sentences.

    registers: int64, of the program. nodes, values, keys: int64, of the addresses, values and slots of the plan. long,
    short: int64 (slots + 1,), the numbers of the known features' long and short rows. found: int64 (2,), how many there
    are of each. sums: int32 (classes and cells,). scores: float32 (classes,).
    """

    registers: NDArray[np.int64]
    nodes: NDArray[np.int64]
    values: NDArray[np.int64]
    keys: NDArray[np.int64]
    long: NDArray[np.int64]
    short: NDArray[np.int64]
    found: NDArray[np.int64]
    sums: NDArray[np.int32]
    scores: NDArray[np.float32]


LANES = 4
"""So many sentences are parsed in turn: while one waits for memory, the others go on."""


def scratch_for(work: Work) -> Scratch:
    """Arrays of the sizes that are needed, for :data:`LANES` sentences."""
    plan = work.plan
    slots = len(plan.offsets)
    return Scratch(
        registers=np.tile(work.program.registers, (LANES, 1)),
        nodes=np.empty((LANES, len(plan.addresses)), dtype=np.int64),
        values=np.zeros((LANES, plan.rows), dtype=np.int64),
        keys=np.empty((LANES, slots), dtype=np.int64),
        long=np.empty((LANES, slots + 1), dtype=np.int64),
        short=np.empty((LANES, slots + 1), dtype=np.int64),
        found=np.empty((LANES, 2), dtype=np.int64),
        sums=np.empty((LANES, work.learned.weights.shape[1] + CELLS), dtype=np.int32),
        scores=np.empty((LANES, len(work.choice.moves)), dtype=np.float32),
    )
