"""Conformance of passes over trees: tests of every registered pass; a new one needs no test code."""

import itertools

import numpy as np
import pytest
from crossarc.oracles.derivations import DerivationRecorder
from crossarc.oracles.oracle import Gold
from crossarc.oracles.three_step import ValencyOracle, unpaired
from crossarc.parser.plugins.analysis.conformance import Silent
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.parser.transforms.lifting.projectivize import projectivize
from crossarc.transitions.registry import PASSES, make_system
from crossarc.transitions.step import Decision
from crossarc.transitions.trees import is_tree, roots
from every_derivation import all_trees, random_trees
from hypothesis import given, strategies as st

LABELS = 3
FALLBACK = Fallback(root_label=0, orphan_label=0)
passes = pytest.mark.parametrize("name", PASSES)


def matrices(trees, labels=None):
    gold = Gold(trees, labels or [[-1, *[0] * (len(tree) - 1)] for tree in trees])
    return gold.heads, gold.deprels


def lengths_of(trees):
    return np.array([len(tree) - 1 for tree in trees])


def run_oracles(trees, labels, count):
    """(gold trees, trees of the last pass, its derivations) after all passes over projectivized trees, in order."""
    anchors = matrices([tuple(projectivize(tree)[0]) for tree in trees], labels)
    gold, found = Gold(trees, labels), anchors
    for name in PASSES:
        system, recorder = make_system(name), DerivationRecorder(len(trees))
        c = system.over(gold.lengths, anchors, found, count)
        outcome = derive(system, ValencyOracle(system, gold, anchors), c, FALLBACK, recorder)
        found = outcome.heads, outcome.deprels
    return gold, outcome, recorder


def unpaired_words(tree, labels):
    """The words that projectivization moves and that an oracle does not pair; each pass pairs those on one side."""
    moved = [word for word, anchor in enumerate(projectivize(tree)[0]) if anchor != tree[word]]
    left, right = [w for w in moved if tree[w] > w], [w for w in moved if tree[w] < w]
    return {*unpaired(left, tree, labels), *unpaired(right, tree, labels)}


@passes
@pytest.mark.parametrize("n", range(4))
def test_derivations_are_bounded_and_end_in_trees(name, n):
    system = make_system(name)
    trees = all_trees(n, single_root=False)
    anchors = matrices(trees)
    c = system.over(lengths_of(trees), anchors, anchors, 2)
    longest = 0
    for depth in itertools.count():
        end = system.terminal(c)
        done = c.at(end)
        found = done.found_head(np.arange(n + 1)[:, None]).T.tolist()
        before = done.heads_matrix()[:, : n + 1].tolist()
        for old, new in zip(before, found, strict=True):
            assert is_tree(new)
            assert set(roots(new)) <= set(roots(old))
        if end.any():
            longest = depth
        if end.all():
            break
        c = c.at(~end)
        legal = system.legal(c)
        assert legal.any(axis=1).all()
        allowed = system.permissible_labels(c)
        choices = []
        for row, number in zip(*np.nonzero(legal), strict=True):
            move = system.moves[number]
            labels = np.flatnonzero(allowed[move][row]).tolist() if move in allowed else [0, 1]
            assert labels
            choices += [(row, number, label) for label in (labels if move.labelled else [-1])]
        rows, moves, labels = np.array(choices).T
        c = c.at(rows).compact()
        system.advance(c, moves, labels)
    assert longest == system.max_transitions(n)


@pytest.mark.parametrize("n", range(6))
def test_oracles_reach_every_tree_with_distinct_labels(n):
    trees = all_trees(n, single_root=False)
    gold, outcome, _ = run_oracles(trees, [[-1, *range(n)] for _ in trees], max(n, 1))
    assert (outcome.heads == gold.heads).all()
    assert (outcome.deprels == gold.deprels).all()
    assert not outcome.defaults.any()


@pytest.mark.parametrize("n", range(6))
def test_with_one_label_oracles_miss_only_unpaired_words(n):
    trees = all_trees(n, single_root=False)
    _, outcome, _ = run_oracles(trees, [[-1, *[0] * n] for _ in trees], 1)
    missed = 0
    for tree, found in zip(trees, outcome.heads[:, : n + 1].tolist(), strict=True):
        given_up = unpaired_words(tree, [0] * (n + 1))
        assert {word for word in range(1, n + 1) if found[word] != tree[word]} == given_up
        assert is_tree(found)
        missed += bool(given_up)
    assert missed == [0, 0, 0, 0, 2, 110][n]


