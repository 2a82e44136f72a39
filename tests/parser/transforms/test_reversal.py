from crossarc.parser.transforms.registry import parse_transform
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import nonprojective_arcs
from handmade import applied_and_inverted, labelled_trees
from hypothesis import given, strategies as st

LABELS = st.text(max_size=3)
REVERSAL = parse_transform("reversal")


def test_word_order_is_reversed():
    tree = Tree([-1, 2, 0, 2, 3], ["", "Sb", "Pred", "AuxP", "Adv"], {"form": ("a", "b", "c", "d")})
    expected = Tree([-1, 2, 3, 0, 3], ["", "Adv", "AuxP", "Pred", "Sb"], {"form": ("d", "c", "b", "a")})
    assert REVERSAL.apply(tree) == expected


@given(labelled_trees(LABELS))
def test_reversal_is_invertible_and_keeps_projectivity(tree):
    turned, _, restored = applied_and_inverted(REVERSAL, tree)
    assert nonprojective_arcs(turned.heads)[1:] == nonprojective_arcs(tree.heads)[:0:-1]
    assert restored == tree
