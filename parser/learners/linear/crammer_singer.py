"""Crammer & Singer's multi-class SVM on binary features, compiled, in half of LIBLINEAR's memory.

LIBLINEAR takes 16 bytes for each feature of an instance, beside the 12 of the sparse matrix it is handed, 12 for each
instance and class, and the weights twice; here it is 4, about 4, and half of the weights: most features are rare and
have weights for a few classes only, which are kept as pairs. The method is the same, the
sequential dual method of Keerthi, Sundararajan, Chang, Hsieh and Lin (2008, "A sequential dual method for large scale
multi-class linear SVMs", section 3) with LIBLINEAR's shrinking and the order in which scikit-learn's LIBLINEAR visits
instances and adds numbers up, so that the weights are equal to the last bit: whichever of the two learns, the model is
the same. Without numba scikit-learn's LIBLINEAR does.
"""

from __future__ import annotations

import mmap
import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiling import compiled
from ..common import whole_weights

LARGEST_SEED = 2**31 - 1
UNCHANGED = 1e-12
"""Steps, and differences of gradients, below this value count as converged."""
LANES = 8
"""Rows of weights are padded to whole multiples of 64 bytes."""
CELLS = 8
"""Maximum number of classes for which a feature has weights in cells; with more classes it gets a dense row: one in
four features of English-GUM, most of those that an instance has."""

NORESERVE = 0x4000
"""Linux's flag MAP_NORESERVE, which Python before 3.13 does not name."""
MOST_SWEEPS = 100_000
"""Maximum number of sweeps, as in LIBLINEAR; no treebank came near it."""


class Rows(NamedTuple):
    """Weights of features for classes.

    n_classes: number of classes.
    row: index in ``dense`` of the row of each feature, -1 for none (int32, (features,)).
    dense: rows of weights (float64, (features, padded classes)). Only rows in use take memory.
    classes, values: classes and weights of features without a row ((features, :data:`CELLS`)).
    filled: number of cells in use for each feature; the other cells are 0.
    """

    n_classes: int
    row: NDArray[np.int32]
    dense: NDArray[np.float64]
    classes: NDArray[Any]
    values: NDArray[np.float64]
    filled: NDArray[np.uint8]

    @classmethod
    def blank(cls, features: int, count: int) -> Rows:
        """Make weights of 0."""
        return cls(
            count,
            np.full(features, -1, dtype=np.int32),
            _zeros(features, count + -count % LANES),
            np.zeros((features, CELLS), dtype=np.min_scalar_type(count)),
            np.zeros((features, CELLS)),
            np.zeros(features, dtype=np.uint8),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """(features, classes)."""
        return len(self.row), self.n_classes

    def take(self, features: NDArray[np.integer], axis: int = 0) -> NDArray[np.float64]:
        """float64 (numbers, classes): the weights of features, by their numbers, as arrays of weights give them."""
        row = self.row[features]
        weights = np.zeros((len(row), self.n_classes))
        weights[row >= 0] = self.dense[row[row >= 0], : self.n_classes]
        few = np.flatnonzero(row < 0)
        for cell in range(CELLS):
            weights[few, self.classes[features[few], cell]] += self.values[features[few], cell]
        return weights

    def largest(self) -> float:
        """Return the largest absolute weight."""
        rows, few = self.dense[: self.row.max(initial=-1) + 1], self.row < 0
        ends = rows.max(initial=0.0), -rows.min(initial=0.0)
        return float(max(*ends, *(np.abs(own(self.values, axis=1)[few]).max(initial=0.0) for own in (np.max, np.min))))

    def rounded(
        self, features: NDArray[np.integer], scale: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16]]:
        """Divide the weights of features by ``scale`` and round them.

        Return (indices in ``features``, classes, weights) of those that are not 0, by index and class.
        """
        row = self.row[features]
        many, few = np.flatnonzero(row >= 0), np.flatnonzero(row < 0)
        of_row, column, dense = whole_weights(self.dense[row[many], : self.n_classes], scale)
        of_cell, cell, sparse = whole_weights(self.values[features[few]], scale)
        places = np.concatenate([many[of_row], few[of_cell]])
        classes = np.concatenate([column, self.classes[features[few[of_cell]], cell].astype(np.int64)])
        order = np.argsort(places * self.n_classes + classes)
        return places[order], classes[order], np.concatenate([dense, sparse])[order]


