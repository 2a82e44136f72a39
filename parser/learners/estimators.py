"""Fitted scikit-learn classifiers as JSON values and arrays, and back: only those whose contents can be checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ..base.errors import CrossarcError, UnknownPartError
from ..base.parameters import shown
from ..base.shapes import Array, ShapeError, Sizes, check_arrays, expect, within
from .common import loaded_csr

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

__all__ = ["CLASSIFIERS", "checkable", "estimator_class", "pack", "unpack"]

_SCALARS = (bool, int, float, str, type(None))

LINEAR = {"coef_": Array("f", ("scores", "features")), "intercept_": Array("f", ("scores",))}
NAIVE_BAYES = {"feature_log_prob_": Array("f", ("seen", "features")), "class_log_prior_": Array("f", ("seen",))}
GAUSSIAN = {name: Array("f", ("seen", "features")) for name in ("theta_", "var_")}
CENTROIDS = {name: Array("f", ("seen", "features")) for name in ("centroids_", "deviations_")}
PRIOR = {"class_prior_": Array("f", ("seen",))}
LIBSVM = {
    "_n_support": Array("i", ("seen",), least=0),
    "support_": Array("i", ("vectors",), least=0),
    "_intercept_": Array("f", ("pairs",)),
    "intercept_": Array("f", ("pairs",)),
    "_probA": Array("f", (None,)),
    "_probB": Array("f", (None,)),
    "class_weight_": Array("f", ("seen",)),
}
STORED = {"_y": Array("i", ("instances",), least=0, below="seen", filled=True)}
CLASSIFIERS: Mapping[str, Mapping[str, Array]] = {
    "sklearn.discriminant_analysis.LinearDiscriminantAnalysis": LINEAR,
    "sklearn.dummy.DummyClassifier": PRIOR,
    "sklearn.linear_model.LogisticRegression": LINEAR,
    "sklearn.linear_model.PassiveAggressiveClassifier": LINEAR,
    "sklearn.linear_model.Perceptron": LINEAR,
    "sklearn.linear_model.RidgeClassifier": LINEAR,
    "sklearn.linear_model.RidgeClassifierCV": LINEAR,
    "sklearn.linear_model.SGDClassifier": LINEAR,
    "sklearn.naive_bayes.BernoulliNB": NAIVE_BAYES,
    "sklearn.naive_bayes.ComplementNB": NAIVE_BAYES,
    "sklearn.naive_bayes.GaussianNB": GAUSSIAN | PRIOR,
    "sklearn.naive_bayes.MultinomialNB": NAIVE_BAYES,
    "sklearn.neighbors.KNeighborsClassifier": STORED,
    "sklearn.neighbors.NearestCentroid": CENTROIDS | PRIOR,
    "sklearn.neural_network.MLPClassifier": {},
    "sklearn.svm.LinearSVC": LINEAR,
    "sklearn.svm.NuSVC": LIBSVM,
    "sklearn.svm.SVC": LIBSVM,
}
"""The classifiers that can be plugged in, with the shapes of the arrays that they score with.

