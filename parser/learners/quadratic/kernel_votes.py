"""One-against-one decisions of a quadratic-kernel SVC, for batches, from arrays alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import scipy
from numpy.typing import NDArray

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_DENSE_SHARE = 0.004
"""A feature is stored densely if a larger share of the support vectors has it."""
_BLOCK_BYTES = 1 << 23
"""Approximate size of the kernel values of a block of rows."""


@cache
def _blas() -> ThreadpoolController:
    """The controller that limits matrix products to one thread.

    There are many small products. On a busy machine, waiting for other threads would take ten times as long as the
    work itself.
    """
    from threadpoolctl import ThreadpoolController  # slow to import, and most parsing does not need it

    return ThreadpoolController()


@dataclass(eq=False)
class KernelVotes:
    """A fitted SVC over binary features as arrays.

    indptr, indices: feature numbers of the support vectors, grouped by class, in CSR form (int32)
    starts: first support vector of each class, then their number (int64, (classes + 1,))
    duals: dual coefficients in LIBSVM's layout and sign (float64, (classes - 1, vectors))
    rho: LIBSVM's thresholds for the pairs (0, 1), (0, 2) ... (1, 2) ... (float64, (pairs,))
    gamma, coef0: parameters of the kernel
    n_features: number of features

    Source of layout and voting: Chang and Lin (2011), LIBSVM, sections 4 and 7.
    """

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    starts: NDArray[np.int64]
    duals: NDArray[np.float64]
    rho: NDArray[np.float64]
    gamma: float
    coef0: float
    n_features: int

    def __post_init__(self) -> None:
        """Store frequent features as dense rows over the support vectors, other features as posting lists."""
        n_vectors, n_classes = len(self.indptr) - 1, len(self.starts) - 1
        longest = int(np.diff(self.indptr).max(initial=0))
        ones = np.ones(len(self.indices), np.uint8 if longest < 256 else np.uint16)
        postings = scipy.sparse.csr_array((ones, self.indices, self.indptr), shape=(n_vectors, self.n_features))
        postings = postings.T.tocsr()
        counts = np.diff(postings.indptr)
        frequent = np.flatnonzero(counts > _DENSE_SHARE * n_vectors)
        self.dense_place = np.full(self.n_features, -1, np.int32)
        self.dense_place[frequent] = np.arange(len(frequent))
        self.dense: NDArray[np.uint8 | np.uint16] = postings[frequent].toarray()
        keep = np.repeat(self.dense_place < 0, counts)
        counts[frequent] = 0
        self.rare = scipy.sparse.csr_array(
            (postings.data[keep], postings.indices[keep], np.concatenate([[0], np.cumsum(counts)])),
            shape=(self.n_features, n_vectors),
        )
        self.thresholds = np.full((n_classes, n_classes), np.inf)
        self.thresholds[np.triu_indices(n_classes, 1)] = self.rho

    def votes(self, features: scipy.sparse.csr_matrix) -> NDArray[np.int32]:
        """int32 (rows, classes): the number of pairs that each class wins."""
        n_rows, n_vectors = features.shape[0], len(self.indptr) - 1
        n_classes = len(self.starts) - 1
        result = np.zeros((n_rows, n_classes), np.int32)
        size = max(1, _BLOCK_BYTES // (8 * max(n_vectors, n_classes * n_classes)))
        with _blas().limit(limits=1, user_api="blas"):
            for start in range(0, n_rows, size):
                kernel = (self.gamma * self.dots(features[start : start + size]) + self.coef0) ** 2
                result[start : start + size] = self._count(kernel)
        return result

    def dots(self, features: scipy.sparse.csr_matrix) -> NDArray[np.float64]:
        """float64 (rows, vectors): the number of features that each row shares with each support vector."""
        place = self.dense_place[features.indices]
        rows = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
        frequent = place >= 0
        counts = _select(rows[frequent], place[frequent], features.shape[0], len(self.dense), self.dense.dtype)
        total = np.asarray(counts @ self.dense)
        rest = ~frequent
        others = _select(rows[rest], features.indices[rest], features.shape[0], self.n_features, self.dense.dtype)
        sparse_part = (others @ self.rare).tocoo()
        total[sparse_part.row, sparse_part.col] += sparse_part.data
        return total.astype(np.float64)

    def pair_weights(self, winner: int, rival: int, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """float64 (features, features): the contribution of each ordered pair of present features to ``winner``.

        rows: numbers of the present features

        The diagonal has the contributions of single features, including the part that depends on ``coef0``.
        """
        first, second = sorted((winner, rival))
        own = np.arange(self.starts[first], self.starts[first + 1])
        other = np.arange(self.starts[second], self.starts[second + 1])
        duals = np.concatenate([self.duals[second - 1, own], self.duals[first, other]])
        shape = (len(self.indptr) - 1, self.n_features)
        vectors = scipy.sparse.csr_array((np.ones(len(self.indices)), self.indices, self.indptr), shape=shape)
        present = vectors[np.concatenate([own, other])][:, rows].toarray()
        result = self.gamma**2 * (present.T * duals) @ present
        result[np.diag_indices(len(rows))] += 2 * self.gamma * self.coef0 * (duals @ present)
        return result if winner == first else -result

    def _count(self, kernel: NDArray[np.float64]) -> NDArray[np.int32]:
        n_classes = len(self.starts) - 1
        sums = np.zeros((n_classes, len(kernel), n_classes))
        for own in range(n_classes):
            block = slice(self.starts[own], self.starts[own + 1])
            against = kernel[:, block] @ self.duals[:, block].T
            sums[own, :, :own] = against[:, :own]
            sums[own, :, own + 1 :] = against[:, own:]
        decisions = sums.transpose(1, 0, 2) + sums.transpose(1, 2, 0)
        decisions -= self.thresholds
        won = decisions > 0
        return np.arange(n_classes, dtype=np.int32) + won.sum(axis=2, dtype=np.int32) - won.sum(axis=1, dtype=np.int32)


def _select(
    rows: NDArray[np.int64], columns: NDArray[np.int32], n_rows: int, n_columns: int, dtype: np.dtype[np.generic]
) -> scipy.sparse.csr_array:
    indptr = np.zeros(n_rows + 1, np.int32)
    np.cumsum(np.bincount(rows, minlength=n_rows), out=indptr[1:])
    return scipy.sparse.csr_array((np.ones(len(columns), dtype), columns, indptr), shape=(n_rows, n_columns))
