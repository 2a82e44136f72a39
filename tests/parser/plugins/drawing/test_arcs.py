"""Arcs of a drawing: their crossings, faults and heights."""

from crossarc.parser.plugins.drawing.arcs import Arc, arcs_against, arcs_of, levels
from crossarc.parser.treebank.tree import Tree
from drawn import hearing, parsed_sentences
from hypothesis import given

VIEWS = parsed_sentences()


def test_arcs_of_a_tree():
    assert arcs_of(hearing().trees[0])[2:4] == [Arc(0, 3, "root"), Arc(2, 4, "acl", crossing=True)]


def test_incomplete_trees_have_no_crossing_arcs():
    """Words without a head have no arc; crossings are unknown until the tree is complete."""
    assert arcs_of(Tree([-1, 3, -1, -1], ["", "x", "", ""])) == [Arc(3, 1, "x")]


def gaps(arc):
    if arc.head == 0:
        return {arc.dependent - 1, arc.dependent}
    return set(range(min(arc.head, arc.dependent), max(arc.head, arc.dependent)))


@given(VIEWS)
def test_arcs_above_the_same_gap_differ_in_height(view):
    gold, parsed = view.trees
    arcs = arcs_against(gold, parsed)
    heights = levels(arcs, len(gold.heads) - 1)
    assert min(heights) == 1
    for number, arc in enumerate(arcs):
        for other in range(number):
            assert heights[other] != heights[number] or not gaps(arc) & gaps(arcs[other])
            if arc.head and arcs[other].head and gaps(arc) < gaps(arcs[other]):
                assert heights[number] < heights[other]
