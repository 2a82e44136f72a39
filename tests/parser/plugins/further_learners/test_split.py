"""Split guides: one learner per frequent value of a template."""

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.registry import load_learner, make_learner

SLOTS = (Slot("upos(Stack[0])", 0, 6), Slot("form(Stack[0])", 6, 30))
SECTION = {"learner": "svm", "min_count": 1, "split": "upos(Stack[0])"}
VALUES, RARE = (1, 2, 3), (4, 5)


def instances(rare):
    """100 instances of each of three values, ``rare`` of each of two others; value 1 never has class 3."""
    random = np.random.default_rng(1)
    column = np.repeat([*VALUES, *RARE], [100, 100, 100, rare, rare])
    keys = np.stack([column, 6 + random.integers(0, 30, len(column))], axis=1)
    target = (keys.sum(axis=1) + (random.random(len(column)) < 0.1)) % np.where(column == 1, 3, 4)
    return Instances.of(keys, target.astype(np.int32), SLOTS, 4)


def test_each_frequent_value_has_a_learner_of_its_own():
    data = instances(rare=40)
    learner = make_learner({**SECTION, "split_threshold": 60}).fit(data)
    queries = np.array([[value, 6 + form] for value in range(6) for form in range(30)])
    scores = learner.scores(queries)
    for values, asked in (*(([value], [value]) for value in VALUES), (RARE, [0, *RARE])):
        own = make_learner({"learner": "svm", "min_count": 1}).fit(data.part(np.isin(data.keys[:, 0], values)))
        rows = np.isin(queries[:, 0], asked)
        expected = own.scores(queries[rows])
        known = ~np.isneginf(expected)
        np.testing.assert_array_equal(scores[rows][known], expected[known])
        assert known.all() == (values != [1])
    others = scores[queries[:, 0] == 1]
    assert np.isfinite(others).all()
    assert (others[:, 3] < others[:, :3].min(axis=1)).all()


def test_templates_of_sets_are_refused():
    """A feature of each of several slots: none of them alone is the value."""
    data = instances(rare=40)
    pair = Slot("feats(Stack[0])", 0, 6), Slot("feats(Stack[0])", 6, 30)
    section = {**SECTION, "split": "feats(Stack[0])"}
    with pytest.raises(CrossarcError, match=r"guide\.split: found 'feats\(Stack\[0\]\)', which has several values"):
        make_learner(section).fit(Instances.of(data.keys, data.target, pair, 4))


def test_few_rare_instances_use_a_learner_of_all_instances():
    data = instances(rare=3)
    learner = make_learner({**SECTION, "split_threshold": 60}).fit(data)
    whole = make_learner({"learner": "svm", "min_count": 1}).fit(data)
    queries = np.array([[value, 6 + form] for value in (0, *RARE) for form in range(30)])
    np.testing.assert_array_equal(learner.scores(queries), whole.scores(queries))


def test_contributions_are_those_of_the_learner_for_the_value():
    learner = make_learner({**SECTION, "split_threshold": 60}).fit(instances(rare=40))
    assert learner.contributions(np.array([2, 7]), 0, 1) == learner.members_[1].contributions(np.array([2, 7]), 0, 1)
    assert learner.contributions(np.array([1, 7]), 0, 3) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("rest", np.array(4)), ("values", np.arange(6)), ("split", "upos(Stack[9])"), ("split_threshold", 0)],
)
def test_invalid_states_are_refused(name, value):
    values, arrays = make_learner({**SECTION, "split_threshold": 60}).fit(instances(rare=40)).state()
    (values if name in values else arrays)[name] = value
    with pytest.raises(ShapeError):
        load_learner("split", values, arrays, SLOTS, 4)


def test_classes_unseen_in_a_part_are_ranked_by_frequency():
    keys = np.array([[0, 10], [0, 11], [0, 12], [1, 10], [1, 11], [1, 12], [1, 13]], np.int64)
    target = np.array([0, 0, 0, 1, 2, 2, 2], np.int32)
    section = {"learner": "svm-poly", "split": "upos(Stack[0])", "split_threshold": 2}
    scores = make_learner(section).fit(Instances.of(keys, target, SLOTS, 4)).scores(keys[:1])[0]
    assert list(np.argsort(-scores)) == [0, 2, 1, 3]
    assert np.isneginf(scores[3])
    assert scores[2] < scores[0]
