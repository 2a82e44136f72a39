"""Flat trees, the trees of many sentences as arrays: inverses and word orders equal those of single trees."""

import numpy as np
from crossarc.parser.transforms.registry import parse_transform
from crossarc.parser.transforms.transform import apply_all, invert_all, invert_all_flat, word_order
from crossarc.parser.treebank.tree import flat_trees, trees_in
from handmade import labelled_trees
from hypothesis import given, strategies as st
from installed import PLUGINS

LABELS = st.sampled_from(["a", "b", "a↑b", "b↑", "b↓", "a↑b↓", "a↑↑", "a\\↑b", "\\"])
SPECS = (
    ["reversal"],
    ["pseudo-projective"],
    ["reversal", "pseudo-projective:encoding=head+path"],
    ["pseudo-projective:encoding=path", "reversal", "reversal"],
    *([["coordination", "verb-groups"]] if "styles" in PLUGINS else []),
    [],
)


@given(st.lists(labelled_trees(LABELS, 8), max_size=5), st.sampled_from(SPECS))
def test_inverses_and_orders_equal_those_of_single_trees(trees, specs):
    transforms = [parse_transform(spec) for spec in specs]
    flat = flat_trees(trees)
    before = [own.copy() for own in flat[:3]]
    expected = [invert_all(transforms, tree)._replace(columns={}) for tree in trees]
    assert [own._replace(columns={}) for own in trees_in(invert_all_flat(transforms, flat))] == expected
    assert all(np.array_equal(own, kept) for own, kept in zip(flat[:3], before, strict=True))
    prepared = [form for tree in trees for form in apply_all(transforms, tree).columns["form"]]
    forms = np.array([form for tree in trees for form in tree.columns["form"]], dtype=object)
    assert forms[word_order(transforms, flat.lengths)].tolist() == prepared
