"""Voting guides: weights, with expected values computed by hand."""

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.learners.learner import Instances, Learner
from crossarc.parser.plugins.further_learners.voting import Voting

SLOTS = (Slot("a", 0, 10),)


class Fixed(Learner):
    """Learner that returns a fixed class for each key and records the sizes of its training sets."""

    name = "fixed"

    def __init__(self, answers):
        self.answers = np.array(answers)
        self.taught = []

    def fit(self, instances):
        self.taught.append(len(instances.target))
        return self

    def scores(self, keys):
        return np.eye(3, dtype=np.float32)[self.answers[keys[:, 0]]]


def instances(target):
    keys = np.arange(len(target), dtype=np.int64)[:, None]
    return Instances.of(keys, np.array(target, np.int32), SLOTS, 3)


def test_majority_wins_and_the_earliest_guide_breaks_ties():
    guide = Voting(guides=[Fixed([2, 2]), Fixed([1, 1]), Fixed([1, 0])]).fit(instances([0, 1, 2]))
    assert guide.scores(np.array([[0], [1]])).argmax(axis=1).tolist() == [1, 2]


def test_over_selects_guides_and_sets_weights():
    answers = [2, 2], [1, 1], [1, 0]
    fitted = Voting(guides=list(map(Fixed, answers))).fit(instances([0, 1, 2]))
    one = fitted.over([2], np.zeros((1, 3)))
    assert one.scores(np.array([[0], [1]])).argmax(axis=1).tolist() == [1, 0]
    two = fitted.over([0, 1], np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 1.0]]))
    assert two.scores(np.array([[0], [1]])).argmax(axis=1).tolist() == [1, 1]
    assert [guide.taught for guide in two.guides] == [[3], [3]]
    assert fitted.scores(np.array([[0], [1]])).argmax(axis=1).tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"^weights of shape \(3,\) for 1 guides, 3 classes$"):
        fitted.over([0], np.ones(3))
