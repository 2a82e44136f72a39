"""Precision and recall of non-projective arcs by class, and examples of errors, against naive counts."""

from collections.abc import Callable

from crossarc.parser.treebank.statistics import DEPTHS, LENGTHS, class_of
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import depths, nonprojective_arcs
from handmade import evaluate
from hypothesis import given, strategies as st
from naive_scores import random_corpus

CLASSES: dict[str, Callable[[Tree, int], str]] = {
    "deprel": lambda tree, word: tree.deprels[word],
    "length": lambda tree, word: class_of(abs(tree.heads[word] - word), LENGTHS),
    "depth": lambda tree, word: class_of(depths(tree.heads)[word], DEPTHS),
}


def crossing_words(trees, kind, name):
    """(sentence, word) of each non-projective arc of a class, numbered from 1."""
    return [
        (number, word)
        for number, tree in enumerate(trees, 1)
        for word, crosses in enumerate(nonprojective_arcs(tree.heads))
        if crosses and CLASSES[kind](tree, word) == name
    ]


@given(st.integers(0, 10**6), st.integers(0, 6))
def test_counts_and_examples_equal_naive_ones(seed, sentences):
    gold, predicted = random_corpus(seed, sentences, 12, 0.5)
    scores = evaluate(gold, predicted)

    def right(own):
        return gold[own[0] - 1].heads[own[1]] == predicted[own[0] - 1].heads[own[1]]

    total = scores.nonprojective.all.unlabelled
    for kind, rows in scores.crossing.items():
        assert sum(row.unlabelled.gold for row in rows.values()) == total.gold
        assert sum(row.unlabelled.predicted for row in rows.values()) == total.predicted
        for name, row in rows.items():
            there, found = crossing_words(gold, kind, name), crossing_words(predicted, kind, name)
            assert (row.unlabelled.gold, row.unlabelled.gold_correct) == (len(there), sum(map(right, there)))
            assert row.unlabelled.predicted_correct == sum(map(right, found))
            missed, spurious = ([word for word in words if not right(word)] for words in (there, found))
            assert row.missed == ("{}:{}".format(*missed[0]) if missed else "")
            assert row.spurious == ("{}:{}".format(*spurious[0]) if spurious else "")
