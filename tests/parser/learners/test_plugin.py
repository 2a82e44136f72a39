"""Any scikit-learn classifier, and none that would need pickle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.common import loaded_csr
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.plugin import Plugin
from crossarc.parser.models.archive import read_archive, write_archive


def data() -> Instances:
    random = np.random.default_rng(0)
    keys = np.stack([random.integers(0, 4, 300), random.integers(4, 8, 300)], axis=1)
    target = np.where(random.random(300) < 0.1, 0, np.minimum(keys[:, 0], 2))
    return Instances.of(keys, target.astype(np.int32), (Slot("a", 0, 4), Slot("b", 4, 4)), 3)


@pytest.mark.parametrize(
    ("estimator", "parameters", "dense"),
    [
        ("sklearn.naive_bayes.MultinomialNB", {"alpha": 0.1}, False),
        ("sklearn.linear_model.SGDClassifier", {"random_state": 0}, False),
        ("sklearn.linear_model.Perceptron", {"random_state": 0}, False),
        ("sklearn.linear_model.LogisticRegression", {"max_iter": 3}, False),
        (
            "sklearn.neural_network.MLPClassifier",
            {"random_state": 0, "max_iter": 99, "hidden_layer_sizes": 8},
            False,
        ),
        ("sklearn.neighbors.NearestCentroid", {}, False),
        ("sklearn.discriminant_analysis.LinearDiscriminantAnalysis", {"solver": "lsqr", "shrinkage": 0.1}, True),
    ],
)
def test_learns_and_comes_back_as_it_was(estimator: str, parameters: dict[str, Any], dense: bool) -> None:
    instances = data()
    guide = Plugin(estimator=estimator, parameters=parameters, dense=dense).fit(instances)
    assert np.mean(guide.scores(instances.keys).argmax(axis=1) == instances.target) > 0.7
    again = Plugin.from_state(*guide.state())
    np.testing.assert_array_equal(again.scores(instances.keys), guide.scores(instances.keys))


@pytest.mark.parametrize("estimator", ["sklearn.svm.SVC", "sklearn.svm.NuSVC", "sklearn.naive_bayes.ComplementNB"])
def test_learns_and_comes_back_from_a_file(estimator: str, tmp_path: Path) -> None:
    instances = data()
    guide = Plugin(estimator=estimator, parameters={"nu": 0.1} if estimator.endswith("NuSVC") else {}).fit(instances)
    values, arrays = guide.state()
    write_archive(str(tmp_path / "m"), {"state": values}, arrays)
    metadata, loaded = read_archive(str(tmp_path / "m"))
    again = Plugin.from_state(metadata["state"], loaded)
    np.testing.assert_array_equal(again.scores(instances.keys), guide.scores(instances.keys))


@pytest.mark.parametrize("shape", [(), (1,)])
def test_numbers_of_a_model_come_back_as_numbers_whatever_shape_the_file_gave_them(shape: tuple[int, ...]) -> None:
    values, arrays = Plugin(estimator="sklearn.svm.SVC").fit(data()).state()
    learned = values["model_"]["attributes"]
    scalars = {key: value["scalar"] for key, value in learned.items() if isinstance(value, dict) and "scalar" in value}
    assert scalars
    arrays |= {f"model.{name}": arrays[f"model.{name}"].reshape(shape) for name in scalars.values()}
    again = Plugin.from_state(values, arrays)
    assert {key: np.ndim(vars(again.model_)[key]) for key in scalars} == dict.fromkeys(scalars, 0)
    assert again.scores(data().keys).shape == (300, 3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": "os.system"}, r"guide\.estimator: found 'os\.system'; allowed: an import path under sklearn\."),
        ({"estimator": "sklearnish.Thing"}, r"guide\.estimator: found 'sklearnish\.Thing'; allowed: an import .*"),
        ({"estimator": "sklearn.naive_bayes.Nothing"}, r"guide\.estimator: scikit-learn has no estimator '.*Nothing'"),
        ({"estimator": "sklearn.cluster.KMeans"}, r"guide\.estimator: 'sklearn\.cluster\.KMeans' is no classifier"),
        (
            {"parameters": {"alfa": 1}},
            r"guide\.parameters: found 'alfa' \(did you mean 'alpha'\?\); allowed: alpha, .*",
        ),
        ({"parameters": {"alpha": "much"}}, r"guide\.parameters: The 'alpha' parameter .*"),
        ({"parameters": "x"}, r"guide\.parameters: found 'x'; allowed: none, or a mapping of names to values"),
        ({"min_count": "x"}, r"guide\.min_count: found 'x'; allowed: a whole number from 1 to 2147483647"),
        (
            {"estimator": "sklearn.tree.DecisionTreeClassifier"},
            r"guide\.estimator: 'sklearn\.tree\.DecisionTreeClassifier' learns what cannot be checked when a model is "
            r"loaded; allowed: sklearn\.discriminant_analysis\.LinearDiscriminantAnalysis, .*",
        ),
    ],
)
def test_what_cannot_be_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(CrossarcError, match=f"^{message}$"):
        Plugin(**parameters).fit(data())


def test_a_model_cannot_name_other_code() -> None:
    values, arrays = Plugin().fit(data()).state()
    values["model_"]["estimator"] = "subprocess.Popen"
    with pytest.raises(
        CrossarcError, match=r"^model_: found 'subprocess\.Popen'; expected sklearn\.naive_bayes\.BernoulliNB$"
    ):
        Plugin.from_state(values, arrays)


def changed(estimator: str, attribute: str, change: Any, **options: Any) -> str:
    """What is said when the classifier comes back with an attribute changed."""
    guide = Plugin(estimator=estimator, **options).fit(data())
    values, arrays = guide.state()
    attributes = values["model_"]["attributes"]
    if callable(change):
        name = attributes[attribute]
        name = f"model.{name['csr'][0] if 'csr' in name else name['array']}"
        arrays[name] = change(arrays[name])
    else:
        attributes[attribute] = change
    with pytest.raises(CrossarcError) as caught:
        Plugin.from_state(values, arrays)
    return str(caught.value)


SVC, NEIGHBOURS = "sklearn.svm.SVC", "sklearn.neighbors.KNeighborsClassifier"


def test_what_compiled_code_would_trust_is_checked() -> None:
    assert "_n_support: found " in changed(SVC, "_n_support", lambda array: array + 10**6)
    assert "_n_support: found int64; expected int32" in changed(SVC, "_n_support", lambda array: array.astype(np.int64))
    assert "no sparse matrix" in changed(SVC, "support_vectors_", lambda array: array[:-1])
    assert "no sparse matrix" in changed(SVC, "_dual_coef_", lambda array: array[:1])
    assert "_intercept_: found float64 of shape (1), " in changed(SVC, "_intercept_", lambda array: array[:1])
    assert "_sparse: found False" in changed(SVC, "_sparse", False)
    assert "kernel: found one that needs more" in changed(SVC, "kernel", "precomputed")
    assert "_impl: found what the class itself has" in changed(SVC, "_impl", "epsilon_svr")
    assert "_y: found int64 of shape (300), 0 to 9" in changed(
        NEIGHBOURS, "_y", lambda array: np.where(array == 2, 9, array)
    )
    assert "n_samples_fit_: found 1000000; expected 300" in changed(NEIGHBOURS, "n_samples_fit_", 10**6)
    assert "n_neighbors: found 301, with 300 instances" in changed(NEIGHBOURS, "n_neighbors", 301)
    assert "_fit_method: found 'kd_tree'; expected 'brute'" in changed(NEIGHBOURS, "_fit_method", "kd_tree")


def test_starts_of_rows_that_end_at_nothing_are_checked_nevertheless() -> None:
    starts = np.array([0, 2**31 - 1, -(2**31), 0], np.int32)
    with pytest.raises(ShapeError, match="the starts of its rows do not rise to its end"):
        loaded_csr([np.ones(3), np.zeros(3, np.int32), starts], (3, 4))


def test_a_sparse_matrix_of_float16_is_refused_which_scipy_would_not_unfold() -> None:
    with pytest.raises(ShapeError, match="found float16"):
        loaded_csr([np.ones(1, np.float16), np.zeros(1, np.int32), np.array([0, 1])], (1, 4))
