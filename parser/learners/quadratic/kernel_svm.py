"""The papers' support vector machine with a quadratic kernel; fast for batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.parameters import parameter, real, whole
from ...base.shapes import Array, expect
from ..common import sorted_contributions, spread
from ..instances import Instances, feature_matrix, known_keys
from ..key_index import KeyIndex
from ..learner import SEEN, Contribution, Learner
from .kernel_votes import KernelVotes

if TYPE_CHECKING:
    from sklearn.svm import SVC


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
    thresholds.
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
        sign = -1.0 if len(svc.classes_) == 2 else 1.0
        self.duals_ = sign * scipy.sparse.csr_array(svc.dual_coef_).toarray().astype(np.float64)
        self.rho_ = -sign * np.asarray(svc.intercept_, np.float64)
        return self._prepare()

    def _prepare(self) -> Self:
        self.index_ = KeyIndex(self.kept_.astype(np.int64))
        indptr, starts = (np.append(0, np.cumsum(sizes)) for sizes in (self.row_sizes_, self.class_sizes_))
        vectors = indptr.astype(np.int32), self.indices_.astype(np.int32)
        self._votes = KernelVotes(*vectors, starts, self.duals_, self.rho_, self.gamma, self.coef0, len(self.index_))
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        votes = self._votes.votes(self.index_.features(keys))
        return spread(votes - np.arange(len(self.classes_)) / (2 * len(self.classes_)), self.classes_, self.n_classes_)

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        """Contributions of features and pairs of features to the one-against-one decision between two classes.

        The square of a sum over features is a sum over features and pairs of features.
        """
        first, second = np.searchsorted(self.classes_, [winner, rival])
        slots, rows = self.index_.present(keys)
        shared = self._votes.pair_weights(int(first), int(second), rows)
        one, two = np.triu_indices(len(rows))
        values = shared[one, two] * np.where(one == two, 1.0, 2.0)
        names = [(int(slots[a]),) if a == b else (int(slots[a]), int(slots[b])) for a, b in zip(one, two, strict=True)]
        return sorted_contributions(names, values)

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        vectors, classes = len(self.row_sizes_), len(self.classes_)
        for name, found, expected in (
            ("row_sizes", self.row_sizes_.sum(), len(self.indices_)),
            ("class_sizes", self.class_sizes_.sum(), vectors),
            ("duals", len(self.duals_), classes - 1),
            ("rho", len(self.rho_), classes * (classes - 1) // 2),
        ):
            expect(found == expected, f": array {name}", f"found {found}; expected {expected}")
        expect(np.isfinite(self.duals_).all(), ": array duals", "found numbers that are not finite")
        self._prepare()
