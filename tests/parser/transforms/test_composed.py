from crossarc.parser.transforms import parse_transform
from crossarc.parser.transforms.composed import Composed, parse_composed
from crossarc.parser.transforms.distortion import distortion
from crossarc.parser.treebank.tree import Tree

# A and B, and a word between that belongs to the root
TREE = Tree([-1, 2, 5, 5, 2, 0], ["", "Sb_Co", "Coord", "Adv", "Sb_Co", "Pred"], {"form": tuple("abcde")})


def test_inverted_in_reverse_order():
    first, second = parse_transform("coordination"), parse_transform("reversal")
    both = parse_composed("coordination / reversal")
    assert isinstance(both, Composed)
    assert both.apply(TREE) == second.apply(first.apply(TREE))
    assert both.invert(both.apply(TREE)) == TREE
    assert both.prepare(TREE.columns) == {"form": tuple("edcba")}


def test_later_transforms_are_fitted_on_what_earlier_ones_give():
    both = parse_composed("coordination / verb-groups / pseudo-projective:label_cap=1").fit([TREE])
    assert distortion([TREE], both)["restored_sentences"] == 1


def test_a_single_one_stays_itself():
    assert type(parse_composed("reversal")) is type(parse_transform("reversal"))
