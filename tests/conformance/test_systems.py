"""Conformance of transition systems: tests of every registered system and oracle; a new one needs no test code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from crossarc.oracles.derivations import DerivationRecorder
from crossarc.oracles.oracle import Gold
from crossarc.oracles.registry import ORACLES, make_oracle
from crossarc.parser.search import greedy
from crossarc.parser.search.greedy import DerivedTrees, Fallback, Guide, derive
from crossarc.transitions.configuration import Bools, Configuration
from crossarc.transitions.registry import SYSTEMS, make_system
from crossarc.transitions.step import Decision, Step
from crossarc.transitions.system import TransitionSystem
from crossarc.transitions.trees import cycles, is_projective, is_tree, roots
from every_derivation import all_trees, contents, gold_of, projectivized, random_trees
from hypothesis import given, settings, strategies as st

FALLBACK = Fallback(root_label=7, orphan_label=8)
SHORTEST = {"arc-standard", "arc-eager", "arc-hybrid", "attardi", "covington", "covington-projective", "tagging"}
"""Systems whose oracles promise shortest derivations."""

Tree = tuple[int, ...]

system_names = pytest.mark.parametrize("name", SYSTEMS)
root_rules = pytest.mark.parametrize("single_root", [False, True])
all_oracles = pytest.mark.parametrize(
    ("name", "oracle"), [(name, oracle) for name in ORACLES for oracle in ORACLES[name]]
)


def run_oracle(
    system: TransitionSystem, oracle: str, trees: list[Tree]
) -> tuple[Gold, DerivedTrees, list[list[tuple[int, int]]]]:
    gold, recorder = gold_of(trees), DerivationRecorder(len(trees))
    outcome = derive(system, make_oracle(system, gold, oracle), system.initial(gold.lengths), FALLBACK, recorder)
    return gold, outcome, recorder.derivations()


def reached(gold: Gold, outcome: DerivedTrees) -> list[bool]:
    return ((outcome.heads == gold.heads) & (outcome.deprels == gold.deprels)).all(axis=1).tolist()


def sizes(oracles: bool = False) -> list[Any]:
    """Systems (with their oracles) and the numbers of words for which tests follow all derivations."""
    return [
        pytest.param(name, *own, n, marks=[pytest.mark.slow] if n > 4 else [])
        for name in SYSTEMS
        for n in range(6 if make_system(name).max_transitions(5) < 40 else 4)
        for own in ([(oracle,) for oracle in ORACLES[name]] if oracles else [()])
    ]


small_sentences = pytest.mark.parametrize(("name", "n"), sizes())


@lru_cache
def explore(name: str, single_root: bool, n: int) -> tuple[dict[Tree, int], int]:
    """(least depth of each terminal configuration by its heads, greatest depth) of all derivations of n words."""
    system = make_system(name, single_root=single_root)
    c = system.initial(np.array([n]))
    found: dict[Tree, int] = {}
    for depth in range(system.max_transitions(n) + 1):
        end = system.terminal(c)
        for heads in c.at(end).heads_matrix()[:, : n + 1].tolist():
            found.setdefault(tuple(heads), depth)
        if end.all():
            return found, depth
        c = c.at(~end)
        legal = system.legal(c)
        assert legal.any(axis=1).all(), "a configuration that is not terminal has no permissible move"
        rows, moves = np.nonzero(legal)
        c = c.at(rows).compact()
        system.advance(c, moves, np.where([system.moves[move].labelled for move in moves], 0, -1))
        _, distinct = np.unique(np.concatenate(contents(c, n)).T, axis=0, return_index=True)
        c = c.at(distinct).compact()
    raise AssertionError("a derivation is longer than its bound")


def derivable(name: str, single_root: bool, n: int) -> dict[Tree, int]:
    return {heads: depth for heads, depth in explore(name, single_root, n)[0].items() if is_tree(heads)}


# --- every derivation of short sentences ------------------------------------------------------------------------------


@small_sentences
@root_rules
def test_derivations_are_bounded_and_end_in_forests(name: str, single_root: bool, n: int) -> None:
    found, longest = explore(name, single_root, n)
    bound = make_system(name, single_root=single_root).max_transitions(n)
    assert longest <= bound
    assert single_root or longest == bound
    for heads in found:
        assert heads[0] == -1
        assert not cycles(heads)
        assert not single_root or heads.count(0) <= 1


@small_sentences
@root_rules
def test_derivable_trees_match_the_declaration_of_the_system(name: str, single_root: bool, n: int) -> None:
    trees = all_trees(n, single_root)
    found = set(derivable(name, single_root, n))
    if SYSTEMS[name].chains:
        assert found == {tuple(range(-1, n))}
        return
    projective = {tree for tree in trees if is_projective(tree)}
    assert projective <= found <= set(trees)
    if SYSTEMS[name].projective:
        assert found == projective


@root_rules
@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_numbers_of_derivable_trees(longest: int, single_root: bool) -> None:
    names = ("arc-standard", "attardi", "swap", "arc-hybrid-swap", "covington", "planar")
    counts = {name: [len(derivable(name, single_root, n)) for n in range(1, longest + 1)] for name in names}
    every = [1, 2, 9, 64, 625] if single_root else [1, 3, 16, 125, 1296]
    assert counts["swap"] == counts["arc-hybrid-swap"] == counts["covington"] == every[:longest]
    assert counts["attardi"] == ([1, 2, 9, 60, 502] if single_root else [1, 3, 16, 119, 1071])[:longest]
    planar = [1, 2, 7, 30, 143] if single_root else [1, 3, 12, 55, 273]
    assert counts["arc-standard"] == counts["planar"] == planar[:longest]


@pytest.mark.parametrize(("name", "oracle", "n"), sizes(oracles=True))
@root_rules
def test_oracle_reaches_every_derivable_tree(name: str, oracle: str, single_root: bool, n: int) -> None:
    trees = all_trees(n, single_root)
    system = make_system(name, single_root=single_root)
    gold, outcome, derivations = run_oracle(system, oracle, trees)
    shortest = derivable(name, single_root, n)
    for row, (tree, success) in enumerate(zip(trees, reached(gold, outcome), strict=True)):
        assert success == (tree in shortest)
        assert is_tree(outcome.heads[row, : n + 1].tolist())
        length = len(derivations[row])
        assert length <= system.max_transitions(n)
        if success:
            assert outcome.defaults[row] == 0
            assert length >= shortest[tree]
            assert length == shortest[tree] or name not in SHORTEST


LENGTHS: dict[str, Callable[[int, Counter[str]], int]] = {
    "arc-standard": lambda n, count: 2 * n,
    "arc-eager": lambda n, count: n + count["LA"] + count["RE"],
    "arc-hybrid": lambda n, count: 2 * n,
    "attardi": lambda n, count: 2 * n + count["RA2"],
    "swap": lambda n, count: 2 * n + 2 * count["SW"],
    "arc-hybrid-swap": lambda n, count: 2 * n + 2 * count["SW"],
    "covington": lambda n, count: n + count["LA"] + count["RA"] + count["NA"],
    "covington-projective": lambda n, count: n + count["LA"] + count["NA"],
    "tagging": lambda n, count: n,
}
"""The length of a derivation of n words, as a function of the count of each move by its short name."""


@pytest.mark.parametrize(("name", "oracle"), [(name, oracle) for name in LENGTHS for oracle in ORACLES[name]])
def test_lengths_of_derivations_follow_from_their_moves(name: str, oracle: str) -> None:
    system = make_system(name, single_root=False)
    gold, outcome, derivations = run_oracle(system, oracle, all_trees(4, single_root=False))
    for success, steps in zip(reached(gold, outcome), derivations, strict=True):
        count = Counter(system.moves[move].short for move, _ in steps)
        assert len(steps) == LENGTHS[name](4, count)
        assert not success or sum(count[move.short] for move in system.moves if move.labelled) == 4


@pytest.mark.slow
@pytest.mark.parametrize(("oracle", "shortest"), [("lazy", 1168), ("eager", 1012)])
def test_most_derivations_with_swap_are_shortest(oracle: str, shortest: int) -> None:
    trees = all_trees(5, single_root=False)
    _, _, derivations = run_oracle(make_system("swap", single_root=False), oracle, trees)
    least = derivable("swap", False, 5)
    assert sum(len(steps) == least[tree] for tree, steps in zip(trees, derivations, strict=True)) == shortest


# --- long sentences ---------------------------------------------------------------------------------------------------


@all_oracles
@root_rules
def test_random_trees_round_trip(name: str, oracle: str, single_root: bool) -> None:
    system = make_system(name, single_root=single_root)
    complete = all(all(reached(*run_oracle(system, oracle, all_trees(n, single_root))[:2])) for n in range(1, 6))

    @settings(max_examples=25)
    @given(st.lists(random_trees(single_root), min_size=1, max_size=6))
    def check(trees: list[Tree]) -> None:
        if system.chains:
            trees = [tuple(range(-1, len(tree) - 1)) for tree in trees]
        elif not complete:
            trees = [projectivized(tree) for tree in trees]
            assert all(map(is_projective, trees))
        gold, outcome, derivations = run_oracle(system, oracle, trees)
        assert all(reached(gold, outcome))
        assert not outcome.defaults.any()
        assert all(
            len(steps) <= system.max_transitions(len(tree) - 1) for tree, steps in zip(trees, derivations, strict=True)
        )

    check()


class RandomWalk:
    """A guide with random permissible moves; some are impermissible or missing, so that the default is taken."""

    def __init__(self, system: TransitionSystem, seed: int) -> None:
        self.system = system
        self.random = np.random.default_rng(seed)
        self.labelled = np.array([move.labelled for move in system.moves])

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        moves = np.argmax(self.random.random(legal.shape) * np.where(legal, 1.0, 0.05), axis=1)
        moves = np.where(self.random.random(len(c)) < 0.05, -1, moves)
        return Decision(moves, np.where(self.labelled[moves] & (moves >= 0), 3, -1))


class Watch:
    """An observer that checks each step, and counts steps and arcs."""

    def __init__(self, system: TransitionSystem, batch: int) -> None:
        self.system = system
        self.steps = np.zeros(batch, dtype=np.int64)
        self.arcs = np.zeros(batch, dtype=np.int64)

    def __call__(self, step: Step) -> None:
        c, moves, sentences = step.c, step.moves, step.sentences
        legal = self.system.legal(c)
        assert (legal == step.legal).all()
        assert legal[np.arange(len(c)), moves].all()
        assert (c.heads_matrix()[:, 0] == -1).all()
        assert ((c.heads_matrix() >= 0).sum(axis=1) == self.arcs[sentences]).all(), "a head was overwritten"
        self.steps[sentences] += 1
        self.arcs[sentences] += np.array([move.labelled for move in self.system.moves])[moves]


@system_names
@root_rules
def test_random_walks_end_in_trees(name: str, single_root: bool) -> None:
    system = make_system(name, single_root=single_root)

    @settings(max_examples=30)
    @given(st.lists(st.integers(0, 25), min_size=1, max_size=12), st.integers(0, 2**32))
    def check(lengths: list[int], seed: int) -> None:
        watch = Watch(system, len(lengths))
        walk = RandomWalk(system, seed)
        outcome = derive(system, walk, system.initial(np.array(lengths)), FALLBACK, watch)
        for row, n in enumerate(lengths):
            heads = outcome.heads[row, : n + 1].tolist()
            assert is_tree(heads)
            assert (outcome.heads[row, n + 1 :] == -1).all()
            assert len(roots(heads)) == 1 or not single_root or n == 0
            assert not system.projective or is_projective(heads)
            assert watch.steps[row] <= system.max_transitions(n)
            assert set(outcome.deprels[row, 1 : n + 1].tolist()) <= {3, 7, 8}
            assert (outcome.deprels[row, n + 1 :] == -1).all()
            assert all(outcome.deprels[row, word] != (8 if heads[word] == 0 else 7) for word in range(1, n + 1)), (
                "labels of the fallback stand at the wrong arcs"
            )

    check()


@system_names
def test_arcs_of_moves_are_those_that_advance_adds(name: str) -> None:
    system = make_system(name, single_root=False)
    added = 0

    def watch(step: Step) -> None:
        nonlocal added
        arcs = system.arcs(step.c)
        assert set(arcs) == {move for move in system.moves if move.labelled}
        after = step.c.compact()
        system.advance(after, step.moves, step.labels)
        expected = step.c.heads_matrix()
        for row, number in enumerate(step.moves.tolist()):
            if system.moves[number] in arcs:
                head, dependent = (nodes[row] for nodes in arcs[system.moves[number]])
                expected[row, dependent] = head
                added += 1
        assert (after.heads_matrix() == expected).all()

    derive(system, RandomWalk(system, 3), system.initial(np.array([12, 1, 7, 20])), FALLBACK, watch)
    assert added > 10


class Silent:
    def decide(self, c: Configuration, legal: Bools) -> Decision:
        return Decision(np.full(len(c), -1), np.full(len(c), -1))


@system_names
@root_rules
def test_default_transitions_alone_give_trees(name: str, single_root: bool) -> None:
    system = make_system(name, single_root=single_root)
    lengths = np.array([0, 1, 2, 40])
    outcome = derive(system, Silent(), system.initial(lengths), FALLBACK)
    for row, n in enumerate(lengths):
        assert is_tree(outcome.heads[row, : n + 1].tolist())
        assert outcome.defaults[row] <= system.max_transitions(n)
        assert outcome.heads[row].tolist().count(0) <= 1 or not single_root


class Mixer:
    """A guide whose decisions depend only on a hash of the configuration."""

    def __init__(self, system: TransitionSystem) -> None:
        self.labelled = np.array([move.labelled for move in system.moves])

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        seen = [c.stack(0), c.stack(1), c.buffer(0), c.buffer(1), c.lookahead(0), c.context(0), c.swapped]
        seen += [c.dependent(c.stack(0), side, k) for side in ("left", "right") for k in (0, 1)]
        seen += [c.head(c.stack(0)), c.valency(c.stack(0), "left"), c.stack_size, c.buffer_size, c.lengths]
        mixed = np.zeros(len(c), dtype=np.int64)
        for value in seen:
            mixed = (mixed * 31 + value + 2) % 1_000_003
        scores = (mixed[:, None] * np.arange(3, 3 + 2 * legal.shape[1], 2)) % 101
        moves = np.argmax(np.where(legal, scores, -1), axis=1)
        return Decision(moves, np.where(self.labelled[moves], mixed % 6, -1))


def outcomes(system: TransitionSystem, guide: Guide, lengths: list[int]) -> list[list[list[int]]]:
    outcome = derive(system, guide, system.initial(np.array(lengths)), FALLBACK)
    return [
        [outcome.heads[row, : n + 1].tolist(), outcome.deprels[row, : n + 1].tolist(), [int(outcome.defaults[row])]]
        for row, n in enumerate(lengths)
    ]


@system_names
@root_rules
def test_batches_give_the_same_trees_as_single_sentences(
    name: str, single_root: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = make_system(name, single_root=single_root)
    lengths = [3, 0, 17, 1, 9, 30, 2, 17, 5, 12]
    alone = [outcomes(system, Mixer(system), [n])[0] for n in lengths]
    assert len({str(tree) for tree in alone}) > 5
    for threshold in (1e-9, 0.75, 1.0):  # finished rows are removed at the end, in groups, at once
        monkeypatch.setattr(greedy, "COMPACT_BELOW", threshold)
        assert outcomes(system, Mixer(system), lengths) == alone


@all_oracles
@settings(max_examples=10)
@given(data=st.data())
def test_oracles_ignore_other_sentences_of_a_batch(name: str, oracle: str, data: st.DataObject) -> None:
    system = make_system(name, single_root=False)
    trees = data.draw(st.lists(random_trees(single_root=False, longest=12), min_size=2, max_size=8))
    together = run_oracle(system, oracle, trees)
    for row, tree in enumerate(trees):
        alone = run_oracle(system, oracle, [tree])
        assert together[2][row] == alone[2][0]
        assert together[1].heads[row, : len(tree)].tolist() == alone[1].heads[0, : len(tree)].tolist()