@given(st.lists(random_trees(single_root=False, longest=25), min_size=1, max_size=6), st.data())
def test_oracles_of_random_trees_miss_only_unpaired_words(trees, data):
    label = st.integers(0, 3)
    labels = [[-1, *(data.draw(label) for _ in tree[1:])] for tree in trees]
    gold, outcome, recorder = run_oracles(trees, labels, 4)
    for row, tree in enumerate(trees):
        n = len(tree) - 1
        wrong = {word for word in range(1, n + 1) if outcome.heads[row, word] != tree[word]}
        assert wrong == unpaired_words(tree, labels[row])
        assert is_tree(outcome.heads[row, : n + 1].tolist())
        assert (outcome.deprels[row] == gold.deprels[row]).all()
        assert len(recorder.derivations()[row]) <= 2 * n
        alone = run_oracles([tree], [labels[row]], 4)
        assert alone[1].heads[0].tolist() == outcome.heads[row, : n + 2].tolist()
    assert not outcome.defaults.any()


@pytest.mark.parametrize(
    ("heads", "lost"),
    [
        ({3: 1, 4: 2}, {4: 3}),  # of two crossing arcs, the last is not paired
        ({1: 3, 2: 4}, {2: 1}),
        ({3: 1, 4: 1}, {}),  # arcs with a common end do not cross
        ({1: 3, 2: 3}, {}),
        ({4: 1, 3: 2}, {}),  # nested arcs do not cross
        ({2: 1, 4: 3}, {}),  # disjoint arcs do not cross
        ({2: 1, 3: 2}, {}),
        ({4: 1, 5: 2, 6: 3}, {6: 4, 5: 4}),  # three arcs that all cross
        ({5: 1, 6: 4, 7: 2}, {5: 6}),  # 1-5 crosses the other two, which do not cross each other
    ],
)
def test_unpaired_words_are_those_of_crossing_arcs_of_one_label(heads, lost):
    everything = [-1, *(heads.get(word, 0) for word in range(1, 9))]
    assert unpaired(sorted(heads), everything, [0] * 9) == lost
    assert unpaired(sorted(heads), everything, list(range(9))) == {}  # arcs with different labels are all paired


class RandomWalk:
    """A guide with random moves and labels, some of which are impermissible or missing."""

    def __init__(self, system, seed):
        self.system = system
        self.random = np.random.default_rng(seed)
        self.steps = {}

    def decide(self, c, legal):
        for sentence in (c.origin // c.width).tolist():
            self.steps[sentence] = self.steps.get(sentence, 0) + 1
        moves = self.random.integers(-1, len(self.system.moves), len(c))
        pairs = self.system.pairable(c)
        labels = np.where(
            self.random.random(len(c)) < 0.9, np.argmax(pairs, axis=1), self.random.integers(0, LABELS, len(c))
        )
        return Decision(moves, np.where(moves == 0, -1, labels))


class Watch:
    """An observer that checks that every transition is permissible."""

    def __init__(self, system):
        self.system = system

    def __call__(self, step):
        c, moves, labels = step.c, step.moves, step.labels
        assert self.system.legal(c)[np.arange(len(c)), moves].all()
        assert self.system.legal_labels(c, moves, labels).all()
        pairing = moves == self.system.moves.index(self.system.pair)
        allowed = self.system.pairable(c)
        assert allowed[pairing, labels[pairing]].all()


@passes
@given(st.lists(random_trees(single_root=False, longest=25), min_size=1, max_size=8), st.integers(0, 2**32))
def test_random_walks_end_in_trees(name, trees, seed):
    system = make_system(name)
    anchors = matrices(trees)
    walk = RandomWalk(system, seed)
    outcome = derive(system, walk, system.over(lengths_of(trees), anchors, anchors, LABELS), FALLBACK, Watch(system))
    for row, tree in enumerate(trees):
        n = len(tree) - 1
        heads = outcome.heads[row, : n + 1].tolist()
        assert is_tree(heads)
        assert set(roots(heads)) <= set(roots(tree))
        assert (outcome.heads[row, n + 1 :] == -1).all()
        assert walk.steps.get(row, 0) <= system.max_transitions(n)


@passes
def test_default_transitions_do_not_change_trees(name):
    system = make_system(name)
    trees = all_trees(4, single_root=False)
    anchors = matrices(trees)
    outcome = derive(system, Silent(), system.over(lengths_of(trees), anchors, anchors, LABELS), FALLBACK)
    assert (outcome.heads == anchors[0]).all()
    assert (outcome.deprels == anchors[1]).all()
    assert (outcome.defaults == 4).all()
