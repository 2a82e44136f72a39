"""The arrays that the compiled loop reads, such as tables of weights, and the arrays that it works in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Arrays
from ...learners.key_index import MULTIPLIER, NO_ROW, spread_out
from ...learners.linear.model import SparseWeights, blank
from .plan import FeaturePlan
from .program import Program

PLACES = 4
"""Number of keys in a bucket of the hash table. A bucket with its keys and rows fills one cache line."""
CELLS = 8
"""Maximum number of weights in a row that is stored as pairs of class and weight."""
PLACES_PER_KEY = 2
"""Minimum number of places in the hash table per key."""
LINE = 64
"""Number of bytes in a cache line, which the processor fetches from memory at once."""
LANES = 4
"""Number of sentences that are parsed in turn: while one waits for memory, the others go on."""


class Weights(NamedTuple):
    """The weights of a linear learner.

    direct: the row of each small key, -1 for none (int32).
    table: a hash table of all other keys (int64, (buckets, 2 * :data:`PLACES`)). A bucket has keys and then their rows,
        -1 for none; it fills one cache line and is filled from its first place.
    shift: number of bits by which a hashed key is shifted to give its bucket.
    weights: the long rows, which are numbered first (int16, (long rows, classes)), padded as in
        :func:`...learners.linear.model.blank`.
    short: the short rows (int16, (short rows, 2 * :data:`CELLS`)): classes and then their weights. Each unused cell has
        its own class number beyond the padding.
    scale: multiplier of sums.
    """

    direct: NDArray[np.int32]
    table: NDArray[np.int64]
    shift: np.uint64
    weights: NDArray[np.int16]
    short: NDArray[np.int16]
    scale: np.float32


class Choice(NamedTuple):
    """The classes among which the loop chooses.

    bias: number that is added to the sum of weights of each class (int32, (classes,)).
    moves, labels: move and label of each class (int64, (classes,)); the move is -1 for classes unseen in training.
    default_moves: default transitions in order of preference (int64).
    label_places: see :class:`LearnedGuide` (bool, (2, labels)); shape (2, 0) if all labels are allowed everywhere. It
        applies to moves with :attr:`Program.heads`.
    """

    bias: NDArray[np.int32]
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
    learned: Weights
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


def weights_of(learned: SparseWeights, scale: float, classes: int, small: int) -> Weights:
    """Make the tables of weights of a learner.

    small: keys below this number are looked up without hashing

    Rows are sorted by their number of weights. Raises ShapeError for keys that do not fit into a table.
    """
    sizes = np.diff(learned.starts)
    _, rows = learned.ranks()
    long = int(np.count_nonzero(sizes > CELLS))
    table, shift = _buckets(learned.keys, rows, np.flatnonzero(learned.keys >= small))
    return Weights(
        direct=_direct(learned.keys, rows, small),
        table=table,
        shift=shift,
        weights=_long_rows(learned, rows, sizes > CELLS, classes, long),
        short=_short_rows(learned, classes),
        scale=np.float32(scale),
    )


def _direct(keys: NDArray[np.int64], rows: NDArray[np.int32], small: int) -> NDArray[np.int32]:
    direct = np.full(small + 1, NO_ROW, dtype=np.int32)  # the last place serves unused slots
    count = int(np.searchsorted(keys, small))
    direct[keys[:count]] = rows[:count]
    return direct


def _buckets(
    keys: NDArray[np.int64], rows: NDArray[np.int32], hashed: NDArray[np.intp]
) -> tuple[NDArray[np.int64], np.uint64]:
    bits = max(1, (PLACES_PER_KEY * len(hashed) // PLACES).bit_length())
    shift = np.uint64(64 - bits)
    home = ((keys[hashed].view(np.uint64) * MULTIPLIER) >> shift).view(np.int64)
    order = np.argsort(home)
    bucket, place = np.divmod(spread_out(home[order] * PLACES, 2**bits * PLACES), PLACES)
    table = _aligned((2**bits, 2 * PLACES), np.int64)
    table[:] = NO_ROW  # and ABSENT, which is the same number
    table[bucket, place], table[bucket, PLACES + place] = keys[hashed[order]], rows[hashed[order]]
    return table, shift


def _long_rows(
    learned: SparseWeights, rows: NDArray[np.int32], chosen: NDArray[np.bool_], classes: int, count: int
) -> NDArray[np.int16]:
    weights = blank(count, classes)
    own = np.repeat(chosen, np.diff(learned.starts))
    sizes = np.diff(learned.starts)[chosen]
    weights[np.repeat(rows[chosen], sizes), learned.classes[own]] = learned.weights[own]
    return weights


def _short_rows(learned: SparseWeights, classes: int) -> NDArray[np.int16]:
    """The short rows, in the order of :meth:`.SparseWeights.ranks`: sorted by size, then by key."""
    sizes = np.diff(learned.starts)
    width = blank(0, classes).shape[1]
    short = _aligned((int(np.count_nonzero(sizes <= CELLS)), 2 * CELLS), np.int16)
    short[:, :CELLS] = width + np.arange(CELLS)
    first = 0
    for size in range(CELLS, 0, -1):
        begins = learned.starts[:-1][sizes == size]
        own, places = short[first : first + len(begins)], begins[:, None] + np.arange(size)
        own[:, :size], own[:, CELLS : CELLS + size] = learned.classes[places], learned.weights[places]
        first += len(begins)
    return short


def _aligned(shape: tuple[int, int], dtype: Any) -> NDArray[Any]:
    """An array of zeros that begins at a cache line."""
    item = np.dtype(dtype).itemsize
    places = np.zeros(shape[0] * shape[1] + LINE // item, dtype=dtype)
    first = -(places.ctypes.data // item) % (LINE // item)
    return places[first : first + shape[0] * shape[1]].reshape(shape)


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
        sums=np.empty((LANES, work.learned.weights.shape[1] + CELLS), dtype=np.int32),
        scores=np.empty((LANES, len(work.choice.moves)), dtype=np.float32),
    )
