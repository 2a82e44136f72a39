"""Memory for training: estimates per learner, messages, and errors if too little is free."""

from dataclasses import replace

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.base.compiling import enabled
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.learners import common, memory
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.plugin import Plugin
from crossarc.parser.learners.registry import make_learner

KEYS = np.array([[0, 4], [0, 5], [1, 4], [1, -1], [2, 6]], np.int64)
DATA = Instances.of(KEYS, np.array([0, 1, 0, 1, 0], np.int32), (Slot("a", 0, 4), Slot("b", 4, 4)), 2)
DENSE = {"learner": "plugin", "dense": True, "min_count": 2, "estimator": "sklearn.linear_model.RidgeClassifier"}


def test_dense_matrices_are_counted_to_the_byte():
    guide = Plugin(estimator=str(DENSE["estimator"]), dense=True).fit(DATA)
    assert guide.memory_needed(DATA) == 5 * 3 * 8
    assert Plugin().memory_needed(DATA) == 0
    voting = make_learner({"learner": "voting", "guides": [{"learner": "svm"}, DENSE]})
    assert voting.memory_needed(DATA) == 5 * 3 * 8


SVM = 2 if enabled() else 8


@pytest.mark.parametrize(("name", "each"), [("svm", SVM), ("maxent", 4 + 4), ("perceptron", 2 + 4)])
def test_weights_are_counted_by_features_and_classes(name, each, monkeypatch):
    guide = make_learner({"learner": name, "min_count": 2})
    assert guide.memory_needed(DATA) == 0
    monkeypatch.setattr(common, "WORTH_COUNTING", 1)
    assert guide.memory_needed(DATA) == 3 * 2 * each
    voting = make_learner({"learner": "voting", "guides": [{"learner": name, "min_count": own} for own in (1, 2)]})
    assert voting.memory_needed(DATA) == 6 * 2 * each


def test_two_step_guides_need_the_memory_of_their_largest_learner(monkeypatch):
    monkeypatch.setattr(common, "WORTH_COUNTING", 1)
    many = replace(DATA, target=np.arange(5, dtype=np.int32), n_classes=5, moves=np.array([0, 1, 1, 1, 1]))
    for decide, bytes_needed in (("joint", 6 * 5 * SVM), ("two-step", max(6 * 2 * SVM, 6 * 4 * SVM))):
        guide = make_learner({"learner": "svm", "min_count": 1, "decide": decide})
        assert guide.memory_needed(many) == bytes_needed


def test_memory_is_reported_if_large_and_refused_if_not_free(monkeypatch):
    said = []
    monkeypatch.setattr(memory, "free_memory", lambda: 119)
    with pytest.raises(CrossarcError) as caught:
        memory.say_memory(make_learner(DENSE), DATA, said.append)
    expected = "guide plugin: needs at least 0.0 GB of memory; the machine has 0.0 GB free; a higher guide.min_count, "
    expected += "features=small or, with many labels, guide.decide=two-step needs less"
    assert (str(caught.value), said) == (expected, [])
    monkeypatch.setattr(memory, "free_memory", lambda: 120)
    memory.say_memory(make_learner(DENSE), DATA, said.append)
    assert said == []
    monkeypatch.setattr(memory, "WORTH_SAYING", 120)
    for free in (120, None):
        monkeypatch.setattr(memory, "free_memory", lambda free=free: free)
        memory.say_memory(make_learner(DENSE), DATA, said.append)
    assert said == ["guide plugin: needs at least 0.0 GB of memory"] * 2


def test_free_memory_comes_from_linux_or_the_page_counts(tmp_path):
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:       3 kB\n", "ascii")
    assert memory.free_memory(str(tmp_path / "meminfo")) == 3072
    (tmp_path / "odd").write_text("MemAvailable:\n", "ascii")
    for other in (tmp_path / "odd", tmp_path / "none"):
        found = memory.free_memory(str(other))
        assert found is None or found > 0
