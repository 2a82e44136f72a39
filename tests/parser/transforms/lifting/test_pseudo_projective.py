import random

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.transforms.lifting.deprojectivize import SEARCHES
from crossarc.parser.transforms.lifting.pseudo_projective import PseudoProjective
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_projective, is_tree
from every_derivation import all_trees
from handmade import any_heads, applied_and_inverted, tree as tree_of
from hypothesis import given, strategies as st

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
def test_czech_sentence_in_every_encoding(encoding, lifted, path, search):
    transform = PseudoProjective(encoding=encoding, search=search)
    applied = transform.apply(CZECH)
    assert applied.heads == [-1, 3, 1, 0, 5, 3, 3, 6, 0]
    assert applied.deprels == ["", lifted, "Atr", "Pred", "AuxZ", path, "AuxP", "Adv", "AuxK"]
    restored = transform.invert(applied)
    assert restored.deprels == CZECH.deprels
    assert restored.heads == (applied.heads if encoding == "baseline" else CZECH.heads)


@pytest.mark.parametrize("encoding", ["head", "head+path"])
def test_small_trees_with_distinct_labels_are_restored(encoding):
    transform = PseudoProjective(encoding=encoding)
    for n in range(1, 5):
        labels = ["", *(f"r{word}" for word in range(1, n + 1))]
        for heads in all_trees(n, single_root=False):
            tree = Tree(list(heads), labels, {})
            assert transform.invert(transform.apply(tree)) == tree


@pytest.mark.parametrize(
    ("encoding", "search", "text", "word", "head"),
    [
        # breadth-first and from left to right, the search visits 2 (a), 4 (b), 6 (c), 3 (b), 5 (b) in this order
        ("head", "papers", "0:r 1:a 2:b 1:b 4:b 1:c 1:d↑b", 7, 4),
        ("head", "verified", "0:r 1:a 2:b 1:b 4:b 1:c 1:d↑b", 7, 4),
        # subtrees of lifted words are not searched
        ("head", "verified", "0:r 1:d↑b 2:b", 2, 1),
        # paths end below the last path arc
        ("path", "papers", "0:r 1:a↓ 2:b↓ 3:c 1:e 1:d↑", 6, 3),
        # both nodes labelled a are on the path and have a path arc below them: the lower one is the head
        ("head+path", "papers", "0:r 1:a↓ 2:a↓ 3:b↓ 1:e 1:d↑a", 6, 3),
        # there are no path arcs, so the label alone determines the head
        ("head+path", "papers", "0:r 1:b 2:a 3:b 1:e 1:d↑a", 6, 3),
        # no node has the label, so the word keeps its head
        ("head+path", "papers", "0:r 1:b 2:b 3:b 1:e 1:d↑a", 6, 1),
        # word 2 needs a head labelled x below 3; the only one, 6, is below 3 only after its head, 5, has moved there
        ("head", "papers", "0:r 3:d↑x 1:a 3:e 1:c↑a 5:x", 2, 6),
        # the verified search finds only heads with non-projective arcs
        ("head", "verified", "4:b 4:c 4:c 0:r 4:c 4:d↑b", 6, 1),
        # the arc 2 -> 3 would be projective; the papers' search chooses it nevertheless
        ("head", "papers", "0:r 1:b 1:d↑b 1:b 4:c", 3, 2),
        ("head", "papers", "0:r 1:b 1:d↑b 1:c 1:b", 3, 2),
        ("head", "verified", "0:r 1:b 1:d↑b 1:c 1:b", 3, 5),
    ],
)
def test_lifted_words_return_to_the_heads_that_each_search_finds(encoding, search, text, word, head):
    assert PseudoProjective(encoding=encoding, search=search).invert(tree_of(text)).heads[word] == head


@pytest.mark.parametrize(
    ("encoding", "text", "found"),
    [
        # 3 is the end of the path; 3 and 2, its head, have the label
        ("head+path", "0:r 1:a↓ 2:a↓ 3:b 1:e 1:d↑a", {"2005": 2, "2009": 3, "2012": 3, "all": 3}),
        # 4 is on the path and has the label; 5, the end of the path, does not; 2 has it but is not on the path
        ("head+path", "0:r 1:a 1:e 1:a↓ 4:b↓ 1:d↑a", {"2005": 4, "2009": 2, "2012": 4, "all": 4}),
        # one path ends at 2, another at 4
        ("path", "0:r 1:a↓ 1:a↓ 3:b↓ 1:e 1:d↑", {"2005": 2, "2009": 2, "2012": 4, "all": 2}),
    ],
)
def test_searches_of_the_papers_may_find_different_heads(encoding, text, found):
    names = {"2005": "nivre-nilsson-2005", "2009": "nilsson-2009", "2012": "bjorkelund-kuhn-2012", "all": "papers"}
    restored = {
        year: PseudoProjective(encoding=encoding, search=names[year]).invert(tree_of(text)).heads[-1] for year in found
    }
    assert restored == found


@given(transforms, trees)
def test_applied_trees_are_projective_and_labels_are_restored(transform, tree):
    applied, _, restored = applied_and_inverted(transform, tree)
    assert is_projective(applied.heads)
    assert restored.deprels == tree.deprels


