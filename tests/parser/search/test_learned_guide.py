"""The learned guide, which turns scores into transitions, and the recorder of an oracle's decisions."""

import numpy as np
import pytest
from crossarc.features.extractor import Extractor
from crossarc.features.template import FeatureModel, parse_template
from crossarc.oracles.oracle import Gold
from crossarc.oracles.registry import make_oracle
from crossarc.parser.learners.learner import Learner
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.parser.search.learned_guide import LearnedGuide
from crossarc.parser.training.derivations import InstanceRecorder, merge_instances
from crossarc.transitions.configuration import Configuration
from crossarc.transitions.registry import make_system
from crossarc.transitions.step import Decision

INVENTORY = np.array([[0, -1], [1, 0], [1, 1], [2, 0]])
EXTRACTOR = Extractor(FeatureModel((parse_template("arity(Stack[0])", "here"),)), {}, 2)
INF = np.inf


class Fixed(Learner):
    """Always gives the same scores."""

    name = "fixed"

    def __init__(self, given):
        self.given = np.array(given, dtype=np.float32)

    def fit(self, instances):
        return self

    def scores(self, keys):
        return np.resize(self.given, (len(keys), self.given.shape[1]))


@pytest.mark.parametrize(
    ("scores", "legal", "decision"),
    [
        ([1, 2, 3, 0], [1, 1, 1], (1, 1)),
        ([1, 2, 3, 0], [1, 0, 1], (0, -1)),
        ([1, 2, 3, 0], [0, 0, 1], (2, 0)),
        ([1, 2, 3, 0], [0, 0, 0], (-1, -1)),
        ([5, 5, 5, 5], [1, 1, 1], (0, -1)),
        ([5, 5, 5, 5], [0, 1, 1], (1, 0)),
        ([-INF, -INF, -7, -INF], [1, 1, 1], (1, 1)),
        ([-INF, -INF, -7, -INF], [1, 0, 1], (-1, -1)),
    ],
)
def test_the_best_permissible_transition_is_taken(scores, legal, decision):
    guide = LearnedGuide(Fixed([scores]), EXTRACTOR, {}, INVENTORY, make_system("arc-standard"))
    found = guide.decide(Configuration(np.array([3])), np.array([legal], dtype=bool))
    assert found.keys.shape == (1, 1)
    out = [not legal[move] or score == -INF for (move, _), score in zip(INVENTORY, scores, strict=True)]
    assert np.isneginf(found.scores[0]).tolist() == out
    assert (found.moves.tolist(), found.labels.tolist()) == ([decision[0]], [decision[1]])


def test_guides_without_permissible_classes_give_default_trees():
    """The defaults of arc-standard are SHIFT for all words, then RIGHT-ARC: each word is the head of the next."""
    system = make_system("arc-standard")
    guide = LearnedGuide(Fixed([[-INF] * 4]), EXTRACTOR, {}, INVENTORY, system)
    derivation = derive(system, guide, system.initial(np.array([3, 1])), Fallback(root_label=1, orphan_label=0))
    assert derivation.heads.tolist() == [[-1, 0, 1, 2, -1], [-1, 0, -1, -1, -1]]
    assert derivation.deprels.tolist() == [[-1, 1, 0, 0, -1], [-1, 1, -1, -1, -1]]
    assert derivation.defaults.tolist() == [6, 2]


def recorded(heads, deprels):
    """(decisions of the oracle of arc-standard, its derivations)."""
    system, gold = make_system("arc-standard"), Gold(heads, deprels)
    recorder = InstanceRecorder(EXTRACTOR, {}, len(heads))
    derivation = derive(system, make_oracle(system, gold), system.initial(gold.lengths), Fallback(0, 0), recorder)
    return recorder.recorded(), derivation


@pytest.mark.parametrize(
    ("left_out", "inventory", "counts"),
    [([False, False], [[0, -1], [1, 1], [2, 0]], [3, 1, 2]), ([True, False], [[0, -1], [2, 0]], [1, 1])],
)
def test_every_decision_of_the_oracle_is_an_instance(left_out, inventory, counts):
    """In one sentence, word 2 is the head of word 1, with label 1; the other sentence is a single word."""
    found, _ = recorded([[-1, 2, 0], [-1, 0]], [[-1, 1, 0], [-1, 0]])
    instances, decisions, _ = merge_instances([found.without(np.array(left_out))], EXTRACTOR)
    assert decisions.tolist() == inventory
    assert np.bincount(instances.target).tolist() == counts
    assert instances.n_classes == len(counts)
    assert instances.target.dtype == np.int32
    assert instances.keys.shape == (sum(counts), 1)


