"""Non-projective approximation: comparison with the published algorithm, and guarantees."""

import numpy as np
from crossarc.parser.plugins.graph.charts import NEVER
from crossarc.parser.plugins.graph.decode import Decoding, decode
from crossarc.parser.plugins.graph.edges import EdgeScores, first_order
from crossarc.transitions.trees import is_tree, roots
from factored import all_edges, decoded, tree_score
from hypothesis import given, strategies as st


def scored(n, labels, order, seed):
    edges = all_edges([n], labels)
    generator = np.random.default_rng(seed)
    edge = generator.integers(-9, 10, len(edges.arc))
    tables = generator.integers(-9, 10, (3, len(edges.arc), n + 1)).astype(np.int32)
    return edges, EdgeScores(edge, *tables) if order == 2 else first_order(edge)


def by_figure_2(edges, scores, heads, labels, threshold, single):
    """The trees of figure 2 of Björkelund & Kuhn (2012) from first to last; each tree is scored as a whole."""
    trees = [heads]
    score = tree_score(edges, scores, 0, heads, labels)
    while True:
        best = None
        for e in range(len(edges.arc)):
            head, word = int(edges.head[e]), int(edges.dependent[e])
            changed, relabelled = heads.copy(), labels.copy()
            changed[word], relabelled[word] = head, edges.label[e]
            if not is_tree(changed.tolist()) or (single and len(roots(changed.tolist())) != 1):
                continue
            value = tree_score(edges, scores, 0, changed, relabelled)
            if best is None or value > best[0]:
                best = (value, changed, relabelled)
        if best is None or best[0] - score <= threshold:
            return trees
        score, heads, labels = best
        trees.append(heads)


@given(st.integers(1, 6), st.sampled_from([1, 2]), st.integers(0, 10**6), st.integers(0, 6), st.booleans())
def test_approximation_agrees_with_figure_2(n, order, seed, threshold, single):
    edges, scores = scored(n, 2, order, seed)
    [(heads, labels)] = decoded(edges, scores, Decoding("none", 0, single))
    [(found, _)] = decoded(edges, scores, Decoding("npa", threshold, single))
    assert found.tolist() == by_figure_2(edges, scores, heads, labels, threshold, single)[-1].tolist()


@given(st.integers(1, 6), st.sampled_from(["none", "npa"]), st.integers(1, 2), st.integers(0, 10**6), st.booleans())
def test_gains_are_those_of_the_best_changes_of_the_final_tree(n, nonprojective, order, seed, single):
    edges, scores = scored(n, 2, order, seed)
    gains = np.zeros(n + 1, dtype=np.int64)
    heads, labels = decode(edges, scores, Decoding(nonprojective, 3, single), gains)
    score = tree_score(edges, scores, 0, heads, labels)
    for word in range(1, n + 1):
        found = []
        for e in np.flatnonzero(edges.dependent == word):
            changed, relabelled = heads.copy(), labels.copy()
            changed[word], relabelled[word] = edges.head[e], edges.label[e]
            own = changed.tolist()
            if is_tree(own) and (len(roots(own)) == len(roots(heads.tolist())) or not single):
                found.append((changed[word] == heads[word] and relabelled[word] == labels[word], changed, relabelled))
        others = [tree_score(edges, scores, 0, *tree) - score for same, *tree in found if not same]
        assert gains[word] == max(others, default=NEVER)


@given(st.integers(0, 14), st.sampled_from([1, 2]), st.integers(0, 10**6), st.booleans())
def test_results_are_trees_with_equal_or_higher_scores(n, order, seed, single):
    edges, scores = scored(n, 2, order, seed)
    [(heads, labels)] = decoded(edges, scores, Decoding("none", 0, single))
    [(found, found_labels)] = decoded(edges, scores, Decoding("npa", 0, single))
    assert is_tree(found.tolist())
    assert not single or n == 0 or len(roots(found.tolist())) == 1
    before = tree_score(edges, scores, 0, heads, labels)
    after = tree_score(edges, scores, 0, found, found_labels)
    assert after >= before
    assert (after > before) == (found.tolist() != heads.tolist() or found_labels.tolist() != labels.tolist())


def test_crossing_arcs_must_gain_more_than_the_threshold():
    edges = all_edges([4])
    better = {(0, 2): 5, (2, 4): 5, (4, 1): 9, (2, 1): 2, (4, 3): 5}
    pairs = zip(edges.head.tolist(), edges.dependent.tolist(), strict=True)
    scores = first_order(np.array([better.get(pair, -20) for pair in pairs]))
    [(projective, _)] = decoded(edges, scores, Decoding("none"))
    assert projective.tolist() == [-1, 2, 0, 4, 2]
    [(crossing, _)] = decoded(edges, scores, Decoding("npa", threshold=6))
    assert crossing.tolist() == [-1, 4, 0, 4, 2]
    [(unchanged, _)] = decoded(edges, scores, Decoding("npa", threshold=7))
    assert unchanged.tolist() == projective.tolist()
