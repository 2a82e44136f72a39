"""Maximum entropy: multinomial logistic regression over binary features."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from .binary import binary_matrix, feature_rows, kept_keys, present_features
from .common import check_instances, check_positive, seen_classes, sorted_contributions, spread
from .learner import Contribution, Instances, Learner

__all__ = ["MaxEnt"]

_PARAMETERS = ("C", "max_iter", "tol", "min_count", "seed")


class MaxEnt(Learner):
    """Multinomial logistic regression with L2 regularisation, by stochastic average gradients (SAGA).

    ``C`` is the inverse strength of the regularisation; ``max_iter`` the number of passes over the instances (the
    weights are used as they are then, converged or not); keys seen fewer than ``min_count`` times are dropped.
    Training runs in float32. The weights are kept as float16, which is how they are saved too.

    Scores are the logarithms of the probabilities but for a constant of the row.
    Source: Defazio, Bach and Lacoste-Julien (2014) for the solver, as scikit-learn implements it.
    """

    name: ClassVar[str] = "maxent"

    def __init__(
        self, *, C: float = 1.0, max_iter: int = 10, tol: float = 0.0001, min_count: int = 2, seed: int = 0
    ) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.min_count = min_count
        self.seed = seed

    def fit(self, instances: Instances) -> Self:
        check_instances(self.name, instances)
        check_positive(
            self.name, {"C": self.C, "max_iter": self.max_iter, "tol": self.tol, "min_count": self.min_count}
        )
        self.n_classes_ = instances.n_classes
        self.kept_ = kept_keys(instances.keys, self.min_count)
        self.classes_ = seen_classes(instances.target)
        if len(self.classes_) == 1 or not len(self.kept_):
            self._set_weights(np.zeros((len(self.kept_), len(self.classes_))), np.zeros(len(self.classes_)))
            return self
        features = binary_matrix(feature_rows(instances.keys, self.kept_), len(self.kept_), np.float32)
        solver = LogisticRegression(
            solver="saga", C=self.C, max_iter=self.max_iter, tol=self.tol, random_state=self.seed
        )
        matrix = sparse.csr_matrix((features.data, features.indices, features.indptr), shape=features.shape)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            solver.fit(matrix, instances.target)
        weights, intercept = solver.coef_.T, solver.intercept_
        if len(self.classes_) == 2:
            weights, intercept = np.hstack([0 * weights, weights]), np.append(0, intercept)
        self._set_weights(weights, intercept)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        features = binary_matrix(feature_rows(keys, self.kept_), len(self.kept_), np.float32)
        return spread(features @ self._weights + self.intercept_, self.classes_, self.n_classes_)

    def probabilities(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, n_classes): P(class | configuration); a row sums to 1, classes without instances have 0."""
        scores = self.scores(keys)
        exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
        total: NDArray[np.float32] = exponentials / exponentials.sum(axis=1, keepdims=True)
        return total

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        slots, rows = present_features(keys, self.kept_)
        first, second = np.searchsorted(self.classes_, [winner, rival])
        weights = self._weights[rows].astype(np.float64)
        return sorted_contributions([(int(slot),) for slot in slots], weights[:, first] - weights[:, second])

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values: dict[str, Any] = {name: getattr(self, name) for name in _PARAMETERS}
        values["n_classes_"] = self.n_classes_
        return values, {
            "kept": self.kept_,
            "classes": self.classes_,
            "weights": self.weights_,
            "intercept": self.intercept_,
        }

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        guide = cls(**{name: values[name] for name in _PARAMETERS})
        guide.n_classes_ = values["n_classes_"]
        guide.kept_, guide.classes_ = arrays["kept"], arrays["classes"]
        guide._set_weights(arrays["weights"], arrays["intercept"])
        return guide

    def _set_weights(self, weights: NDArray[Any], intercept: NDArray[Any]) -> None:
        self.weights_ = np.ascontiguousarray(weights, np.float16)
        self._weights = self.weights_.astype(np.float32)
        self.intercept_ = np.asarray(intercept, np.float32)
