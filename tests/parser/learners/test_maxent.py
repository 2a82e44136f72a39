"""Maximum entropy: probabilities, training without warnings, and the error without instances."""

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.maxent import MaxEnt


def coins(n_classes):
    """Instances with value 0, three in four of class 1 and the others of class 0, or value 1, all of the last class."""
    keys = np.array([[0]] * 400 + [[1]] * 400, np.int64)
    target = np.array([1, 1, 1, 0] * 100 + [n_classes - 1] * 400, np.int32)
    return Instances.of(keys, target, (Slot("a", 0, 2),), n_classes)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_probabilities_are_near_the_relative_frequencies(n_classes):
    guide = MaxEnt(C=1000, max_iter=200).fit(coins(n_classes))
    probabilities = guide.confidences(guide.scores(np.array([[0], [1]], np.int64)))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(probabilities[0, :2], [0.25, 0.75], atol=0.02)
    assert probabilities[1, n_classes - 1] > 0.97
    if n_classes == 5:
        assert (probabilities[:, 2:4] == 0).all()


def test_stopping_early_gives_no_warning():
    MaxEnt(max_iter=1).fit(coins(3))  # pytest makes errors of warnings


def test_training_without_instances_is_refused():
    empty = Instances.of(np.empty((0, 1), np.int64), np.empty(0, np.int32), (Slot("a", 0, 2),), 3)
    with pytest.raises(CrossarcError, match=r"^guide maxent: no training instances$"):
        MaxEnt().fit(empty)
