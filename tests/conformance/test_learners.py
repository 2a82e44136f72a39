"""Conformance of guides: tests of every registered learner with several options."""

import io
import json
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.instances import MOST_CLASSES, KeyMatrix, check_instances
from crossarc.parser.learners.key_file import KeyFile
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.linear.weights import CELLS, blank
from crossarc.parser.learners.registry import COMBINERS, LEARNERS, load_learner, make_learner
from installed import PLUGINS

SECTIONS: dict[str, Mapping[str, Any]] = {
    "svm": {"learner": "svm"},
    "svm-poly": {"learner": "svm-poly"},
    "maxent": {"learner": "maxent"},
    "knn": {"learner": "knn"},
    "knn-overlap": {"learner": "knn", "threshold": 1000},
}
if "further_learners" in PLUGINS:
    SECTIONS |= {
        "svm-poly-split": {"learner": "svm-poly", "split": "upos(Stack[0])", "split_threshold": 40},
        "perceptron": {"learner": "perceptron"},
        "plugin": {"learner": "plugin", "estimator": "sklearn.naive_bayes.BernoulliNB"},
        "plugin-linear": {"learner": "plugin", "estimator": "sklearn.linear_model.RidgeClassifier", "dense": True},
        "voting": {"learner": "voting", "guides": [{"learner": "maxent"}, {"learner": "knn"}]},
        "split": {"learner": "svm", "split": "upos(Stack[0])", "split_threshold": 40},
        "split-maxent": {"learner": "maxent", "split": "upos(Stack[0])", "split_threshold": 40},
        "split-knn": {"learner": "knn", "split": "form(Stack[0])", "split_threshold": 10},
        "two-step-split": {"decide": "two-step", "split": "upos(Stack[0])", "split_threshold": 40},
        "two-step": {"learner": "svm", "decide": "two-step"},
        "two-step-knn": {"learner": "knn", "decide": "two-step"},
        "forest": {
            "learner": "plugin",
            "estimator": "sklearn.ensemble.RandomForestClassifier",
            "parameters": {"n_estimators": 5},
        },
    }
SLOTS = (
    Slot("upos(Stack[0])", 0, 8),
    Slot("upos(Lookahead[0])", 8, 8),
    Slot("form(Stack[0])", 16, 62),
    Slot("feats(Stack[0])", 78, 10),
    Slot("feats(Stack[0])", 78, 10),
)
UNSEEN_CLASSES = [2, 7]
MOVES = np.array([0, 1, 1, 1, 2, 2, 2, 2])


def instances(size=300, seed=3, classes=(0, 1, 3, 4, 5, 6)):
    """Instances whose class depends on two slots, with noise; some classes and the last keys of slots do not occur."""
    random = np.random.default_rng(seed)
    keys = np.stack([slot.offset + random.integers(0, slot.size - 2, size) for slot in SLOTS], axis=1)
    keys[:, 2] = 16 + np.minimum(random.geometric(0.1, size), 60) - 1
    keys[random.random(size) < 0.3, 4] = ABSENT
    keys[keys[:, 3] == keys[:, 4], 4] = ABSENT
    number = (keys[:, 0] + 2 * (keys[:, 1] % 2) + (random.random(size) < 0.1)) % len(classes)
    return Instances.of(keys.astype(np.int64), np.array(classes, np.int32)[number], SLOTS, 8, MOVES)


@pytest.fixture(scope="module", params=SECTIONS)
def trained(request):
    return make_learner(SECTIONS[request.param]).fit(instances())


@pytest.fixture(scope="module")
def queries():
    return instances(90, seed=8).keys


def test_every_guide_is_tested():
    assert {*LEARNERS, *COMBINERS} == {make_learner(section).name for section in SECTIONS.values()}


def test_accuracy_exceeds_that_of_the_most_frequent_class(trained):
    data = instances(200, seed=9)
    right = np.mean(trained.scores(data.keys).argmax(axis=1) == data.target)
    assert right > np.bincount(data.target).max() / len(data.target) + 0.1


def test_scores_are_float32_with_one_column_per_class(trained, queries):
    scores = trained.scores(queries)
    assert scores.shape == (len(queries), 8)
    assert scores.dtype == np.float32
    assert trained.scores(queries[:0]).shape == (0, 8)


def test_scores_of_batches_agree_with_those_of_single_rows(trained, queries):
    single = np.concatenate([trained.scores(row[None]) for row in queries])
    batch = trained.scores(queries)
    np.testing.assert_array_equal(batch.argmax(axis=1), single.argmax(axis=1))
    np.testing.assert_allclose(batch, single, rtol=1e-5, atol=1e-5)


