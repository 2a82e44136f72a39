"""Linear SVM: its decisions equal those of scikit-learn on the same binary matrix."""

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.linear.svm import LinearSVM
from scipy.sparse import csr_matrix
from sklearn.svm import LinearSVC

SLOTS = (Slot("a", 0, 8), Slot("set", 8, 20), Slot("set", 8, 20), Slot("set", 8, 20), Slot("b", 28, 2**40))


def instances(seed, count, classes, n_classes=None):
    """Noisy instances whose class depends on one or two features; a set of up to three atoms has no influence."""
    dice = np.random.default_rng(seed)
    keys = np.full((count, len(SLOTS)), ABSENT, dtype=np.int64)
    keys[:, 0] = dice.integers(0, 8, count)
    for row in keys:
        atoms = dice.permutation(20)[: dice.integers(0, 4)]
        row[1 : 1 + len(atoms)] = 8 + atoms
    keys[:, 4] = 28 + 2**33 * dice.integers(0, 12, count)
    target = np.where(keys[:, 0] == 3, 0, (keys[:, 4] - 28) // 2**33 % classes)
    target = np.where(dice.random(count) < 0.1, dice.integers(0, classes, count), target)
    return Instances.of(keys, target.astype(np.int32), SLOTS, n_classes or classes)


def binary_matrix(keys, min_count):
    """Matrix with one row per instance and one column per key that is frequent enough."""
    found, counts = np.unique(keys[keys != ABSENT], return_counts=True)
    numbers = {int(key): number for number, key in enumerate(found[counts >= min_count])}
    return rows_of(keys, numbers), numbers


def rows_of(keys, numbers):
    dense = np.zeros((len(keys), len(numbers)))
    for row, of_row in enumerate(keys.tolist()):
        for key in of_row:
            if key in numbers:
                dense[row, numbers[key]] = 1
    return csr_matrix(dense)


@pytest.mark.parametrize(("classes", "min_count"), [(2, 1), (3, 2), (7, 1), (7, 30)])
def test_decisions_equal_those_of_scikit_learn(classes, min_count):
    train, test = instances(classes, 400, classes), instances(99, 300, classes)
    guide = LinearSVM(C=0.3, tol=1e-7, min_count=min_count).fit(train)
    matrix, numbers = binary_matrix(train.keys, min_count)
    assert len(guide.sparse.keys) <= len(numbers)
    solver = LinearSVC(
        C=0.3, multi_class="crammer_singer", tol=1e-7, max_iter=100_000, fit_intercept=False, random_state=1
    ).fit(matrix, train.target)
    expected = solver.decision_function(rows_of(test.keys, numbers))
    scores = guide.scores(test.keys)
    if classes == 2:
        scores, expected = (scores[:, 1] - scores[:, 0])[:, None] / 2, expected[:, None]
    error = len(SLOTS) * guide.scale_ + 1e-4
    assert np.abs(scores - expected).max() < error
    clear = np.ones(len(test.keys), dtype=bool) if classes == 2 else margin(expected) > 2 * error
    assert clear.mean() > 0.9
    predicted = np.argmax(guide.scores(test.keys), axis=1)
    sure = clear if classes > 2 else np.abs(expected[:, 0]) > error
    assert (predicted == solver.predict(rows_of(test.keys, numbers)))[sure].all()


def margin(scores):
    ordered = np.sort(scores, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def test_classes_without_instances_change_no_scores():
    every = instances(1, 50, 3)
    gap = Instances.of(every.keys, np.array([0, 2, 5], dtype=np.int32)[every.target], SLOTS, 7)
    guide = LinearSVM().fit(gap)
    plain = LinearSVM().fit(every).scores(every.keys)
    assert guide.scores(every.keys)[:, [0, 2, 5]].tolist() == plain.tolist()


def test_two_classes_need_not_be_the_first_two():
    two = instances(5, 200, 2)
    moved = Instances.of(two.keys, (two.target * 2 + 1).astype(np.int32), SLOTS, 4)
    scores, plain = LinearSVM().fit(moved).scores(two.keys), LinearSVM().fit(two).scores(two.keys)
    assert scores[:, [1, 3]].tolist() == plain.tolist()
    assert np.isneginf(scores[:, [0, 2]]).all()


def test_rare_features_are_left_out():
    train = instances(1, 300, 5)
    counts = dict(zip(*np.unique(train.keys, return_counts=True), strict=True))
    least = 25
    guide = LinearSVM(min_count=least).fit(train)
    assert min(counts[key] for key in guide.sparse.keys) >= least
    assert any(count < least for count in counts.values())
    alone = np.full((1, 5), ABSENT, dtype=np.int64)
    alone[0, 1] = min((key for key in counts if 8 <= key < 28), key=lambda key: counts[key])
    assert (guide.scores(alone) == 0).all() == (counts[alone[0, 1]] < least)
