"""Two-step guides, which decide on the move first, then on its label."""

from dataclasses import replace

import numpy as np
import pytest
from command_line import generated
from crossarc import load_config, load_model, save_model, score_sentences, train
from crossarc.features.extractor import Slot
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.registry import load_learner, make_learner
from crossarc.parser.plugins.further_learners.two_step import TwoStep
from scipy.special import softmax

SLOTS = (Slot("a", 0, 6), Slot("b", 6, 6))
MOVES = np.array([0, 2, 2, 2, 3, 3])
"""Move of each class; no class has move 1, as if training never took it."""


def instances(size=400, seed=1):
    random = np.random.default_rng(seed)
    keys = np.stack([random.integers(0, 6, size), 6 + random.integers(0, 6, size)], axis=1)
    target = (keys[:, 0] + (keys[:, 1] - 6) * (random.random(size) < 0.8)) % 6
    return Instances.of(keys, target.astype(np.int32), SLOTS, 6, MOVES)


@pytest.fixture(scope="module")
def two_step():
    return make_learner({"learner": "maxent", "decide": "two-step", "min_count": 1}).fit(instances())


@pytest.fixture(scope="module")
def keys():
    return np.array([[a, b] for a in range(6) for b in range(6, 12)])


def test_best_transition_has_best_label_of_best_permissible_move(two_step, keys):
    """Learners of moves and labels that are trained separately give the same decisions."""
    data = instances()
    place = np.unique(MOVES, return_inverse=True)[1]
    plain = {"learner": "maxent", "min_count": 1}
    of_moves = make_learner(plain).fit(Instances.of(data.keys, place[data.target].astype(np.int32), SLOTS, 3))
    labels = {}
    for move in (1, 2):
        rows, classes = place[data.target] == move, np.flatnonzero(place == move)
        target = np.searchsorted(classes, data.target[rows]).astype(np.int32)
        labels[move] = make_learner(plain).fit(Instances.of(data.keys[rows], target, SLOTS, len(classes))).scores(keys)
    scores, move_scores = two_step.scores(keys), of_moves.scores(keys)
    chosen = set()
    for legal in ([0, 1, 2], [0, 1], [0, 2], [1, 2], [1], [2], [0]):
        found = np.where(np.isin(place, legal), scores, -np.inf).argmax(axis=1)
        for row in range(len(keys)):
            move = max(legal, key=lambda own, row=row: move_scores[row, own])
            label = labels[move][row].argmax() if move else 0
            assert found[row] == np.flatnonzero(place == move)[label]
            chosen.add(int(found[row]))
    assert chosen == set(range(6))


def test_confidences_are_products_of_those_of_move_and_label(two_step, keys):
    scores = two_step.scores(keys)
    sure = two_step.confidences(scores)
    np.testing.assert_allclose(sure.sum(axis=1), 1)
    place = np.unique(MOVES, return_inverse=True)[1]
    moves = softmax(two_step.members_[0].scores(keys)[:, [0, 1, 4]].astype(float), axis=1)
    for move, member in ((1, 1), (2, 2)):
        np.testing.assert_allclose(sure[:, place == move].sum(axis=1), moves[:, move], rtol=1e-5)
        labels = softmax(two_step.members_[member].scores(keys)[:, place == move].astype(float), axis=1)
        np.testing.assert_allclose(sure[:, place == move], moves[:, move, None] * labels, rtol=1e-4)
    scores[:, place == 1] = -np.inf
    sure = two_step.confidences(scores)
    np.testing.assert_allclose(sure.sum(axis=1), 1)
    assert (sure[:, place == 1] == 0).all()


def test_contributions_are_those_of_the_learner_that_distinguishes(two_step):
    row = np.array([2, 9])
    assert two_step.contributions(row, 0, 3) == two_step.members_[0].contributions(row, 0, 1)
    assert two_step.contributions(row, 1, 3) == two_step.members_[1].contributions(row, 1, 3)
    assert two_step.contributions(row, 5, 4) == two_step.members_[2].contributions(row, 5, 4)


def test_instances_without_moves_are_refused():
    with pytest.raises(ValueError, match="expected the move of each class"):
        make_learner({"decide": "two-step"}).fit(replace(instances(), moves=None))


@pytest.mark.parametrize(("name", "value"), [("moves", [0, 1, 1, 1, 4, 6]), ("labels", [0, 1, 1, 1, 3, 3])])
def test_inconsistent_states_are_refused(two_step, name, value):
    values, arrays = two_step.state()
    arrays[name] = np.array(value)
    with pytest.raises(ShapeError, match=f": array {name}: found int64"):
        load_learner("two-step", values, arrays, SLOTS, 6)


@pytest.fixture(scope="module")
def treebank():
    return generated(1, 120, rate=0.5)


@pytest.mark.parametrize("settings", [["system=swap"], ["system=arc-eager", "explore=1"], ["beam=3"]])
def test_two_step_parsers_parse_and_can_be_saved(treebank, settings, tmp_path):
    config = load_config("arc-standard", [*settings, "features=small", "guide.decide=two-step"])
    model = train(config, sentences=treebank[:100])
    assert isinstance(model.stages[0].learner, TwoStep)
    save_model(model, str(tmp_path / "m"))
    gold = treebank[100:]
    parsed = list(model.parse(gold))
    assert score_sentences(gold, parsed).las > 70
    assert list(load_model(str(tmp_path / "m")).parse(gold)) == parsed
    assert "decide=two-step" in model.to_text()
