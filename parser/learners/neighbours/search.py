"""Nearest neighbours among whole-number distances, and their votes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

QUERIES = 64
_GROUP = 64
_BLOCK = 4096
_EPSILON = 1e-6

Distances = Callable[[slice], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Neighbours of queries, sorted by query, then by stored instance, with their distances."""

    query: NDArray[np.int64]
    instance: NDArray[np.int64]
    distance: NDArray[np.float64]


def nearest(
    distances: Distances, n_instances: int, n_queries: int, k: int, copies: NDArray[np.int64] | None
) -> Neighbours:
    """All instances no farther than the k-th smallest distance of each query: exact, ties included.

    distances: gives float32 (instances of the slice, queries). copies: None counts *different* distances up to k, as
    TiMBL does; else int64 (instances,), how many training instances each stored one stands for, and k counts those.

    A minimum for each group of instances bounds the k-th distance from above; only groups below the bound are looked
    into.
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

    voting: ``equal``; ``inverse-distance``, 1 / (d + 1e-6); ``inverse-linear``, (d_k - d) / (d_k - d_1), 1 where all
    are equally far (Dudani 1976).
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
