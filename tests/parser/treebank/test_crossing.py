"""Non-projective arcs by class, compared with counts by hand and by brute force."""

from collections import Counter

import networkx as nx
from crossarc.parser.treebank.statistics import DEPTHS, LENGTHS, TreeCounts, class_of, crossing_lines
from handmade import any_heads
from hypothesis import given, strategies as st


def test_classes_of_lengths_and_depths():
    names = ["", "2", "4", "5-6", "5-6", "7-9", "10-", "10-"]
    assert [class_of(own, LENGTHS) for own in (1, 2, 4, 5, 6, 9, 10, 99)] == names
    assert [class_of(own, DEPTHS) for own in (2, 6, 7, 50)] == ["2", "6", "7-", "7-"]


def counted(trees):
    counts = TreeCounts()
    for number, heads in enumerate(trees, 1):
        deprels = ["", *(f"l{word % 3}" for word in range(1, len(heads)))]
        counts.add(heads, deprels, number)
    return counts


def test_counts_agree_with_counts_by_hand():
    """In the second tree, the arc from 1 to 3 spans 2, which is the head of 1. The depth of node 3 is three arcs."""
    assert counted([[-1, 2, 0, 2, 2], [-1, 2, 0, 1, 2]]).crossing() == {
        "deprel": {"l0": {"arcs": 2, "nonprojective": 1, "example": "2:3"}},
        "length": {"2": {"arcs": 3, "nonprojective": 1, "example": "2:3"}},
        "depth": {"3": {"arcs": 1, "nonprojective": 1, "example": "2:3"}},
    }


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 10**9)), max_size=4))
def test_counts_agree_with_brute_force(drawn):
    trees = [any_heads(n, seed) for n, seed in drawn]
    arcs, crossing = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for heads in trees:
        graph = nx.DiGraph((head, word) for word, head in enumerate(heads) if word)
        deep = nx.single_source_shortest_path_length(graph, 0)
        for word in range(1, len(heads)):
            head = heads[word]
            classes = [("deprel", f"l{word % 3}")]
            if head and abs(head - word) > 1:
                classes.append(("length", class_of(abs(head - word), LENGTHS)))
            if head:
                classes.append(("depth", class_of(deep[word], DEPTHS)))
            arcs.update(classes)
            below = {head, *nx.descendants(graph, head)}
            if not set(range(min(head, word) + 1, max(head, word))) <= below and head:
                crossing.update(classes)
    found = counted(trees).crossing()
    seen = {
        (kind, name): (row["arcs"], row["nonprojective"]) for kind, rows in found.items() for name, row in rows.items()
    }
    assert seen == {own: (arcs[own], count) for own, count in crossing.items()}


def test_at_most_twelve_deprels_are_listed():
    counts = TreeCounts()
    for number in range(20):
        counts.add([-1, 2, 0, 1], ["", "a", "b", f"deprel{number}"], number + 1)
    lines = list(crossing_lines(counts.crossing()))
    assert len(lines) == 1 + 12 + 1 + 1 + 1
    assert lines[13].strip() == "and 8 more deprels"
