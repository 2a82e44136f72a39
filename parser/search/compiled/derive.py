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
from .instructions import LEFT, RIGHT, run
from .lookups import find_keys, find_nodes, find_values
from .tables import Beams, Scratch, Work


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
        scores[best] = own
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
    )


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
            fetch_keys(w.learned, s.keys)
    return running


@inlined
def _insert(b: Beams, kept: int, parent: int, chosen: int, total: float) -> int:
    """Insert an extension into those of a sentence, the best first; return their new number."""
    if kept < len(b.totals):
        place = kept
        kept += 1
    elif total > b.totals[kept - 1]:
        place = kept - 1
    else:
        return kept
    while place > 0 and total > b.totals[place - 1]:
        b.parents[place], b.classes[place] = b.parents[place - 1], b.classes[place - 1]
        b.totals[place] = b.totals[place - 1]
        place -= 1
    b.parents[place], b.classes[place], b.totals[place] = parent, chosen, total
    return kept


@inlined
def _insert_classes(
    w: Work, b: Beams, kept: int, parent: int, scores: NDArray[np.float32], best: int, before: float
) -> int:
    """Insert the extensions of one derivation by all permissible classes, as :meth:`..beam.Beam.extend` does.

    best: the class with the best score.
    before: score of the derivation.
    """
    sharpness, highest, rest = w.choice.sharpness, 0.0, 0.0
    if w.choice.normalized:
        highest, total = np.float64(scores[best]) * sharpness, 0.0
        for j in range(len(scores)):
            total += np.exp(np.float64(scores[j]) * sharpness - highest)
        rest = np.log(total)
    for j in range(len(scores)):
        score = np.float64(scores[j]) * sharpness - highest - rest
        if score > -np.inf:
            score = np.rint(score / GRAIN) * GRAIN if w.choice.normalized else score
            kept = _insert(b, kept, parent, j, before + score)
    return kept


@inlined
def _extend(w: Work, lanes: Scratch, b: Beams, first: int, sentence: int) -> int:
    """Choose the extensions of the derivations of a sentence; return their number. first: see :func:`_look_up`."""
    kept, width = 0, b.ranked.shape[1]
    for k in range(b.live[sentence]):
        s, row = _lane_arrays(lanes, first + k), b.ranked[sentence, k]
        best = -1
        if not s.registers[w.program.terminal]:
            add_rows(w.learned, s.long, s.short, s.found, s.sums)
            best = _choose(w, s.sums, s.scores, s.registers, row)
        if best < 0 or width == 1:
            kept = _insert(b, kept, k, best, b.scores[row])
        else:
            kept = _insert_classes(w, b, kept, k, s.scores, best, b.scores[row])
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
                    if not s.registers[w.program.terminal]:
                        find_rows(w.learned, s.keys, s.long, s.short, s.found)
        for turn in range(len(sentences)):
            sentence = sentences[turn]
            if sentence < count:
                bound -= b.live[sentence]
                kept = _extend(w, lanes, b, turn * width, sentence)
                _place(w, b, sentence, kept)
                _advance(w, lanes, b, turn * width, sentence, kept)


derive = compiled(_derive, **OPTIONS)
