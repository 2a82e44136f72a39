"""Maximum entropy: multinomial logistic regression over binary features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ..base.parameters import parameter, real, whole
from .common import fitted
from .instances import Instances, feature_matrix, known_keys
from .linear.model import LinearModel


@dataclass(kw_only=True, eq=False)
class MaxEnt(LinearModel):
    """Multinomial logistic regression with L2 regularisation, by stochastic average gradients (SAGA).

    Training ends after the last pass, even if it has not converged. It runs in float32.

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

    def fit(self, instances: Instances) -> Self:
        """Learn from the instances. Raises CrossarcError for invalid parameters."""
        self.take(instances)
        keys = np.sort(known_keys(instances, self.min_count))
        if len(self.classes_) == 1:
            return self._learn(keys[:0], np.zeros((0, 1)))
        from sklearn.linear_model import LogisticRegression  # slow to import; parsing does not need it

        solver = LogisticRegression(
            solver="saga", C=self.C, max_iter=self.max_iter, tol=self.tol, random_state=self.seed
        )
        fitted(solver, feature_matrix(instances, keys, np.float32), instances.target)
        weights, intercept = solver.coef_.T, solver.intercept_
        if len(self.classes_) == 2:
            weights, intercept = np.hstack([0 * weights, weights]), np.append(0, intercept)
        return self._learn(keys, weights, intercept)
