"""Plugin learner: linear classifiers of scikit-learn are used, others are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.common import loaded_csr
from crossarc.parser.learners.instances import Instances, feature_matrix
from crossarc.parser.learners.plugin import Plugin


def data(classes: int = 3) -> Instances:
    random = np.random.default_rng(0)
    keys = np.stack([random.integers(0, 4, 300), random.integers(4, 8, 300)], axis=1)
    target = np.where(random.random(300) < 0.1, 0, np.minimum(keys[:, 0], classes - 1))
    return Instances.of(keys, target.astype(np.int32), (Slot("a", 0, 4), Slot("b", 4, 4)), classes)


@pytest.mark.parametrize(
    ("estimator", "parameters", "dense"),
    [
        ("sklearn.naive_bayes.BernoulliNB", {}, False),
        ("sklearn.naive_bayes.MultinomialNB", {"alpha": 0.1}, False),
        ("sklearn.naive_bayes.ComplementNB", {}, False),
        ("sklearn.linear_model.SGDClassifier", {"random_state": 0}, False),
        ("sklearn.linear_model.Perceptron", {"random_state": 0}, False),
        ("sklearn.linear_model.LogisticRegression", {"max_iter": 3}, False),
        ("sklearn.linear_model.RidgeClassifier", {}, False),
        ("sklearn.discriminant_analysis.LinearDiscriminantAnalysis", {"solver": "lsqr", "shrinkage": 0.1}, True),
    ],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_best_classes_are_those_of_the_classifier_even_if_reloaded(
    estimator: str, parameters: dict[str, Any], dense: bool, classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    instances = data(classes)
    models: list[Any] = []
    asked = Plugin._asked
    monkeypatch.setattr(Plugin, "_asked", lambda self, model, keys: models.append(model) or asked(self, model, keys))
    guide = Plugin(estimator=estimator, parameters=parameters, dense=dense, min_count=1).fit(instances)
    expected = models[0].predict(guide._shaped(feature_matrix(instances, np.arange(8))))
    found = guide.scores(instances.keys)
    assert np.mean(found.argmax(axis=1) == expected) > 0.99
    again = Plugin.from_state(*guide.state())
    np.testing.assert_array_equal(again.scores(instances.keys), found)
    compiled = Plugin.from_state(*guide.state())
    compiled._scored = 10**6
    np.testing.assert_array_equal(compiled.scores(instances.keys), found)


@pytest.mark.parametrize("estimator", ["sklearn.svm.SVC", "sklearn.svm.NuSVC"])
def test_classifiers_whose_scores_are_not_sums_are_refused(estimator: str) -> None:
    parameters = {"nu": 0.1} if estimator.endswith("NuSVC") else {}
    with pytest.raises(CrossarcError, match="its scores are not sums of weights of features; allowed: linear classif"):
        Plugin(estimator=estimator, parameters=parameters).fit(data())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": "os.system"}, r"guide\.estimator: found 'os\.system'; allowed: an import path under sklearn\."),
        ({"estimator": "sklearnish.Thing"}, r"guide\.estimator: found 'sklearnish\.Thing'; allowed: an import .*"),
        ({"estimator": "sklearn.naive_bayes.Nothing"}, r"guide\.estimator: scikit-learn has no estimator '.*Nothing'"),
        (
            {"estimator": "sklearn.cluster.KMeans"},
            r"guide\.estimator: 'sklearn\.cluster\.KMeans' is not a classifier; .*",
        ),
        (
            {"parameters": {"alfa": 1}},
            r"guide\.parameters: found 'alfa' \(did you mean 'alpha'\?\); allowed: alpha, .*",
        ),
        ({"parameters": {"alpha": "much"}}, r"guide\.parameters: The 'alpha' parameter .*"),
        (
            {"estimator": "sklearn.tree.DecisionTreeClassifier"},
            r"guide\.estimator: 'sklearn\.tree\.DecisionTreeClassifier' is not a linear classifier; .*",
        ),
    ],
)
def test_invalid_estimators_and_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(CrossarcError, match=f"^{message}$"):
        Plugin(**parameters).fit(data())


def test_sparse_matrices_need_ascending_row_starts() -> None:
    starts = np.array([0, 2**31 - 1, -(2**31), 0], np.int32)
    with pytest.raises(ShapeError, match="the starts of its rows are not ascending up to the number of values"):
        loaded_csr([np.ones(3), np.zeros(3, np.int32), starts], (3, 4))


def test_sparse_matrices_of_float16_are_refused() -> None:
    with pytest.raises(ShapeError, match="found float16"):
        loaded_csr([np.ones(1, np.float16), np.zeros(1, np.int32), np.array([0, 1])], (1, 4))