def test_default_transitions_are_not_recorded():
    """The tree has crossing arcs, which arc-standard cannot derive without default transitions."""
    found, derivation = recorded([[-1, 3, 4, 0, 3]], [[-1, 0, 0, 0, 0]])
    assert derivation.defaults[0] > 0
    assert len(found.matrix) == len(found.decisions) == 8 - derivation.defaults[0]


@pytest.mark.parametrize(
    ("scores", "from_word", "from_root"), [([0, 9, 3], 1, 2), ([0, 3, 9], 1, 2), ([9, 1, 2], -1, -1)]
)
def test_arcs_get_labels_allowed_for_their_head(scores, from_word, from_root):
    """RIGHT-ARC from word 1 or from node 0: label 1 is for arcs from words, label 2 for arcs from node 0."""
    system = make_system("arc-standard", single_root=False)
    inventory = np.array([[0, -1], [2, 1], [2, 2]])
    places = np.array([[False, True, False], [False, False, True]])
    guide = LearnedGuide(Fixed([scores]), EXTRACTOR, {}, inventory, system, places)
    for words, expected in ((2, from_word), (1, from_root)):
        c = system.initial(np.array([3]))
        for _ in range(words):
            system.advance(c, np.array([0]), np.array([-1]))
        decision = guide.decide(c, system.legal(c))
        free = LearnedGuide(Fixed([scores]), EXTRACTOR, {}, inventory, system).decide(c, system.legal(c))
        assert decision.moves.tolist() == free.moves.tolist()
        assert decision.labels.tolist() == [expected]
        assert inventory[decision.scores.argmax(axis=1)].tolist() == [[decision.moves[0], expected]]


def test_arcs_are_kept_if_no_label_is_allowed():
    system = make_system("arc-standard", single_root=False)
    places = np.array([[True, False], [False, True]])
    guide = LearnedGuide(Fixed([[0.0, 5.0]]), EXTRACTOR, {}, np.array([[0, -1], [2, 0]]), system, places)
    c = system.initial(np.array([1]))
    system.advance(c, np.array([0]), np.array([-1]))
    assert [part.tolist() for part in guide.decide(c, system.legal(c))[:2]] == [[2], [0]]


PAIRS = np.array([[0, -1], [1, 0], [1, 1], [2, 0], [2, 1]])
"""The inventory of a pass: shift, and a valency or a pair with one of two labels."""


def start():
    """Row 0: word 1 has a valency of label 1. Row 1: the same, but word 2 descends from it. Row 2: no valency."""
    system = make_system("three-step-left")
    heads = np.array([[-1, 0, 0, 0, -1], [-1, 0, 1, 0, -1], [-1, 0, 0, 0, -1]])
    tree = heads, np.where(heads < 0, -1, 0)
    c = system.over(np.array([3, 3, 3]), tree, tree, 2)
    system.advance(c, np.array([1, 1, 0]), np.array([1, 1, -1]))
    return system, c


@pytest.mark.parametrize(
    ("scores", "decisions"),
    [
        ([0, 1, 2, 3, 4], [(2, 1), (1, 1), (1, 1)]),
        ([0, 2, 1, 4, 3], [(2, 1), (1, 0), (1, 0)]),
        ([2, 1, 1, 4, 0], [(0, -1), (0, -1), (0, -1)]),
        ([2, 1, 1, 9, 3], [(2, 1), (0, -1), (0, -1)]),
    ],
)
def test_a_pair_is_taken_with_permissible_labels_only(scores, decisions):
    system, c = start()
    decider = LearnedGuide(Fixed([scores]), EXTRACTOR, {}, PAIRS, system)
    found = decider.decide(c, system.legal(c))
    assert list(zip(found.moves.tolist(), found.labels.tolist(), strict=True)) == decisions


def test_the_driver_shifts_if_the_label_of_a_pair_is_not_permissible():
    system, _ = start()
    heads = np.array([[-1, 0, 0, 0, -1]])
    tree = heads, np.where(heads < 0, -1, 0)

    class Stubborn:
        """Chooses a valency of label 1, then pairs, first of label 0, then of label 1."""

        def decide(self, c, legal):
            word = int(c.buffer(0)[0])
            waiting = bool(legal[0, 2])
            return Decision(np.array([1 if word == 1 else 2 if waiting else 0]), np.array([1 if word != 2 else 0]))

    seen = []

    def observe(step):
        seen.append((int(step.moves[0]), int(step.labels[0]), bool(step.unguided[0])))

    outcome = derive(system, Stubborn(), system.over(np.array([3]), tree, tree, 2), Fallback(0, 0), observe)
    assert seen == [(1, 1, False), (0, -1, True), (2, 1, False), (0, 1, False)]
    assert outcome.heads.tolist() == [[-1, 3, 0, 0, -1]]
    assert outcome.deprels.tolist() == [[-1, 1, 0, 0, -1]]
    assert outcome.defaults.tolist() == [1]
