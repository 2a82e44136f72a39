"""Functions on trees: equal to their definitions on all small trees, and to networkx on random ones."""

import itertools
from functools import lru_cache

import networkx as nx
import pytest
from crossarc.transitions import trees
from every_derivation import all_forests, in_order, random_trees
from hypothesis import given, strategies as st

HEARING = (-1, 2, 3, 0, 3, 2, 7, 5, 4, 3)
"""A hearing is scheduled on the issue today . (Kuhlmann & Nivre 2010, figure 1)"""


@lru_cache
def all_graphs(n):
    return [(-1, *heads) for heads in itertools.product(range(n + 1), repeat=n)]


@lru_cache
def all_trees(n):
    return [graph for graph in all_graphs(n) if all(reaches_root(graph, word) for word in range(1, n + 1))]


def chain(heads, node):
    """The node and its ancestors, without end on a cycle."""
    while node >= 0:
        yield node
        node = heads[node]


def reaches_root(heads, word):
    return 0 in itertools.islice(chain(heads, word), len(heads))


def projective(heads, head, word):
    return all(head in chain(heads, node) for node in range(min(head, word) + 1, max(head, word)))


def digraph(heads):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(heads)))
    graph.add_edges_from((heads[word], word) for word in range(1, len(heads)))
    return graph


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_completed_forests_are_projective_if_any_tree_with_their_arcs_is(n):
    for forest, projective in all_forests(n, single_root=False).items():
        tree = trees.completed(forest)
        assert trees.is_tree(tree)
        assert all(head in (-1, own) for head, own in zip(forest, tree, strict=True))
        assert trees.is_projective(tree) == projective


small_and_large = random_trees(single_root=False, longest=8) | random_trees(single_root=False, longest=25)


@pytest.mark.parametrize("n", range(5))
def test_is_tree_and_cycles_of_all_graphs(n):
    for graph in all_graphs(n):
        found = trees.cycles(graph)
        assert trees.is_tree(graph) == (not found) == (graph in all_trees(n))
        on_cycle = {word for word in range(1, n + 1) if word in itertools.islice(chain(graph, graph[word]), n + 1)}
        assert sorted(word for cycle in found for word in cycle) == sorted(on_cycle)
        assert all(cycle == sorted(cycle) for cycle in found)


@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)))
def test_cycles_equal_those_of_networkx(words):
    heads = (-1, *words)
    expected = sorted(sorted(cycle) for cycle in nx.simple_cycles(digraph(heads)))
    assert sorted(trees.cycles(heads)) == expected
    assert trees.is_tree(heads) == nx.is_arborescence(digraph(heads))


@pytest.mark.parametrize("heads", [(), (0, 0), (-1, -1), (-1, 2), (-1, 0, 5), (-1, -2, 0)])
def test_invalid_heads_are_not_trees(heads):
    assert not trees.is_tree(heads)


@pytest.mark.parametrize("n", range(5))
def test_arcs_lifts_and_components_of_small_trees_equal_their_definitions(n):
    for tree in all_trees(n):
        crossing = [word > 0 and not projective(tree, tree[word], word) for word in range(n + 1)]
        assert trees.nonprojective_arcs(tree) == crossing
        assert trees.is_projective(tree) == (not any(crossing))
        assert trees.lifts(tree) == [lifts_by_definition(tree, word) for word in range(n + 1)]
        assert trees.projective_components(tree) == components_by_definition(tree)


def lifts_by_definition(tree, word):
    head, count = tree[word], 0
    while word and not projective(tree, head, word):
        head, count = tree[head], count + 1
    return count


@given(small_and_large)
def test_tree_functions_on_random_trees(tree):
    n, graph = len(tree) - 1, digraph(tree)
    nodes = range(n + 1)
    assert trees.roots(tree) == sorted(graph.successors(0))
    assert trees.dependents(tree) == [sorted(graph.successors(node)) for node in nodes]
    lengths = nx.single_source_shortest_path_length(graph, 0)
    assert trees.depths(tree) == [lengths[node] for node in nodes]
    order = trees.top_down(trees.dependents(tree))
    assert sorted(order) == list(nodes)[1:]
    assert all(tree[word] in [0, *order[:place]] for place, word in enumerate(order))
    first, last = trees.subtree_intervals(tree)
    for node in nodes:
        below = {other for other in nodes if first[node] <= first[other] < last[node]}
        assert below == nx.descendants(graph, node) | {node}
    assert trees.nonprojective_arcs(tree) == [word > 0 and not projective(tree, tree[word], word) for word in nodes]
    assert trees.lifts(tree) == [lifts_by_definition(tree, word) for word in nodes]


@given(small_and_large)
def test_projective_order_is_the_in_order(tree):
    order = in_order(tree)
    position = trees.projective_order(tree)
    assert [position[node] for node in order] == list(range(len(tree)))
    assert trees.is_projective(tree) == (position == list(range(len(tree))))


def components_by_definition(tree):
    """Components after contracting arcs between adjacent nodes whose dependent has no dependents left, in any order."""
    n = len(tree) - 1
    present, attached = list(range(n + 1)), set[int]()
    while True:
        waiting = {tree[word] for word in range(1, n + 1) if word not in attached}
        free = [
            node
            for left, right in itertools.pairwise(present)
            for node, other in ((left, right), (right, left))
            if tree[node] == other and node not in waiting
        ]
        if not free:
            break
        present.remove(free[-1])
        attached.add(free[-1])

    def component(node):
        return component(tree[node]) if node in attached else node

    return [component(node) for node in range(n + 1)]


@given(small_and_large)
def test_projective_components_of_random_trees(tree):
    components = trees.projective_components(tree)
    assert components == components_by_definition(tree)
    assert not trees.is_projective(tree) or set(components) == {0}


def test_properties_of_a_worked_example():
    assert [word for word, crosses in enumerate(trees.nonprojective_arcs(HEARING)) if crosses] == [5, 8]
    assert trees.lifts(HEARING) == [0, 0, 0, 0, 0, 1, 0, 0, 1, 0]
    assert trees.depths(HEARING) == [0, 3, 2, 1, 2, 3, 5, 4, 3, 2]
    assert trees.projective_order(HEARING) == [0, 1, 2, 6, 7, 3, 4, 5, 8, 9]
    assert trees.projective_components(HEARING) == [0, 2, 2, 3, 4, 5, 5, 5, 8, 9]