def test_scoring_does_not_change_keys(trained, queries):
    before = queries.copy()
    trained.scores(queries)
    np.testing.assert_array_equal(queries, before)


def stored(learner):
    """The state of a learner as model files store it."""
    values, arrays = learner.state()
    return json.dumps(values), {name: array.tobytes() for name, array in arrays.items()}


def test_loaded_learners_equal_saved_ones(trained, queries):
    values, arrays = trained.state()
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    file.seek(0)
    with np.load(file, allow_pickle=False) as loaded:
        again = load_learner(trained.name, json.loads(json.dumps(values)), dict(loaded), SLOTS, 8)
    np.testing.assert_array_equal(again.scores(queries), trained.scores(queries))
    assert stored(again) == stored(trained)


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_training_is_deterministic(section):
    first, second = (make_learner(section).fit(instances()) for _ in range(2))
    assert stored(first) == stored(second)


def test_training_does_not_change_instances():
    data, same = instances(), instances()
    for section in SECTIONS.values():
        make_learner(section).fit(data)
        np.testing.assert_array_equal(data.keys, same.keys)
        np.testing.assert_array_equal(data.target, same.target)


def in_file(data):
    """The same instances with their keys in a file, in three parts with vocabularies of their own."""
    file = KeyFile()
    for part in np.array_split(data.keys, 3):
        file.add(KeyMatrix.of(part))
    return replace(data, matrix=KeyMatrix.none(len(data.slots)), file=file)


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_learners_that_read_blocks_learn_the_same_from_a_file(section):
    learner = make_learner(section)
    if learner.reads_blocks:
        assert stored(learner.fit(in_file(instances()))) == stored(make_learner(section).fit(instances()))
    else:
        assert section != {"learner": "svm"}


def test_only_classes_without_instances_score_minus_infinity(trained, queries):
    """This holds for keys that training lacks, too."""
    unseen = np.array([[ABSENT] * 5, [7, 15, 77, 87, 86], [0, 8, 77, 87, ABSENT], [6, 9, 16, 78, 87]], np.int64)
    for keys in (queries, unseen):
        scores = trained.scores(keys)
        assert np.isneginf(scores[:, UNSEEN_CLASSES]).all()
        assert np.isfinite(np.delete(scores, UNSEEN_CLASSES, axis=1)).all()


def test_sums_begin_with_the_class_of_the_best_score(trained, queries):
    """Also where the best classes are excluded, as those of moves that are not permissible."""
    scores = trained.scores(queries)
    rows = np.arange(len(scores))
    for _ in range(len(trained.classes_)):
        values = trained.additive(scores.copy())
        assert np.isfinite(values[rows, scores.argmax(axis=1)]).all()
        if trained.name != "two-step":  # which multiplies the probabilities of moves and labels
            np.testing.assert_allclose(values[rows, scores.argmax(axis=1)], values.max(axis=1), atol=1e-4)
        scores[rows, scores.argmax(axis=1)] = -np.inf


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_guides_predict_the_only_class_of_training(section):
    guide = make_learner(section).fit(instances(60, classes=(5,)))
    scores = guide.scores(instances(10, seed=4).keys)
    assert (scores.argmax(axis=1) == 5).all()
    assert np.isneginf(np.delete(scores, 5, axis=1)).all()


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_guides_learn_two_classes(section):
    data = instances(200, classes=(4, 1))
    guide = make_learner(section).fit(data)
    assert np.mean(guide.scores(data.keys).argmax(axis=1) == data.target) > 0.7


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_unknown_parameters_are_refused(section):
    with pytest.raises(CrossarcError, match=r"unknown key guide\.'colour'; allowed: learner, .*"):
        make_learner({**section, "colour": 1})


@pytest.mark.parametrize("name", LEARNERS)
def test_more_classes_than_compiled_tables_can_number_are_refused(name):
    """In training and in reading: the tables number classes, and places of padding, with 16 bits."""
    message = f"found {MOST_CLASSES + 1} transitions; "
    few = SimpleNamespace(target=[0], n_classes=MOST_CLASSES)
    check_instances(name, few)
    few.n_classes += 1
    with pytest.raises(CrossarcError, match=message):
        check_instances(name, few)
    with pytest.raises(ShapeError, match=message):
        load_learner(name, {}, {}, SLOTS, MOST_CLASSES + 1)
    width = blank(0, MOST_CLASSES).shape[1] + CELLS
    assert width <= np.iinfo(np.int16).max
