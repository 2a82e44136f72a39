"""The arrays that the compiled loop reads, and the arrays that it works in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Arrays
from ...learners.linear.weights import CELLS, WeightTable
from .plan import FeaturePlan
from .program import Program

LANES, LANES_OF_BEAMS = 4, 3
"""Number of sentences that greedy parsing and beams take in turn: while one waits for memory, the others go on. Three
beams take 0.93 of the time of four."""


class Choice(NamedTuple):
    """The classes among which the loop chooses.

    bias: number that is added to the sum of weights of each class (int32, (classes,)).
    scale: multiplier of sums.
    moves, labels: move and label of each class (int64, (classes,)); the move is -1 for classes unseen in training.
    default_moves: default transitions in order of preference (int64).
    label_places: see :class:`LearnedGuide` (bool, (2, labels)); shape (2, 0) if all labels are allowed everywhere. It
        applies to moves with :attr:`Program.heads`.
    sharpness, normalized: factor of scores, and whether they become logarithms of probabilities; see the methods
        ``additive`` of linear learners.
    """

    bias: NDArray[np.int32]
    scale: np.float32
    moves: NDArray[np.int64]
    labels: NDArray[np.int64]
    default_moves: NDArray[np.int64]
    label_places: NDArray[np.bool_]
    sharpness: float
    normalized: bool


class Work(NamedTuple):
    """A batch and the data needed to parse it.

    columns: see :func:`.plan.packed_columns`.
    margins: receives the margins of the arcs of each row (float64, (B, width)); (B, 0) if nobody asks for them.
    shared: sums of weights for the transition at each word of the original batch (int32, (B * width, classes)); (0, 0)
        for none. They are added to the sums, which replace them.
    first: the first class in ``shared``; -1 if the sums are written there instead.
    """

    c: Arrays
    columns: NDArray[np.int32]
    program: Program
    plan: FeaturePlan
    learned: WeightTable
    choice: Choice
    margins: NDArray[np.float64]
    shared: NDArray[np.int32]
    first: int


class Beams(NamedTuple):
    """The derivations of each sentence that are followed: ``width`` rows of the batch belong to each sentence.

    Greedy parsing is a beam of one.

    ranked: rows of the derivations, the best first (int64, (sentences, width)).
    live: number of derivations of each sentence (int64, (sentences,)).
    scores: sum of the scores of the transitions of each row (float64, (B,)).
    defaults: number of default transitions of each row (int64, (B,)).
    threshold: maximum difference to the best score of a sentence, see :func:`..beam.search`.
    complete: whether scores of different sentences may be compared, see there.

    Working arrays of one sentence, for the best extensions of its derivations by one transition ((width,)):

    parents: the rank of the derivation that is extended (int64).
    classes: the class of the transition; -1 for a default transition, and for a complete derivation (int64).
    totals: the score of the extended derivation (float64).
    rows: the row where the extended derivation will be (int64).
    used: whether a row of the sentence is taken by an extended derivation (bool).
    """

    ranked: NDArray[np.int64]
    live: NDArray[np.int64]
    scores: NDArray[np.float64]
    defaults: NDArray[np.int64]
    threshold: float
    complete: bool
    parents: NDArray[np.int64]
    classes: NDArray[np.int64]
    totals: NDArray[np.float64]
    rows: NDArray[np.int64]
    used: NDArray[np.bool_]


def beams_for(
    live: NDArray[np.int64],
    scores: NDArray[np.float64],
    defaults: NDArray[np.int64],
    threshold: float = 0.0,
    complete: bool = False,
) -> Beams:
    """Make the beams of a batch whose rows are those of its sentences, the best derivations first."""
    width = len(scores) // max(len(live), 1)
    ranked = np.arange(len(scores)).reshape(len(live), width)
    parents, classes, rows = np.empty((3, width), dtype=np.int64)
    used = np.empty(width, dtype=np.bool_)
    return Beams(ranked, live, scores, defaults, threshold, complete, parents, classes, np.empty(width), rows, used)


class Scratch(NamedTuple):
    """The working arrays of one lane; with an additional first axis, those of all lanes.

    registers: the registers of the program (int64).
    nodes, values, keys: the nodes, values and feature keys of the plan (int64).
    long, short: the numbers of the long and short rows of known features (int64, (slots + 1,)).
    found: the number of long and of short rows, and the lane of another derivation with the same keys and therefore the
        same sums, -1 for none (int64, (3,)).
    sums: the sum of the weights of each class (int32, (padded classes + :data:`CELLS`,)).
    scores: the score of each class (float32, (classes,)).
    powers: exponential function of each score (float64, (classes,)).
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
    powers: NDArray[np.float64]


def scratch_for(work: Work, lanes: int) -> Scratch:
    """Make the working arrays of lanes."""
    plan = work.plan
    slots = len(plan.offsets)
    return Scratch(
        registers=np.tile(work.program.registers, (lanes, 1)),
        nodes=np.empty((lanes, len(plan.addresses)), dtype=np.int64),
        values=np.zeros((lanes, plan.rows), dtype=np.int64),
        keys=np.empty((lanes, slots), dtype=np.int64),
        long=np.empty((lanes, slots + 1), dtype=np.int64),
        short=np.empty((lanes, slots + 1), dtype=np.int64),
        found=np.empty((lanes, 3), dtype=np.int64),
        sums=np.empty((lanes, work.learned.long.shape[1] + CELLS), dtype=np.int32),
        scores=np.empty((lanes, len(work.choice.moves)), dtype=np.float32),
        powers=np.empty((lanes, len(work.choice.moves))),
    )
