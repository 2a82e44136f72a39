"""Crammer & Singer's multi-class SVM on binary features, compiled, whose memory grows with what is not zero.

Most weights and nearly all coefficients are zero: 97 % and 99 % of those of 250 000 words of Slovak with 383
transitions. LIBLINEAR keeps all of them, and 12 bytes for each instance and class; here only what is not zero has a
place, and one bit says whether a class of an instance is still active. The method is the same, the sequential dual
method of Keerthi, Sundararajan, Chang, Hsieh and Lin (2008, "A sequential dual method for large scale multi-class
linear SVMs", section 3) with LIBLINEAR's shrinking and the order in which scikit-learn's LIBLINEAR visits instances and
adds numbers up, so that the weights are equal to the last bit: whichever of the two learns, the model is the same.
Without numba scikit-learn's LIBLINEAR does. Treebanks with very many instances learn in fewer sweeps; from
:data:`VERY_LARGE` instances on weights have single precision here, and the models differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiling import compiled
from ..common import rounded_weights
from ..key_index import WIDE, grow

LARGEST_SEED = 2**31 - 1
UNCHANGED = 1e-12
"""Steps, and differences of gradients, below this value count as converged."""
LANES = 8
"""Dense rows of weights are padded to whole multiples of 64 bytes."""
FEW, SHARE = 8, 16
"""A feature with weights for more than FEW classes, and for more than one class in SHARE, gets a dense row: it occurs
often, and adding up whole rows is fast."""
FIRST = 4
"""Number of cells that a row of cells gets first; each time that they are full, it gets twice as many."""
MOST_SWEEPS = 100_000
"""Maximum number of sweeps, as in LIBLINEAR; no treebank came near it."""
VERY_LARGE = 2**22
"""Number of instances from which on weights and coefficients have single precision, in half of the memory."""
LARGE, ENOUGH_SWEEPS = 2**18, 15
"""Number of instances from which on so many sweeps are enough: the last ones wait for the single instances whose
conditions are violated most. With 500 000 instances of Slovak, LAS is 76.06 with the bound and 75.99 without."""
BITS = 64
"""Number of classes in a word of ``active``."""
BLOCK = 2**22
"""Number of weights that are looked through together."""


def most_sweeps(instances: int) -> int:
    """The maximum number of sweeps over so many instances."""
    return MOST_SWEEPS if instances < LARGE else ENOUGH_SWEEPS


class Cells(NamedTuple):
    """Rows of numbers of which few are not zero.

    head: first cell and number of cells of each row, as ``first << 16 | size`` (int64, (rows,)).
    room: number of cells that are reserved for each row (uint16, (rows,)).
    pool: number and column of each cell (floats, (cells, 2)), side by side in memory, where they are read together.
    """

    head: NDArray[np.int64]
    room: NDArray[np.uint16]
    pool: NDArray[np.floating]

    @classmethod
    def blank(cls, rows: int, precision: type[np.floating]) -> Cells:
        """Make rows of zeros."""
        return cls(np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.uint16), np.empty((0, 2), precision))


class Rows(NamedTuple):
    """Weights of features for classes.

    n_classes: number of classes.
    cells: weights of features with few of them; the head of another feature is -1 - its row in ``dense``.
    dense: rows of weights (floats, (rows, padded classes)).
    """

    n_classes: int
    cells: Cells
    dense: NDArray[np.floating]

    @classmethod
    def blank(cls, features: int, count: int, precision: type[np.floating]) -> Rows:
        """Make weights of 0."""
        return cls(count, Cells.blank(features, precision), np.empty((0, count + -count % LANES), precision))

    @property
    def shape(self) -> tuple[int, int]:
        """(features, classes)."""
        return len(self.cells.head), self.n_classes

    def take(self, features: NDArray[np.integer], axis: int = 0) -> NDArray[np.float64]:
        """float64 (numbers, classes): the weights of features, by their numbers, as arrays of weights give them."""
        weights = np.zeros((len(features), self.n_classes))
        for places, classes, values in self._parts(features):
            weights[places, classes] = values
        return weights

    def largest(self) -> float:
        """Return the largest absolute weight."""
        features = np.arange(len(self.cells.head))
        blocks = np.array_split(features, 1 + len(self.cells.pool) // BLOCK)
        return float(max(np.abs(values).max(initial=0.0) for block in blocks for _, _, values in self._parts(block)))

    def rounded(
        self, features: NDArray[np.integer], scale: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16]]:
        """Divide the weights of features by ``scale`` and round them.

        Return (indices in ``features``, classes, weights) of those that are not 0, by index and class.
        """
        places, classes, values = map(np.concatenate, zip(*self._parts(features), strict=True))
        _, rows, whole = rounded_weights(values[None], scale)
        order = np.argsort(places[rows] * self.n_classes + classes[rows])
        return places[rows][order], classes[rows][order], whole[order]

    def _parts(
        self, features: NDArray[np.integer]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.floating]]]:
        """Yield (indices in ``features``, classes, weights) of dense rows, without zeros, and of cells."""
        head = self.cells.head[features]
        many = np.flatnonzero(head < 0)
        for block in np.array_split(many, 1 + len(many) * self.n_classes // BLOCK):
            rows = self.dense[-1 - head[block]]
            row, column = np.nonzero(rows)
            yield block[row], column, rows[row, column]
        size = np.where(head < 0, 0, head & 0xFFFF)
        place = np.repeat(np.arange(len(features)), size)
        first = np.repeat((head >> 16) - (np.cumsum(size) - size), size)
        cells = self.cells.pool[np.arange(len(place)) + first]
        yield place, cells[:, 1].astype(np.int64), cells[:, 0]


def fit_weights(
    packed: tuple[NDArray[np.uint16], NDArray[np.int64], int],
    target: NDArray[np.int32],
    n_features: int,
    C: float,
    tol: float,
    seed: int,
) -> Rows:
    """Learn the weights of the features for the classes in ``target``, of which there must be at least two.

    packed: features of the instances, see :func:`.key_index.packed_rows`.
    C, tol, seed: parameters of LIBLINEAR.

    Columns of the result are the classes in ascending order. Learning ends after a sweep over all instances in which no
    instance violates its conditions by ``tol`` or more, and with very many instances after :func:`most_sweeps`.
    """
    shuffle, sweep = compiled(_shuffle), compiled(_sweep)
    classes, class_of = np.unique(target, return_inverse=True)
    count, many = len(classes), len(target)
    order = np.argsort(class_of, kind="stable")  # LIBLINEAR groups the instances by class
    class_of = class_of[order].astype(np.int32)
    precision = np.float64 if many < VERY_LARGE else np.float32
    C = float(precision(C))  # coefficients are compared with it
    weights, alpha = Rows.blank(n_features, count, precision), Cells.blank(many, precision)
    all_active = np.array([2 ** min(BITS, count - first) - 1 for first in range(0, count, BITS)], dtype=np.uint64)
    active = np.tile(all_active, (many, 1))
    most = max(FEW, count // SHARE)
    codes, starts, longest = packed
    taken = np.zeros(3, dtype=np.int64)
    visits = np.arange(many, dtype=np.int32)
    random = np.random.RandomState(np.random.RandomState(seed).randint(LARGEST_SEED))
    draws = np.empty(0, dtype=np.uint32)
    shrinking, everything, running = max(10 * tol, 1.0), True, many
    for _ in range(most_sweeps(many)):
        draws = np.concatenate([draws, random.randint(0, 2**32, 2 * running, dtype=np.uint32)])
        draws = draws[shuffle(visits, running, draws) :]
        visited, violation = 0, -np.inf
        while visited < running:
            for array, used, needed in (
                (weights.dense, taken[0], longest),
                (weights.cells.pool, taken[1], 3 * most * longest),
                (alpha.pool, taken[2], count),
            ):
                grow(array, used + needed)
            visited, running, violation = sweep(
                visits,
                visited,
                running,
                violation,
                order,
                codes,
                starts,
                longest,
                class_of,
                C,
                weights,
                alpha,
                active,
                most,
                taken,
            )
        if violation >= shrinking:
            everything = False
        elif violation < tol and everything:
            break
        else:
            running, everything, shrinking = many, True, max(shrinking / 2, tol)
            active[:] = all_active
    return weights


def _shuffle(visits: NDArray[np.int32], running: int, draws: NDArray[np.uint32]) -> int:
    """Shuffle the first ``running`` places of ``visits``; how many random numbers that took.

    Numbers below a bound come from the upper half of a product, and few are drawn again so that all are equally likely
    (Lemire 2019), as scikit-learn's LIBLINEAR draws them.
    """
    used = 0
    for place in range(running):
        bound = np.uint64(running - place)
        product = np.uint64(draws[used]) * bound
        used += 1
        low = product & np.uint64(0xFFFFFFFF)
        if low < bound:
            unfair = np.uint64(0x100000000) % bound
            while low < unfair:
                product = np.uint64(draws[used]) * bound
                used += 1
                low = product & np.uint64(0xFFFFFFFF)
        other = place + np.int64(product >> np.uint64(32))
        visits[place], visits[other] = visits[other], visits[place]
    return used


def _sweep(
    visits: NDArray[np.int32],
    visited: int,
    running: int,
    violation: float,
    order: NDArray[np.int64],
    codes: NDArray[np.uint16],
    starts: NDArray[np.int64],
    longest: int,
    class_of: NDArray[np.int32],
    C: float,
    weights: Rows,
    alpha: Cells,
    active: NDArray[np.uint64],
    most: int,
    taken: NDArray[np.int64],
) -> tuple[int, int, float]:
    """Visit the instances in ``visits`` from ``visited`` to ``running`` and improve the coefficients of each.

    violation: the largest violation of a condition so far.
    order: index of each instance in ``starts``.
    codes, starts, longest: see :func:`.key_index.packed_rows`.
    class_of: class of each instance.
    alpha: coefficients of each instance for the classes.
    active: one bit for each class of an instance, whether it is active (uint64, (instances, words)).
    most: maximum number of cells of a feature.
    taken: number of dense rows of the weights, of their cells, and of cells of ``alpha`` in use.

    Returns the new (visited, running, violation). Ends early if an array has to grow before the next visit.
    """
    count = weights.n_classes
    dense, (head, room, pool) = weights.dense, weights.cells
    alpha_head, alpha_room, alpha_pool = alpha
    sums, slope, target = np.empty(dense.shape[1]), np.empty(count + 1), np.empty(count)
    which = np.empty(count, dtype=np.int64)  # the active classes
    stands = np.full(count, count)  # position of each active class; all other classes have the last position
    mine = np.zeros(count)  # coefficients of the instance
    used = np.empty(2 * count, dtype=np.int64)  # classes for which it may have coefficients
    known = np.zeros(count, dtype=np.bool_)
    features = np.empty(longest, dtype=np.int64)  # those of the instance
    changed, change = np.empty(count, dtype=np.int64), np.empty(count)
    rounded = np.empty(1, dtype=alpha_pool.dtype)  # so that weights change by what coefficients change
    while visited < running:
        i = visits[visited]
        if (
            taken[0] + longest > len(dense)
            or taken[1] + 3 * most * longest > len(pool)
            or taken[2] + count > len(alpha_pool)
        ):
            break
        visited += 1
        n_features, code = 0, starts[order[i]]
        while code < starts[order[i] + 1]:
            features[n_features] = codes[code]
            code += 1
            if features[n_features] >= WIDE:
                features[n_features] = (features[n_features] - WIDE) << 16 | codes[code]
                code += 1
            n_features += 1
        if not n_features:
            continue
        length = float(n_features)
        first, users = alpha_head[i] >> 16, alpha_head[i] & 0xFFFF
        for user in range(users):
            used[user] = int(alpha_pool[first + user, 1])
            mine[used[user]] = alpha_pool[first + user, 0]
        size, place = 0, -1
        for word in range(active.shape[1]):
            bits, k = active[i, word], word * 64
            while bits:
                if not bits & np.uint64(0xFF):
                    bits >>= np.uint64(8)
                    k += 8
                    continue
                if bits & np.uint64(1):
                    if k == class_of[i]:
                        place = size
                    which[size] = k
                    size += 1
                bits >>= np.uint64(1)
                k += 1

        # the gradient: 1, and 0 for its own class, and the weights of its features, which are added up in their order
        if 4 * size > count:  # whole rows, eight classes at a time
            sums[:] = 1.0
            sums[class_of[i]] = 0.0
            for f in range(n_features):
                at = head[features[f]]
                if at < 0:
                    for k in range(len(sums)):
                        sums[k] += dense[-1 - at, k]
                else:
                    for cell in range(at >> 16, (at >> 16) + (at & 0xFFFF)):
                        sums[int(pool[cell, 1])] += pool[cell, 0]
            for m in range(size):
                slope[m] = sums[which[m]]
        else:
            slope[:size] = 1.0
            if place >= 0:
                slope[place] = 0.0
            for m in range(size):
                stands[which[m]] = m
            for f in range(n_features):
                at = head[features[f]]
                if at < 0:
                    for m in range(size):
                        slope[m] += dense[-1 - at, which[m]]
                else:
                    for cell in range(at >> 16, (at >> 16) + (at & 0xFFFF)):
                        slope[stands[int(pool[cell, 1])]] += pool[cell, 0]
            for m in range(size):
                stands[which[m]] = count
        least, largest = np.inf, -np.inf
        for m in range(size):
            if mine[which[m]] < 0 and slope[m] < least:
                least = slope[m]
            largest = max(largest, slope[m])
        if place >= 0 and mine[class_of[i]] < C and slope[place] < least:
            least = slope[place]

        # shrinking: skip classes at their bounds whose gradients show that they will stay there
        left, now = 0, -1
        for m in range(size):
            k = which[m]
            if mine[k] == (C if m == place else 0.0) and slope[m] < least:
                active[i, k // 64] &= ~(np.uint64(1) << np.uint64(k % 64))
            else:
                if m == place:
                    now = left
                which[left], slope[left] = k, slope[m]
                left += 1
        size, place = left, now
        if size <= 1 or largest - least <= UNCHANGED:
            if size <= 1:
                running -= 1
                visited -= 1
                visits[visited], visits[running] = visits[running], visits[visited]
            for user in range(users):
                mine[used[user]] = 0.0
            continue
        violation = max(violation, largest - least)

        # the best coefficients of this instance, given all others: a threshold that the largest numbers stand above
        for m in range(size):
            slope[m] -= length * mine[which[m]]
            target[m] = slope[m]
        if place >= 0:
            target[place] += length * C
        threshold = -length * C
        above = 0
        while above < size:
            best = above
            for m in range(above + 1, size):
                if target[m] > target[best]:
                    best = m
            if above and threshold >= above * target[best]:
                break
            target[above], target[best] = target[best], target[above]
            threshold = target[above] - length * C if above == 0 else threshold + target[above]
            above += 1
        threshold /= above
        steps = 0
        for m in range(size):
            k = which[m]
            rounded[0] = min(C if m == place else 0.0, (threshold - slope[m]) / length)
            coefficient = float(rounded[0])
            step = coefficient - mine[k]
            if abs(step) >= UNCHANGED:
                changed[steps], change[steps] = k, step
                steps += 1
            if coefficient != mine[k]:
                mine[k] = coefficient
                used[users] = k
                users += 1

        # the coefficients that are not 0 replace those in the cells of the instance
        filled = 0
        for user in range(users):
            k = used[user]
            if mine[k] != 0 and not known[k]:
                known[k] = True
                used[filled] = k
                filled += 1
        if filled > alpha_room[i]:
            first = taken[2]
            alpha_room[i] = min(count, max(FIRST, 2 * filled))
            taken[2] += alpha_room[i]
        alpha_head[i] = first << 16 | filled
        for user in range(filled):
            k = used[user]
            alpha_pool[first + user, 0], alpha_pool[first + user, 1] = mine[k], k
            mine[k], known[k] = 0.0, False

        for f in range(n_features):
            feature = features[f]
            at, done = head[feature], 0
            if at >= 0:
                first, filled = at >> 16, at & 0xFFFF
                for step in range(steps):
                    cell, last, column = first, first + filled, float(changed[step])
                    while cell < last and pool[cell, 1] != column:
                        cell += 1
                    if cell < last:
                        pool[cell, 0] += change[step]
                    elif filled < most:
                        if filled == room[feature]:
                            room[feature] = min(most, max(FIRST, 2 * filled))
                            for moved in range(filled):
                                pool[taken[1] + moved, 0] = pool[first + moved, 0]
                                pool[taken[1] + moved, 1] = pool[first + moved, 1]
                            first = taken[1]
                            taken[1] += room[feature]
                        pool[first + filled, 0], pool[first + filled, 1] = change[step], column
                        filled += 1
                    else:
                        at = -1 - taken[0]
                        dense[taken[0]] = 0.0
                        for cell in range(first, first + filled):
                            dense[taken[0], int(pool[cell, 1])] = pool[cell, 0]
                        taken[0] += 1
                        break
                    done += 1
                head[feature] = at if at < 0 else first << 16 | filled
            for step in range(done, steps):
                dense[-1 - at, changed[step]] += change[step]
    return visited, running, violation
