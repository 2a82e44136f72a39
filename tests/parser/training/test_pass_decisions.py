"""Decisions in a pass: the guide's best class among those whose label is permissible, and what the driver refuses."""

from __future__ import annotations

import numpy as np
import pytest
from crossarc.features.extractor import Extractor
from crossarc.features.template import FeatureModel, parse_template
from crossarc.parser.learners.learner import Instances, Learner
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.parser.search.learned_guide import LearnedGuide
from crossarc.transitions.configuration import Bools, Configuration
from crossarc.transitions.registry import make_system
from crossarc.transitions.step import Decision, Step
from crossarc.transitions.three_step import ValencyPass
from numpy.typing import NDArray

INVENTORY = np.array([[0, -1], [1, 0], [1, 1], [2, 0], [2, 1]])
EXTRACTOR = Extractor(FeatureModel((parse_template("valency(Stack[0])", "here"),)), {}, 2)


class Fixed(Learner):
    """Always gives the same scores."""

    name = "fixed"

    def __init__(self, given: list[float]) -> None:
        self.given = given

    def fit(self, instances: Instances) -> Fixed:
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.tile(np.array(self.given, dtype=np.float32), (len(keys), 1))


def start() -> tuple[ValencyPass, Configuration]:
    """Row 0: word 1 waits with label 1. Row 1: the same, but word 2 descends from it. Row 2: nothing waits."""
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
def test_a_pair_is_taken_with_permissible_labels_only(scores: list[float], decisions: list[tuple[int, int]]) -> None:
    system, c = start()
    decider = LearnedGuide(Fixed(scores), EXTRACTOR, {}, INVENTORY, system)
    found = decider.decide(c, system.legal(c))
    assert list(zip(found.moves.tolist(), found.labels.tolist(), strict=True)) == decisions


def test_the_driver_shifts_where_a_pair_has_a_label_that_is_not_permissible() -> None:
    system, _ = start()
    heads = np.array([[-1, 0, 0, 0, -1]])
    tree = heads, np.where(heads < 0, -1, 0)

    class Stubborn:
        """Puts a valency of label 1, then wants pairs of label 0, then of label 1."""

        def decide(self, c: Configuration, legal: Bools) -> Decision:
            word = int(c.buffer(0)[0])
            waiting = bool(legal[0, 2])
            return Decision(np.array([1 if word == 1 else 2 if waiting else 0]), np.array([1 if word != 2 else 0]))

    seen = []

    def observe(step: Step) -> None:
        seen.append((int(step.moves[0]), int(step.labels[0]), bool(step.unguided[0])))

    outcome = derive(system, Stubborn(), system.over(np.array([3]), tree, tree, 2), Fallback(0, 0), observe)
    assert seen == [(1, 1, False), (0, -1, True), (2, 1, False), (0, 1, False)]
    assert outcome.heads.tolist() == [[-1, 3, 0, 0, -1]]
    assert outcome.deprels.tolist() == [[-1, 1, 0, 0, -1]]
    assert outcome.defaults.tolist() == [1]