@given(transforms, trees)
def test_projective_trees_with_plain_labels_do_not_change(transform, tree):
    projective = PseudoProjective(encoding="baseline").apply(tree).heads
    labels = ["", *("xy"[word % 2] for word in range(1, len(projective)))]
    plain = Tree(projective, labels, {})
    assert transform.apply(plain) == plain
    assert transform.invert(plain) == plain


def test_labels_with_arrows_or_backslashes_are_restored():
    labels = ["", "a↑b", "↓", "\\↑", "↑↑", "c↓", "\\"]
    tree = Tree([-1, 4, 1, 0, 3, 1, 5], labels, {})
    for encoding in ENCODINGS:
        transform = PseudoProjective(encoding=encoding)
        assert transform.invert(transform.apply(tree)).deprels == labels


@given(transforms, st.integers(1, 10), st.integers(0, 10**9), st.data())
def test_any_predicted_labels_give_a_tree_with_original_labels(transform, n, seed, data):
    original = st.sampled_from(["a", "b", "c"])
    tail = st.sampled_from(["", "↑a", "↑b", "↑", "↓", "↑a↓", "↑↓", "↑↑", "↑↑↓", "↓↓", "↓↑", "↑a↑b"])
    labels = [data.draw(original) + data.draw(tail) for _ in range(n)]
    tree = Tree(random_tree(n, seed).heads, ["", *labels], {})
    restored = transform.invert(tree)
    assert is_tree(restored.heads)
    assert restored.deprels == ["", *(label[0] for label in labels)]


@pytest.mark.parametrize(("attachment", "head"), [("left", 1), ("right", 4), ("head", 4)])
def test_covered_roots_are_attached_under_the_arc_and_restored(attachment, head):
    tree = Tree([-1, 4, 0, 2, 0], ["", "sub", "par", "x", "main"], {})
    transform = PseudoProjective(encoding="head+path", covered_roots=attachment)
    applied = transform.apply(tree)
    assert applied == Tree([-1, 4, head, 2, 0], ["", "sub", "par↑↑", "x", "main"], {})
    assert transform.invert(applied) == tree


def test_arcs_over_roots_are_lifted_by_default():
    tree = Tree([-1, 4, 0, 2, 0], ["", "sub", "par", "x", "main"], {})
    transform = PseudoProjective(encoding="head")
    applied = transform.apply(tree)
    assert applied == Tree([-1, 0, 0, 2, 0], ["", "sub↑main", "par", "x", "main"], {})
    assert transform.invert(applied) == tree


def test_roots_with_descendants_outside_the_arc_are_not_covered():
    tree = Tree([-1, 4, 0, 0, 0, 2], ["", "a", "b", "c", "d", "e"], {})
    applied = PseudoProjective(encoding="head", covered_roots="head").apply(tree)
    assert applied.heads[2] == 0
    assert applied.heads[3] == 4


def test_covered_roots_are_attached_under_the_innermost_arc():
    tree = Tree([-1, 0, 1, 0, 2, 1], ["", "a", "b", "c", "d", "e"], {})
    assert PseudoProjective(encoding="head", covered_roots="head").apply(tree).heads[3] == 2


def capped_trees():
    lifted = {("a", "p"): 3, ("b", "p"): 2, ("c", "p"): 1}
    for (label, above), times in lifted.items():
        for _ in range(times):
            yield Tree([-1, 0, 1, 0, 2], ["", "r", above, "q", label], {})


def test_label_cap_keeps_the_most_frequent_decorated_labels():
    capped = PseudoProjective(encoding="head+path", label_cap=2).fit(list(capped_trees()))
    # p↓ and r↓ occur six times each, a↑p three times
    assert capped.state() == {"kept_labels": ["p↓", "r↓"]}
    capped = PseudoProjective(encoding="head", label_cap=2).fit(list(capped_trees()))
    assert capped.state() == {"kept_labels": ["a↑p", "b↑p"]}
    labels = [capped.apply(tree).deprels[4] for tree in capped_trees()]
    assert labels == ["a↑p"] * 3 + ["b↑p"] * 2 + ["c"]


def test_label_cap_needs_fitting_and_kept_labels_are_saved():
    capped = PseudoProjective(encoding="head", label_cap=1)
    with pytest.raises(CrossarcError, match="label_cap is learned from training trees; call fit first"):
        capped.apply(CZECH)
    capped.fit(list(capped_trees()))
    again = PseudoProjective.from_json(capped.to_json())
    assert [again.apply(tree) for tree in capped_trees()] == [capped.apply(tree) for tree in capped_trees()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"encoding": "heads"}, "encoding: found 'heads' .*allowed: baseline, head, path, head.path"),
        ({"order": "longest"}, "order: found 'longest'.*allowed: shortest, deepest"),
        ({"covered_roots": "none"}, "covered_roots: found 'none'.*allowed: ignore, left, right, head"),
        ({"search": "deep"}, "search: found 'deep'.*allowed: verified, papers"),
        ({"label_cap": -1}, "label_cap: found -1; allowed: none, or a whole number from 0"),
        ({"label_cap": "many"}, "label_cap: found 'many'"),
        ({"label_cap": True}, "label_cap: found True"),
    ],
)
def test_invalid_parameters_are_refused(arguments, message):
    with pytest.raises(CrossarcError, match=message):
        PseudoProjective(**arguments)
