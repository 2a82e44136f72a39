"""The papers' support vector machine with a quadratic kernel, computed from arrays alone; fast for batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ..base.parameters import parameter, real, whole
from ..base.shapes import Array, expect
from .common import sorted_contributions, spread
from .instances import Instances, feature_matrix, known_keys
from .key_index import NO_ROW, known_features, rows_of
from .learner import SEEN, Contribution, Learner

if TYPE_CHECKING:
    from sklearn.svm import SVC
    from threadpoolctl import ThreadpoolController

DENSE_SHARE = 0.004
"""A feature is stored densely if a larger share of the support vectors has it."""
BLOCK_BYTES = 1 << 23
"""Approximate size of the kernel values of a block of rows."""


@cache
def _blas() -> ThreadpoolController:
    """The controller that limits matrix products to one thread.

    There are many small products. On a busy machine, waiting for other threads would take ten times as long as the
    work itself.
    """
    from threadpoolctl import ThreadpoolController  # slow to import, and most parsing does not need it

    return ThreadpoolController()


def fit_svc(
    features: scipy.sparse.csr_matrix, target: NDArray[np.int32], C: float, gamma: float, coef0: float, tol: float
) -> SVC:
    """Train LIBSVM's C-SVC with K(x, z) = (gamma x·z + coef0)²; scikit-learn passes it sparse float64 vectors."""
    from sklearn.svm import SVC  # slow to import, and parsing does not need it

    svc = SVC(kernel="poly", degree=2, C=C, gamma=gamma, coef0=coef0, tol=tol, cache_size=500)
    return svc.fit(features, target)


