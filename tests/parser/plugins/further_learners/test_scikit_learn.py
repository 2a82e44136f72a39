"""Plugin learner: classifiers of scikit-learn and own classes decide as they do alone, also after loading."""

import json

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.learners.common import fitted
from crossarc.parser.learners.instances import Instances, feature_matrix
from crossarc.parser.learners.key_index import known_features
from crossarc.parser.learners.registry import load_learner
from crossarc.parser.plugins.further_learners.scikit_learn import Plugin, _shaped
from crossarc.transitions import plugins
from refusals import refusal
from sklearn.naive_bayes import BernoulliNB


def data(classes=3):
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
def test_best_classes_are_those_of_the_classifier_even_if_reloaded(estimator, parameters, dense, classes, monkeypatch):
    instances = data(classes)
    models = []
    asked = Plugin._class_scores
    monkeypatch.setattr(Plugin, "_class_scores", lambda self, own, *more: models.append(own) or asked(self, own, *more))
    guide = Plugin(estimator=estimator, parameters=parameters, dense=dense, min_count=1).fit(instances)
    expected = models[0].predict(_shaped(feature_matrix(instances, np.arange(8)), dense))
    found = guide.scores(instances.keys)
    assert np.mean(found.argmax(axis=1) == expected) > 0.99
    again = Plugin.from_state(*guide.state(), instances.slots, classes)
    for scored in (0, 10**6):  # the latter is scored by compiled code
        again._scored = scored
        np.testing.assert_array_equal(again.scores(instances.keys), found)


OTHERS = {
    "sklearn.svm.SVC": {},
    "sklearn.svm.NuSVC": {"nu": 0.1},
    "sklearn.ensemble.RandomForestClassifier": {"n_estimators": 5},
    "sklearn.neural_network.MLPClassifier": {"hidden_layer_sizes": [5], "max_iter": 200},
    "sklearn.neighbors.KNeighborsClassifier": {},
    "sklearn.tree.DecisionTreeClassifier": {},
}


@pytest.mark.parametrize("estimator", OTHERS)
@pytest.mark.parametrize("classes", [2, 3])
def test_other_classifiers_are_asked_and_decide_equally_after_loading(estimator, classes):
    instances = data(classes)
    guide = Plugin(estimator=estimator, parameters=OTHERS[estimator], dense="Tree" in estimator, min_count=1)
    guide.fit(instances)
    assert not guide.is_linear
    features = known_features(guide.sparse.keys, instances.keys)
    expected = guide._model.predict(features.toarray() if guide.dense else features)
    found = guide.scores(instances.keys)
    assert np.mean(found.argmax(axis=1) == expected) > 0.97  # SVC breaks ties of its votes otherwise
    values, arrays = guide.state()
    again = load_learner("plugin", json.loads(json.dumps(values)), arrays, instances.slots, classes)
    np.testing.assert_array_equal(again.scores(instances.keys), found)
    assert {name: array.tobytes() for name, array in again.state()[1].items()} == {
        name: array.tobytes() for name, array in arrays.items()
    }


@pytest.mark.parametrize(
    ("estimator", "parameters", "dense"),
    [
        ("sklearn.naive_bayes.GaussianNB", {}, True),  # weights of very different sizes
        ("sklearn.neighbors.NearestCentroid", {}, False),
        ("sklearn.naive_bayes.BernoulliNB", {"alpha": 1e5}, False),  # intercepts far larger than the weights
        ("sklearn.linear_model.LogisticRegression", {"solver": "saga", "l1_ratio": 1, "C": 1e-4}, False),  # no weights
        ("sklearn.svm.SVC", {"kernel": "linear", "decision_function_shape": "ovo"}, False),  # scores of pairs
        ("sklearn.svm.SVC", {"decision_function_shape": "ovo"}, False),
        ("disordered", {}, False),
    ],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_scores_are_those_of_the_classes_or_not_used(estimator, parameters, dense, classes, no_other_parts):
    plugins.add("learners", "disordered", Disordered)
    instances = data(classes)
    guide = Plugin(estimator=estimator, parameters=parameters, dense=dense, min_count=1).fit(instances)
    features = _shaped(feature_matrix(instances, np.arange(8)), dense)
    expected = fitted(guide._made(), features, instances.target).predict(features)
    assert np.mean(guide.scores(instances.keys).argmax(axis=1) == expected) > 0.95
    again = Plugin.from_state(*guide.state(), instances.slots, classes)
    np.testing.assert_array_equal(again.scores(instances.keys), guide.scores(instances.keys))


class Disordered:
    """A classifier whose classes are in descending order."""

    def fit(self, features, target):
        self.classes_ = np.unique(target)[::-1]
        self.model_ = BernoulliNB().fit(features, target)
        return self

    def predict(self, features):
        return self.model_.predict(features)

    def predict_proba(self, features):
        return self.model_.predict_proba(features)[:, ::-1]


def test_margins_of_two_classes_are_kept():
    instances = data(2)
    guide = Plugin(estimator="sklearn.svm.SVC", min_count=1).fit(instances)
    assert len(np.unique(guide.scores(instances.keys)[:, 0])) > 2


def test_classifiers_that_cannot_be_saved_are_refused():
    guide = Plugin(estimator="sklearn.ensemble.GradientBoostingClassifier", parameters={"n_estimators": 1})
    with pytest.raises(CrossarcError, match=r"Classifier\._loss\.closs: an object of .* cannot be saved"):
        guide.fit(data())


def test_remedy_for_classifiers_of_dense_matrices_is_named():
    with pytest.raises(CrossarcError, match=r"with guide\.dense=true it gets an array"):
        Plugin(estimator="sklearn.naive_bayes.GaussianNB").fit(data())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": "os.system"}, "guide.estimator: found 'os.system'; allowed: an import path "),
        ({"estimator": "sklearnish.Thing"}, "guide.estimator: found 'sklearnish.Thing'; allowed: an import path "),
        ({"estimator": "sklearn.naive_bayes.Nothing"}, "guide.estimator: scikit-learn has no estimator "),
        ({"estimator": "sklearn.cluster.KMeans"}, "guide.estimator: 'sklearn.cluster.KMeans' is not a classifier"),
        ({"parameters": {"alfa": 1}}, "guide.parameters: found 'alfa' (did you mean 'alpha'?); allowed: alpha, "),
        ({"parameters": {"alpha": "much"}}, "guide.parameters: The 'alpha' parameter "),
    ],
)
def test_invalid_estimators_and_parameters_are_refused(parameters, message):
    assert refusal(lambda: Plugin(**parameters).fit(data())).startswith(message)
