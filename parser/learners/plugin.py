"""Any scikit-learn classifier as a learner, named by its import path, saved without pickle."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..errors import CrossarcError, choices
from ..parameters import FLAG, TEXT, Allowed, optional, parameter, parameter_values, shown, whole
from .common import check_instances, loaded_csr, seen_classes, spread, taken
from .key_index import KeyIndex, known_keys
from .learner import Instances, Learner

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

__all__ = ["Plugin"]

_FLOOR = 1e-30
_SAMPLE = 256
_SCALARS = (bool, int, float, str, type(None))
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

    def check(self, where: str = "guide") -> None:
        super().check(where)
        from sklearn.base import ClassifierMixin  # takes long to import, and most parsing does without

        kind = estimator_class(self.estimator, where)
        if not issubclass(kind, ClassifierMixin):
            raise CrossarcError(f"{where}.estimator: {self.estimator!r} is no classifier")
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
        return instances.keys.shape[0] * len(known_keys(instances, self.min_count)) * np.dtype(np.float64).itemsize

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
                model.fit(self._features(instances.keys), instances.target)
        except (TypeError, ValueError) as error:
            raise CrossarcError(f"guide plugin: {self.estimator}: {_told(error)}") from error
        arrays: dict[str, NDArray[Any]] = {}
        tree = _pack(model, arrays, self.estimator)
        self.model_ = model
        sample = instances.keys[:_SAMPLE]
        before = self.scores(sample)
        self._check_rebuilt(tree, arrays, before, sample)
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        if self.model_ is None:
            return spread(np.zeros((len(keys), 1)), self.classes_, self.n_classes_)
        if not len(keys):
            return np.empty((0, self.n_classes_), np.float32)
        features = self._features(keys)
        if hasattr(self.model_, "decision_function"):
            scores = np.asarray(self.model_.decision_function(features))
            if scores.ndim == 1:
                scores = np.stack([-scores, scores], axis=1)
        elif hasattr(self.model_, "predict_proba"):
            scores = np.log(np.maximum(self.model_.predict_proba(features), _FLOOR))
        else:
            scores = np.asarray(self.model_.predict(features))[:, None] == self.classes_
        if scores.shape[1] != len(self.classes_):
            raise CrossarcError(f"guide plugin: {self.estimator}: scores pairs of classes, not classes")
        return spread(scores, self.classes_, self.n_classes_)

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        arrays: dict[str, NDArray[Any]] = {}
        tree = _pack(self.model_, arrays, self.estimator)
        values = {**parameter_values(self), "n_classes_": self.n_classes_, "model_": tree}
        values["parameters"] = None if self.parameters is None else dict(self.parameters)
        named = {f"model.{name}": array for name, array in arrays.items()}
        return values, {"kept": self.index_.keys, "classes": self.classes_, **named}

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        guide = cls.with_parameters(values)
        guide.n_classes_ = values["n_classes_"]
        guide.index_, guide.classes_ = KeyIndex(arrays["kept"]), arrays["classes"]
        guide.model_ = _unpack(values["model_"], taken(arrays, "model."))
        return guide

    def _check_rebuilt(
        self, tree: Any, arrays: Mapping[str, NDArray[Any]], before: NDArray[np.float32], keys: NDArray[np.int64]
    ) -> None:
        """Go on with the classifier as a file would bring it back; raise CrossarcError if it scores otherwise."""
        try:
            self.model_ = _unpack(json.loads(json.dumps(tree)), arrays)
            same = np.array_equal(self.scores(keys), before)
        except (AttributeError, TypeError, ValueError):
            same = False
        if not same:
            raise CrossarcError(f"guide plugin: {self.estimator} needs more than can be saved without pickle")

    def _features(self, keys: NDArray[np.int64]) -> Any:
        features = self.index_.features(keys)
        return features.toarray() if self.dense else features


def estimator_class(path: str, where: str = "guide") -> type[BaseEstimator]:
    """The scikit-learn estimator of that import path; CrossarcError for any other. where: the section that names it."""
    from sklearn.base import BaseEstimator  # takes long to import, and most parsing does without

    module, _, name = str(path).rpartition(".")
    if module.split(".")[0] != "sklearn":
        raise CrossarcError(f"{where}.estimator: found {shown(path)}; allowed: an import path under sklearn.")
    try:
        found = getattr(import_module(module), name, None)
    except (ImportError, ValueError):
        found = None
    if not (isinstance(found, type) and issubclass(found, BaseEstimator) and found.__module__.startswith("sklearn.")):
        raise CrossarcError(f"{where}.estimator: scikit-learn has no estimator {shown(path)}")
    return found


def _pack(value: Any, arrays: dict[str, NDArray[Any]], where: str) -> Any:
    """The value as JSON, its arrays aside under numbers."""
    if isinstance(value, np.generic) and not isinstance(value, np.void | np.object_):
        return {"scalar": _aside(np.asarray(value), arrays)}
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufcSU":
        return {"array": _aside(value, arrays)} | ({} if value.ndim else {"shape": []})
    if sparse.issparse(value) and value.format == "csr":
        parts = [_aside(part, arrays) for part in (value.data, value.indices, value.indptr)]
        return {"csr": parts, "shape": list(value.shape)}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [_pack(item, arrays, where) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: _pack(item, arrays, f"{where}.{key}") for key, item in value.items()}}
    from sklearn.base import BaseEstimator

    kind = type(value)
    if isinstance(value, BaseEstimator) and kind.__module__.startswith("sklearn.") and hasattr(value, "__dict__"):
        inner = {}
        for key, item in vars(value).items():
            try:
                inner[key] = _pack(item, arrays, f"{where}.{key}")
            except CrossarcError:
                if not key.startswith("_"):
                    raise
        return {"estimator": f"{kind.__module__}.{kind.__qualname__}", "attributes": inner}
    raise CrossarcError(
        f"guide plugin: {where} is a {kind.__name__}, which cannot be saved without pickle; allowed: classifiers that "
        "learn arrays, numbers, strings, lists and dicts"
    )


def _aside(array: NDArray[Any], arrays: dict[str, NDArray[Any]]) -> str:
    """Put an array aside, contiguous as a file keeps it: one without dimensions gets one there."""
    name = str(len(arrays))
    arrays[name] = np.ascontiguousarray(array)
    return name


def _told(error: Exception) -> str:
    """What an error of scikit-learn says, in one line."""
    return " ".join(str(error).split())


def _unpack(tree: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    if isinstance(tree, _SCALARS):
        return tree
    if "scalar" in tree:
        return arrays[tree["scalar"]].reshape(())[()]
    if "array" in tree:
        return arrays[tree["array"]].reshape(tree["shape"]) if "shape" in tree else arrays[tree["array"]]
    if "csr" in tree:
        return sparse.csr_matrix(loaded_csr((arrays[name] for name in tree["csr"]), tuple(tree["shape"])))
    if "list" in tree:
        return [_unpack(item, arrays) for item in tree["list"]]
    if "tuple" in tree:
        return tuple(_unpack(item, arrays) for item in tree["tuple"])
    if "dict" in tree:
        return {key: _unpack(item, arrays) for key, item in tree["dict"].items()}
    kind = estimator_class(tree["estimator"])
    result = object.__new__(kind)
    vars(result).update({key: _unpack(item, arrays) for key, item in tree["attributes"].items()})
    return result
