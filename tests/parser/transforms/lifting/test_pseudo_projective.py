import random

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.transforms.lifting.deprojectivize import SEARCHES
from crossarc.parser.transforms.lifting.pseudo_projective import PseudoProjective
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_projective, is_tree
from every_derivation import all_trees
from handmade import any_heads
from hypothesis import given, settings, strategies as st

ENCODINGS = ["baseline", "head", "path", "head+path"]
CZECH = Tree([-1, 5, 1, 0, 5, 3, 3, 6, 0], ["", "AuxP", "Atr", "Pred", "AuxZ", "Sb", "AuxP", "Adv", "AuxK"], {})


def random_tree(n, seed, labels=("a", "b", "a↑", "↓b", "\\")):
    generator = random.Random(seed)
    return Tree(any_heads(n, seed), ["", *(generator.choice(labels) for _ in range(n))], {})


trees = st.builds(random_tree, st.integers(1, 14), st.integers(0, 10**9))
transforms = st.builds(
    PseudoProjective,
    encoding=st.sampled_from(ENCODINGS),
    order=st.sampled_from(["shortest", "deepest"]),
    covered_roots=st.sampled_from(["ignore", "left", "right", "head"]),
    search=st.sampled_from(SEARCHES),
)


@pytest.mark.parametrize(
    ("encoding", "lifted", "path"),
    [("baseline", "AuxP", "Sb"), ("head", "AuxP↑Sb", "Sb"), ("path", "AuxP↑", "Sb↓"), ("head+path", "AuxP↑Sb", "Sb↓")],
)
@pytest.mark.parametrize("search", SEARCHES)
def test_the_czech_sentence_in_every_encoding(encoding, lifted, path, search):
    transform = PseudoProjective(encoding=encoding, search=search)
    applied = transform.apply(CZECH)
    assert applied.heads == [-1, 3, 1, 0, 5, 3, 3, 6, 0]
    assert applied.deprels == ["", lifted, "Atr", "Pred", "AuxZ", path, "AuxP", "Adv", "AuxK"]
    restored = transform.invert(applied)
    assert restored.deprels == CZECH.deprels
    assert restored.heads == (applied.heads if encoding == "baseline" else CZECH.heads)


@pytest.mark.parametrize("encoding", ["head", "head+path"])
def test_every_small_tree_with_distinct_labels_comes_back(encoding):
    transform = PseudoProjective(encoding=encoding)
    for n in range(1, 5):
        labels = ["", *(f"r{word}" for word in range(1, n + 1))]
        for heads in all_trees(n, single_root=False):
            tree = Tree(list(heads), labels, {})
            assert transform.invert(transform.apply(tree)) == tree


def test_the_search_is_breadth_first_and_left_to_right():
    # node 7 was lifted from a b; candidates below node 1 in the order 2 (a), 4 (b), 3 (b), 5 (b)
    tree = Tree([-1, 0, 1, 2, 1, 4, 1, 1], ["", "r", "a", "b", "b", "b", "c", "d↑b"], {})
    for search in ("papers", "verified"):
        assert PseudoProjective(encoding="head", search=search).invert(tree).heads[7] == 4


def test_the_lifted_subtree_is_not_searched():
    tree = Tree([-1, 0, 1, 2], ["", "r", "d↑b", "b"], {})
    restored = PseudoProjective(encoding="head").invert(tree)
    assert restored == Tree([-1, 0, 1, 2], ["", "r", "d", "b"], {})


def test_a_path_ends_where_no_path_arc_goes_on():
    tree = Tree([-1, 0, 1, 2, 3, 1, 1], ["", "r", "a↓", "b↓", "c", "e", "d↑"], {})
    assert PseudoProjective(encoding="path", search="papers").invert(tree).heads[6] == 3


def test_head_and_path_falls_back_to_the_deepest_label_on_the_path_then_to_any_label():
    transform = PseudoProjective(encoding="head+path", search="papers")
    # both a are path nodes with a path arc below them: the lower one
    tree = Tree([-1, 0, 1, 2, 3, 1, 1], ["", "r", "a↓", "a↓", "b↓", "e", "d↑a"], {})
    assert transform.invert(tree).heads[6] == 3
    # no path arc at all
    tree = Tree([-1, 0, 1, 2, 3, 1, 1], ["", "r", "b", "a", "b", "e", "d↑a"], {})
    assert transform.invert(tree).heads[6] == 3
    # no such label
    tree = Tree([-1, 0, 1, 2, 3, 1, 1], ["", "r", "b", "b", "b", "e", "d↑a"], {})
    assert transform.invert(tree) == Tree(tree.heads, ["", "r", "b", "b", "b", "e", "d"], {})


