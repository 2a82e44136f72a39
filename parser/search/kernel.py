"""The compiled loop of greedy parsing, for where numba is installed (the extra ``crossarc[fast]``).

One function takes a batch of configurations to terminal ones: it follows the program of the transition system
(:mod:`crossarc.transitions.program`) and the plan of the features (:mod:`crossarc.features.plan`), looks the keys up,
sums the weights and chooses, on the arrays of :class:`Configuration` themselves. Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import ABSENT
from ...features.plan import LOOKAHEAD_GROUP, Node, Value
from ...transitions.configuration import Arrays
from ...transitions.program import Op
from ..learners.key_index import MULTIPLIER
from .jit import compiled, fetch_place, fetch_row
from .lanes import REMEMBERED, Lanes, Work

__all__ = ["derive"]

LINE = 32
"""So many weights of 16 bits are fetched together."""
UNKNOWN = -2
"""In place of a node: none has its sum there."""


@compiled
def _node_at(c: Arrays, base: int, row: int, kind: int, k: int) -> int:
    """The node at a number of a source."""
    if kind == Node.STACK:
        place = c.stack_size[row] - 1 - k
        return c.stack[base + place] if place >= 0 else -1
    if kind == Node.INPUT:
        place = c.buffer_size[row] - 1 - k
        return c.buffer[base + place] if place >= 0 else -1
    if kind == Node.LOOKAHEAD:
        node = c.seen[row] + 1 + k
        return node if node <= c.lengths[row] else -1
    if kind == Node.CONTEXT:
        return c.stack[base + c.stack_size[row] + k] if k < c.context_size[row] else -1
    return c.swapped[row] if k == 0 else -1


@compiled
def _top(c: Arrays, base: int, node: int) -> int:
    if node < 0:
        return -1
    found = node
    while True:
        above = c.above[base + found]
        if above < 0:
            above = c.heads[base + found]
        if above < 0:
            break
        found = above
    if found != node:
        c.above[base + node] = found
    return found


@compiled
def _add_arc(c: Arrays, base: int, head: int, label: int, dependent: int) -> None:
    c.heads[base + dependent] = head
    c.deprels[base + dependent] = label
    place = base + head
    if dependent > head:
        outer = c.first_right[place]
        if dependent > outer:
            c.first_right[place] = dependent
            c.second_right[place] = max(c.second_right[place], outer)
        else:
            c.second_right[place] = max(c.second_right[place], dependent)
        c.count_right[place] += 1
    else:
        outer, inner = c.first_left[place], c.second_left[place]
        if outer < 0 or dependent < outer:
            c.first_left[place] = dependent
            c.second_left[place] = outer
        elif inner < 0 or dependent < inner:
            c.second_left[place] = dependent
        c.count_left[place] += 1


@compiled
def _run(w: Work, part: int, r: NDArray[np.int64], row: int) -> None:
    """Follow the instructions of a part for one row of the batch. r: the registers."""
    base = row * w.c.width
    for at in range(w.program.starts[part], w.program.starts[part + 1]):
        op, target = w.program.instructions[at, 0], w.program.instructions[at, 1]
        x, y = w.program.instructions[at, 2], w.program.instructions[at, 3]
        if op == Op.STACK:
            r[target] = _node_at(w.c, base, row, Node.STACK, x)
        elif op == Op.BUFFER:
            r[target] = _node_at(w.c, base, row, Node.INPUT, x)
        elif op == Op.STACK_SIZE:
            r[target] = w.c.stack_size[row]
        elif op == Op.BUFFER_SIZE:
            r[target] = w.c.buffer_size[row]
        elif op == Op.EQUAL:
            r[target] = r[x] == r[y]
        elif op == Op.LESS:
            r[target] = r[x] < r[y]
        elif op == Op.AND:
            r[target] = r[x] & r[y]
        elif op == Op.OR:
            r[target] = r[x] | r[y]
        elif op == Op.NOT:
            r[target] = 1 - r[x]
        elif op == Op.HEAD:
            r[target] = w.c.heads[base + r[x]] if r[x] >= 0 else -1
        elif op == Op.TOP:
            r[target] = _top(w.c, base, r[x])
        elif op == Op.ROOT_CHILDREN:
            r[target] = w.c.count_right[base]
        elif op == Op.POP_BUFFER:
            w.c.buffer_size[row] -= 1
            node = w.c.buffer[base + w.c.buffer_size[row]]
            w.c.seen[row] = max(w.c.seen[row], node)
            r[target] = node
        elif op == Op.PUSH:
            w.c.stack[base + w.c.stack_size[row]] = r[x]
            w.c.stack_size[row] += 1
        elif op == Op.REMOVE:
            size = w.c.stack_size[row] - 1
            for place in range(base + size - x, base + size):
                w.c.stack[place] = w.c.stack[place + 1]
            w.c.stack_size[row] = size
        elif op == Op.PUSH_BUFFER:
            end = base + w.c.buffer_size[row]
            for place in range(y):
                w.c.buffer[end - place] = w.c.buffer[end - place - 1]
            w.c.buffer[end - y] = r[x]
            w.c.buffer_size[row] += 1
            w.c.swapped[row] = r[x]
        elif op == Op.RETRACT:
            w.c.stack_size[row] -= 1
            w.c.context_size[row] += 1
        elif op == Op.RESTORE:
            w.c.stack_size[row] += w.c.context_size[row]
            w.c.context_size[row] = 0
        elif op == Op.DROP_CONTEXT:
            w.c.context_size[row] = 0
        elif op == Op.ADD_ARC:
            _add_arc(w.c, base, r[x], r[0], r[y])


@compiled
def _sibling(c: Arrays, base: int, node: int, direction: int) -> int:
    """The nearest node to one side that has the same head; the search ends at the head's outermost dependent."""
    head = c.heads[base + node]
    if head < 0:
        return -1
    last = c.first_right[base + head] if direction > 0 else c.first_left[base + head]
    last = last if last >= 0 else head
    while direction * (last - node) > 0:
        node += direction
        if c.heads[base + node] == head:
            return node
    return -1


