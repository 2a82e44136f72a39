"""Quadratic-kernel SVM: its decisions equal those of scikit-learn's SVC."""

import numpy as np
from crossarc.features.extractor import Slot
from crossarc.parser.learners.instances import known_keys
from crossarc.parser.learners.kernel_svm import KernelSVM, fit_svc
from crossarc.parser.learners.key_index import known_features
from crossarc.parser.learners.learner import Instances
from hypothesis import given, strategies as st

SLOTS = tuple(Slot(f"upos(Stack[{place}])", 10 * place, 10) for place in range(4))


def data(seed, size, classes, values):
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
def test_decisions_equal_those_of_svc(seed, size, classes, values, gamma, coef0):
    train, test = data(seed, size, classes, values), data(seed + 1, 60, classes, values + 2)
    if len(np.unique(train.target)) < 2:
        return
    known = np.sort(known_keys(train, 1))
    matrix = known_features(known, train.keys)
    svc = fit_svc(matrix, train.target, 1.0, gamma, coef0, 0.001)
    guide = KernelSVM(gamma=gamma, coef0=coef0).fit(train)
    for keys in (train.keys, test.keys):
        features = known_features(known, keys)
        found, expected = guide.scores(keys).argmax(axis=1), svc.predict(features)
        near = np.abs(decisions(svc, features)).min(axis=1) < 1e-9  # rounding decides about a vote
        np.testing.assert_array_equal(found[~near], expected[~near])


def decisions(svc, features):
    svc.decision_function_shape = "ovo"
    return svc.decision_function(features).reshape(features.shape[0], -1)
