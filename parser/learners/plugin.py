"""Any scikit-learn classifier as a learner, named by its import path, saved without pickle."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError, choices
from ..base.parameters import FLAG, TEXT, Allowed, optional, parameter, parameter_values, whole
from ..base.shapes import ANY, Array, Record, expect
from .common import check_instances, seen_classes, spread, taken
from .estimators import CLASSIFIERS, checkable, estimator_class, pack, unpack
from .instances import Instances, feature_matrix, known_keys
from .key_index import KeyIndex
from .learner import Learner

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

__all__ = ["Plugin"]

_FLOOR = 1e-30
_SAMPLE = 256
MAPPING = Allowed(
    "a mapping of names to values",
    lambda value: isinstance(value, Mapping) and all(isinstance(name, str) for name in value),
)


@dataclass(kw_only=True, eq=False)
class Plugin(Learner):
    """A scikit-learn classifier over binary features, as a sparse matrix of float64 (``dense``: an ordinary one).

    Scores are its decision function, else the logarithms of its probabilities, else 1 for the class it predicts. It can
    be used if what it learned is arrays, numbers, strings, lists, dicts and other such estimators; anything else
    (trees, say) is refused when training ends, since it could only be saved by running code. Private attributes that
    cannot be saved are left out, if the classifier scores without them as with them.
    """

    name: ClassVar[str] = "plugin"
    section: ClassVar[Mapping[str, Any]] = {"learner": "plugin"}
    summary: ClassVar[str] = "a classifier of scikit-learn, by its import path"

    estimator: str = parameter("sklearn.naive_bayes.BernoulliNB", TEXT, "the classifier's import path, under sklearn")
    parameters: Mapping[str, Any] | None = parameter(None, optional(MAPPING), "those of the classifier's constructor")
    min_count: int = parameter(2, whole(1), "features that occur less often in training are left out")
    dense: bool = parameter(False, FLAG, "whether the classifier gets an ordinary matrix, which may be large")

    learned: ClassVar[Record] = Record({"n_classes_": whole(1), "model_": ANY})

    def check(self, where: str = "guide") -> None:
        super().check(where)
        from sklearn.base import ClassifierMixin  # takes long to import, and most parsing does without

        kind = estimator_class(self.estimator, where)
        if not issubclass(kind, ClassifierMixin):
            raise CrossarcError(f"{where}.estimator: {self.estimator!r} is no classifier")
        if checkable(kind) is None:
            raise CrossarcError(
                f"{where}.estimator: {self.estimator!r} learns what cannot be checked when a model is loaded; "
                f"allowed: {', '.join(CLASSIFIERS)}"
            )
        given = dict(self.parameters or {})
        allowed = list(inspect.signature(kind).parameters)
        for name in given:
            if name not in allowed:
                raise CrossarcError(f"{where}.parameters: found {choices(name, allowed)}")
        try:
            model = kind(**given)
            if hasattr(model, "_validate_params"):  # what fit begins with
                model._validate_params()
        except (TypeError, ValueError) as error:
            raise CrossarcError(f"{where}.parameters: {_told(error)}") from error

    def memory_needed(self, instances: Instances) -> int:
        if not self.dense:
            return 0
        return len(instances.target) * len(known_keys(instances, self.min_count)) * np.dtype(np.float64).itemsize

    def fit(self, instances: Instances) -> Self:
        self.check()
        check_instances(self.name, instances)
        self.index_ = KeyIndex(np.sort(known_keys(instances, self.min_count)))
        self.classes_ = seen_classes(instances.target)
        self.n_classes_ = instances.n_classes
        self.model_: BaseEstimator | None = None
        if len(self.classes_) == 1:
            return self
        from sklearn.exceptions import ConvergenceWarning

        model = estimator_class(self.estimator)(**dict(self.parameters or {}))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(self._shaped(feature_matrix(instances, self.index_.keys)), instances.target)
        except (TypeError, ValueError) as error:
            raise CrossarcError(f"guide plugin: {self.estimator}: {_told(error)}") from error
        arrays: dict[str, NDArray[Any]] = {}
        tree = pack(model, arrays, self.estimator)
        self.model_ = model
        sample = instances.matrix.decoded(slice(_SAMPLE))
        before = self.scores(sample)
        self._check_rebuilt(tree, arrays, before, sample)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        if self.model_ is None:
            return spread(np.zeros((len(keys), 1)), self.classes_, self.n_classes_)
        if not len(keys):
            return np.empty((0, self.n_classes_), np.float32)
        found = self._asked(self._features(keys))
        scores = np.stack([-found, found], axis=1) if found.ndim == 1 else found
        if scores.shape != (len(keys), len(self.classes_)):
            raise CrossarcError(f"guide plugin: {self.estimator}: scores pairs of classes, not classes")
        return spread(scores, self.classes_, self.n_classes_)

    def _asked(self, features: Any) -> NDArray[Any]:
        """What the classifier says; whatever its code raises over what it has learned is told in one line."""
        model: Any = self.model_
        try:
            if hasattr(model, "decision_function"):
                return np.asarray(model.decision_function(features))
            if hasattr(model, "predict_proba"):
                return np.asarray(np.log(np.maximum(model.predict_proba(features), _FLOOR)))
            return np.asarray(model.predict(features))[:, None] == self.classes_
        except Exception as error:
            raise CrossarcError(f"guide plugin: {self.estimator}: {_told(error)}") from error

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        arrays: dict[str, NDArray[Any]] = {}
        tree = pack(self.model_, arrays, self.estimator)
        values = {**parameter_values(self), "n_classes_": self.n_classes_, "model_": tree}
        values["parameters"] = None if self.parameters is None else dict(self.parameters)
        named = {f"model.{name}": array for name, array in arrays.items()}
        return values, {"kept": self.index_.keys, "classes": self.classes_, **named}

    @classmethod
    def arrays_shape(cls, values: Mapping[str, Any]) -> Mapping[str, Array]:
        return {
            "kept": Array("i", ("features",), least=0, rising=True),
            "classes": Array("i", ("seen",), least=0, below="classes", rising=True, filled=True),
        }

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        guide = cls.with_parameters(values)
        guide.n_classes_ = values["n_classes_"]
        guide.index_, guide.classes_ = KeyIndex(arrays["kept"].astype(np.int64, copy=False)), arrays["classes"]
        guide.model_ = None
        tree = values["model_"]
        expect((tree is None) == (len(guide.classes_) == 1), "model_", "found one of one class, or none of several")
        if tree is not None:
            guide.model_ = guide._unpacked(tree, taken(arrays, "model."))
        return guide

    def _unpacked(self, tree: Any, arrays: Mapping[str, NDArray[Any]]) -> BaseEstimator:
        sizes = {"features": len(self.index_), "seen": len(self.classes_)}
        return unpack(tree, arrays, self.estimator, self.dense, sizes)

    def _check_rebuilt(
        self, tree: Any, arrays: Mapping[str, NDArray[Any]], before: NDArray[np.float32], keys: NDArray[np.int64]
    ) -> None:
        """Go on with the classifier as a file would bring it back; raise CrossarcError if it scores otherwise."""
        try:
            self.model_ = self._unpacked(json.loads(json.dumps(tree)), arrays)
            same = np.array_equal(self.scores(keys), before)
        except CrossarcError:
            same = False
        if not same:
            raise CrossarcError(f"guide plugin: {self.estimator} needs more than can be saved without pickle")

    def _features(self, keys: NDArray[np.int64]) -> Any:
        return self._shaped(self.index_.features(keys))

    def _shaped(self, features: Any) -> Any:
        return features.toarray() if self.dense else features


def _told(error: Exception) -> str:
    """What an error of scikit-learn says, in one line."""
    return " ".join(str(error).split()) or type(error).__name__