@compiled
def _apply_function(c: Arrays, base: int, row: int, kind: int, node: int) -> int:
    """The node that a function leads to from a node."""
    place = base + node
    if kind == Node.LDEP:
        return c.first_left[place]
    if kind == Node.RDEP:
        return c.first_right[place]
    if kind == Node.LDEP2:
        return c.second_left[place]
    if kind == Node.RDEP2:
        return c.second_right[place]
    if kind == Node.HEAD:
        return c.heads[place]
    if kind == Node.LSIB:
        return _sibling(c, base, node, -1)
    if kind == Node.RSIB:
        return _sibling(c, base, node, 1)
    if kind == Node.PRED:
        return node - 1 if node > 1 else -1
    return node + 1 if 0 < node < c.lengths[row] else -1


@compiled
def _labels_of_dependents(c: Arrays, base: int, node: int, side: int, out: NDArray[np.int64]) -> None:
    """The labels (from 1 on) of the arcs to the dependents on one side, each once, the lowest ones that fit, ascending;
    then 0."""
    out[:] = 0
    if node < 0:
        return
    if side == 1:
        start, end = c.first_left[base + node], node
        start = start if start >= 0 else node
    else:
        start, end = node + 1, c.first_right[base + node] + 1
    for dependent in range(start, end):
        label = c.deprels[base + dependent] + 1
        if c.heads[base + dependent] != node or label == 0:
            continue
        for place in range(len(out)):
            if out[place] == label:
                break
            if out[place] == 0 or label < out[place]:
                for behind in range(len(out) - 1, place, -1):
                    out[behind] = out[behind - 1]
                out[place] = label
                break


@compiled
def _find_values(w: Work, group: int, nodes: NDArray[np.int64], values: NDArray[np.int64], row: int) -> None:
    """Fill in the values that the slots of a group look at."""
    base, origin = row * w.c.width, w.c.origin[row]
    for at in range(w.plan.value_starts[group], w.plan.value_starts[group + 1]):
        number = w.plan.group_values[at]
        kind, node, second = w.plan.values[number, 0], nodes[w.plan.values[number, 1]], w.plan.values[number, 2]
        first, count = w.plan.values[number, 3], w.plan.values[number, 4]
        if kind == Value.COLUMN:
            column = w.plan.columns[number]
            for k in range(count):
                values[first + k] = w.columns[origin + node, column + k] if node >= 0 else 0
        elif kind == Value.DEPREL:
            values[first] = w.c.deprels[base + node] + 1 if node >= 0 else 0
        elif kind == Value.DISTANCE:
            other = nodes[second]
            values[first] = 0
            if node >= 0 and other >= 0:
                values[first] = w.plan.distances[min(abs(node - other), len(w.plan.distances) - 1)]
        elif kind == Value.VALENCY:
            total = 0
            if node >= 0:
                if second & 1:
                    total += w.c.count_left[base + node]
                if second & 2:
                    total += w.c.count_right[base + node]
            values[first] = min(total, w.plan.most_valency)
        else:
            _labels_of_dependents(w.c, base, node, second, values[first : first + count])


