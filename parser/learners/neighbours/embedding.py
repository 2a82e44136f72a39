"""Instances as short vectors: square roots of P(class | value), reduced to their principal components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy
from numpy.typing import NDArray

from .metrics import SlotMetric
from .search import Distances, Neighbours

_STORED_NORM = 1448.0
_QUERY_NORM = 2 * _STORED_NORM
_SAMPLE = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """The vector of an instance is the sum of the vectors of its values.

    rows: float32 (codes of all slots, dimensions), whole numbers; offsets: the first row of each slot; vectors:
    float32 (stored instances, dimensions); norms: their squared lengths, float32; scale: the length of a unit. All
    sums of products stay whole numbers below 2^24, so a matrix product gives the same bits in any blocking.
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
        """float32 (queries, dimensions): values never seen stand at the mean; overlong vectors are shortened."""
        vectors = _sum_rows(codes, self.offsets, self.rows)
        length = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
        return np.trunc(vectors * np.minimum(1, _QUERY_NORM / np.maximum(length, 1))).astype(np.float32)

    def distances(self, queries: NDArray[np.float32]) -> Distances:
        """Squared distances less the queries' squared lengths."""
        twice = -2 * queries.T

        def block(part: slice) -> NDArray[np.float32]:
            result: NDArray[np.float32] = self.vectors[part] @ twice
            result += self.norms[part, None]
            return result

        return block

    def measured(self, found: Neighbours, queries: NDArray[np.float32]) -> Neighbours:
        """The same neighbours with their Euclidean distances, a difference of one slot at most sqrt(2)."""
        squares = found.distance + (queries.astype(np.float64) ** 2).sum(axis=1)[found.query]
        return Neighbours(found.query, found.instance, np.sqrt(np.maximum(squares, 0)) / self.scale)


def _sum_rows(codes: NDArray[np.int32], offsets: NDArray[np.int64], rows: NDArray[np.float32]) -> NDArray[np.float32]:
    result = np.zeros((len(codes), rows.shape[1]), np.float32)
    for column, offset in zip(codes.T, offsets, strict=True):
        known = column >= 0
        result[known] += rows[offset + column[known]]
    return result


def fit_embedding(slots: list[SlotMetric], codes: NDArray[np.int32], dimensions: int, seed: int) -> Embedding:
    """Principal components of the concatenated square roots of P(class | value), each slot by the root of its weight.

    The components are those of a sample of the stored instances. Between two values the squared distance is twice the
    squared Hellinger distance.
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
