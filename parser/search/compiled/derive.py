"""The compiled loop of greedy parsing: one function takes a batch of configurations to terminal ones.

It follows the program of the transition system (:mod:`.program`) and the plan of the features (:mod:`.plan`). For each
transition it computes feature keys, sums their weights, and chooses and applies a class. It changes the arrays of
:class:`Configuration` in place. Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...base.compiling import compiled
from ...base.compiling.inlining import OPTIONS, inlined
from ...learners.linear.lookups import add_rows, fetch_keys, find_rows
from .instructions import run
from .lookups import find_keys, find_nodes, find_values
from .tables import Scratch, Work


@inlined
def _highest(scores: NDArray[np.float32]) -> int:
    """The index of the highest score; the first of equal scores wins."""
    best = 0
    for j in range(1, len(scores)):
        best = j if scores[j] > scores[best] else best
    return best


@inlined
def _choose(w: Work, sums: NDArray[np.int32], scores: NDArray[np.float32], r: NDArray[np.int64], row: int) -> int:
    """The best permissible class, or -1 if there is none. :meth:`LearnedGuide.decide` makes the same choice.

    sums: sum of the weights of each class.
    scores: overwritten.
    r: the registers of the program.
    """
    nothing = np.float32(-np.inf)
    for j in range(len(scores)):
        move = w.choice.moves[j]
        possible = move >= 0 and r[w.program.permissible[move]] != 0
        scores[j] = np.float32(sums[j] + w.choice.bias[j]) * w.choice.scale if possible else nothing
    best = _highest(scores)
    if scores[best] == nothing:
        return -1
    move = w.choice.moves[best]
    if w.choice.label_places.shape[1] and w.program.heads[move] >= 0:
        run(w, 2, r, row)
        place = 1 if r[w.program.heads[move]] == 0 else 0
        if not w.choice.label_places[place, w.choice.labels[best]]:
            most = scores[best]
            other = -1
            for j in range(len(scores)):
                allowed = w.choice.moves[j] == move and w.choice.label_places[place, w.choice.labels[j]]
                if allowed and scores[j] > (scores[other] if other >= 0 else nothing):
                    other = j
            if other >= 0:
                for j in range(len(scores)):
                    if w.choice.moves[j] == move and not w.choice.label_places[place, w.choice.labels[j]]:
                        scores[j] = nothing
                scores[other] = most
                best = _highest(scores)
    return best


@inlined
def _store_margin(w: Work, scores: NDArray[np.float32], best: int, move: int, r: NDArray[np.int64], row: int) -> None:
    """Store the margin of the word that a transition is about to attach, as :class:`..margins.MarginRecorder` does."""
    if w.program.dependents[move] < 0:
        return
    run(w, 2, r, row)
    ahead = 0.0
    if best >= 0:
        own, scores[best] = scores[best], np.float32(-np.inf)
        even = odd = scores[-1]  # two chains, since a comparison waits for the previous one of its chain
        for j in range(0, len(scores) - 1, 2):
            even = scores[j] if scores[j] > even else even
            odd = scores[j + 1] if scores[j + 1] > odd else odd
        ahead = np.float64(own - max(even, odd))
    w.margins[w.c.origin[row] // w.c.width, r[w.program.dependents[move]]] = ahead


@inlined
def _lane_arrays(s: Scratch, lane: int) -> Scratch:
    """The working arrays of one lane."""
    return Scratch(
        s.registers[lane],
        s.nodes[lane],
        s.values[lane],
        s.keys[lane],
        s.long[lane],
        s.short[lane],
        s.found[lane],
        s.sums[lane],
        s.scores[lane],
    )


def _derive(w: Work, lanes: Scratch, rows: NDArray[np.int64], defaults: NDArray[np.int64], bound: int) -> None:
    """Take every configuration of a batch to a terminal one; stop after ``bound`` transitions in all.

    rows: overwritten with the row of the batch that each lane parses (int64, (lanes,)).
    defaults: number of default transitions of each row, which is increased (int64, (B,)).

    Each lane parses one sentence at a time. Lanes take turns: while one waits for memory, the others go on.
    """
    count = len(w.c.lengths)
    for lane in range(len(rows)):
        rows[lane] = lane
    following, left = len(rows), count
    while left > 0 and bound > 0:
        for lane in range(len(rows)):
            s = _lane_arrays(lanes, lane)
            while rows[lane] < count:
                run(w, 0, s.registers, rows[lane])
                if not s.registers[w.program.terminal]:
                    run(w, 1, s.registers, rows[lane])
                    find_nodes(w, s.nodes, rows[lane])
                    find_values(w, s.nodes, s.values, rows[lane])
                    find_keys(w, s.values, s.keys)
                    fetch_keys(w.learned, s.keys)
                    break
                rows[lane] = following
                following, left = following + 1, left - 1
        for lane in range(len(rows)):
            if rows[lane] < count:
                s = _lane_arrays(lanes, lane)
                find_rows(w.learned, s.keys, s.long, s.short, s.found)
        for lane in range(len(rows)):
            s, row = _lane_arrays(lanes, lane), rows[lane]
            if row >= count:
                continue
            bound -= 1
            add_rows(w.learned, s.long, s.short, s.found, s.sums)
            best = _choose(w, s.sums, s.scores, s.registers, row)
            if best >= 0:
                move = w.choice.moves[best]
                s.registers[0] = w.choice.labels[best]
            else:
                move = w.choice.default_moves[-1]
                for k in range(len(w.choice.default_moves)):
                    if s.registers[w.program.permissible[w.choice.default_moves[k]]]:
                        move = w.choice.default_moves[k]
                        break
                s.registers[0] = -1
                defaults[row] += 1
            if len(w.margins):
                _store_margin(w, s.scores, best, move, s.registers, row)
            run(w, 3 + move, s.registers, row)


derive = compiled(_derive, **OPTIONS)
