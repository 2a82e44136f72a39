"""What the compiled loop of greedy parsing is given, and what it works in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...features.plan import FeaturePlan
from ...transitions.configuration import Arrays
from ...transitions.program import Program
from .tables import CELLS, Keys, Weights

__all__ = ["REMEMBERED", "Choice", "Lanes", "Work", "make_lanes"]

LANES = 6
"""So many configurations are worked on at a time."""
REMEMBERED = 32
"""So many nodes of a sentence have their sums of weights at hand; a power of two."""


class Choice(NamedTuple):
    """What is chosen among.

    moves, labels: int64 (classes,), of each class; -1 in place of the move of a class that training has not seen.
    default_moves: int64, in order of preference. label_places: bool (2, labels), see :class:`LearnedGuide`; (2, 0) if
    all are allowed. moves of which arcs are known: see :attr:`Program.heads`.
    """

    moves: NDArray[np.int64]
    labels: NDArray[np.int64]
    default_moves: NDArray[np.int64]
    label_places: NDArray[np.bool_]


class Work(NamedTuple):
    """A batch, and all that is needed to parse it. columns: see :func:`crossarc.features.plan.packed_columns`."""

    c: Arrays
    columns: NDArray[np.int32]
    program: Program
    plan: FeaturePlan
    keys: Keys
    learned: Weights
    choice: Choice


class Lanes(NamedTuple):
    """What configurations are worked out in, several at a time: while the processor fetches what one of them needs, the
    others are worked on.

    row: int64 (lanes,), the configuration of each lane, -1 for none. registers: int64 (lanes, registers). keys: int64
    (lanes, slots), in the order of groups. found, short: int64 (lanes, slots + 1), the long and the short rows found
    for each group, from where its slots begin; ends, short_ends: int64 (lanes, groups), where they end. kept: int32
    (lanes, groups, remembered, classes and cells), sums of groups that one node determines, that of node ``whose``;
    place: where that of this configuration is; known: whether it is there already. nodes, values, sums and scores are
    used by one lane after the other.
    """

    row: NDArray[np.int64]
    registers: NDArray[np.int64]
    keys: NDArray[np.int64]
    found: NDArray[np.int64]
    ends: NDArray[np.int64]
    short: NDArray[np.int64]
    short_ends: NDArray[np.int64]
    whose: NDArray[np.int64]
    kept: NDArray[np.int32]
    place: NDArray[np.int64]
    known: NDArray[np.bool_]
    nodes: NDArray[np.int64]
    values: NDArray[np.int64]
    sums: NDArray[np.int32]
    scores: NDArray[np.float32]


def make_lanes(work: Work, lanes: int = LANES) -> Lanes:
    """Arrays of the sizes that are needed."""
    plan, classes = work.plan, work.learned.weights.shape[1] + CELLS
    groups, slots = len(plan.anchors), len(plan.offsets)
    return Lanes(
        row=np.full(lanes, -1),
        registers=np.tile(work.program.registers, (lanes, 1)),
        keys=np.empty((lanes, slots), dtype=np.int64),
        found=np.empty((lanes, slots + 1), dtype=np.int64),
        ends=np.empty((lanes, groups), dtype=np.int64),
        short=np.empty((lanes, slots + 1), dtype=np.int64),
        short_ends=np.empty((lanes, groups), dtype=np.int64),
        whose=np.empty((lanes, groups, REMEMBERED), dtype=np.int64),
        kept=np.empty((lanes, groups, REMEMBERED, classes), dtype=np.int32),
        place=np.empty((lanes, groups), dtype=np.int64),
        known=np.empty((lanes, groups), dtype=np.bool_),
        nodes=np.empty(len(plan.addresses), dtype=np.int64),
        values=np.zeros(plan.rows, dtype=np.int64),
        sums=np.empty(classes, dtype=np.int32),
        scores=np.empty(len(work.choice.moves), dtype=np.float32),
    )
