"""The compiled loop of greedy parsing and of beams: one function takes a batch of configurations to terminal ones.

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
from ...learners.linear.model import GRAIN
from .instructions import LEFT, RIGHT, find_keys, find_nodes, find_values, run
from .tables import Beams, Scratch, Work

MARGIN = 2 * GRAIN
"""What is added to thresholds before scores are rounded."""
LOWEST_LOG = -700.0
"""Lower bound of the logarithms of probabilities; exp of it is above 0 and does not change any sum."""
LOG_2, LOG_2_REST = 0.693145751953125, 1.42860682030941723212e-6
"""Logarithm of 2 in two parts, of which the first has 16 bits (Cody & Waite 1980)."""
INVERSE = 1 / np.log(2)
SERIES = 1 / np.cumprod(np.maximum(np.arange(15.0), 1))
"""Coefficients 1/n! of the power series of exp, for Horner's method."""
POWERS_OF_2 = 2.0 ** np.arange(-1020, 1)


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
    """Store the margin of the word that a transition is about to attach, as :func:`..greedy.record_margins` does."""
    if w.program.dependents[move] < 0:
        return
    run(w, 2, r, row)
    ahead = 0.0
    if best >= 0:
        highest, scores[best] = scores[best], np.float32(-np.inf)
        ahead = np.float64(highest - scores[_highest(scores)])
        scores[best] = highest
    w.margins[row, r[w.program.dependents[move]]] = ahead


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
        s.powers[lane],
    )


@inlined
def _twin(w: Work, lanes: Scratch, first: int, k: int) -> int:
    """The lane of the best derivation before ``k`` that has the same keys, -1 for none. first: see :func:`_look_up`."""
    slots = lanes.keys.shape[1]
    for lane in range(first, first + k):
        at = 0
        while at < slots and lanes.keys[lane, at] == lanes.keys[first + k, at]:
            at += 1
        if at == slots and not lanes.registers[lane, w.program.terminal]:
            return lane
    return -1


@inlined
def _look_up(w: Work, lanes: Scratch, b: Beams, first: int, sentence: int) -> bool:
    """Compute the feature keys of the derivations of a sentence; return False if all have ended.

    first: lane of the best derivation; the others follow.
    """
    running = False
    for k in range(b.live[sentence]):
        s, row = _lane_arrays(lanes, first + k), b.ranked[sentence, k]
        run(w, 0, s.registers, row)
        if not s.registers[w.program.terminal]:
            running = True
            run(w, 1, s.registers, row)
            find_nodes(w, s.nodes, row)
            find_values(w, s.nodes, s.values, row)
            find_keys(w, s.values, s.keys)
            s.found[2] = _twin(w, lanes, first, k)
            if s.found[2] < 0:
                fetch_keys(w.learned, s.keys)
    return running


@inlined
def _insert(b: Beams, kept: int, parent: int, chosen: int, total: float) -> int:
    """Insert an extension into those of a sentence, the best first; return their new number."""
    if kept == len(b.totals) and not total > b.totals[kept - 1]:
        return kept
    kept = min(kept + 1, len(b.totals))
    place = kept - 1
    while place > 0 and total > b.totals[place - 1]:
        b.parents[place], b.classes[place] = b.parents[place - 1], b.classes[place - 1]
        b.totals[place] = b.totals[place - 1]
        place -= 1
    b.parents[place], b.classes[place], b.totals[place] = parent, chosen, total
    return kept


@inlined
def _log_of_sum(scores: NDArray[np.float32], sharpness: float, highest: float, powers: NDArray[np.float64]) -> float:
    """The logarithm of the sum of exp(scores * sharpness - highest), none of which is above 1.

    powers: overwritten with the summands (float64, (classes,)).

    exp(x) is 2**k exp(r) with |r| < 0.35, and exp(r) a series: without calls, processors compute several at once.
    """
    for j in range(len(scores)):
        x = max(np.float64(scores[j]) * sharpness - highest, LOWEST_LOG)
        k = np.rint(x * INVERSE)
        r = x - k * LOG_2 - k * LOG_2_REST
        series = SERIES[-1]
        for n in range(len(SERIES) - 2, -1, -1):
            series = series * r + SERIES[n]
        powers[j] = series * POWERS_OF_2[np.int32(k) + len(POWERS_OF_2) - 1]
    total = 0.0
    for j in range(len(scores)):
        total += powers[j]
    return np.log(total)


