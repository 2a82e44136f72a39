import sys
from itertools import product

import networkx as nx
import numpy as np
import pytest
from crossarc.transitions.spanning_tree import maximum_spanning_tree
from crossarc.transitions.trees import is_tree, roots
from every_derivation import all_trees
from hypothesis import given, strategies as st

TREES = {n: all_trees(n, single_root=False) for n in range(1, 5)}


@st.composite
def graphs(draw, largest, missing):
    n = draw(st.integers(1, largest))
    values = st.one_of(st.integers(-5, 5), st.floats(-3, 3))
    if missing:
        values = st.one_of(values, st.just(-np.inf))
    rows = draw(st.lists(values, min_size=(n + 1) ** 2, max_size=(n + 1) ** 2))
    return np.array(rows, dtype=float).reshape(n + 1, n + 1)


def total(scores, heads):
    return sum(scores[heads[word], word] for word in range(1, len(heads)))


@given(graphs(4, True), st.booleans())
def test_no_tree_has_a_higher_score(scores, single_root):
    rivals = [tree for tree in TREES[len(scores) - 1] if not single_root or len(roots(tree)) == 1]
    best = max(total(scores, tree) for tree in rivals)
    if best == -np.inf:
        with pytest.raises(ValueError, match="no spanning tree"):
            maximum_spanning_tree(scores, single_root)
        return
    heads = maximum_spanning_tree(scores, single_root)
    assert tuple(heads) in rivals
    assert total(scores, heads) == pytest.approx(best, abs=1e-9)
    assert maximum_spanning_tree(scores, single_root) == heads


def test_scores_are_the_best_of_all_trees_of_six_words():
    generator = np.random.default_rng(7)
    words = np.arange(1, 7)
    heads = np.stack(np.meshgrid(*[np.arange(7)] * 6), axis=-1).reshape(-1, 6)
    above = heads
    for _ in words:  # in a tree, all words are below node 0
        above = np.where(above > 0, np.take_along_axis(heads, np.maximum(above, 1) - 1, axis=1), 0)
    trees = heads[(above == 0).all(axis=1)]
    assert len(trees) == 7**5
    single = (trees == 0).sum(axis=1) == 1
    for _ in range(50):
        scores = generator.integers(0, 4, (7, 7)).astype(float)
        totals = scores[trees, words].sum(axis=1)
        assert total(scores, maximum_spanning_tree(scores)) == totals.max()
        assert total(scores, maximum_spanning_tree(scores, True)) == totals[single].max()


@given(graphs(14, False))
def test_scores_agree_with_networkx(scores):
    graph = nx.DiGraph()
    for head, word in product(range(len(scores)), range(1, len(scores))):
        if head != word:
            graph.add_edge(head, word, weight=scores[head, word])
    theirs = nx.maximum_spanning_arborescence(graph)
    heads = maximum_spanning_tree(scores)
    assert is_tree(heads)
    assert total(scores, heads) == pytest.approx(sum(row["weight"] for *_, row in theirs.edges(data=True)), abs=1e-9)


@given(graphs(14, False))
def test_single_roots_are_the_best_choice_of_root(scores):
    """The expected score is the best over all choices of the only dependent of node 0."""
    totals = []
    for root in range(1, len(scores)):
        only = scores.copy()
        only[0] = -np.inf
        only[0, root] = scores[0, root]
        with_root = maximum_spanning_tree(only) if np.isfinite(only[:, root]).any() else None
        totals.append(total(scores, with_root))
    heads = maximum_spanning_tree(scores, True)
    assert is_tree(heads)
    assert len(roots(heads)) == 1
    assert total(scores, heads) == pytest.approx(max(totals), abs=1e-9)


def test_of_equal_heads_the_lowest_is_taken():
    assert maximum_spanning_tree(np.zeros((4, 4))) == [-1, 0, 0, 0]
    chosen = maximum_spanning_tree(np.zeros((4, 4)), True)
    assert is_tree(chosen)
    assert len(roots(chosen)) == 1
    scores = np.full((4, 4), -1.0)
    scores[0, 1] = scores[1, 2] = scores[1, 3] = scores[2, 3] = 0.0
    assert maximum_spanning_tree(scores) == maximum_spanning_tree(scores, True) == [-1, 0, 1, 1]
    scores[1, 3] = -0.5
    assert maximum_spanning_tree(scores, True) == [-1, 0, 1, 2]


def test_more_nested_cycles_than_calls_are_contracted():
    """Neighbouring words prefer each other as heads, so each contraction makes the next cycle."""
    n = 400
    scores = np.zeros((n + 1, n + 1))
    words = np.arange(2, n + 1)
    scores[words - 1, words] = 5.0
    scores[words, words - 1] = 5.0
    scores[n, n - 1] = 6.0
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(n)
    try:
        heads = maximum_spanning_tree(scores, True)
    finally:
        sys.setrecursionlimit(before)
    assert is_tree(heads)
    assert len(roots(heads)) == 1
    assert total(scores, heads) == 5.0 * (n - 1) + 1.0


def test_no_words_give_no_arcs_and_nan_is_refused():
    assert maximum_spanning_tree(np.zeros((1, 1)), True) == [-1]
    with pytest.raises(ValueError, match="scores must be numbers or -inf"):
        maximum_spanning_tree(np.full((2, 2), np.nan))
