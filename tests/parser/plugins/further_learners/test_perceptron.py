"""Averaged perceptron: initial weights, corrections, ranges of weights, and older model files."""

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.learners.instances import Instances
from crossarc.parser.learners.linear.model import LARGEST
from crossarc.parser.learners.linear.svm import LinearSVM
from crossarc.parser.plugins.further_learners import perceptron
from crossarc.parser.plugins.further_learners.perceptron import LARGEST_STEP, SVM_PENALTY, Perceptron
from hypothesis import given, strategies as st

SLOTS = tuple(Slot(str(slot), 6 * slot, 6) for slot in range(5))


def drawn(seed, rows=200):
    """Instances whose class follows from two features, with one class in ten wrong; some features are absent."""
    draw = np.random.default_rng(seed)
    values = draw.integers(6, size=(rows, 5))
    target = (values[:, 0] + values[:, 1]) % 4
    wrong = draw.random(rows) < 0.1
    target[wrong] = draw.integers(4, size=wrong.sum())
    keys = np.where(draw.random(values.shape) < 0.1, ABSENT, values + 6 * np.arange(5))
    return Instances.of(keys, target.astype(np.int32), SLOTS, 4)


@pytest.mark.parametrize("margin", [1.0, 100.0, 5_000.0])
def test_initial_weights_are_scaled_weights_of_the_svm(margin):
    data = drawn(1)
    begun = Perceptron(svm_margin=margin).begin(data)
    svm = LinearSVM(C=SVM_PENALTY, min_count=1).fit(data)
    far = np.abs(begun.scores(data.keys) - margin * svm.scores(data.keys))
    assert far.max() <= 0.5 * len(SLOTS) + 1e-3 * margin  # each feature is rounded once


def test_initial_weights_are_zero_without_a_margin():
    assert not Perceptron().begin(drawn(1)).scores(drawn(1).keys).any()


def test_initial_weights_stay_within_their_range():
    scores = Perceptron(svm_margin=1e9).begin(drawn(1)).scores(drawn(1).keys)
    assert np.abs(scores).max() <= len(SLOTS) * 2**14


def test_weights_of_the_svm_improve_training(monkeypatch):
    monkeypatch.setattr(perceptron, "SVM_PENALTY", 0.1)
    data, other = drawn(1), drawn(2)

    def right(margin):
        learner = Perceptron(epochs=1, svm_margin=margin).fit(data)
        return int(np.sum(np.argmax(learner.scores(other.keys), axis=1) == other.target))

    assert right(30.0) > right(0.0)


@given(st.integers(0, 30), st.integers(1, 12), st.sampled_from([0.0, 7.5, 900.0]))
def test_corrections_are_as_small_as_possible(seed, rows, ahead):
    draw, data = np.random.default_rng(seed), drawn(1)
    learner = Perceptron(svm_margin=200.0).begin(data)
    keys, classes = data.keys[draw.integers(len(data.keys), size=2 * rows)], draw.integers(4, size=2 * rows)
    amounts = np.repeat([1, -1], rows)

    def difference():
        return float(learner.scores_of(keys, classes) @ amounts)

    before, weights = difference(), learner._rows.copy()
    corrected = learner.correct(keys, classes, amounts, ahead)
    change = learner._rows.astype(int) - weights
    if not change.any():  # already correct, or the same features with the same classes
        assert not corrected
        assert before > ahead or before == 0
        return
    step = np.gcd.reduce(change[change != 0])
    size = ((change // step) ** 2).sum()
    assert corrected
    assert before <= ahead
    assert difference() == before + size * step
    assert difference() >= ahead or step >= LARGEST_STEP
    assert difference() - size < ahead or step == 1
    assert not learner.correct(keys, classes, amounts, np.nextafter(difference(), -np.inf))


@given(st.integers(1, 200), st.sampled_from([0, 1, 4]))
def test_update_cap_limits_repeated_errors(times, cap):
    """Covington's algorithm may repeat a transition a hundred times."""
    data = drawn(1)
    learner = Perceptron(update_cap=cap).begin(data)
    keys, classes = np.repeat(data.keys[:1], times, axis=0), np.full(times, 2)
    assert learner.correct(keys, classes, np.ones(times, dtype=np.int64), 1.0)
    assert np.unique(learner._rows).tolist() == [0, min(times, cap or times)]


def test_corrected_weights_stay_within_their_range():
    data = drawn(1)
    learner = Perceptron().begin(data)
    for _ in range(2 * LARGEST // LARGEST_STEP):
        assert learner.correct(data.keys[:1], np.array([2]), np.array([1]), 1e9)
        learner.count()
    assert learner._rows.max() == LARGEST
    assert learner._rows.min() == 0
