"""Classifiers of scikit-learn, named by their import path, and own classes with ``fit`` and ``predict`` as learners."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ....transitions import plugins
from ...base.errors import CrossarcError, UnknownPartError, check_names
from ...base.parameters import FLAG, TEXT, Allowed, optional, parameter, shown, whole
from ...base.shapes import Array
from ...learners.common import fitted, frequency_rank, spread
from ...learners.instances import Instances, feature_matrix, known_keys
from ...learners.key_index import known_features
from ...learners.learner import Learner
from ...learners.linear.model import LinearModel
from ...learners.linear.weights import SparseWeights, rows_at_a_time
from .packing import packed, unpacked

SCORES = ("decision_function", "predict_joint_log_proba")
"""The methods whose scores may be sums of weights."""
METHODS = ("predict", "predict_proba", "decision_function")
"""The methods that a classifier which is not linear is asked for, by their numbers in model files."""
SAMPLE = 256
"""Number of instances whose scores are compared."""
AGREEMENT, PRECISION = 0.99, 0.01
"""Minimum share of instances with equal classes; maximum difference of scores, as a share of their range."""
OF_CLASSES = 0.9
"""Minimum share of instances whose best class by a method is the predicted one. Scores of pairs of classes, of which
there may be as many as classes, and of classes in another order have far less; probabilities that were fitted apart
from the decisions have more."""
LEAST = np.finfo(np.float32).tiny
"""The least probability, whose logarithm is a score."""
MAPPING = Allowed(
    "a mapping of names to values",
    lambda value: isinstance(value, Mapping) and all(isinstance(name, str) for name in value),
)


def _shaped(features: scipy.sparse.csr_matrix, dense: bool) -> Any:
    return features.toarray() if dense else features


@dataclass(kw_only=True, eq=False)
class Plugin(LinearModel):
    """A classifier of scikit-learn, or an own class with ``fit`` and ``predict``, over binary features.

    The classifier gets a sparse matrix of float64, or with ``dense`` an array, and class numbers (int32). If its scores
    are sums over features, as in linear classifiers and naive Bayes, the weights are computed from its scores for each
    feature alone, and parsing is as fast as with an SVM. Any other classifier is asked for each decision: for
    ``predict_proba``, else for ``decision_function``, else for ``predict``. A parameter ``random_state`` is 0 unless it
    is given. The scores of a method are those of the classes only if they agree with ``predict``.

    ``_model`` is a classifier that is not linear, None for others, and ``_method`` what it is asked for. Its model file
    has the features without weights, and the ranks of the classes by frequency instead of the bias.
    """

    name: ClassVar[str] = "plugin"
    arrays: ClassVar[Mapping[str, Array]] = {
        **LinearModel.arrays,
        "structure": Array("i", ("bytes of structure",), least=0, below=256),
        "numbers": Array("i", ("bytes of numbers",), least=0, below=256),
        "method": Array("i", (), least=0, below=len(METHODS)),
    }
    summary: ClassVar[str] = "any classifier of scikit-learn, by its import path; also own classes"

    estimator: str = parameter(
        "sklearn.naive_bayes.BernoulliNB", TEXT, "import path of the classifier, or the name of an own one"
    )
    parameters: Mapping[str, Any] | None = parameter(
        None, optional(MAPPING), "arguments of the classifier's constructor"
    )
    min_count: int = parameter(2, whole(1), "minimum number of occurrences of a feature in training")
    seed: int | None = parameter(None, optional(whole(0)), "value of its argument random_state or seed, if it has one")
    dense: bool = parameter(False, FLAG, "whether the classifier gets a dense matrix, which may be large")

    def __post_init__(self) -> None:
        self._model: Any = None
        self._method = "predict"

    @property
    def is_linear(self) -> bool:
        return self._model is None

    def check(self, where: str = "guide") -> None:
        super().check(where)
        allowed = inspect.signature(_estimator_class(self.estimator, where)).parameters
        if not any(argument.kind is argument.VAR_KEYWORD for argument in allowed.values()):
            check_names(f"{where}.parameters: found", self.parameters or {}, allowed)
        try:
            model = self._made()
            if hasattr(model, "_validate_params"):  # fit begins with this
                model._validate_params()
        except (TypeError, ValueError) as error:
            raise CrossarcError(f"{where}.parameters: {_told(error)}") from error

    def _made(self) -> Any:
        kind = _estimator_class(self.estimator)
        seeds = {"random_state": self.seed or 0} | ({} if self.seed is None else {"seed": self.seed})
        seeded = {name: seed for name, seed in seeds.items() if name in inspect.signature(kind).parameters}
        return kind(**{**seeded, **(self.parameters or {})})

    def fit(self, instances: Instances) -> Self:
        """Learn from the instances. Raises CrossarcError for invalid parameters, and for a classifier that fails."""
        self.take(instances)
        keys = np.sort(known_keys(instances, self.min_count))
        self._model = None
        if len(self.classes_) == 1:
            return self._learn(keys[:0], np.zeros((0, 1)))
        model, features = self._made(), feature_matrix(instances, keys)
        try:
            fitted(model, _shaped(features, self.dense), instances.target)
            if self._learn_sums(model, keys, features[:SAMPLE], instances):
                return self
            self._method = self._method_of_classes(model, METHODS[1:], features[:SAMPLE], OF_CLASSES) or METHODS[0]
        except (TypeError, ValueError) as error:
            remedy = "" if self.dense else "; with guide.dense=true it gets an array"
            raise CrossarcError(f"guide plugin: {self.estimator}: {_told(error)}{remedy}") from error
        self.bias_ = -frequency_rank(np.bincount(instances.target, minlength=self.n_classes_))
        self.scale_ = 1.0
        nothing = np.zeros(len(keys) + 1, np.int64), np.zeros(0, np.uint16), np.zeros(0, np.int16)
        self.with_weights(SparseWeights(keys, *nothing))
        self._model = model
        sample = instances.matrix.decoded(slice(SAMPLE))
        scores = self.scores(sample)
        self._model = unpacked(packed(model, _own_classes(), self.estimator), _own_classes())
        if not np.array_equal(self.scores(sample), scores):
            raise CrossarcError(f"guide plugin: {self.estimator}: it decides otherwise after it was saved")
        return self

    def _learn_sums(
        self, model: Any, keys: NDArray[np.int64], features: scipy.sparse.csr_matrix, instances: Instances
    ) -> bool:
        """Learn the weights of the classifier if its scores are sums of them, also after they are rounded.

        features: those of the first instances, for which the scores are compared
        """
        method = self._method_of_classes(model, SCORES, features, AGREEMENT)
        if method is None:
            return False
        expected = self._class_scores(model, method, features)
        columns = np.unique(features.indices)
        weights, bias = self._weights(model, method, columns, features.shape[1])
        if not _alike(features[:, columns] @ weights + bias, expected):
            return False
        self._learn(keys, *self._weights(model, method, np.arange(len(keys)), len(keys)))
        rounded = self.scores(instances.matrix.decoded(slice(SAMPLE)))
        return _alike(rounded[:, self.classes_].astype(np.float64), expected)

    def _method_of_classes(
        self, model: Any, names: Sequence[str], features: scipy.sparse.csr_matrix, least: float
    ) -> str | None:
        """The first of some methods whose scores are those of the seen classes. least: see :data:`OF_CLASSES`."""
        predicted = np.asarray(model.predict(_shaped(features, self.dense)))
        for name in filter(partial(hasattr, model), names):
            scores = self._class_scores(model, name, features)
            if scores.shape != (len(predicted), len(self.classes_)):
                continue
            if np.mean(self.classes_[scores.argmax(axis=1)] == predicted) >= least:
                return name
        return None

    def _class_scores(self, model: Any, name: str, features: scipy.sparse.csr_matrix) -> NDArray[np.float64]:
        """What a method gives, (rows, scores), in the order of the classes."""
        scores = np.asarray(getattr(model, name)(_shaped(features, self.dense)), dtype=np.float64)
        scores = np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores
        order = np.argsort(getattr(model, "classes_", self.classes_))
        return scores[:, order] if scores.shape[1] == len(order) else scores

    def _weights(
        self, model: Any, method: str, columns: NDArray[np.integer], count: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(weights, (columns, seen classes); intercepts, (seen classes,)). count: number of all columns."""
        bias = self._class_scores(model, method, scipy.sparse.csr_matrix((1, count)))[0]
        weights = np.empty((len(columns), len(bias)))
        step = rows_at_a_time(count if self.dense else len(bias))
        for start in range(0, len(columns), step):
            numbers = columns[start : start + step]
            alone = scipy.sparse.csr_matrix(
                (np.ones(len(numbers)), (np.arange(len(numbers)), numbers)), shape=(len(numbers), count)
            )
            weights[start : start + step] = self._class_scores(model, method, alone) - bias
        return weights, bias

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """See :meth:`.learner.Learner.scores`. A classifier that is not linear gives logarithms of probabilities,
        decision values, or 0 for the predicted class and numbers below -1 by frequency for others.
        """
        if self._model is None or not len(keys):
            return super().scores(keys)
        features = known_features(self.sparse.keys, keys)
        if self._method != "predict":
            scores = self._class_scores(self._model, self._method, features)
            scores = np.log(np.maximum(scores, LEAST)) if self._method == "predict_proba" else scores
            return spread(scores, self.classes_, self.n_classes_)
        chosen = np.asarray(self._model.predict(_shaped(features, self.dense)))
        scores = np.tile(-1 + self.bias_[self.classes_] / self.n_classes_, (len(keys), 1))
        scores[chosen[:, None] == self.classes_] = 0
        return spread(scores, self.classes_, self.n_classes_)

    def learned(self) -> dict[str, NDArray[Any]]:
        nothing = np.zeros(0, np.uint8)
        model = {"structure": nothing, "numbers": nothing}
        if self._model is not None:
            model = packed(self._model, _own_classes(), self.estimator)
        return super().learned() | model | {"method": np.array(METHODS.index(self._method))}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        self._method = METHODS[int(arrays["method"])]
        if not len(arrays["structure"]):
            return
        try:
            _estimator_class(self.estimator)
        except CrossarcError as error:
            raise UnknownPartError(f"needs a learner that is not registered: {self.estimator}") from error
        self._model = unpacked(arrays, _own_classes())


