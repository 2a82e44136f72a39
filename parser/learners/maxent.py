"""Maximum entropy: multinomial logistic regression over binary features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..base.parameters import parameter, real, whole
from ..base.shapes import Array, Record
from .common import check_instances, fitted, seen_classes, sorted_contributions, spread, weights_needed
from .instances import Instances, feature_matrix, known_keys
from .learner import Contribution, Indexed

WEIGHT = 4 + 4
"""Bytes of a weight in scikit-learn's solver, and of the sum of its gradients."""


@dataclass(kw_only=True, eq=False)
class MaxEnt(Indexed):
    """Multinomial logistic regression with L2 regularisation, by stochastic average gradients (SAGA).

    Training ends after the last pass, even if it has not converged. It runs in float32; the weights are kept and saved
    as float16.

    Scores are the logarithms of the probabilities, up to a constant for each row.
    Source: Defazio, Bach and Lacoste-Julien (2014) for the solver, as scikit-learn implements it.
    """

    name: ClassVar[str] = "maxent"
    summary: ClassVar[str] = "maximum entropy: multinomial logistic regression"

    C: float = parameter(1.0, real(above=0), "inverse strength of the regularisation")
    max_iter: int = parameter(10, whole(1), "number of passes over the instances")
    tol: float = parameter(0.0001, real(above=0), "stopping tolerance")
    min_count: int = parameter(2, whole(1), "minimum number of occurrences of a feature in training")
    seed: int = parameter(0, whole(0), "random seed of the solver")

    learned: ClassVar[Record] = Record({"n_classes_": whole(1)})
    arrays: ClassVar[Mapping[str, Array]] = {
        "kept": Array("i", ("features",), least=0, rising=True),
        "classes": Array("i", ("seen",), least=0, below="classes", rising=True, filled=True),
        "weights": Array("f", ("features", "seen")),
        "intercept": Array("f", ("seen",)),
    }

    def memory_needed(self, instances: Instances) -> int:
        return weights_needed(instances, self.min_count, WEIGHT)

    def fit(self, instances: Instances) -> Self:
        self.check()
        check_instances(self.name, instances)
        self.n_classes_ = instances.n_classes
        self.kept_ = np.sort(known_keys(instances, self.min_count))
        self.classes_ = seen_classes(instances.target)
        if len(self.classes_) == 1:
            self._set_weights(np.zeros((len(self.index_), 1)), np.zeros(1))
            return self
        features = feature_matrix(instances, self.index_.keys, np.float32)
        from sklearn.linear_model import LogisticRegression  # slow to import; parsing does not need it

        solver = LogisticRegression(
            solver="saga", C=self.C, max_iter=self.max_iter, tol=self.tol, random_state=self.seed
        )
        fitted(solver, features, instances.target)
        weights, intercept = solver.coef_.T, solver.intercept_
        if len(self.classes_) == 2:
            weights, intercept = np.hstack([0 * weights, weights]), np.append(0, intercept)
        self._set_weights(weights, intercept)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        features = self.index_.features(keys, np.float32)
        return spread(features @ self._weights + self.intercept_, self.classes_, self.n_classes_)

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        slots, rows = self.index_.present(keys)
        first, second = np.searchsorted(self.classes_, [winner, rival])
        weights = self._weights[rows].astype(np.float64)
        return sorted_contributions([(int(slot),) for slot in slots], weights[:, first] - weights[:, second])

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self._set_weights(arrays["weights"], arrays["intercept"])

    def _set_weights(self, weights: NDArray[Any], intercept: NDArray[Any]) -> None:
        self.weights_ = np.ascontiguousarray(weights, np.float16)
        self._weights = self.weights_.astype(np.float32)
        self.intercept_ = np.asarray(intercept, np.float32)
