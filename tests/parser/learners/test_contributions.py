"""Contributions of features, which sum to differences of scores, and confidences, which are probabilities."""

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.learners.common import fitted
from crossarc.parser.learners.instances import feature_matrix
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.registry import make_learner
from installed import needs
from sklearn.linear_model import LogisticRegression

SUMS = [
    {"learner": "svm", "C": 1.0, "min_count": 1},
    {"learner": "maxent", "min_count": 1},
    {"learner": "plugin", "min_count": 1},
]
POLY = {"learner": "svm-poly", "gamma": 0.3, "coef0": 0.7}
OTHERS = [POLY, {"learner": "knn"}, {"learner": "voting", "guides": [{"learner": "maxent"}, {"learner": "knn"}]}]


def instances():
    dice = np.random.default_rng(5)
    values = dice.integers(0, 4, (120, 5))
    target = (values[:, 0] + (values[:, 1] == values[:, 2]) + 2 * (values[:, 3] > 2)) % 4
    slots = tuple(Slot(f"t{k}", 4 * k, 4) for k in range(5))
    return Instances.of(values + 4 * np.arange(5), target.astype(np.int32), slots, 4)


DATA = instances()


def trained(options):
    return make_learner(options).fit(DATA)


@pytest.mark.parametrize("options", SUMS, ids=lambda options: options["learner"])
@needs("further_learners")
def test_contributions_sum_to_the_difference_of_scores(options):
    guide = trained(options)
    intercept = guide.bias_ * guide.scale_
    for keys in DATA.keys[:10]:
        scores = guide.scores(keys[None])[0]
        for winner, rival in ((0, 1), (3, 2)):
            found = guide.contributions(keys, winner, rival)
            total = sum(contribution.value for contribution in found) + float(intercept[winner] - intercept[rival])
            assert total == pytest.approx(float(scores[winner] - scores[rival]), abs=1e-3)
            assert [abs(contribution.value) for contribution in found] == sorted(
                (abs(contribution.value) for contribution in found), reverse=True
            )
            assert all(contribution.value for contribution in found)
            back = {contribution.slots: contribution.value for contribution in guide.contributions(keys, rival, winner)}
            assert back == pytest.approx({contribution.slots: -contribution.value for contribution in found})


def test_contributions_to_the_quadratic_kernel_sum_to_its_decision():
    guide = trained(POLY)
    features = {int(key): number for number, key in enumerate(guide.kept_)}
    vectors = guide._vectors.toarray().astype(float)
    for keys in DATA.keys[:10]:
        x = np.zeros(len(guide.kept_))
        x[[features[int(key)] for key in keys]] = 1
        kernel = (0.3 * vectors @ x + 0.7) ** 2
        for first, second in ((0, 1), (1, 3)):
            own = slice(guide._starts[first], guide._starts[first + 1])
            other = slice(guide._starts[second], guide._starts[second + 1])
            duals = np.concatenate([guide.duals_[second - 1, own], guide.duals_[first, other]])
            decision = duals @ np.concatenate([kernel[own], kernel[other]])
            constant = 0.7**2 * duals.sum()
            for sign, pair in ((1, (first, second)), (-1, (second, first))):
                found = guide.contributions(keys, *pair)
                assert sum(contribution.value for contribution in found) == pytest.approx(
                    sign * (decision - constant), abs=1e-9
                )
                assert {len(contribution.slots) for contribution in found} == {1, 2}


@needs("further_learners")
def test_unknown_keys_contribute_nothing():
    for options in [*SUMS, POLY]:
        assert trained(options).contributions(np.full(5, -1), 0, 1) == []


@pytest.mark.parametrize("options", SUMS + OTHERS, ids=lambda options: options["learner"])
@needs("further_learners")
def test_confidences_are_probabilities_of_the_permissible_classes(options):
    guide = trained(options)
    scores = guide.scores(DATA.keys[:20])
    scores[:, 1] = -np.inf
    confidences = guide.confidences(scores)
    assert confidences.shape == scores.shape
    assert (confidences[:, 1] == 0).all()
    assert (confidences >= 0).all()
    total = confidences.sum(axis=1)
    assert np.allclose(total[total > 0], 1)
    assert (confidences.argmax(axis=1) == scores.argmax(axis=1))[total > 0].all()
    assert guide.confidences(np.full((1, 4), -np.inf, np.float32)).tolist() == [[0.0] * 4]


def test_maxent_confidences_are_the_renormalised_probabilities_of_scikit_learn():
    features = feature_matrix(DATA, DATA.matrix.vocabulary, np.float32)
    solver = LogisticRegression(solver="saga", max_iter=10, random_state=0)
    expected = fitted(solver, features, DATA.target).predict_proba(features)
    guide = trained(SUMS[1])
    scores = guide.scores(DATA.keys)
    assert guide.confidences(scores) == pytest.approx(expected, abs=1e-4)
    scores[:, 0] = -np.inf
    left = expected[:, 1:] / expected[:, 1:].sum(axis=1, keepdims=True)
    assert guide.confidences(scores)[:, 1:] == pytest.approx(left, abs=1e-4)


@pytest.mark.parametrize("options", OTHERS[1:], ids=lambda options: str(options["learner"]))
@needs("further_learners")
def test_guides_whose_scores_are_not_sums_have_no_contributions(options):
    guide = trained(options)
    assert len(set(guide.scores(DATA.keys[:1])[0].tolist())) > 1  # the scores differ
    assert guide.contributions(DATA.keys[0], 0, 1) == []