@dataclass(kw_only=True, eq=False)
class KernelSVM(Learner):
    """LIBSVM's one-against-one SVM with K(x, z) = (gamma x·z + coef0)² over binary features.

    The parameters have LIBSVM's names and MaltParser's defaults (Hall, Nivre and Nilsson 2006). The parameter ``split``
    of every guide divides the instances as the papers do, see :class:`..split.Split`.

    The score of a class is its number of votes minus a number below 1/2 that grows with the class number. The best
    class is therefore the one that SVC predicts, except where rounding decides about a vote.

    Learned attributes, in LIBSVM's order: ``kept_`` int64, the known keys, ascending; ``row_sizes_`` and ``indices_``,
    numbers of features and features of the support vectors, grouped by class; ``class_sizes_``, number of vectors of
    each seen class; ``duals_`` float64 (seen classes - 1, vectors); ``rho_`` float64 (pairs of classes,), the
    thresholds. Source of layout and voting: Chang and Lin (2011), LIBSVM, sections 4 and 7.
    """

    name: ClassVar[str] = "svm-poly"
    features: ClassVar[str] = "plain"
    summary: ClassVar[str] = "SVM with a quadratic kernel, one-against-one"

    C: float = parameter(1.0, real(above=0), "penalty of errors")
    gamma: float = parameter(0.2, real(above=0), "factor of the kernel")
    coef0: float = parameter(0.0, real(), "constant of the kernel")
    tol: float = parameter(0.001, real(above=0), "stopping tolerance of LIBSVM")
    min_count: int = parameter(1, whole(1), "minimum number of occurrences of a feature in training")

    arrays: ClassVar[Mapping[str, Array]] = {
        "kept": Array("i", ("features",), least=0, rising=True),
        "classes": SEEN,
        "indices": Array("i", ("entries",), least=0, below="features"),
        "row_sizes": Array("i", ("vectors",), least=0, below="entries+1"),
        "class_sizes": Array("i", ("seen",), least=0, below="vectors+1"),
        "duals": Array("f", (None, "vectors")),
        "rho": Array("f", (None,)),
    }

    def fit(self, instances: Instances) -> Self:
        self.take(instances)
        self.kept_ = np.sort(known_keys(instances, self.min_count))
        if len(self.classes_) == 1:
            self.class_sizes_, self.row_sizes_, self.indices_ = np.zeros(1, np.int64), *np.zeros((2, 0), np.int64)
            self.duals_, self.rho_ = np.zeros((0, 0)), np.zeros(0)
            return self._prepare()
        features = feature_matrix(instances, self.kept_)
        svc = fit_svc(features, instances.target, self.C, self.gamma, self.coef0, self.tol)
        vectors = scipy.sparse.csr_array(svc.support_vectors_)
        vectors.sort_indices()
        self.class_sizes_, self.row_sizes_, self.indices_ = svc.n_support_, np.diff(vectors.indptr), vectors.indices
        # of two classes scikit-learn turns libsvm's signs around
        sign = -1.0 if len(svc.classes_) == 2 else 1.0
        self.duals_ = sign * scipy.sparse.csr_array(svc.dual_coef_).toarray().astype(np.float64)
        self.rho_ = -sign * np.asarray(svc.intercept_, np.float64)
        return self._prepare()

    def _prepare(self) -> Self:
        """Store frequent features as dense rows over the support vectors, other features as posting lists."""
        self.kept_ = self.kept_.astype(np.int64)
        ends, self._starts = (np.append(0, np.cumsum(sizes)) for sizes in (self.row_sizes_, self.class_sizes_))
        longest = int(self.row_sizes_.max(initial=0))
        ones = np.ones(len(self.indices_), np.uint8 if longest < 256 else np.uint16)
        rows = ones, self.indices_.astype(np.int32), ends.astype(np.int32)
        self._vectors = scipy.sparse.csr_array(rows, shape=(len(self.row_sizes_), len(self.kept_)))
        postings = self._vectors.T.tocsr()
        counts = np.diff(postings.indptr)
        frequent = np.flatnonzero(counts > DENSE_SHARE * len(self.row_sizes_))
        self._place = np.full(len(self.kept_), -1, np.int32)
        self._place[frequent] = np.arange(len(frequent))
        self._dense: NDArray[np.uint8 | np.uint16] = postings[frequent].toarray()
        keep = np.repeat(self._place < 0, counts)
        counts[frequent] = 0
        rare = postings.data[keep], postings.indices[keep], np.append(0, np.cumsum(counts))
        self._rare = scipy.sparse.csr_array(rare, shape=postings.shape)
        self._thresholds = np.full((len(self.classes_), len(self.classes_)), np.inf)
        self._thresholds[np.triu_indices(len(self.classes_), 1)] = self.rho_
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        votes = self._votes(known_features(self.kept_, keys))
        return spread(votes - np.arange(len(self.classes_)) / (2 * len(self.classes_)), self.classes_, self.n_classes_)

    def _votes(self, features: scipy.sparse.csr_matrix) -> NDArray[np.int32]:
        """int32 (rows, seen classes): the number of pairs that each class wins."""
        classes = len(self.classes_)
        result = np.zeros((features.shape[0], classes), np.int32)
        size = max(1, BLOCK_BYTES // (8 * max(len(self.row_sizes_), classes * classes)))
        with _blas().limit(limits=1, user_api="blas"):
            for start in range(0, len(result), size):
                kernel = (self.gamma * self._dots(features[start : start + size]) + self.coef0) ** 2
                result[start : start + size] = self._count(kernel)
        return result

    def _dots(self, features: scipy.sparse.csr_matrix) -> NDArray[np.float64]:
        """float64 (rows, vectors): the number of features that each row shares with each support vector."""
        place = self._place[features.indices]
        rows = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
        frequent = place >= 0
        counts = _select(rows[frequent], place[frequent], features.shape[0], len(self._dense), self._dense.dtype)
        total = np.asarray(counts @ self._dense)
        others = features.indices[~frequent]
        counts = _select(rows[~frequent], others, features.shape[0], len(self._place), self._dense.dtype)
        sparse_part = (counts @ self._rare).tocoo()
        total[sparse_part.row, sparse_part.col] += sparse_part.data
        return total.astype(np.float64)

    def _count(self, kernel: NDArray[np.float64]) -> NDArray[np.int32]:
        classes = len(self.classes_)
        sums = np.zeros((classes, len(kernel), classes))
        for k in range(classes):
            block = slice(self._starts[k], self._starts[k + 1])
            against = kernel[:, block] @ self.duals_[:, block].T
            sums[k, :, :k] = against[:, :k]
            sums[k, :, k + 1 :] = against[:, k:]
        decisions = sums.transpose(1, 0, 2) + sums.transpose(1, 2, 0)
        decisions -= self._thresholds
        won = decisions > 0
        return np.arange(classes, dtype=np.int32) + won.sum(axis=2, dtype=np.int32) - won.sum(axis=1, dtype=np.int32)

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        """Contributions of features and pairs of features to the one-against-one decision between two classes.

        The square of a sum over features is a sum over features and pairs of features.
        """
        first, second = np.searchsorted(self.classes_, [winner, rival])
        rows, slots = np.unique(rows_of(self.kept_, keys), return_index=True)
        slots, rows = slots[rows != NO_ROW], rows[rows != NO_ROW]
        shared = self._pair_weights(int(first), int(second), rows)
        one, two = np.triu_indices(len(rows))
        values = shared[one, two] * np.where(one == two, 1.0, 2.0)
        names = [(int(slots[a]),) if a == b else (int(slots[a]), int(slots[b])) for a, b in zip(one, two, strict=True)]
        return sorted_contributions(names, values)

    def _pair_weights(self, winner: int, rival: int, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """float64 (features, features): the contribution of each ordered pair of present features to ``winner``.

        rows: numbers of the present features

        The diagonal has the contributions of single features, including the part that depends on ``coef0``.
        """
        first, second = sorted((winner, rival))
        of_first = np.arange(self._starts[first], self._starts[first + 1])
        other = np.arange(self._starts[second], self._starts[second + 1])
        duals = np.concatenate([self.duals_[second - 1, of_first], self.duals_[first, other]])
        present = self._vectors[np.concatenate([of_first, other])][:, rows].toarray()
        result = self.gamma**2 * (present.T * duals) @ present
        result[np.diag_indices(len(rows))] += 2 * self.gamma * self.coef0 * (duals @ present)
        return result if winner == first else -result

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        vectors, classes = len(self.row_sizes_), len(self.classes_)
        for name, stored, expected in (
            ("row_sizes", self.row_sizes_.sum(), len(self.indices_)),
            ("class_sizes", self.class_sizes_.sum(), vectors),
            ("duals", len(self.duals_), classes - 1),
            ("rho", len(self.rho_), classes * (classes - 1) // 2),
        ):
            expect(stored == expected, f": array {name}", f"found {stored}; expected {expected}")
        expect(np.isfinite(self.duals_).all(), ": array duals", "found numbers that are not finite")
        self._prepare()


def _select(
    rows: NDArray[np.int64], columns: NDArray[np.int32], n_rows: int, n_columns: int, dtype: np.dtype[np.generic]
) -> scipy.sparse.csr_array:
    indptr = np.zeros(n_rows + 1, np.int32)
    np.cumsum(np.bincount(rows, minlength=n_rows), out=indptr[1:])
    return scipy.sparse.csr_array((np.ones(len(columns), dtype), columns, indptr), shape=(n_rows, n_columns))
