"""Decoders compared with brute force over all trees."""

from functools import cache

import numpy as np
import pytest
from crossarc.parser.plugins.graph.decode import Decoding
from crossarc.parser.plugins.graph.edges import Edges, EdgeScores, first_order
from crossarc.transitions.trees import is_projective, is_tree, roots
from every_derivation import all_trees
from factored import all_edges, decoded, third, tree_score

LABELS = 2


def random_scores(edges, order, seed, largest=9):
    generator = np.random.default_rng(seed)
    count, width = len(edges.arc), edges.width
    edge = generator.integers(-largest, largest + 1, count)
    if order == 1:
        return first_order(edge)
    tables = generator.integers(-largest, largest + 1, (3, count, width)).astype(np.int32)
    return EdgeScores(edge, *tables)


def best_by_hand(edges, scores, sentence, projective, single_root):
    """The best score of all trees; the labels of a tree do not depend on each other."""
    base = int(edges.offsets[sentence])
    n = int(edges.offsets[sentence + 1]) - base - 1
    of_arc = {}
    for arc in range(edges.sentence_arcs[sentence], edges.sentence_arcs[sentence + 1]):
        key = (int(edges.arc_head[arc]) - base, int(edges.arc_dependent[arc]) - base)
        of_arc[key] = list(range(edges.arc_edges[arc], edges.arc_edges[arc + 1]))
    found = []
    for heads in all_trees(n, single_root=False):
        if (projective and not is_projective(heads)) or (single_root and n and len(roots(heads)) != 1):
            continue
        if any((heads[m], m) not in of_arc for m in range(1, n + 1)):
            continue
        total = 0
        for m in range(1, n + 1):
            values = []
            for e in of_arc[heads[m], m]:
                value = int(scores.edge[e])
                if scores.sibling.size:
                    s, i, o = third(heads, m)
                    value += int(scores.sibling[e, s]) + int(scores.inner[e, i]) + int(scores.outer[e, o])
                values.append(value)
            total += max(values)
        found.append(total)
    return max(found)


def some_edges(edges, seed):
    """A random part of the edges, and all edges from a node to the next one."""
    generator = np.random.default_rng(seed)
    kept = (generator.random(len(edges.arc)) < 0.5) | (edges.dependent == edges.head + 1)
    count = np.bincount(edges.arc[kept], minlength=len(edges.arc_head))
    arcs = np.flatnonzero(count)
    return Edges(
        edges.offsets,
        edges.arc_head[arcs],
        edges.arc_dependent[arcs],
        np.concatenate(([0], np.cumsum(count[arcs]))),
        np.searchsorted(arcs, edges.sentence_arcs),
        np.repeat(np.arange(len(arcs)), count[arcs]),
        edges.label[kept],
    )


def batches(longest):
    for seed, lengths in enumerate([[longest] * 3, [longest, 1, 0, longest - 1], [2, 3], [0], [1, 1]]):
        edges = all_edges(lengths, LABELS)
        yield edges, seed
        yield some_edges(edges, seed), seed + 10


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize(("order", "nonprojective"), [(1, "none"), (2, "none"), (1, "mst")])
def test_decoders_find_the_best_tree(order, nonprojective, single_root):
    for edges, seed in batches(4):
        scores = random_scores(edges, order, seed)
        for number, (heads, labels) in enumerate(decoded(edges, scores, Decoding(nonprojective, 0, single_root))):
            assert is_tree(heads.tolist())
            assert nonprojective == "mst" or is_projective(heads.tolist())
            assert not single_root or len(heads) == 1 or len(roots(heads.tolist())) == 1
            reached = tree_score(edges, scores, number, heads, labels)
            assert reached == best_by_hand(edges, scores, number, nonprojective == "none", single_root)


@cache
def projective_trees(n):
    """(T, n + 1) the heads of every projective tree of n words, and (T, n, 3) the third nodes of their words."""
    heads = [tree for tree in all_trees(n, single_root=False) if is_projective(tree)]
    return np.array(heads), np.array([[third(tree, m) for m in range(1, n + 1)] for tree in heads])


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2])
def test_charts_find_the_best_projective_tree_of_six_words(order):
    heads, nodes = projective_trees(6)
    assert len(heads) == 1428  # the projective trees of n words below node 0: binomial(3n + 1, n) / (3n + 1), n = 6
    edges = all_edges([6], LABELS)
    first = np.zeros((7, 7), dtype=np.int64)
    first[edges.arc_head, edges.arc_dependent] = edges.arc_edges[:-1]
    own = first[heads[:, 1:], np.arange(1, 7)][:, :, None] + np.arange(LABELS)
    one_root = (heads == 0).sum(axis=1) == 1
    for seed in range(40):
        scores = random_scores(edges, order, seed)
        values = scores.edge[own]
        if order == 2:
            for table, node in zip(scores[1:], np.moveaxis(nodes, 2, 0), strict=True):
                values = values + table[own, node[:, :, None]]
        totals = values.max(axis=2).sum(axis=1)
        for single_root, best in ((False, totals.max()), (True, totals[one_root].max())):
            [(found, labels)] = decoded(edges, scores, Decoding("none", 0, single_root))
            assert tree_score(edges, scores, 0, found, labels) == best


@pytest.mark.parametrize("order", [1, 2])
def test_candidates_without_a_tree_are_refused(order):
    edges = all_edges([2])
    kept = np.flatnonzero(edges.arc_head != 0)
    none = Edges(
        edges.offsets, edges.arc_head[kept], edges.arc_dependent[kept], np.arange(len(kept) + 1),
        np.array([0, len(kept)]), np.arange(len(kept)), np.zeros(len(kept), np.int64),
    )  # fmt: skip
    with pytest.raises(ValueError, match="no tree"):
        decoded(none, random_scores(none, order, 0), Decoding())
