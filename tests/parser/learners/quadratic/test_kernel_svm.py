"""Quadratic-kernel SVM: its decisions equal those of scikit-learn's SVC."""

from __future__ import annotations

import numpy as np
from crossarc.features.extractor import Slot
from crossarc.parser.learners.instances import known_keys
from crossarc.parser.learners.key_index import KeyIndex
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.quadratic.kernel_svm import KernelSVM, fit_svc
from crossarc.parser.learners.registry import make_learner
from crossarc.parser.learners.split import Split
from hypothesis import given, strategies as st
from scipy.sparse import csr_matrix
from sklearn.svm import SVC

SLOTS = tuple(Slot(f"upos(Stack[{place}])", 10 * place, 10) for place in range(4))


def data(seed: int, size: int, classes: int, values: int) -> Instances:
    random = np.random.default_rng(seed)
    keys = np.stack([slot.offset + random.integers(0, values, size) for slot in SLOTS], axis=1)
    target = (keys[:, 0] + keys[:, 1] * keys[:, 2] + random.integers(0, 2, size)) % classes
    return Instances.of(keys.astype(np.int64), target.astype(np.int32), SLOTS, classes)


@given(
    seed=st.integers(0, 10**6),
    size=st.integers(8, 90),
    classes=st.integers(2, 7),
    values=st.integers(2, 6),
    gamma=st.sampled_from([0.2, 1.0, 0.37]),
    coef0=st.sampled_from([0.0, 1.0, 0.1]),
)
def test_decisions_equal_those_of_svc(
    seed: int, size: int, classes: int, values: int, gamma: float, coef0: float
) -> None:
    train, test = data(seed, size, classes, values), data(seed + 1, 60, classes, values + 2)
    if len(np.unique(train.target)) < 2:
        return
    index = KeyIndex(np.sort(known_keys(train, 1)))
    matrix = index.features(train.keys)
    svc = fit_svc(matrix, train.target, 1.0, gamma, coef0, 0.001)
    guide = KernelSVM(gamma=gamma, coef0=coef0).fit(train)
    for keys in (train.keys, test.keys):
        features = index.features(keys)
        found, expected = guide.scores(keys).argmax(axis=1), svc.predict(features)
        near = np.abs(decisions(svc, features)).min(axis=1) < 1e-9  # rounding decides about a vote
        np.testing.assert_array_equal(found[~near], expected[~near])


def decisions(svc: SVC, features: csr_matrix) -> np.ndarray:
    svc.decision_function_shape = "ovo"
    return svc.decision_function(features).reshape(features.shape[0], -1)


def split(template: str, threshold: int) -> Split:
    made = make_learner({"learner": "svm-poly", "split": template, "split_threshold": threshold})
    assert isinstance(made, Split)
    return made


def test_each_frequent_value_of_the_split_slot_has_its_own_svc() -> None:
    drawn = data(2, 400, 4, 6)
    keys = drawn.keys
    keys[:40, 1] = 19
    keys[40:50, 1] = 18
    train = Instances.of(keys, drawn.target, SLOTS, 4)
    guide = split("upos(Stack[1])", 45).fit(train)
    values, counts = np.unique(train.keys[:, 1], return_counts=True)
    np.testing.assert_array_equal(guide.values_, values[counts >= 45])
    index = KeyIndex(np.sort(known_keys(train, 1)))
    features = index.features(train.keys)
    predicted = guide.scores(train.keys).argmax(axis=1)
    rare = ~np.isin(train.keys[:, 1], guide.values_)
    assert 0 < rare.sum() < 200
    for rows in [rare, *(train.keys[:, 1] == value for value in guide.values_)]:
        svc = fit_svc(features[rows], train.target[rows], 1.0, 0.2, 0.0, 0.001)
        np.testing.assert_array_equal(predicted[rows], svc.predict(features[rows]))
    svc = fit_svc(features[rare], train.target[rare], 1.0, 0.2, 0.0, 0.001)
    for value in (10**6, values[counts < 45][0]):  # an unseen value, and a rare one
        keys = train.keys[:20].copy()
        keys[:, 1] = value
        np.testing.assert_array_equal(guide.scores(keys).argmax(axis=1), svc.predict(index.features(keys)))


def test_classes_unseen_in_a_part_are_ranked_by_frequency() -> None:
    keys = np.array([[0, 10], [0, 11], [0, 12], [1, 10], [1, 11], [1, 12], [1, 13]], np.int64)
    target = np.array([0, 0, 0, 1, 2, 2, 2], np.int32)
    guide = split("upos(Stack[0])", 2).fit(Instances.of(keys, target, SLOTS[:2], 4))
    scores = guide.scores(keys[:1])[0]
    assert list(np.argsort(-scores)) == [0, 2, 1, 3]
    assert np.isneginf(scores[3])
    assert scores[2] < scores[0]
