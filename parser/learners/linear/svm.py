"""The linear support vector machine, multi-class after Crammer & Singer (2001); LIBLINEAR's solver -s 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.compiling import enabled
from ...base.parameters import parameter, real, whole
from ..common import fitted
from ..instances import Instances, feature_rows, known_keys, release_memory
from ..key_index import binary_rows, packed_rows
from .model import LinearModel


@dataclass(kw_only=True, eq=False)
class LinearSVM(LinearModel):
    """Crammer-Singer multi-class linear SVM on binary features.

    Training aims at margins of 1. ``sharpness`` is the whole number for which confidences come closest to the share of
    correct transitions (mean error 0.01 to 0.02 on English-EWT with C 0.03 and 0.1).
    """

    name: ClassVar[str] = "svm"
    reads_blocks: ClassVar[bool] = True
    sharpness: ClassVar[float] = 4.0
    summary: ClassVar[str] = "linear support vector machine after Crammer and Singer"

    C: float = parameter(0.1, real(above=0), "penalty of errors")
    tol: float = parameter(
        0.1, real(above=0), "stopping tolerance of LIBLINEAR; very many instances end after 15 sweeps"
    )
    min_count: int = parameter(2, whole(1), "minimum number of occurrences of a feature in training")
    seed: int = parameter(1, whole(0), "random seed of the solver")

    def fit(self, instances: Instances) -> Self:
        """Learn from the instances. Raises CrossarcError for invalid parameters."""
        self.take(instances)
        keys = known_keys(instances, self.min_count)
        if len(self.classes_) == 1:
            return self._learn(keys[:0], np.zeros((0, 1)))
        rows, target, count = feature_rows(instances, keys), instances.target, len(keys)
        if enabled():
            from .crammer_singer import fit_weights  # parsing does not need it

            packed = packed_rows(rows)
            del instances, rows  # the caller may have released the instances, too: they are not needed from here on
            release_memory()
            weights = fit_weights(packed, target, count, self.C, self.tol, self.seed)
            del packed
            two = weights.n_classes == 2  # scikit-learn has one column for both
            return self._learn(keys, np.diff(weights.take(np.arange(count))) * [-1, 1] if two else weights)
        matrix = binary_rows(rows)
        del instances, rows
        release_memory()
        return self._learn(keys, self._with_liblinear(*matrix, target, count))

    def _with_liblinear(
        self, features: NDArray[np.int32], starts: NDArray[np.integer], target: NDArray[np.int32], count: int
    ) -> NDArray[np.float64]:
        """The weights of features for seen classes. features, starts: see :func:`.key_index.binary_rows`."""
        from sklearn.svm import LinearSVC  # slow to import, and parsing does not need it

        from .crammer_singer import most_sweeps

        solver = LinearSVC(
            C=self.C,
            multi_class="crammer_singer",
            dual=True,  # the only choice for this solver; some versions require it explicitly
            tol=self.tol,
            max_iter=most_sweeps(len(target)),
            random_state=self.seed,
            fit_intercept=False,
        )
        matrix = scipy.sparse.csr_matrix((np.ones(len(features)), features, starts), shape=(len(target), count))
        fitted(solver, matrix, target)  # old versions always report that it has not converged
        coefficients = solver.coef_.T
        return (
            np.hstack([-coefficients, coefficients]) if coefficients.shape[1] == 1 else coefficients
        )  # one column for two classes