def _alike(scores: NDArray[np.float64], expected: NDArray[np.float64]) -> bool:
    """Whether scores (rows, classes) decide as they should; what is added to all classes of a row does not matter."""
    same = float((scores.argmax(axis=1) == expected.argmax(axis=1)).mean())
    difference = scores - expected
    difference -= difference.mean(axis=1, keepdims=True)
    return same >= AGREEMENT and float(np.abs(difference).max()) <= PRECISION * float(np.ptp(expected))


def _own_classes() -> dict[str, type]:
    return {name: kind for name, kind in plugins.added("learners").items() if not issubclass(kind, Learner)}


def _estimator_class(path: str, where: str = "guide") -> type:
    """Return the classifier of scikit-learn at an import path, or the own class of a name.

    where: section of the config, for messages

    Raises CrossarcError for any other path.
    """
    if path in (classes := _own_classes()):
        return classes[path]
    from sklearn.base import BaseEstimator, ClassifierMixin  # slow to import; parsing does not need it

    module, _, name = str(path).rpartition(".")
    if module.split(".")[0] != "sklearn":
        known = "".join(f", {known}" for known in classes)
        raise CrossarcError(
            f"{where}.estimator: found {shown(path)}; allowed: an import path under sklearn.{known}; "
            "crossarc.register_learner registers own classes"
        )
    try:
        member = getattr(import_module(module), name, None)
    except (ImportError, ValueError):
        member = None
    if not (
        isinstance(member, type) and issubclass(member, BaseEstimator) and member.__module__.startswith("sklearn.")
    ):
        raise CrossarcError(f"{where}.estimator: scikit-learn has no estimator {shown(path)}")
    if not issubclass(member, ClassifierMixin):
        raise CrossarcError(f"{where}.estimator: {path!r} is not a classifier")
    return member


def _told(error: Exception) -> str:
    """The message of a classifier's error on one line."""
    return " ".join(str(error).split()) or type(error).__name__
