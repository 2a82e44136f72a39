"""The linear support vector machine, multi-class after Crammer & Singer (2001), as LIBLINEAR's solver -s 4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..schema.parameters import parameter, real, whole
from .common import check_instances, seen_classes
from .key_index import KeyIndex, known_keys
from .learner import Instances
from .linear_model import LinearModel

__all__ = ["LinearSVM"]


@dataclass(kw_only=True, eq=False)
class LinearSVM(LinearModel):
    """Crammer-Singer multi-class linear SVM on binary features.

    Margins of 1 and below are what is trained for; ``sharpness`` is, of whole numbers, the one with which confidences
    come nearest to the share of right transitions (mean error 0.01 to 0.02 on English-EWT with C 0.03 and 0.1).
    """

    name: ClassVar[str] = "svm"
    section: ClassVar[Mapping[str, Any]] = {"learner": "svm", "kernel": "linear"}
    sharpness: ClassVar[float] = 4.0
    summary: ClassVar[str] = "linear support vector machine after Crammer and Singer"

    C: float = parameter(0.1, real(above=0), "the penalty of errors")
    tol: float = parameter(0.1, real(above=0), "LIBLINEAR's stopping tolerance")
    max_iter: int = parameter(1000, whole(1), "at most so many passes over the instances")
    min_count: int = parameter(2, whole(1), "features that occur less often in training are left out")
    seed: int = parameter(1, whole(0), "of the solver's shuffling")

    def fit(self, instances: Instances) -> Self:
        """Raises CrossarcError for parameters that make no sense."""
        self.check()
        check_instances(self.name, instances)
        keys = known_keys(instances, self.min_count)
        self.slots_ = instances.slots
        self.n_classes_ = instances.n_classes
        self.index_ = KeyIndex(keys, instances.slots)
        self.classes_ = seen_classes(instances.target)
        if len(self.classes_) == 1:
            return self._learn(keys[:0], np.zeros((0, 1)))
        features = self.index_.features(instances.keys)
        from sklearn.svm import LinearSVC  # takes long to import, and parsing does without

        solver = LinearSVC(
            C=self.C,
            multi_class="crammer_singer",
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.seed,
            fit_intercept=False,
        )
        solver.fit(features, instances.target)
        coefficients = solver.coef_
        if len(coefficients) == 1:  # scikit-learn keeps one row for two classes
            coefficients = np.stack([-coefficients[0], coefficients[0]])
        return self._learn(keys, coefficients.T)
