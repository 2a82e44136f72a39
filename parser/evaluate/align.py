"""Scores of the sentences of a gold and a predicted file."""

from __future__ import annotations

from collections.abc import Iterable

from ...transitions.trees import cycles
from ..base.errors import CrossarcError
from ..treebank.pairs import ReadSentence, pair_sentences, require_sentence
from ..treebank.tree import Tree
from .metrics import evaluate
from .scores import Scores

__all__ = ["score_sentences", "scored_tree"]


def scored_tree(sentence: ReadSentence) -> Tree:
    """The columns of a sentence that the metrics use; CrossarcError (file:line) where its arcs form a cycle.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> crossarc.scored_tree(gold[0]).heads == gold[0].heads()
    True
    """
    require_sentence(sentence, "sentence")
    tree = Tree(
        sentence.heads(),
        sentence.deprels(),
        {"form": sentence.column("form"), "upos": sentence.column("upos")},
    )
    found = cycles(tree.heads)
    if found:
        words = " ".join(map(str, found[0]))
        raise CrossarcError(f"{sentence.source}:{sentence.line}: not a tree, words {words} form a cycle")
    return tree


def score_sentences(
    gold: Iterable[ReadSentence],
    predicted: Iterable[ReadSentence],
    *,
    punctuation: str = "unicode",
    breakdowns: str = "all",
) -> Scores:
    """:func:`.metrics.evaluate` on the sentences of two files, which must have the same words.

    Raises CrossarcError for what is no sentence or no tree.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> scores = crossarc.score_sentences(gold, gold)
    >>> scores.las, scores.nonprojective.all.labelled.recall
    (100.0, 100.0)
    """
    gold_trees, predicted_trees = [], []
    for left, right in pair_sentences(gold, predicted):
        gold_trees.append(scored_tree(left))
        predicted_trees.append(scored_tree(right))
    return evaluate(gold_trees, predicted_trees, punctuation=punctuation, breakdowns=breakdowns)
