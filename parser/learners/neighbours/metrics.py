"""Distances between values of a slot, distances between instances as vectors, and the search for nearest neighbours.

Values of a slot are compared as TiMBL compares them. Distances are whole numbers, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy
from numpy.typing import NDArray

EXACT = 1 << 24
"""float32 represents all whole numbers up to this, so sums up to it are exact in any order."""

_TABLE_LIMIT = 1 << 22
"""Maximum number of entries of a table of distances between the values of a slot."""
_STORED_NORM = 1448.0
_QUERY_NORM = 2 * _STORED_NORM
"""Maximum lengths of the vectors of stored instances and of queries; sums of products then stay below EXACT."""
_SAMPLE = 20_000
"""Maximum number of stored instances from which principal components are computed."""
QUERIES = 64
"""Number of queries that are searched together."""
_GROUP = 64
"""Number of stored instances with a common minimum distance, see :func:`nearest`."""
_BLOCK = 4096
"""Number of stored instances whose distances are computed together."""
_EPSILON = 1e-6
"""Added to distances before division, as in TiMBL."""

Distances = Callable[[slice], NDArray[np.float32]]


def class_counts(codes: NDArray[np.int64], target: NDArray[np.int32], n_classes: int) -> NDArray[np.int64]:
    """int64 (codes, n_classes): number of instances with each value and class."""
    n_codes = int(codes.max(initial=-1)) + 1
    flat = np.bincount(codes * n_classes + target, minlength=n_codes * n_classes)
    return flat.reshape(n_codes, n_classes)


def weigh(counts: NDArray[np.int64], weighting: str) -> float:
    """The weight of a slot.

    weighting: ``none`` (1), ``information-gain`` (in bits), or ``gain-ratio`` (the gain divided by the entropy of the
        values)

    A slot with only one value has weight 0. Source: Quinlan (1993), as used by TiMBL.
    """
    if weighting == "none":
        return 1.0
    from scipy.stats import entropy  # slow to import, and the default does not need it

    total = counts.sum()
    per_value = counts.sum(axis=1)
    within = entropy(counts, base=2, axis=1)
    gain = float(entropy(counts.sum(axis=0), base=2)) - float(per_value @ within) / float(total)
    if weighting == "information-gain":
        return max(gain, 0.0)
    split = float(entropy(per_value, base=2))
    return max(gain, 0.0) / split if split > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SlotMetric:
    """The distances of one slot.

    values: keys seen in training, ascending (int64, (values,))
    codes: code of each value (int32, (values,)). A code below ``len(shares)`` is a row of ``shares``; values with equal
        distributions share it. Any other code belongs to one value, which is at distance 1 from all others.
    shares: distributions over the classes (float64, (distributions, classes))
    unit: whole number that represents distance 1
    table: distances between distributions (float32, (distributions, distributions)); empty if it would be too large
    """

    values: NDArray[np.int64]
    codes: NDArray[np.int32]
    shares: NDArray[np.float64]
    unit: int
    table: NDArray[np.float32]

    @property
    def n_codes(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    def codes_of(self, keys: NDArray[np.int64]) -> NDArray[np.int32]:
        """The codes of keys, -1 for values never seen."""
        place = np.minimum(np.searchsorted(self.values, keys), len(self.values) - 1)
        return np.where(self.values[place] == keys, self.codes[place], np.int32(-1))

    def distances(self, codes: NDArray[np.int32]) -> NDArray[np.float32]:
        """float32 (codes, n_codes): the distance to each code of the slot, a whole number from 0 to ``unit``."""
        result = np.full((len(codes), self.n_codes), self.unit, np.float32)
        known = np.flatnonzero(codes >= 0)
        result[known, codes[known]] = 0
        shared = np.flatnonzero((codes >= 0) & (codes < len(self.shares)))
        if len(self.table):
            result[shared, : len(self.shares)] = self.table[codes[shared]]
        else:
            for row in shared:
                result[row, : len(self.shares)] = _differences(self.shares, self.shares[codes[row]], self.unit)
        return result


def _differences(shares: NDArray[np.float64], share: NDArray[np.float64], unit: int) -> NDArray[np.float64]:
    """Half the sum of absolute differences between distributions, computed as 1 - (sum of minima)."""
    support = np.flatnonzero(share)
    overlap = np.minimum(shares[:, support], share[support]).sum(axis=1)
    result: NDArray[np.float64] = np.rint(unit * (1 - overlap))
    return result


def prepare(values: NDArray[np.int64], codes: NDArray[np.int32], shares: NDArray[np.float64], unit: int) -> SlotMetric:
    """The metric of a slot, with its table of distances if the table is small enough."""
    n = len(shares)
    table = np.empty((0, 0), np.float32)
    if 0 < n * n <= _TABLE_LIMIT:
        table = np.stack([_differences(shares, share, unit) for share in shares]).astype(np.float32)
    return SlotMetric(values, codes, shares, unit, table)


def smoothed_slot(values: NDArray[np.int64], counts: NDArray[np.int64], unit: int, smoothing: float) -> SlotMetric:
    """The metric of a slot for an embedding, with smoothed P(class | value).

    smoothing: number of instances with the average distribution of classes that are added to each value

    Smoothing moves rare values towards the mean. Otherwise, the few instances of a rare value would determine its
    distribution, and a training instance would reveal its own class.
    """
    rows, number = np.unique(counts, axis=0, return_inverse=True)
    average = counts.sum(axis=0) / counts.sum()
    shares = (rows + smoothing * average) / (rows.sum(axis=1, keepdims=True) + smoothing)
    return SlotMetric(values, number.reshape(-1).astype(np.int32), shares, unit, np.empty((0, 0), np.float32))


def fit_slot(values: NDArray[np.int64], counts: NDArray[np.int64], unit: int, threshold: int | None) -> SlotMetric:
    """The metric of a slot from its values and their class counts.

    threshold: minimum number of occurrences of a value for the modified value difference metric (Cost and Salzberg
        1993), like TiMBL's -L; rarer values are compared by overlap. None: compare all values by overlap.

    The value difference is halved, so that the largest distance is 1.
    """
    often = counts.sum(axis=1) >= threshold if threshold is not None else np.zeros(len(values), bool)
    codes = np.empty(len(values), np.int32)
    shares = np.empty((0, counts.shape[1]))
    if often.any():
        frequent = counts[often]
        reduced = frequent // np.gcd.reduce(frequent, axis=1)[:, None]
        rows, number = np.unique(reduced, axis=0, return_inverse=True)
        codes[often] = number.reshape(-1)
        shares = rows / rows.sum(axis=1, keepdims=True)
    codes[~often] = len(shares) + np.arange(np.count_nonzero(~often))
    return prepare(values, codes, shares, unit)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Neighbours of queries, sorted by query, then by stored instance, with their distances."""

    query: NDArray[np.int64]
    instance: NDArray[np.int64]
    distance: NDArray[np.float64]


