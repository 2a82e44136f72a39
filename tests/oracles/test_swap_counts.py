"""Oracles of the swap system: numbers of swaps, recomputed from the definitions."""

import itertools

import pytest
from crossarc.oracles.derivations import DerivationRecorder
from crossarc.oracles.oracle import Gold
from crossarc.oracles.swap import EagerSwapOracle, LazySwapOracle
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.transitions import trees as trees_module
from crossarc.transitions.swap import SWAP, Swap
from crossarc.transitions.trees import is_projective
from every_derivation import all_trees, in_order, random_trees
from hypothesis import given, strategies as st

HEARING = [-1, 2, 3, 0, 3, 2, 7, 5, 4, 3]


def derivations(oracle, trees):
    system, gold = Swap(single_root=False), Gold(trees, [[-1] + [1] * (len(tree) - 1) for tree in trees])
    recorder = DerivationRecorder(len(trees))
    outcome = derive(system, oracle(system, gold), system.initial(gold.lengths), Fallback(2, 3), recorder)
    assert (outcome.heads == gold.heads).all()
    return [[system.moves[move].short for move, _ in steps] for steps in recorder.derivations()]


def swaps(oracle, trees):
    return [steps.count(SWAP.short) for steps in derivations(oracle, trees)]


def inversions(tree):
    order = in_order(tree)
    return sum(first > second for first, second in itertools.combinations(order, 2))


def unattached(tree, nodes):
    """Nodes that remain after complete dependents next to their head are removed, one after the other."""
    nodes = list(nodes)
    waiting = [sum(head == node for head in tree) for node in range(len(tree))]
    while True:
        pairs = list(itertools.pairwise(nodes))
        free = [word for a, b in pairs for word, head in ((a, b), (b, a)) if tree[word] == head and not waiting[word]]
        if not free:
            return nodes
        nodes.remove(free[0])
        waiting[tree[free[0]]] -= 1


def eager_swaps(tree):
    """Number of swaps if each new word passes the unattached earlier words that follow it in the in-order."""
    order = in_order(tree)
    count = 0
    for word in range(1, len(tree)):
        before = unattached(tree, [node for node in order if node < word])
        count += sum(order.index(word) < order.index(node) for node in before)
    return count


def test_example_of_the_papers_needs_six_eager_or_two_lazy_swaps():
    """Nivre (2009), figure 3, and Nivre, Kuhlmann & Hall (2009), figure 2."""
    assert swaps(EagerSwapOracle, [HEARING]) == [6] == [inversions(HEARING)]
    assert swaps(LazySwapOracle, [HEARING]) == [2]


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_swaps_of_all_small_trees(n):
    trees = all_trees(n, single_root=False)
    eager, lazy = derivations(EagerSwapOracle, trees), derivations(LazySwapOracle, trees)
    for tree, eager_steps, lazy_steps in zip(trees, eager, lazy, strict=True):
        assert eager_steps.count("SW") == eager_swaps(tree) <= inversions(tree) == trees_module.inversions(tree)
        assert lazy_steps.count("SW") <= eager_steps.count("SW")
        assert (lazy_steps.count("SW") == 0) == is_projective(tree)


@given(st.lists(random_trees(single_root=False, longest=20), min_size=1, max_size=5))
def test_swaps_of_random_trees(trees):
    eager, lazy = swaps(EagerSwapOracle, trees), swaps(LazySwapOracle, trees)
    assert eager == [eager_swaps(tree) for tree in trees]
    assert all(few <= many for few, many in zip(lazy, eager, strict=True))


def test_inversions_with_attached_words_need_no_swap():
    tree = [-1, 0, 0, 2, 1]
    assert inversions(tree) == 2
    assert derivations(EagerSwapOracle, [tree]) == [["SH", "SH", "SH", "RA", "SH", "SW", "RA", "RA", "SH", "RA"]]


@pytest.mark.parametrize(("n", "eager", "lazy"), [(3, 4, 4), (4, 93, 85), (5, 1918, 1708)])
def test_total_swaps_of_all_small_trees(n, eager, lazy):
    trees = all_trees(n, single_root=False)
    assert sum(swaps(EagerSwapOracle, trees)) == eager
    assert sum(swaps(LazySwapOracle, trees)) == lazy