@pytest.mark.parametrize(
    ("encoding", "heads", "deprels", "found"),
    [
        # 3 is the end of the path and has the label, as 2 above it has
        ("head+path", [0, 1, 2, 3, 1, 1], "r a↓ a↓ b e d↑a", {"2005": 2, "2009": 3, "2012": 3, "all": 3}),
        # 4, on the path, has the label; its end, 5, does not; 2 is not on the path
        ("head+path", [0, 1, 1, 1, 4, 1], "r a e a↓ b↓ d↑a", {"2005": 4, "2009": 2, "2012": 4, "all": 4}),
        # two paths end at 2 and at 4
        ("path", [0, 1, 1, 3, 1, 1], "r a↓ a↓ b↓ e d↑", {"2005": 2, "2009": 2, "2012": 4, "all": 2}),
    ],
)
def test_each_papers_search_for_the_head_and_the_path(encoding, heads, deprels, found):
    names = {"2005": "nivre-nilsson-2005", "2009": "nilsson-2009", "2012": "bjorkelund-kuhn-2012", "all": "papers"}
    tree = Tree([-1, *heads], ["", *deprels.split()], {})
    restored = {year: PseudoProjective(encoding=encoding, search=names[year]).invert(tree).heads[-1] for year in found}
    assert restored == found


def test_a_failed_search_is_repeated_after_a_later_one_repaired_the_path():
    # 2 asks for an x below 1; the only one, 6, hangs below 5, which must go down below 3 first and needs nothing itself
    tree = Tree([-1, 0, 3, 1, 3, 1, 5], ["", "r", "d↑x", "a", "e", "c↑a", "x"], {})
    restored = PseudoProjective(encoding="head", search="papers").invert(tree)
    assert restored.heads == [-1, 0, 6, 1, 3, 3, 5]


def test_a_word_that_cannot_have_been_lifted_from_a_node_does_not_go_there():
    # 3 -> 4 would be projective; the papers' search takes it nevertheless
    tree = Tree([-1, 4, 4, 4, 0, 4, 4], ["", "b", "c", "c", "r", "c", "d↑b"], {})
    assert PseudoProjective(encoding="head").invert(tree).heads[6] == 1
    tree = Tree([-1, 0, 1, 1, 1, 4], ["", "r", "b", "d↑b", "b", "c"], {})
    assert PseudoProjective(encoding="head", search="papers").invert(tree).heads[3] == 2
    tree = Tree([-1, 0, 1, 1, 1, 1], ["", "r", "b", "d↑b", "c", "b"], {})
    assert PseudoProjective(encoding="head", search="papers").invert(tree).heads[3] == 2
    assert PseudoProjective(encoding="head", search="verified").invert(tree).heads[3] == 5


@settings(max_examples=150)
@given(transforms, trees)
def test_applied_trees_are_projective_and_their_words_keep_their_labels(transform, tree):
    before = Tree(list(tree.heads), list(tree.deprels), {})
    applied = transform.apply(tree)
    assert is_tree(applied.heads)
    assert is_projective(applied.heads)
    restored = transform.invert(applied)
    assert is_tree(restored.heads)
    assert restored.deprels == tree.deprels
    assert tree == before


@settings(max_examples=100)
@given(transforms, trees)
def test_projective_trees_without_signs_stay_and_come_back(transform, tree):
    projective = PseudoProjective(encoding="baseline").apply(tree).heads
    labels = ["", *("xy"[word % 2] for word in range(1, len(projective)))]
    plain = Tree(projective, labels, {})
    assert transform.apply(plain) == plain
    assert transform.invert(plain) == plain


def test_labels_with_the_signs_survive_byte_for_byte():
    labels = ["", "a↑b", "↓", "\\↑", "↑↑", "c↓", "\\"]
    tree = Tree([-1, 4, 1, 0, 3, 1, 5], labels, {})
    for encoding in ENCODINGS:
        transform = PseudoProjective(encoding=encoding)
        assert transform.invert(transform.apply(tree)).deprels == labels