def nearest(
    distances: Distances, n_instances: int, n_queries: int, k: int, copies: NDArray[np.int64] | None
) -> Neighbours:
    """All instances within the k-th smallest distance of each query, ties included. The search is exact.

    distances: function from a slice of the instances to their distances (float32, (instances, queries))
    copies: number of training instances that each stored instance represents (int64, (instances,)); ``k`` then counts
        training instances. None: ``k`` counts different distances, as in TiMBL.

    The minima of groups of instances give an upper bound for the k-th distance. Only groups with a minimum within the
    bound are searched.
    """
    n_groups = -(-n_instances // _GROUP)
    table = np.full((n_groups * _GROUP, n_queries), np.inf, np.float32)
    minima = np.empty((n_groups, n_queries), np.float32)
    for start in range(0, n_instances, _BLOCK):
        stop = min(start + _BLOCK, n_instances)
        table[start:stop] = distances(slice(start, stop))
        first, last = start // _GROUP, -(-stop // _GROUP)
        block = table[first * _GROUP : last * _GROUP].reshape(last - first, _GROUP, n_queries)
        minima[first:last] = block.min(axis=1)
    bounds = np.array([_kth(column, k) for column in minima.T], np.float32)
    query, group = np.nonzero((minima <= bounds).T)
    blocks = table.reshape(n_groups, _GROUP, n_queries)[group, :, query]
    row, place = np.nonzero((blocks <= bounds[query, None]) & np.isfinite(blocks))
    found = query[row], group[row] * _GROUP + place, blocks[row, place].astype(np.float64)
    return _cut(Neighbours(*found), n_queries, k, copies)


def _kth(minima: NDArray[np.float32], k: int) -> float:
    size = min(len(minima), 4 * k)
    low = np.unique(np.partition(minima, size - 1)[:size])
    if len(low) < k and size < len(minima):
        low = np.unique(minima)
    return float(low[k - 1]) if len(low) >= k else np.inf


def _cut(found: Neighbours, n_queries: int, k: int, copies: NDArray[np.int64] | None) -> Neighbours:
    """Keep the neighbours within the k-th distance."""
    order = np.lexsort((found.distance, found.query))
    query, distance = found.query[order], found.distance[order]
    if copies is None:
        counted = np.ones(len(order), np.int64)
        counted[1:] = (query[1:] != query[:-1]) | (distance[1:] != distance[:-1])
    else:
        counted = copies[found.instance[order]]
    amount = np.concatenate([[0], np.cumsum(counted)])
    reached = amount[:-1] - amount[np.searchsorted(query, np.arange(n_queries))][query]
    limit = np.full(n_queries, -np.inf)
    np.maximum.at(limit, query[reached < k], distance[reached < k])
    within = distance <= limit[query]
    keep = np.sort(order[within])
    return Neighbours(found.query[keep], found.instance[keep], found.distance[keep])


def tally(found: Neighbours, counts: scipy.sparse.csr_array, n_queries: int, voting: str) -> NDArray[np.float64]:
    """float64 (queries, classes): the share of the votes for each class.

    voting: weight of a neighbour at distance d: ``equal``, 1; ``inverse-distance``, 1 / (d + 1e-6); ``inverse-linear``,
        (d_k - d) / (d_k - d_1), or 1 if all distances are equal (Dudani 1976)
    """
    weights = np.ones(len(found.query))
    if voting == "inverse-distance":
        weights = 1 / (found.distance + _EPSILON)
    elif voting == "inverse-linear":
        near, far = np.full(n_queries, np.inf), np.zeros(n_queries)
        np.minimum.at(near, found.query, found.distance)
        np.maximum.at(far, found.query, found.distance)
        span = (far - near)[found.query]
        weights = np.where(span > 0, (far[found.query] - found.distance) / np.where(span > 0, span, 1), 1.0)
    chosen = scipy.sparse.csr_array((weights, (found.query, found.instance)), shape=(n_queries, counts.shape[0]))
    votes = (chosen @ counts).toarray()
    result: NDArray[np.float64] = votes / votes.sum(axis=1, keepdims=True)
    return result


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """Vectors of instances; the vector of an instance is the sum of the vectors of its values.

    rows: the vector of each code of all slots, in whole numbers (float32, (codes, dimensions))
    offsets: first row of each slot
    vectors: vectors of the stored instances (float32, (stored instances, dimensions))
    norms: squared lengths of ``vectors`` (float32)
    scale: number by which measured distances are divided

    All sums of products are whole numbers below 2^24. Matrix products are therefore exact with any order of additions.
    """

    rows: NDArray[np.float32]
    offsets: NDArray[np.int64]
    vectors: NDArray[np.float32]
    norms: NDArray[np.float32]
    scale: float

    @classmethod
    def of(cls, slots: list[SlotMetric], codes: NDArray[np.int32], rows: NDArray[np.float32], scale: float) -> Self:
        """The embedding of stored instances, from the rows of their values."""
        offsets = np.cumsum([0] + [slot.n_codes for slot in slots])[:-1]
        vectors = _sum_rows(codes, offsets, rows)
        return cls(rows, offsets, vectors, (vectors * vectors).sum(axis=1), scale)

    def place(self, codes: NDArray[np.int32]) -> NDArray[np.float32]:
        """The vectors of queries (float32, (queries, dimensions)).

        Values unseen in training have the mean vector, 0. Vectors that are too long are shortened.
        """
        vectors = _sum_rows(codes, self.offsets, self.rows)
        length = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
        return np.trunc(vectors * np.minimum(1, _QUERY_NORM / np.maximum(length, 1))).astype(np.float32)

    def distances(self, queries: NDArray[np.float32]) -> Distances:
        """Squared distances minus the squared lengths of the queries; the order of neighbours is the same."""
        twice = -2 * queries.T

        def block(part: slice) -> NDArray[np.float32]:
            result: NDArray[np.float32] = self.vectors[part] @ twice
            result += self.norms[part, None]
            return result

        return block

    def measured(self, found: Neighbours, queries: NDArray[np.float32]) -> Neighbours:
        """The neighbours with Euclidean distances; instances that differ in one slot are at most sqrt(2) apart."""
        squares = found.distance + (queries.astype(np.float64) ** 2).sum(axis=1)[found.query]
        return Neighbours(found.query, found.instance, np.sqrt(np.maximum(squares, 0)) / self.scale)


def _sum_rows(codes: NDArray[np.int32], offsets: NDArray[np.int64], rows: NDArray[np.float32]) -> NDArray[np.float32]:
    result = np.zeros((len(codes), rows.shape[1]), np.float32)
    for column, offset in zip(codes.T, offsets, strict=True):
        known = column >= 0
        result[known] += rows[offset + column[known]]
    return result


def fit_embedding(slots: list[SlotMetric], codes: NDArray[np.int32], dimensions: int, seed: int) -> Embedding:
    """The embedding of stored instances by principal components.

    codes: codes of the stored instances
    dimensions: maximum number of components
    seed: random seed of the sample from which the components are computed

    Before the reduction, an instance is the concatenation of the square roots of P(class | value) of its slots, each
    multiplied by the square root of the slot's weight. The squared distance of two values is then twice their squared
    Hellinger distance.
    """
    largest = max(slot.unit for slot in slots)
    blocks = [np.sqrt(slot.shares * (slot.unit / largest)) for slot in slots]
    n_classes = blocks[0].shape[1]
    chosen = codes
    if len(codes) > _SAMPLE:
        chosen = codes[np.sort(np.random.default_rng(seed).choice(len(codes), _SAMPLE, replace=False))]
    wide = scipy.sparse.hstack(
        [scipy.sparse.csr_array(block)[column] for block, column in zip(blocks, chosen.T, strict=True)]
    )
    dense = wide.toarray().astype(np.float32)
    dense -= dense.mean(axis=0)
    covariance = (dense.T @ dense).astype(np.float64)
    width = len(covariance)
    kept = min(dimensions, width)
    from scipy.linalg import eigh  # slow to import, and parsing does not need it

    _, axes = eigh(covariance, subset_by_index=(width - kept, width - 1))
    rows = []
    for number, block in enumerate(blocks):
        mean = block[chosen[:, number]].mean(axis=0)
        rows.append((block - mean) @ axes[number * n_classes : (number + 1) * n_classes])
    projected = np.concatenate(rows)
    offsets = np.cumsum([0] + [slot.n_codes for slot in slots])[:-1]
    longest = float(np.sqrt((_sum_rows(codes, offsets, projected.astype(np.float32)) ** 2).sum(axis=1).max()))
    scale = (_STORED_NORM - np.sqrt(kept) * len(slots) / 2) / max(longest, 1e-9)
    return Embedding.of(slots, codes, np.rint(projected * scale).astype(np.float32), float(scale))
