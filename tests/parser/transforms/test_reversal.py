import random

from crossarc.parser.transforms import Tree, parse_transform
from crossarc.transitions.trees import is_tree, nonprojective_arcs
from hypothesis import given, settings
from hypothesis import strategies as st

LABELS = st.text(max_size=3)
REVERSAL = parse_transform("reversal")


@st.composite
def trees(draw):
    n = draw(st.integers(0, 12))
    generator = random.Random(draw(st.integers(0, 10**9)))
    heads = [-1] * (n + 1)
    placed = [0]
    for word in generator.sample(range(1, n + 1), n):
        heads[word] = generator.choice(placed)
        placed.append(word)
    return Tree(heads, ["", *(draw(LABELS) for _ in range(n))], {"form": tuple(str(word) for word in range(1, n + 1))})


def test_the_first_word_becomes_the_last():
    tree = Tree([-1, 2, 0, 2, 3], ["", "Sb", "Pred", "AuxP", "Adv"], {"form": ("a", "b", "c", "d")})
    expected = Tree([-1, 2, 3, 0, 3], ["", "Adv", "AuxP", "Pred", "Sb"], {"form": ("d", "c", "b", "a")})
    assert REVERSAL.apply(tree) == expected
    assert REVERSAL.prepare(tree.columns) == expected.columns


@settings(max_examples=200)
@given(trees())
def test_reversing_twice_changes_nothing_and_projectivity_is_kept(tree):
    before = Tree(list(tree.heads), list(tree.deprels), dict(tree.columns))
    turned = REVERSAL.apply(tree)
    assert tree == before
    assert is_tree(turned.heads)
    assert nonprojective_arcs(turned.heads)[1:] == nonprojective_arcs(tree.heads)[:0:-1]
    assert REVERSAL.invert(turned) == tree
