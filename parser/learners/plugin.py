"""Linear classifiers of scikit-learn as learners, named by their import path; models store only their weights."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ..base.errors import CrossarcError, choices
from ..base.parameters import FLAG, TEXT, Allowed, optional, parameter, shown, whole
from ..base.shapes import Array
from .common import fitted, weights_needed
from .instances import Instances, feature_matrix, known_keys
from .linear.model import LinearModel, rows_at_a_time

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

SCORES = ("decision_function", "predict_joint_log_proba")
"""The methods whose scores may be sums of weights."""
ITEM = np.dtype(np.float64).itemsize
LARGEST_BIAS = 2**23
SAMPLE = 256
"""Number of instances whose scores are compared."""
AGREEMENT, PRECISION = 0.99, 0.01
"""Minimum share of instances with equal classes; maximum difference of scores, as a share of their range."""
MAPPING = Allowed(
    "a mapping of names to values",
    lambda value: isinstance(value, Mapping) and all(isinstance(name, str) for name in value),
)


@dataclass(kw_only=True, eq=False)
class Plugin(LinearModel):
    """A linear classifier of scikit-learn over binary features.

    The classifier gets a sparse matrix of float64, or with ``dense`` an array. Its weights are computed from its scores
    for each feature alone; naive Bayes is linear in this sense too. Raises CrossarcError at the end of training if its
    scores are not sums over features.
    """

    name: ClassVar[str] = "plugin"
    section: ClassVar[Mapping[str, Any]] = {"learner": "plugin"}
    arrays: ClassVar[Mapping[str, Array]] = {
        **LinearModel.arrays,
        "bias": Array("i", ("classes",), least=-LARGEST_BIAS, below=LARGEST_BIAS + 1),
    }
    summary: ClassVar[str] = "a linear classifier of scikit-learn, by its import path"

    estimator: str = parameter(
        "sklearn.naive_bayes.BernoulliNB", TEXT, "import path of the classifier, beginning with sklearn"
    )
    parameters: Mapping[str, Any] | None = parameter(
        None, optional(MAPPING), "arguments of the classifier's constructor"
    )
    min_count: int = parameter(2, whole(1), "minimum number of occurrences of a feature in training")
    dense: bool = parameter(False, FLAG, "whether the classifier gets a dense matrix, which may be large")

    def check(self, where: str = "guide") -> None:
        super().check(where)
        kind = _estimator_class(self.estimator, where)
        if not any(hasattr(kind, name) for name in SCORES):
            raise CrossarcError(
                f"{where}.estimator: {self.estimator!r} is not a linear classifier; "
                "choose one, such as sklearn.linear_model.LogisticRegression"
            )
        given = dict(self.parameters or {})
        allowed = list(inspect.signature(kind).parameters)
        for name in given:
            if name not in allowed:
                raise CrossarcError(f"{where}.parameters: found {choices(name, allowed)}")
        try:
            model = kind(**given)
            if hasattr(model, "_validate_params"):  # fit begins with this
                model._validate_params()
        except (TypeError, ValueError) as error:
            raise CrossarcError(f"{where}.parameters: {_told(error)}") from error

    def memory_needed(self, instances: Instances) -> int:
        weights = weights_needed(instances, self.min_count, ITEM)
        dense = len(instances.target) * len(known_keys(instances, self.min_count)) * ITEM if self.dense else 0
        return weights + dense

    def fit(self, instances: Instances) -> Self:
        """Learn from the instances. Raises CrossarcError for invalid parameters or a non-linear classifier."""
        keys = np.sort(self._take(instances, self.min_count))
        if len(self.classes_) == 1:
            self.bias_ = np.zeros(self.n_classes_, dtype=np.int32)
            return self._learn(keys[:0], np.zeros((0, 1)))
        model = _estimator_class(self.estimator)(**dict(self.parameters or {}))
        features = feature_matrix(instances, keys)
        try:
            fitted(model, self._shaped(features), instances.target)
            weights, bias = self._exported(model, len(keys))
            expected = self._asked(model, features[:SAMPLE])
        except (TypeError, ValueError) as error:
            raise CrossarcError(f"guide plugin: {self.estimator}: {_told(error)}") from error
        self._learn(keys, weights)
        centred = np.round((bias - bias.mean()) / self.scale_)
        self.bias_ = np.zeros(self.n_classes_, dtype=np.int32)
        self.bias_[self.classes_] = np.clip(centred, -LARGEST_BIAS, LARGEST_BIAS)
        self._compare(expected - bias.mean(), instances)
        return self

    def _exported(self, model: BaseEstimator, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(weights, (features, seen classes); intercepts, (seen classes,)) of the fitted classifier."""
        nothing = scipy.sparse.csr_matrix((1, count))
        bias = self._asked(model, nothing)[0]
        if bias.shape != self.classes_.shape:
            raise ValueError("its scores are for pairs of classes; choose a classifier with one score per class")
        weights = np.empty((count, len(bias)))
        alone = scipy.sparse.identity(count, format="csr")
        step = rows_at_a_time(count if self.dense else len(bias))
        for start in range(0, count, step):
            weights[start : start + step] = self._asked(model, alone[start : start + step]) - bias
        return weights, bias

    def _asked(self, model: Any, features: scipy.sparse.csr_matrix) -> NDArray[np.float64]:
        """The scores of the seen classes, (rows, seen classes)."""
        name = next(name for name in SCORES if hasattr(model, name))
        found = np.asarray(getattr(model, name)(self._shaped(features)), dtype=np.float64)
        return np.stack([-found, found], axis=1) if found.ndim == 1 else found

    def _shaped(self, features: scipy.sparse.csr_matrix) -> Any:
        return features.toarray() if self.dense else features

    def _compare(self, expected: NDArray[np.float64], instances: Instances) -> None:
        found = self.scores(instances.matrix.decoded(slice(SAMPLE)))[:, self.classes_]
        apart = float(np.abs(found - expected).max())
        same = float((found.argmax(axis=1) == expected.argmax(axis=1)).mean())
        if same < AGREEMENT or apart > PRECISION * float(np.ptp(expected)):
            raise CrossarcError(
                f"guide plugin: {self.estimator}: its scores are not sums of weights of features; "
                "allowed: linear classifiers and naive Bayes"
            )

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values, arrays = super().state()
        values["parameters"] = None if self.parameters is None else dict(self.parameters)
        return values, arrays


def _estimator_class(path: str, where: str = "guide") -> type[BaseEstimator]:
    """Return the scikit-learn classifier at an import path. Raises CrossarcError for any other path.

    where: section of the config, for messages
    """
    from sklearn.base import BaseEstimator, ClassifierMixin  # slow to import; parsing does not need it

    module, _, name = str(path).rpartition(".")
    if module.split(".")[0] != "sklearn":
        raise CrossarcError(f"{where}.estimator: found {shown(path)}; allowed: an import path under sklearn.")
    try:
        found = getattr(import_module(module), name, None)
    except (ImportError, ValueError):
        found = None
    if not (isinstance(found, type) and issubclass(found, BaseEstimator) and found.__module__.startswith("sklearn.")):
        raise CrossarcError(f"{where}.estimator: scikit-learn has no estimator {shown(path)}")
    if not issubclass(found, ClassifierMixin):
        raise CrossarcError(
            f"{where}.estimator: {path!r} is not a classifier; choose a linear classifier or naive Bayes"
        )
    return found


def _told(error: Exception) -> str:
    """The message of a scikit-learn error on one line."""
    return " ".join(str(error).split()) or type(error).__name__