@inlined
def _insert_classes(w: Work, b: Beams, kept: int, parent: int, s: Scratch, best: int, before: float) -> int:
    """Insert the extensions of one derivation by all permissible classes, as :meth:`..beam.Beam.extend` does.

    best: the class with the best score.
    before: score of the derivation.

    Classes that are behind the best one by more than the threshold are left out.
    """
    sharpness, zero, rest = w.choice.sharpness, 0.0, 0.0
    highest = np.float64(s.scores[best]) * sharpness
    if w.choice.normalized:
        zero, rest = highest, _log_of_sum(s.scores, sharpness, highest, s.powers)
    for j in range(len(s.scores)):
        score = np.float64(s.scores[j]) * sharpness
        if score > -np.inf and score >= highest - b.threshold - MARGIN:
            score = score - zero - rest
            score = np.rint(score / GRAIN) * GRAIN if w.choice.normalized else score
            kept = _insert(b, kept, parent, j, before + score)
    return kept


@inlined
def _is_sure(w: Work, scores: NDArray[np.float32], best: int, threshold: float) -> bool:
    """Whether all other classes are behind the best one by more than the threshold."""
    least = np.float64(scores[best]) * w.choice.sharpness - threshold - MARGIN
    near = 0
    for j in range(len(scores)):
        near += 1 if np.float64(scores[j]) * w.choice.sharpness >= least else 0
    return w.choice.normalized and near == 1


@inlined
def _share(w: Work, sums: NDArray[np.int32], row: int) -> None:
    """Store the sums of the first word that has not left the buffer, or add them to those that are stored for it."""
    place = w.c.origin[row] + w.c.seen[row] + 1
    for j in range(len(w.choice.moves)):
        if w.first < 0:
            w.shared[place, j] = sums[j]
        else:
            sums[j] += w.shared[place, w.first + j]
            w.shared[place, w.first + j] = sums[j]


@inlined
def _extend(w: Work, lanes: Scratch, b: Beams, first: int, sentence: int) -> int:
    """Choose the extensions of the derivations of a sentence; return their number. first: see :func:`_look_up`.

    If only one extension of a single derivation can be kept, its score stays as it is, unless scores are to be
    complete: only differences count.
    """
    kept, live, width = 0, b.live[sentence], b.ranked.shape[1]
    for k in range(live):
        s, row = _lane_arrays(lanes, first + k), b.ranked[sentence, k]
        best = -1
        if not s.registers[w.program.terminal]:
            twin = s.found[2]
            if twin < 0:
                add_rows(w.learned, s.long, s.short, s.found, s.sums)
                if len(w.shared):
                    _share(w, s.sums, row)
            best = _choose(w, s.sums if twin < 0 else lanes.sums[twin], s.scores, s.registers, row)
        alone = live == 1 and not b.complete
        if best < 0 or width == 1 or (alone and _is_sure(w, s.scores, best, b.threshold)):
            kept = _insert(b, kept, k, best, b.scores[row])
        else:
            kept = _insert_classes(w, b, kept, k, s, best, b.scores[row])
    while b.totals[kept - 1] < b.totals[0] - b.threshold:
        kept -= 1
    return kept