``seen`` are the classes, ``scores`` as many, or one of two; what compiled code trusts beside, CHECKS look at."""
PARTS = ("sklearn.preprocessing.LabelBinarizer",)
"""Estimators that some of these keep, and do not score with."""


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


def checkable(kind: type[BaseEstimator]) -> str | None:
    """The public path of a classifier whose contents can be checked when a model is loaded; None for others."""
    return next((path for path in CLASSIFIERS if _is(kind.__module__, kind.__qualname__, path)), None)


def _is(module: str, name: str, path: str) -> bool:
    package, _, public = path.rpartition(".")
    return name == public and (module == package or module.startswith(f"{package}."))


def pack(value: Any, arrays: dict[str, NDArray[Any]], where: str) -> Any:
    """The value as JSON, its arrays aside under numbers."""
    from sklearn.base import BaseEstimator

    if isinstance(value, np.generic) and not isinstance(value, np.void | np.object_):
        return {"scalar": _aside(np.asarray(value), arrays)}
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufSU":
        return {"array": _aside(value, arrays)} | ({} if value.ndim else {"shape": []})
    if scipy.sparse.issparse(value) and value.format == "csr":
        parts = [_aside(part, arrays) for part in (value.data, value.indices, value.indptr)]
        return {"csr": parts, "shape": list(value.shape)}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [pack(item, arrays, where) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: pack(item, arrays, f"{where}.{key}") for key, item in value.items()}}
    kind = type(value)
    if isinstance(value, BaseEstimator) and kind.__module__.startswith("sklearn.") and hasattr(value, "__dict__"):
        inner = {}
        for key, item in vars(value).items():
            try:
                # how many processes work is no part of what was learned
                inner[key] = None if key == "n_jobs" else pack(item, arrays, f"{where}.{key}")
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


def unpack(tree: Any, arrays: Mapping[str, NDArray[Any]], path: str, dense: bool, sizes: Sizes) -> BaseEstimator:
    """The classifier that :func:`pack` made the tree and the arrays of.

    path: which one it must be. dense: whether it is asked with ordinary matrices. sizes: ``features`` and ``seen``, the
    number of classes. Raises ShapeError unless it can score with that and compiled code can trust it.
    """
    kind = estimator_class(path)
    public = checkable(kind)
    if public is None:
        raise UnknownPartError(f"needs {path}, whose contents cannot be checked; train again with another classifier")
    with within("model_"):
        found = tree.get("estimator") if isinstance(tree, dict) else None
        named = isinstance(found, str) and _is(*found.rpartition(".")[::2], public)
        expect(named, "", f"found {shown(found)}; expected {public}")
        result = _rebuilt(kind, tree.get("attributes"), arrays)
        learned = vars(result)
        seen = sizes["seen"]
        known = {**sizes, "scores": seen if seen > 2 else 1, "pairs": seen * (seen - 1) // 2}
        shapes = dict(CLASSIFIERS[public])
        if not isinstance(inspect.getattr_static(kind, "classes_", None), property):  # as ridges have before 1.5
            shapes["classes_"] = Array("i", ("seen",))
        if np.isscalar(learned.get("intercept_")):  # without an intercept some keep a number in its place
            shapes.pop("intercept_", None)
        if seen == 2 and np.ndim(learned.get("coef_", 0)) == 1:  # and some a row alone for the matrix of one row
            shapes["coef_"] = Array("f", ("features",))
        present = {name: value for name, value in learned.items() if isinstance(value, np.ndarray)}
        known = check_arrays(present, shapes, known)
        if public in CHECKS:
            CHECKS[public](learned, dense, known)
    return result


def _rebuilt(kind: type[BaseEstimator], attributes: Any, arrays: Mapping[str, NDArray[Any]]) -> BaseEstimator:
    expect(isinstance(attributes, dict), "attributes", f"found {shown(attributes)}; expected a mapping")
    learned = {}
    for name, own in attributes.items():
        with within(f"attributes.{shown(name)[1:-1]}"):
            own_attribute = inspect.getattr_static(kind, name, None)
            expect(own_attribute is None or isinstance(own_attribute, property), "", "found what the class itself has")
            learned[name] = _value(own, arrays)
    if "n_jobs" in learned:
        learned["n_jobs"] = None
    parameters = [name for name in inspect.signature(kind).parameters if name in learned]
    try:
        kind(**{name: learned[name] for name in parameters})._validate_params()
    except (TypeError, ValueError) as error:
        raise ShapeError("attributes", " ".join(str(error).split())) from error
    result = object.__new__(kind)
    vars(result).update(learned)
    return result


def _value(tree: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    if isinstance(tree, _SCALARS):
        return tree
    match tree:
        case {"scalar": name, **rest} if not rest:
            array = _array(name, arrays)
            expect(array.size == 1, "", f"found {array.size} numbers; expected one")
            return array.reshape(())[()]
        case {"array": name, "shape": []}:
            array = _array(name, arrays)
            expect(array.size == 1, "", f"found {array.size} numbers; expected one")
            return array.reshape(())
        case {"array": name, **rest} if not rest:
            return _array(name, arrays)
        case {"csr": [data, indices, indptr], "shape": [int(rows), int(columns)]}:
            parts = [_array(name, arrays) for name in (data, indices, indptr)]
            right = all(part.ndim == 1 for part in parts) and all(part.dtype.kind in "iu" for part in parts[1:])
            right = right and parts[0].dtype.kind in "iuf" and rows == len(parts[2]) - 1 and 0 <= columns < 2**31
            expect(right, "", f"no sparse matrix of {rows} x {columns}")
            return scipy.sparse.csr_matrix(loaded_csr(parts, (rows, columns)))
        case {"list": list(items), **rest} if not rest:
            return [_value(item, arrays) for item in items]
        case {"tuple": list(items), **rest} if not rest:
            return tuple(_value(item, arrays) for item in items)
        case {"dict": dict(items), **rest} if not rest:
            return {key: _value(item, arrays) for key, item in items.items()}
        case {"estimator": str(path), "attributes": attributes}:
            expect(any(_is(*path.rpartition(".")[::2], own) for own in PARTS), "", f"found {shown(path)}")
            return _rebuilt(estimator_class(path), attributes, arrays)
    raise ShapeError("", "found no number, text, array, list, mapping or estimator")


def _array(name: Any, arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    expect(isinstance(name, str) and name in arrays, "", f"found no array {shown(name)}")
    return arrays[name]


def _check_matrix(learned: Mapping[str, Any], name: str, dense: bool, rows: int, columns: int) -> None:
    """That an attribute is a matrix of float64, of the form that the classifier is asked with."""
    matrix: Any = learned.get(name)
    form = isinstance(matrix, np.ndarray) if dense else scipy.sparse.issparse(matrix)
    right = form and matrix.shape == (rows, columns) and matrix.dtype == np.float64
    expect(bool(right), name, f"found none of {rows} x {columns} numbers, {'dense' if dense else 'sparse'}")


def _check_libsvm(learned: Mapping[str, Any], dense: bool, sizes: Sizes) -> None:
    """libsvm's compiled code reads so many places as the counts say, whatever the arrays hold."""
    vectors, seen = sizes["vectors"], sizes["seen"]
    total = int(learned["_n_support"].sum(dtype=np.int64))
    expect(total == vectors > 0, "_n_support", f"found {total} support vectors; expected {vectors}")
    _check_matrix(learned, "support_vectors_", dense, vectors, sizes["features"])
    for name in ("_dual_coef_", "dual_coef_"):
        _check_matrix(learned, name, dense, seen - 1, vectors)
        stored = learned[name].size if dense else learned[name].nnz
        expect(stored == (seen - 1) * vectors, name, f"found {stored} numbers; expected {(seen - 1) * vectors}")
    for name in ("_n_support", "support_"):
        expect(learned[name].dtype == np.int32, name, f"found {learned[name].dtype.name}; expected int32")
    for name in ("_intercept_", "_probA", "_probB"):
        expect(learned[name].dtype == np.float64, name, f"found {learned[name].dtype.name}; expected float64")
    for name in ("_probA", "_probB"):
        length = len(learned[name])
        expect(length in (0, sizes["pairs"]), name, f"found {length} numbers; expected none, or {sizes['pairs']}")
    expect(learned.get("_sparse") is (not dense), "_sparse", f"found {shown(learned.get('_sparse'))}")
    expect(learned.get("kernel") in ("linear", "poly", "rbf", "sigmoid"), "kernel", "found one that needs more")
    expect(isinstance(learned.get("_gamma"), float), "_gamma", "found no number")