def _zeros(rows: int, columns: int) -> NDArray[np.float64]:
    """float64 (rows, columns) of zeros, of which only the parts in use take memory.

    Raises MemoryError if the system refuses the array.
    """
    try:
        return np.zeros((rows, columns))
    except MemoryError:
        if sys.platform != "linux":
            raise
    # Linux refuses an array that is larger than the memory, unless told that it may stay partly unused
    try:
        own = mmap.mmap(-1, 8 * rows * columns, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE)
    except OSError as error:
        raise MemoryError(str(error)) from error
    return np.frombuffer(own, np.float64).reshape(rows, columns)


def fit_weights(
    features: NDArray[np.int32],
    starts: NDArray[np.int32],
    target: NDArray[np.int32],
    n_features: int,
    C: float,
    tol: float,
    seed: int,
) -> Rows:
    """Learn the weights of the features for the classes in ``target``, of which there must be at least two.

    features, starts: features of the instances, see :func:`.key_index.binary_rows`.
    C, tol, seed: parameters of LIBLINEAR.

    Columns of the result are the classes in ascending order. Learning ends after a sweep over all instances in which no
    instance violates its conditions by ``tol`` or more.
    """
    shuffle, sweep = compiled(_shuffle), compiled(_sweep)
    classes, own = np.unique(target, return_inverse=True)
    count, many = len(classes), len(target)
    order = np.argsort(own, kind="stable")  # LIBLINEAR groups the instances by class
    own = own[order].astype(np.int32)
    weights = Rows.blank(n_features, count)
    alpha = np.zeros((many + 1, count))  # only rows in use take memory: two in five for a treebank
    row, taken = np.zeros(many, dtype=np.int32), np.array([1, 0])
    active = np.tile(np.arange(count, dtype=np.min_scalar_type(count)), (many, 1))
    place, size = own.copy(), np.full(many, count, dtype=np.int32)
    visits = np.arange(many, dtype=np.int32)
    random = np.random.RandomState(np.random.RandomState(seed).randint(LARGEST_SEED))
    draws = np.empty(0, dtype=np.uint32)
    shrinking, everything, running = max(10 * tol, 1.0), True, many
    for _ in range(MOST_SWEEPS):
        draws = np.concatenate([draws, random.randint(0, 2**32, 2 * running, dtype=np.uint32)])
        draws = draws[shuffle(visits, running, draws) :]
        running, violation = sweep(
            visits, running, order, features, starts, own, C, weights, alpha, row, taken, active, place, size
        )
        if violation >= shrinking:
            everything = False
        elif violation < tol and everything:
            break
        else:
            running, everything, shrinking = many, True, max(shrinking / 2, tol)
            size[:] = count
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
    running: int,
    order: NDArray[np.int64],
    features: NDArray[np.int32],
    starts: NDArray[np.int32],
    own: NDArray[np.int32],
    C: float,
    weights: Rows,
    alpha: NDArray[np.float64],
    row: NDArray[np.int32],
    taken: NDArray[np.int64],
    active: NDArray[Any],
    place: NDArray[np.int32],
    size: NDArray[np.int32],
) -> tuple[int, float]:
    """Visit the first ``running`` instances of ``visits`` and improve the coefficients of each.

    order: index of each instance in ``starts``.
    own: class of each instance.
    alpha: rows of coefficients, one per class (float64). ``row[i]`` is the row of instance i; row 0 serves all
        instances whose coefficients are 0.
    taken: number of rows of ``alpha`` in use, and number of dense rows of the weights in use.
    active: the classes of each instance, in an order in which the first ``size[i]`` are still active ((instances,
        classes)); ``place[i]`` is the position of the instance's own class.

    Returns (number of instances left to visit, the largest violation of a condition).
    """
    count = alpha.shape[1]
    row_of, dense, classes, values, filled = weights.row, weights.dense, weights.classes, weights.values, weights.filled
    sums, slope, target = np.empty(dense.shape[1]), np.empty(count + 1), np.empty(count)
    stands = np.full(count, count)  # position of each active class; all other classes have the last position
    changed, change = np.empty(count, dtype=np.int64), np.empty(count)
    violation = -np.inf
    s = 0
    while s < running:
        i = visits[s]
        s += 1
        begin, end = starts[order[i]], starts[order[i] + 1]
        if begin == end:
            continue
        mine, which, length = alpha[row[i]], active[i], float(end - begin)

        # the gradient: 1, and 0 for its own class, and the weights of its features, which are added up in their order
        if 4 * size[i] > count:  # whole rows, eight classes at a time
            sums[:] = 1.0
            sums[own[i]] = 0.0
            for f in range(begin, end):
                feature = features[f]
                at = row_of[feature]
                if at >= 0:
                    for k in range(len(sums)):
                        sums[k] += dense[at, k]
                else:
                    for k in range(filled[feature]):
                        sums[classes[feature, k]] += values[feature, k]
            for m in range(size[i]):
                slope[m] = sums[which[m]]
        else:
            slope[: size[i]] = 1.0
            if place[i] < size[i]:
                slope[place[i]] = 0.0
            for m in range(size[i]):
                stands[which[m]] = m
            for f in range(begin, end):
                feature = features[f]
                at = row_of[feature]
                if at >= 0:
                    for m in range(size[i]):
                        slope[m] += dense[at, which[m]]
                else:
                    for k in range(filled[feature]):
                        slope[stands[classes[feature, k]]] += values[feature, k]
            for m in range(size[i]):
                stands[which[m]] = count
        least, most = np.inf, -np.inf
        for m in range(size[i]):
            if mine[which[m]] < 0 and slope[m] < least:
                least = slope[m]
            most = max(most, slope[m])
        if place[i] < size[i] and mine[own[i]] < C and slope[place[i]] < least:
            least = slope[place[i]]

        # shrinking: skip classes at their bounds whose gradients show that they will stay there
        m = 0
        while m < size[i]:
            if mine[which[m]] == (C if m == place[i] else 0.0) and slope[m] < least:
                size[i] -= 1
                while size[i] > m:
                    last = size[i]
                    if not (mine[which[last]] == (C if last == place[i] else 0.0) and slope[last] < least):
                        which[m], which[last] = which[last], which[m]
                        slope[m], slope[last] = slope[last], slope[m]
                        if place[i] == last:
                            place[i] = m
                        elif place[i] == m:
                            place[i] = last
                        break
                    size[i] -= 1
            m += 1
        if size[i] <= 1:
            running -= 1
            s -= 1
            visits[s], visits[running] = visits[running], visits[s]
            continue
        if most - least <= UNCHANGED:
            continue
        violation = max(violation, most - least)

        # the best coefficients of this instance, given all others: a threshold that the largest numbers stand above
        for m in range(size[i]):
            slope[m] -= length * mine[which[m]]
            target[m] = slope[m]
        if place[i] < size[i]:
            target[place[i]] += length * C
        threshold = -length * C
        above = 0
        while above < size[i]:
            largest = above
            for m in range(above + 1, size[i]):
                if target[m] > target[largest]:
                    largest = m
            if above and threshold >= above * target[largest]:
                break
            target[above], target[largest] = target[largest], target[above]
            threshold = target[above] - length * C if above == 0 else threshold + target[above]
            above += 1
        threshold /= above
        zero = row[i] == 0
        for m in range(size[i]):
            target[m] = min(C if m == place[i] else 0.0, (threshold - slope[m]) / length)
            zero = zero and target[m] == 0
        if zero:
            continue
        if row[i] == 0:
            row[i] = taken[0]
            taken[0] += 1
            mine = alpha[row[i]]
        steps = 0
        for m in range(size[i]):
            step = target[m] - mine[which[m]]
            mine[which[m]] = target[m]
            if abs(step) >= UNCHANGED:
                changed[steps], change[steps] = which[m], step
                steps += 1
        for f in range(begin, end):
            feature = features[f]
            k = 0
            while row_of[feature] < 0 and k < steps:
                few = filled[feature]
                cell = 0
                while cell < few and classes[feature, cell] != changed[k]:
                    cell += 1
                if cell < CELLS:
                    classes[feature, cell] = changed[k]
                    values[feature, cell] += change[k]
                    filled[feature] = max(few, cell + 1)
                    k += 1
                else:
                    row_of[feature] = taken[1]
                    taken[1] += 1
                    for cell in range(CELLS):
                        dense[row_of[feature], classes[feature, cell]] = values[feature, cell]
            if k < steps:
                at = row_of[feature]
                for rest in range(k, steps):
                    dense[at, changed[rest]] += change[rest]
    return running, violation
