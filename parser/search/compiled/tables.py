"""The arrays that the compiled loop reads, and the arrays that it works in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Arrays
from ...learners.linear.table import CELLS, Table
from .plan import FeaturePlan
from .program import Program

LANES = 4
"""Number of sentences that are parsed in turn: while one waits for memory, the others go on."""


class Choice(NamedTuple):
    """The classes among which the loop chooses.

    bias: number that is added to the sum of weights of each class (int32, (classes,)).
    scale: multiplier of sums.
    moves, labels: move and label of each class (int64, (classes,)); the move is -1 for classes unseen in training.
    default_moves: default transitions in order of preference (int64).
    label_places: see :class:`LearnedGuide` (bool, (2, labels)); shape (2, 0) if all labels are allowed everywhere. It
        applies to moves with :attr:`Program.heads`.
    """

    bias: NDArray[np.int32]
    scale: np.float32
    moves: NDArray[np.int64]
    labels: NDArray[np.int64]
    default_moves: NDArray[np.int64]
    label_places: NDArray[np.bool_]


class Work(NamedTuple):
    """A batch and the data needed to parse it.

    columns: see :func:`.plan.packed_columns`.
    margins: receives the margins of the arcs (float64, (B, width)); shape (0, 0) if nobody asks for them.
    """

    c: Arrays
    columns: NDArray[np.int32]
    program: Program
    plan: FeaturePlan
    learned: Table
    choice: Choice
    margins: NDArray[np.float64]


class Scratch(NamedTuple):
    """The working arrays of one lane; with an additional first axis, those of all :data:`LANES` lanes.

    registers: the registers of the program (int64).
    nodes, values, keys: the nodes, values and feature keys of the plan (int64).
    long, short: the numbers of the long and short rows of known features (int64, (slots + 1,)).
    found: the number of long and of short rows (int64, (2,)).
    sums: the sum of the weights of each class (int32, (padded classes + :data:`CELLS`,)).
    scores: the score of each class (float32, (classes,)).
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


def scratch_for(work: Work) -> Scratch:
    """Make the working arrays for :data:`LANES` sentences."""
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
        sums=np.empty((LANES, work.learned.long.shape[1] + CELLS), dtype=np.int32),
        scores=np.empty((LANES, len(work.choice.moves)), dtype=np.float32),
    )