@compiled
def _find_keys(w: Work, group: int, values: NDArray[np.int64], keys: NDArray[np.int64]) -> None:
    """Fill in the keys of a group, and have the places fetched where their rows stand."""
    for at in range(w.plan.slot_starts[group], w.plan.slot_starts[group + 1]):
        slot = w.plan.group_slots[at]
        key = w.plan.offsets[slot]
        for part in range(w.plan.slot_parts[slot], w.plan.slot_parts[slot + 1]):
            key += values[w.plan.factors[part, 0]] * w.plan.factors[part, 1]
        optional = w.plan.optional[slot]
        unused = optional >= 0 and values[optional] == 0
        if slot < w.learned.direct_slots:
            key = len(w.learned.direct) - 1 if unused else key
            fetch_place(w.learned.direct, key)
        else:
            key = ABSENT if unused else key
            fetch_row(w.learned.table, np.int64((np.uint64(key) * MULTIPLIER) >> w.learned.shift), 0)
        keys[at] = key


@compiled
def _find_rows(w: Work, group: int, keys: NDArray[np.int64], found: NDArray[np.int64]) -> int:
    """Put the rows of the known features of a group one after the other, and have them fetched; returns how many there
    are."""
    start, end = w.plan.slot_starts[group], w.plan.slot_starts[group + 1]
    classes, mask = w.learned.weights.shape[1], len(w.learned.table) - 1
    count = start
    for at in range(start, end):
        key = keys[at]
        if w.plan.group_slots[at] < w.learned.direct_slots:
            row = int(w.learned.direct[key])
        else:
            place = np.int64((np.uint64(key) * MULTIPLIER) >> w.learned.shift)
            while w.learned.table[place, 0] != key and w.learned.table[place, 0] >= 0:
                place = (place + 1) & mask
            row = int(w.learned.table[place, 1]) if key >= 0 else -1
        found[count] = row
        count += 1 if row >= 0 else 0
        row = max(row, 0)
        for first in range(0, classes, LINE):
            fetch_row(w.learned.weights, row, first)
    return count


@compiled
def _add_weights(
    weights: NDArray[np.int16], found: NDArray[np.int64], k: int, count: int, sums: NDArray[np.int32]
) -> None:
    """Add the weights in rows ``found[k:count]`` to the sums of the classes."""
    while k + 4 <= count:
        one, two, three, four = weights[found[k]], weights[found[k + 1]], weights[found[k + 2]], weights[found[k + 3]]
        for j in range(len(sums)):
            sums[j] += np.int32(one[j]) + np.int32(two[j]) + np.int32(three[j]) + np.int32(four[j])
        k += 4
    while k < count:
        one = weights[found[k]]
        for j in range(len(sums)):
            sums[j] += np.int32(one[j])
        k += 1


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
        _run(w, 2, r, row)
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
            _run(w, 0, lane.registers[g], own)
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
    _run(w, 1, lane.registers[g], row)
    for number in range(len(nodes)):
        kind = w.plan.addresses[number, 0]
        if kind < Node.HEAD:
            nodes[number] = _node_at(w.c, base, row, kind, w.plan.addresses[number, 1])
        else:
            node = nodes[w.plan.addresses[number, 2]]
            nodes[number] = _apply_function(w.c, base, row, kind, node) if node >= 0 else -1
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
        _find_values(w, group, nodes, values, row)
        _find_keys(w, group, values, keys)


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
                    lane.ends[g, group] = _find_rows(w, group, lane.keys[g], lane.found[g])
        for g in range(lanes):
            own = lane.row[g]
            if own < 0:
                continue
            sums = lane.sums
            sums[:] = 0
            _add_weights(w.learned.weights, lane.found[g], 0, lane.ends[g, 0], sums)
            for group in range(1, groups):
                kept = lane.kept[g, group, lane.place[g, group]]
                if not lane.known[g, group]:
                    kept[:] = 0
                    _add_weights(w.learned.weights, lane.found[g], w.plan.slot_starts[group], lane.ends[g, group], kept)
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
            _run(w, 3 + move, registers, own)
