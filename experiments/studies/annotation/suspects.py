"""Suspects in treebanks with changed arcs: how many of the changes the first suspects are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....parser.config.loading import load_config
from ....parser.plugins.annotation.suspects import suspects
from ....parser.treebank import Sentence
from ....transitions.trees import is_tree
from ...harness import Cell, Experiment, Json, Part, Treebank, by_treebank
from ...harness.runner import once_warm

FIRST = 100
SHARES = (1, 2, 5)
"""Percentages of the words, the first suspects, in which changes are counted."""


def cells(treebank: Treebank) -> list[Cell]:
    """One cell for each treebank."""
    return [
        treebank.cell("changed", measured, treebank.part("train"), treebank.values["changed"], treebank.values["seed"])
    ]


def measured(part: Part, changed: float, seed: int) -> Json:
    """Change arcs of a treebank and look for them. seed: of the changes and of the folds.

    The result has the numbers of ``words`` and ``changes``, the ``precision`` among the first suspects, and the
    ``recall`` among the first suspects of each share of the words.
    """
    once_warm()
    treebank, changes = with_changes(list(part.sentences()), changed, seed)
    ranked, _ = suspects(treebank, lambda rest: load_config("fast", sentences=list(rest)), seed=seed)
    hits = np.cumsum([(suspect.sentence, suspect.word) in changes for suspect in ranked])
    words = sum(map(len, treebank))
    first = {str(share): min(words * share // 100, len(hits)) for share in SHARES}
    return {
        "words": words,
        "changes": len(changes),
        "precision": 100 * float(hits[FIRST - 1]) / FIRST,
        "recall": {share: 100 * float(hits[most - 1]) / len(changes) for share, most in first.items()},
    }


def with_changes(
    sentences: Sequence[Sentence], percent: float, seed: int
) -> tuple[list[Sentence], set[tuple[int, int]]]:
    """The sentences with a share of the words changed, and these words as (sentence, word).

    A third get another head at random, a third another label at random, by the frequency of labels, and a third the
    head of their head: a typical error of attachment. The result of each change is a tree.
    """
    dice = np.random.default_rng(seed)
    labels = [label for sentence in sentences for label in sentence.deprels()[1:]]
    places = [(number, word) for number, sentence in enumerate(sentences) for word in range(1, len(sentence) + 1)]
    heads, deprels = [sentence.heads() for sentence in sentences], [sentence.deprels() for sentence in sentences]
    changes: set[tuple[int, int]] = set()
    for place in dice.permutation(len(places)).tolist():
        if len(changes) >= len(places) * percent / 100:
            break
        number, word = places[place]
        tree, kind = heads[number], len(changes) % 3
        before = tree[word], deprels[number][word]
        if kind == 0:
            deprels[number][word] = labels[int(dice.integers(len(labels)))]
        elif tree[word] > 0:
            tree[word] = tree[tree[word]] if kind == 1 else int(dice.integers(1, len(tree)))
        if not is_tree(tree) or sum(head == 0 for head in tree) > 1:
            tree[word] = before[0]
        if (tree[word], deprels[number][word]) != before:
            changes.add((number, word))
    rows = zip(sentences, heads, deprels, strict=True)
    return [sentence.with_tree(new, names) for sentence, new, names in rows], changes


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(lambda treebank: treebank["changed"]))