@inlined
def _copy_row(w: Work, b: Beams, source: int, target: int) -> None:
    """Copy a configuration with its margins and its number of default transitions to another row of its sentence."""
    c, width = w.c, w.c.width
    for number in range(len(c.lists)):
        c.sizes[number, target] = c.sizes[number, source]
        for place in range(width):
            c.lists[number, target * width + place] = c.lists[number, source * width + place]
    c.context_size[target], c.seen[target] = c.context_size[source], c.seen[source]
    c.swapped[target], c.mark[target] = c.swapped[source], c.mark[source]
    for place in range(width):
        old, new = source * width + place, target * width + place
        c.heads[new], c.deprels[new], c.above[new] = c.heads[old], c.deprels[old], c.above[old]
        for side in (LEFT, RIGHT):
            c.first[side, new], c.second[side, new] = c.first[side, old], c.second[side, old]
            c.counts[side, new] = c.counts[side, old]
    for node in range(w.margins.shape[1]):
        w.margins[target, node] = w.margins[source, node]
    b.defaults[target] = b.defaults[source]


@inlined
def _place(w: Work, b: Beams, sentence: int, kept: int) -> None:
    """Find a row for each of the ``kept`` extensions: that of the derivation it extends, or another one with a copy."""
    start = sentence * b.ranked.shape[1]
    b.used[:] = False
    for k in range(kept):
        row = b.ranked[sentence, b.parents[k]]
        b.rows[k] = -1 if b.used[row - start] else row
        b.used[row - start] = True
    free = 0
    for k in range(kept):
        if b.rows[k] < 0:
            while b.used[free]:
                free += 1
            b.used[free] = True
            b.rows[k] = start + free
            _copy_row(w, b, b.ranked[sentence, b.parents[k]], b.rows[k])


@inlined
def _advance(w: Work, lanes: Scratch, b: Beams, first: int, sentence: int, kept: int) -> None:
    """Apply the classes of the ``kept`` extensions of a sentence, or default transitions."""
    for k in range(kept):
        s, row, best = _lane_arrays(lanes, first + b.parents[k]), b.rows[k], b.classes[k]
        b.ranked[sentence, k], b.scores[row] = row, b.totals[k]
        if s.registers[w.program.terminal]:
            continue
        if best >= 0:
            move = w.choice.moves[best]
            s.registers[0] = w.choice.labels[best]
        else:
            move = w.choice.default_moves[-1]
            for j in range(len(w.choice.default_moves)):
                if s.registers[w.program.permissible[w.choice.default_moves[j]]]:
                    move = w.choice.default_moves[j]
                    break
            s.registers[0] = -1
            b.defaults[row] += 1
        if w.margins.shape[1]:
            _store_margin(w, s.scores, best, move, s.registers, row)
        run(w, 3 + move, s.registers, row)
    b.live[sentence] = kept


def _derive(w: Work, lanes: Scratch, b: Beams, sentences: NDArray[np.int64], bound: int) -> None:
    """Take every configuration of a batch to a terminal one; stop after ``bound`` transitions in all.

    sentences: overwritten with the sentences that are parsed at a time (int64). Each has as many lanes as derivations.

    Sentences take turns: while one waits for memory, the others go on.
    """
    count, width = b.ranked.shape
    for turn in range(len(sentences)):
        sentences[turn] = turn
    following, left = len(sentences), count
    while left > 0 and bound > 0:
        for turn in range(len(sentences)):
            while sentences[turn] < count and not _look_up(w, lanes, b, turn * width, sentences[turn]):
                sentences[turn] = following
                following, left = following + 1, left - 1
        for turn in range(len(sentences)):
            if sentences[turn] < count:
                for k in range(b.live[sentences[turn]]):
                    s = _lane_arrays(lanes, turn * width + k)
                    if not s.registers[w.program.terminal] and s.found[2] < 0:
                        find_rows(w.learned, s.keys, s.long, s.short, s.found)
        for turn in range(len(sentences)):
            sentence = sentences[turn]
            if sentence < count:
                bound -= b.live[sentence]
                kept = _extend(w, lanes, b, turn * width, sentence)
                _place(w, b, sentence, kept)
                _advance(w, lanes, b, turn * width, sentence, kept)


derive = compiled(_derive, **OPTIONS)