@settings(max_examples=150)
@given(transforms, st.integers(1, 10), st.integers(0, 10**9), st.data())
def test_whatever_was_predicted_gives_a_tree_with_original_labels(transform, n, seed, data):
    original = st.sampled_from(["a", "b", "c"])
    tail = st.sampled_from(["", "↑a", "↑b", "↑", "↓", "↑a↓", "↑↓", "↑↑", "↑↑↓", "↓↓", "↓↑", "↑a↑b"])
    labels = [data.draw(original) + data.draw(tail) for _ in range(n)]
    tree = Tree(random_tree(n, seed).heads, ["", *labels], {})
    restored = transform.invert(tree)
    assert is_tree(restored.heads)
    assert restored.deprels == ["", *(label[0] for label in labels)]


@pytest.mark.parametrize(("attachment", "head"), [("left", 1), ("right", 4), ("head", 4)])
def test_a_covered_root_moves_under_the_covering_arc_and_back(attachment, head):
    tree = Tree([-1, 4, 0, 2, 0], ["", "sub", "par", "x", "main"], {})
    transform = PseudoProjective(encoding="head+path", covered_roots=attachment)
    applied = transform.apply(tree)
    assert applied == Tree([-1, 4, head, 2, 0], ["", "sub", "par↑↑", "x", "main"], {})
    assert transform.invert(applied) == tree


def test_without_attachment_the_arc_over_a_root_is_lifted():
    tree = Tree([-1, 4, 0, 2, 0], ["", "sub", "par", "x", "main"], {})
    transform = PseudoProjective(encoding="head")
    applied = transform.apply(tree)
    assert applied == Tree([-1, 0, 0, 2, 0], ["", "sub↑main", "par", "x", "main"], {})
    assert transform.invert(applied) == tree


def test_a_root_whose_subtree_reaches_out_of_the_arc_is_not_covered():
    tree = Tree([-1, 4, 0, 0, 0, 2], ["", "a", "b", "c", "d", "e"], {})
    applied = PseudoProjective(encoding="head", covered_roots="head").apply(tree)
    assert applied.heads[2] == 0
    assert applied.heads[3] == 4


def test_the_innermost_covering_arc_takes_the_root():
    tree = Tree([-1, 0, 1, 0, 2, 1], ["", "a", "b", "c", "d", "e"], {})
    assert PseudoProjective(encoding="head", covered_roots="head").apply(tree).heads[3] == 2


def capped_trees():
    lifted = {("a", "p"): 3, ("b", "p"): 2, ("c", "p"): 1}
    for (label, above), times in lifted.items():
        for _ in range(times):
            yield Tree([-1, 0, 1, 0, 2], ["", "r", above, "q", label], {})


def test_the_cap_keeps_the_most_frequent_new_labels_of_the_training_trees():
    capped = PseudoProjective(encoding="head+path", label_cap=2).fit(list(capped_trees()))
    # p↓ and r↓ are there six times each, a↑p three times
    assert capped.state() == {"kept_labels": ["p↓", "r↓"]}
    capped = PseudoProjective(encoding="head", label_cap=2).fit(list(capped_trees()))
    assert capped.state() == {"kept_labels": ["a↑p", "b↑p"]}
    labels = [capped.apply(tree).deprels[4] for tree in capped_trees()]
    assert labels == ["a↑p"] * 3 + ["b↑p"] * 2 + ["c"]


def test_a_cap_needs_fitting_and_travels_with_the_model():
    capped = PseudoProjective(encoding="head", label_cap=1)
    with pytest.raises(CrossarcError, match="label_cap is learned from training trees; call fit first"):
        capped.apply(CZECH)
    capped.fit(list(capped_trees()))
    again = PseudoProjective.from_json(capped.to_json())
    assert [again.apply(tree) for tree in capped_trees()] == [capped.apply(tree) for tree in capped_trees()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"encoding": "heads"},
            "encoding: found 'heads' .did you mean 'head'.*allowed: baseline, head, path, head.path",
        ),
        ({"order": "longest"}, "order: found 'longest'.*allowed: shortest, deepest"),
        ({"covered_roots": "none"}, "covered_roots: found 'none'.*allowed: ignore, left, right, head"),
        ({"search": "deep"}, "search: found 'deep'.*allowed: verified, papers"),
        ({"label_cap": -1}, "label_cap: found -1; allowed: none, or a whole number from 0"),
        ({"label_cap": "many"}, "label_cap: found 'many'"),
        ({"label_cap": True}, "label_cap: found True"),
    ],
)
def test_bad_parameters_are_refused(arguments, message):
    with pytest.raises(CrossarcError, match=message):
        PseudoProjective(**arguments).fit([])
    with pytest.raises(CrossarcError, match=message):
        PseudoProjective(**arguments).apply(CZECH)
    with pytest.raises(CrossarcError, match=message):
        PseudoProjective(**arguments).invert(CZECH)
