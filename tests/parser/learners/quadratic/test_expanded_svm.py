"""SVM with explicit pairs of features: inner products equal the quadratic kernel."""

from __future__ import annotations

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.quadratic.expanded_svm import ExpandedSVM

SLOTS = (Slot("a", 0, 9), Slot("b", 9, 9), Slot("set", 18, 9), Slot("set", 18, 9))


def xor(size: int = 300) -> Instances:
    """Instances whose classes depend on a pair of features, and on none of them alone."""
    random = np.random.default_rng(1)
    keys = np.stack([slot.offset + random.integers(0, 4, size) for slot in SLOTS], axis=1).astype(np.int64)
    keys[keys[:, 2] == keys[:, 3], 3] = ABSENT
    return Instances.of(keys, ((keys[:, 0] + keys[:, 1]) % 4).astype(np.int32), SLOTS, 4)


def test_pairs_separate_classes_that_single_features_do_not() -> None:
    data = xor()
    guide = ExpandedSVM(C=10).fit(data)
    np.testing.assert_array_equal(guide.scores(data.keys).argmax(axis=1), data.target)


@pytest.mark.parametrize(("gamma", "coef0"), [(0.2, 0.0), (0.5, 1.0)])
def test_inner_products_of_mapped_instances_equal_the_kernel(gamma: float, coef0: float) -> None:
    data = xor(40)
    guide = ExpandedSVM(gamma=gamma, coef0=coef0, min_count=1).fit(data)
    mapped = guide.mapped(data.keys)
    shared = np.array([[len((set(x) & set(z)) - {ABSENT}) for z in data.keys.tolist()] for x in data.keys.tolist()])
    np.testing.assert_allclose((mapped @ mapped.T).toarray() + coef0**2, (gamma * shared + coef0) ** 2, atol=1e-6)


def test_max_pairs_keeps_the_most_frequent_pairs() -> None:
    data = xor()
    free = ExpandedSVM().fit(data)
    bounded = ExpandedSVM(max_pairs=20).fit(data)
    assert len(free.pairs_) > 20 >= len(bounded.pairs_) > 0
    counts = np.asarray((free.mapped(data.keys) != 0).sum(axis=0)).ravel()[-len(free.pairs_) :]
    kept = np.isin(free.pairs_, bounded.pairs_)
    assert kept.sum() == len(bounded.pairs_)
    assert counts[kept].min() > counts[~kept].max()


def test_order_of_a_pair_within_a_set_does_not_matter() -> None:
    data = xor(60)
    swapped = data.keys.copy()
    swapped[:, [2, 3]] = swapped[:, [3, 2]]
    guide = ExpandedSVM().fit(data)
    np.testing.assert_array_equal(guide.scores(swapped), guide.scores(data.keys))