def _check_neighbours(learned: Mapping[str, Any], dense: bool, sizes: Sizes) -> None:
    instances = sizes["instances"]
    _check_matrix(learned, "_fit_X", dense, instances, sizes["features"])
    exact = {"n_samples_fit_": instances, "_fit_method": "brute", "outputs_2d_": False, "_tree": None}
    for name, value in exact.items():
        found = learned.get(name)
        expect(type(found) is type(value) and found == value, name, f"found {shown(found)}; expected {shown(value)}")
    k = learned.get("n_neighbors")
    expect(isinstance(k, int) and 0 < k <= instances, "n_neighbors", f"found {shown(k)}, with {instances} instances")
    for name in ("metric", "effective_metric_"):
        found = learned.get(name)
        expect(isinstance(found, str) and found != "precomputed", name, f"found {shown(found)}")


def _check_layers(learned: Mapping[str, Any], dense: bool, sizes: Sizes) -> None:
    layers, offsets = learned.get("coefs_"), learned.get("intercepts_")
    width = sizes["features"]
    expect(isinstance(layers, list) and len(layers) > 0, "coefs_", "found no list of layers")
    assert isinstance(layers, list)
    expect(isinstance(offsets, list) and len(offsets) == len(layers), "intercepts_", f"found no {len(layers)} layers")
    assert isinstance(offsets, list)
    for number, (layer, offset) in enumerate(zip(layers, offsets, strict=True)):
        right = isinstance(layer, np.ndarray) and layer.ndim == 2 and len(layer) == width and layer.dtype.kind == "f"
        expect(right, f"coefs_[{number}]", f"found no matrix with {width} rows")
        width = layer.shape[1]
        right = isinstance(offset, np.ndarray) and offset.shape == (width,) and offset.dtype.kind == "f"
        expect(right, f"intercepts_[{number}]", f"found none of {width} numbers")
    expect(width == sizes["scores"], "coefs_", f"found {width} outputs; expected {sizes['scores']}")
    layered = learned.get("n_layers_")
    expect(layered == len(layers) + 1, "n_layers_", f"found {shown(layered)}; expected {len(layers) + 1}")


def _check_dummy(learned: Mapping[str, Any], dense: bool, sizes: Sizes) -> None:
    for name, value in (("n_outputs_", 1), ("n_classes_", sizes["seen"])):
        expect(learned.get(name) == value, name, f"found {shown(learned.get(name))}; expected {value}")


CHECKS: Mapping[str, Callable[[Mapping[str, Any], bool, Sizes], None]] = {
    "sklearn.dummy.DummyClassifier": _check_dummy,
    "sklearn.neighbors.KNeighborsClassifier": _check_neighbours,
    "sklearn.neural_network.MLPClassifier": _check_layers,
    "sklearn.svm.NuSVC": _check_libsvm,
    "sklearn.svm.SVC": _check_libsvm,
}
"""What no declared array says; functions of the learned attributes, ``dense``, and the lengths."""
