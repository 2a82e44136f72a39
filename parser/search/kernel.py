"""The compiled loop of greedy parsing, for where numba is installed (the extra ``crossarc[fast]``).

One function takes a batch of configurations to terminal ones: it follows the program of the transition system
(:mod:`crossarc.transitions.program`) and the plan of the features (:mod:`crossarc.features.plan`), looks the keys up,
sums the weights and chooses, on the arrays of :class:`Configuration` themselves. Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...features.plan import LOOKAHEAD_GROUP, Node
from .jit import compiled
from .kernel_features import add_rows, apply_function, find_keys, find_rows, find_values
from .kernel_program import node_at, run
from .lanes import REMEMBERED, Lanes, Work

__all__ = ["derive"]

UNKNOWN = -2
"""In place of a node: none has its sum there."""


@compiled
def _highest(scores: NDArray[np.float32]) -> int:
    """The number of the first of the highest scores."""
    best = 0
    for j in range(1, len(scores)):
        best = j if scores[j] > scores[best] else best
    return best


@compiled
def _choose(w: Work, sums: NDArray[np.int32], scores: NDArray[np.float32], r: NDArray[np.int64], row: int) -> int:
    """The number of the best class that is permissible, or -1; as :meth:`LearnedGuide.decide` chooses."""
    nothing = np.float32(-np.inf)
    for j in range(len(scores)):
        move = w.choice.moves[j]
        possible = move >= 0 and r[w.program.permissible[move]] != 0
        scores[j] = np.float32(sums[j]) * w.learned.scale if possible else nothing
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


@compiled
def _begin(w: Work, lane: Lanes, g: int, row: int) -> int:
    """Give a lane the configuration it goes on with, the next of those that nobody has begun if its own is terminal:
    returns the number of the next one after it."""
    while True:
        own = lane.row[g]
        if own >= 0:
            run(w, 0, lane.registers[g], own)
            if not lane.registers[g, w.program.terminal]:
                return row
        if row == len(w.c.lengths):
            lane.row[g] = -1
            return row
        lane.row[g] = row
        lane.whose[g] = UNKNOWN
        row += 1


@compiled
def _look_up(w: Work, lane: Lanes, g: int) -> None:
    row = lane.row[g]
    base = row * w.c.width
    nodes, values, keys = lane.nodes, lane.values, lane.keys[g]
    run(w, 1, lane.registers[g], row)
    for number in range(len(nodes)):
        kind = w.plan.addresses[number, 0]
        if kind < Node.HEAD:
            nodes[number] = node_at(w.c, base, row, kind, w.plan.addresses[number, 1])
        else:
            node = nodes[w.plan.addresses[number, 2]]
            nodes[number] = apply_function(w.c, base, row, kind, node) if node >= 0 else -1
    for group in range(len(w.plan.anchors)):
        if group:
            anchor = w.plan.anchors[group]
            node = w.c.seen[row] if anchor == LOOKAHEAD_GROUP else nodes[anchor]
            place = node & (REMEMBERED - 1)
            lane.place[g, group] = place
            known = lane.whose[g, group, place] == node
            lane.known[g, group] = known
            if known:
                continue
            lane.whose[g, group, place] = node
        find_values(w, group, nodes, values, row)
        find_keys(w, group, values, keys)


@compiled
def derive(w: Work, lane: Lanes, defaults: NDArray[np.int64]) -> None:
    """Take every configuration of a batch to a terminal one.

    defaults: int64 (B,), how many default transitions were taken, to be added to.
    """
    groups, lanes = len(w.plan.anchors), len(lane.row)
    row = 0
    lane.row[:] = -1
    while True:
        busy = 0
        for g in range(lanes):
            row = _begin(w, lane, g, row)
            if lane.row[g] >= 0:
                busy += 1
                _look_up(w, lane, g)
        if busy == 0:
            break
        for g in range(lanes):
            if lane.row[g] < 0:
                continue
            for group in range(groups):
                if group == 0 or not lane.known[g, group]:
                    find_rows(w, group, lane, g)
        for g in range(lanes):
            own = lane.row[g]
            if own < 0:
                continue
            sums = lane.sums
            sums[:] = 0
            add_rows(w, 0, lane, g, sums)
            for group in range(1, groups):
                kept = lane.kept[g, group, lane.place[g, group]]
                if not lane.known[g, group]:
                    kept[:] = 0
                    add_rows(w, group, lane, g, kept)
                for j in range(len(sums)):
                    sums[j] += kept[j]
            registers = lane.registers[g]
            best = _choose(w, sums, lane.scores, registers, own)
            if best >= 0:
                move = w.choice.moves[best]
                registers[0] = w.choice.labels[best]
            else:
                move = w.choice.default_moves[-1]
                for k in range(len(w.choice.default_moves)):
                    if registers[w.program.permissible[w.choice.default_moves[k]]]:
                        move = w.choice.default_moves[k]
                        break
                registers[0] = -1
                defaults[own] += 1
            run(w, 3 + move, registers, own)
