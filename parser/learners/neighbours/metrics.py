"""Distances between values of a slot, and the search for nearest neighbours.

Values of a slot are compared as TiMBL compares them. Distances are whole numbers, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

EXACT = 1 << 24
"""float32 represents all whole numbers up to this, so sums up to it are exact in any order."""

_TABLE_LIMIT = 1 << 22
"""Maximum number of entries of a table of distances between the values of a slot."""
QUERIES = 64
"""Number of queries that are searched together."""
_GROUP = 64
"""Number of stored instances with a common minimum distance, see :func:`nearest`."""
_BLOCK = 4096
"""Number of stored instances whose distances are computed together."""
_EPSILON = 1e-6
"""Added to distances before division, as in TiMBL."""

Distances = Callable[[slice], NDArray[np.float32]]


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
        """The number of codes."""
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
    return np.rint(unit * (1 - overlap))


def fit_slot(values: NDArray[np.int64], counts: NDArray[np.int64], unit: int, threshold: int) -> SlotMetric:
    """The metric of a slot from its values and their class counts.

    threshold: minimum number of occurrences of a value for the modified value difference metric (Cost and Salzberg
        1993), like TiMBL's -L; rarer values are compared by overlap

    The value difference is halved, so that the largest distance is 1.
    """
    often = counts.sum(axis=1) >= threshold
    codes = np.empty(len(values), np.int32)
    shares = np.empty((0, counts.shape[1]))
    if often.any():
        frequent = counts[often]
        reduced = frequent // np.gcd.reduce(frequent, axis=1)[:, None]
        rows, number = np.unique(reduced, axis=0, return_inverse=True)
        codes[often] = number.reshape(-1)
        shares = rows / rows.sum(axis=1, keepdims=True)
    codes[~often] = len(shares) + np.arange(np.count_nonzero(~often))
    table = np.empty((0, 0), np.float32)
    if 0 < len(shares) ** 2 <= _TABLE_LIMIT:
        table = np.stack([_differences(shares, share, unit) for share in shares]).astype(np.float32)
    return SlotMetric(values, codes, shares, unit, table)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Neighbours of queries, sorted by query, then by stored instance, with their distances."""

    query: NDArray[np.int64]
    instance: NDArray[np.int64]
    distance: NDArray[np.float64]


def nearest(distances: Distances, n_instances: int, n_queries: int, k: int) -> Neighbours:
    """All instances within the k-th smallest distance of each query, ties included. The search is exact.

    distances: function from a slice of the instances to their distances (float32, (instances, queries))
    k: number of different distances, as in TiMBL

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
    columns = query[row], group[row] * _GROUP + place, blocks[row, place].astype(np.float64)
    return _cut(Neighbours(*columns), n_queries, k)


def _kth(minima: NDArray[np.float32], k: int) -> float:
    size = min(len(minima), 4 * k)
    low = np.unique(np.partition(minima, size - 1)[:size])
    if len(low) < k and size < len(minima):
        low = np.unique(minima)
    return float(low[k - 1]) if len(low) >= k else np.inf


def _cut(neighbours: Neighbours, n_queries: int, k: int) -> Neighbours:
    """Keep the neighbours within the k-th distance."""
    order = np.lexsort((neighbours.distance, neighbours.query))
    query, distance = neighbours.query[order], neighbours.distance[order]
    counted = np.ones(len(order), np.int64)
    counted[1:] = (query[1:] != query[:-1]) | (distance[1:] != distance[:-1])
    amount = np.concatenate([[0], np.cumsum(counted)])
    reached = amount[:-1] - amount[np.searchsorted(query, np.arange(n_queries))][query]
    limit = np.full(n_queries, -np.inf)
    np.maximum.at(limit, query[reached < k], distance[reached < k])
    within = distance <= limit[query]
    keep = np.sort(order[within])
    return Neighbours(neighbours.query[keep], neighbours.instance[keep], neighbours.distance[keep])


def tally(neighbours: Neighbours, counts: scipy.sparse.csr_array, n_queries: int) -> NDArray[np.float64]:
    """float64 (queries, classes): the share of the votes for each class.

    The vote of a neighbour at distance d weighs 1 / (d + 1e-6).
    """
    weights = 1 / (neighbours.distance + _EPSILON)
    chosen = scipy.sparse.csr_array(
        (weights, (neighbours.query, neighbours.instance)), shape=(n_queries, counts.shape[0])
    )
    votes = (chosen @ counts).toarray()
    return votes / votes.sum(axis=1, keepdims=True)
