"""Registry of learners: guides made from guide sections of configs, and errors for invalid sections."""

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.parameters import parameters_of
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.maxent import MaxEnt
from crossarc.parser.learners.registry import LEARNERS, make_learner
from installed import needs
from refusals import refusal

KEYS = np.array([[0, 2], [1, 3], [0, 3]], np.int64)
DATA = Instances.of(KEYS, np.array([0, 1, 1], np.int32), (Slot("a", 0, 2), Slot("b", 2, 2)), 2)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"learner": "svn"}, "guide.learner: found 'svn' (did you mean 'svm'?); allowed: svm, svm-poly, maxent, "),
        ({"learner": "knn", "treshold": 2}, "unknown key guide.'treshold' (did you mean 'threshold'?); allowed: "),
        ({"learner": "voting", "guides": "svm"}, "guide.guides: expected a list of guide sections, each with "),
        ({"learner": "voting", "guides": []}, "guide.guides: found []; allowed: a list of one or more guide sections"),
        ({"split": 3}, "guide.split: found 3; allowed: text"),
        ({"split": "upos(Stack[0])", "split_threshold": 0}, "guide.split_threshold: found 0; allowed: a whole number"),
        (
            {"learner": "perceptron", "split": "upos(Stack[0])"},
            "guide.split: the perceptron learns from whole derivations",
        ),
        (
            {"learner": "voting", "guides": [{"learner": "svm"}, {"learner": "perceptron"}]},
            "guide.guides[1]: the perceptron learns from whole derivations",
        ),
        ({"decide": "twice"}, "guide.decide: found 'twice'; allowed: joint, two-step"),
        ({"learner": "perceptron", "decide": "two-step"}, "guide.decide: the perceptron learns from whole derivations"),
    ],
)
@needs("further_learners")
def test_unknown_keys_and_values_are_refused(section, message):
    assert refusal(lambda: make_learner(section)).startswith(message)


@pytest.mark.parametrize(
    ("learner", "name"), [(learner, name) for learner, kind in LEARNERS.items() for name in parameters_of(kind)]
)
def test_error_for_invalid_value_states_parameter_and_allowed_values(learner, name):
    allowed = parameters_of(LEARNERS[learner])[name].allowed
    wrong = next(value for value in (-1, "nonsense") if not allowed.holds(value))
    given = {"guides": [MaxEnt()]} if learner == "voting" else {}
    said = refusal(lambda: LEARNERS[learner](**{**given, name: wrong}).fit(DATA))
    assert said == f"guide.{name}: found {wrong!r}; allowed: {allowed.words}"


@needs("further_learners")
def test_a_classifier_object_is_refused_with_the_words_to_write():
    from sklearn.linear_model import SGDClassifier

    with pytest.raises(CrossarcError, match=r"found an object of SGDClassifier; .* estimator: (.*)$") as caught:
        make_learner({"learner": SGDClassifier()})
    name = str(caught.value).rpartition(" ")[2]
    make_learner({"learner": "plugin", "estimator": name})
