import pytest
from crossarc.parser.transforms.registry import parse_transform, transform_from_json
from crossarc.transitions.trees import is_projective, nonprojective_arcs
from handmade import applied_and_inverted, labelled_trees, tree
from hypothesis import given, strategies as st
from refusals import refusal

LABELS = st.sampled_from(["X", "X", "Y", "Z", "X*", "Y'", "X'", "Z^", "X\\", ""])
NAMES = ("child-swap", "parent-swap", "lift-children", "descend-siblings")


def generic(name, label="X"):
    return parse_transform({"name": name, "params": {"label": label}})


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        # figure 9.1: C is the leftmost left child of F
        ("child-swap", "0:P 4:Y 4:Z 1:X 4:Z", "0:P 1:Y 4:Z 2:X* 4:Z"),
        # figure 9.1: S, beyond F, would be non-projective under P
        ("parent-swap", "2:X 3:Y 0:G", "3:X 1:Y 0:G"),
        ("parent-swap", "4:Z 4:X 4:W 5:Y 0:G", "2:Z^ 5:X 4:W 2:Y 0:G"),
        # figure 9.2
        ("lift-children", "0:P 3:Y 1:X 3:Z", "0:P 1:Y' 1:X 1:Z'"),
        ("descend-siblings", "3:Z 3:X 0:P 3:Z", "2:Z' 3:X 0:P 3:Z"),
        ("descend-siblings", "0:P 1:Z 1:X 1:Z", "0:P 1:Z 1:X 3:Z'"),
        ("child-swap", "2:P 0:X 2:Z", "0:P 1:X* 2:Z"),
        # no change
        ("child-swap", "0:X 1:P", "0:X 1:P"),
        ("parent-swap", "0:X 1:P", "0:X 1:P"),
        ("lift-children", "0:X 1:P", "0:X 1:P"),
    ],
)
def test_worked_examples(name, before, after):
    transform = generic(name).fit([tree(before)])
    assert transform.apply(tree(before)) == tree(after)
    assert transform_from_json(transform.to_json()).invert(tree(after)) == tree(before)


def test_parent_swap_is_inverted_with_the_most_frequent_parent():
    transform = generic("parent-swap").fit([tree("2:X 3:Y 0:G"), tree("2:X 3:Y 0:G"), tree("2:X 3:Z 0:G")])
    assert transform.invert(tree("4:X 1:Z 1:Y 0:G")) == tree("3:X 1:Z 4:Y 0:G")


@pytest.mark.parametrize("name", NAMES)
@given(own=labelled_trees(LABELS))
def test_results_are_trees_and_apply_adds_no_crossing_arcs(name, own):
    changed, _, restored = applied_and_inverted(generic(name).fit([own]), own)
    assert sum(nonprojective_arcs(changed.heads)) <= sum(nonprojective_arcs(own.heads))
    assert restored.deprels == own.deprels


@pytest.mark.parametrize("name", ["child-swap", "descend-siblings"])
@given(own=labelled_trees(LABELS))
def test_projective_trees_are_restored(name, own):
    if is_projective(own.heads):
        transform = generic(name)
        assert transform.invert(transform.apply(own)) == own


@pytest.mark.parametrize("name", NAMES)
def test_generic_transforms_need_a_label(name):
    assert refusal(lambda: parse_transform(name)) == f"transform {name}: label: found ''; allowed: a dependency label"
