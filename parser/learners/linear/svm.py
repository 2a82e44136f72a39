"""The linear support vector machine, multi-class after Crammer & Singer (2001); LIBLINEAR's solver -s 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.compiling import enabled
from ...base.parameters import parameter, real, whole
from ..common import fitted
from ..instances import Instances, feature_rows, known_keys, release_memory
from ..key_index import binary_rows
from .model import LinearModel

if TYPE_CHECKING:
    from .crammer_singer import Rows


@dataclass(kw_only=True, eq=False)
class LinearSVM(LinearModel):
    """Crammer-Singer multi-class linear SVM on binary features.

    Training aims at margins of 1. ``sharpness`` is the whole number for which confidences come closest to the share of
    correct transitions (mean error 0.01 to 0.02 on English-EWT with C 0.03 and 0.1).
    """

    name: ClassVar[str] = "svm"
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
        rows, target = binary_rows(feature_rows(instances, keys)), instances.target
        del instances  # the caller may have released the instances, too: they are not needed from here on
        release_memory()
        return self._learn(keys, self._weights(*rows, target, len(keys)))

    def _weights(
        self, features: NDArray[np.int32], starts: NDArray[np.integer], target: NDArray[np.int32], count: int
    ) -> NDArray[np.float64] | Rows:
        """The weights of features for seen classes. features, starts: see :func:`.key_index.binary_rows`."""
        from .crammer_singer import fit_weights, most_sweeps  # parsing does not need it

        if enabled():
            weights = fit_weights(features, starts, target, count, self.C, self.tol, self.seed)
            if weights.n_classes > 2:
                return weights
            return np.diff(weights.take(np.arange(count))) * [-1, 1]  # as scikit-learn has two classes
        from sklearn.svm import LinearSVC  # slow to import, and parsing does not need it

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
