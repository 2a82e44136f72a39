"""Agreement of annotators: the tree edit distance by its definition, alpha by all pairs, and the command."""

import json
from functools import cache
from itertools import combinations
from statistics import mean

import pytest
from command_line import run
from crossarc import CrossarcError, Sentence, score_sentences, write_sentences
from crossarc.parser.plugins.annotation import agreement as module
from crossarc.parser.plugins.annotation.agreement import agreement, tree_edit_distance
from crossarc.parser.treebank.tree import Tree
from every_derivation import random_trees
from hypothesis import given, strategies as st


@st.composite
def labelled_trees(draw, longest=6):
    heads = draw(random_trees(single_root=False, longest=longest))
    labels = draw(st.lists(st.sampled_from("ab"), min_size=len(heads) - 1, max_size=len(heads) - 1))
    return Tree(list(heads), ["", *labels])


def nested(tree, node=0):
    """A node as (label, its children)."""
    children = tuple(nested(tree, word) for word, head in enumerate(tree.heads) if head == node and word)
    return tree.deprels[node], children


@cache
def distance(first, second):
    """The edit distance of two ordered forests: the last root is removed, inserted, or kept."""
    if not first and not second:
        return 0
    costs = []
    if first:
        label, children = first[-1]
        costs.append(distance((*first[:-1], *children), second) + 1)
    if second:
        other, others = second[-1]
        costs.append(distance(first, (*second[:-1], *others)) + 1)
    if first and second:
        costs.append(distance(children, others) + distance(first[:-1], second[:-1]) + (label != other))
    return min(costs)


@given(labelled_trees(), labelled_trees())
def test_the_distance_is_that_of_its_definition(first, second):
    assert tree_edit_distance(first, second) == distance((nested(first),), (nested(second),))
    assert tree_edit_distance(first, second) == tree_edit_distance(second, first)


def test_a_worked_example():
    """A label changed, and a word moved from one head to the other: removed and inserted."""
    tree = Tree([-1, 2, 0, 2, 3], ["", "a", "r", "b", "c"])
    assert tree_edit_distance(tree, tree) == 0
    assert tree_edit_distance(tree, Tree(tree.heads, ["", "x", "r", "b", "c"])) == 1
    assert tree_edit_distance(tree, Tree([-1, 2, 0, 2, 2], tree.deprels)) == 2


def sentence(tree):
    words = [f"w{word}" for word in range(1, len(tree.heads))]
    return Sentence.from_tokens(words).with_tree(tree.heads, tree.deprels)


@given(st.lists(labelled_trees().filter(lambda tree: len(tree.heads) > 1), min_size=1, max_size=6), st.data())
def test_figures_of_two_annotators(trees, data):
    first = [sentence(tree) for tree in trees]
    others = [Tree(tree.heads, ["", *data.draw(st.permutations(tree.deprels[1:]))]) for tree in trees]
    second = [sentence(tree) for tree in others]
    found = agreement(first, second)
    scores = score_sentences(first, second)
    assert (found.las, found.uas, found.la) == (scores.las, scores.uas, scores.la)
    assert found.words == sum(map(len, first))
    for label, own in found.labels.items():
        assert own.first == sum(tree.deprels.count(label) for tree in trees)
        assert own.both <= min(own.first, own.second)
    observed = mean(distance((nested(a),), (nested(b),)) for a, b in zip(trees, others, strict=True))
    expected = mean(distance((nested(a),), (nested(b),)) for a, b in combinations([*trees, *others], 2))
    assert found.alpha == (pytest.approx(1 - observed / expected) if expected else None)
    assert agreement(first, first).alpha in (1, None)


def test_chance_is_estimated_from_random_pairs(monkeypatch):
    kinds = [Tree([-1, 0, 1 + 2 * (kind % 2), 1], ["", "r", "a", "abc"[kind % 3]]) for kind in range(20)]
    trees = list(map(sentence, kinds))
    exact = agreement(trees, trees[::-1]).alpha
    monkeypatch.setattr(module, "PAIRS", 300)
    assert agreement(trees, trees[::-1]).alpha == pytest.approx(exact, abs=0.1)


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = [sentence(Tree([-1, 2, 0, 2], ["", "a", "r", "b"])) for _ in range(4)]
    second = [*first[:2], first[2].with_tree([-1, 2, 0, 1], ["", "a", "r", "a"])]
    partial = first[3].with_columns({"head": ("_", "0", "2")})
    write_sentences(first, "a.conllu")
    write_sentences([*second, partial], "b.conllu")
    assert run("agreement", "a.conllu", "b.conllu", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["sentences"], found["left_out"]) == (3, 1)
    assert found["labels"]["a"] == {"first": 3, "second": 4, "both": 3, "f1": pytest.approx(100 * 6 / 7)}
    assert run("agreement", "a.conllu", "b.conllu", "-q") == 0
    assert "left out: 1 sentences" in capsys.readouterr().out
    with pytest.raises(CrossarcError, match="no sentence"):
        agreement([partial], [partial])
