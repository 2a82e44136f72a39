"""Measurement of the information that a transform and its inverse lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...transitions.trees import Heads, nonprojective_arcs
from ..treebank.statistics import percentage
from ..treebank.tree import Tree
from .transform import Transform, fit_all, invert_all, word_order

COUNTED = ("words", "nonprojective_sentences", "nonprojective_arcs", "changed_sentences", "changed_arcs")


def distortion(trees: Sequence[Tree], transforms: Sequence[Transform]) -> dict[str, Any]:
    """Fit the transforms on the trees, apply and invert them, and compare the results with the trees.

    The figures of Nivre & Nilsson (2005), tables 3 and 4, and Nilsson (2009), tables 5.3 to 5.5. Percentages refer to
    the words (arcs) or sentences concerned; they are None if there are none:

    sentences, words, nonprojective_sentences, nonprojective_arcs: counts in the trees;
    changed_sentences, changed_arcs: sentences with changed heads or labels, arcs with changed heads;
    lifts: non-projective arcs by the number of steps (1, 2, ...) that their head moved up (0: not moved upwards);
    labels_before, labels_after, new_labels: distinct labels before and after, and those that are only in the latter;
    uas, las: arcs that are correct after the inverse, without and with label;
    nonprojective_uas, nonprojective_las, nonprojective_lost: correct non-projective arcs, and number of wrong ones;
    restored_sentences: sentences that equal the original.
    """
    count: Counter[str] = Counter()
    lifts: Counter[int] = Counter()
    before: set[str] = set()
    after: set[str] = set()
    for tree, transformed in zip(trees, fit_all(transforms, trees), strict=True):
        restored = invert_all(transforms, transformed)
        transformed = _in_order_of(tree, transformed, transforms)
        words = range(1, len(tree.heads))
        before.update(tree.deprels[1:])
        after.update(transformed.deprels[1:])
        crossing = [word for word, crosses in enumerate(nonprojective_arcs(tree.heads)) if crosses]
        lifts.update(_steps_up(tree.heads, transformed.heads, word) for word in crossing)
        heads = {word for word in words if restored.heads[word] == tree.heads[word]}
        arcs = {word for word in heads if restored.deprels[word] == tree.deprels[word]}
        count.update(
            words=len(words),
            nonprojective_sentences=int(bool(crossing)),
            nonprojective_arcs=len(crossing),
            changed_sentences=int((transformed.heads, transformed.deprels) != (list(tree.heads), list(tree.deprels))),
            changed_arcs=sum(transformed.heads[word] != tree.heads[word] for word in words),
            heads=len(heads),
            arcs=len(arcs),
            nonprojective_heads=sum(word in heads for word in crossing),
            nonprojective_labelled=sum(word in arcs for word in crossing),
            restored_sentences=int(len(arcs) == len(words)),
        )
    return {
        "sentences": len(trees),
        **{name: count[name] for name in COUNTED},
        "lifts": dict(sorted(lifts.items())),
        "labels_before": len(before),
        "labels_after": len(after),
        "new_labels": len(after - before),
        "uas": percentage(count["heads"], count["words"]),
        "las": percentage(count["arcs"], count["words"]),
        "nonprojective_uas": percentage(count["nonprojective_heads"], count["nonprojective_arcs"]),
        "nonprojective_las": percentage(count["nonprojective_labelled"], count["nonprojective_arcs"]),
        "nonprojective_lost": count["nonprojective_arcs"] - count["nonprojective_heads"],
        "restored_sentences": count["restored_sentences"],
    }


def _in_order_of(tree: Tree, transformed: Tree, transforms: Sequence[Transform]) -> Tree:
    """The transformed tree with its words in the order of the tree before."""
    order = [0, *(word_order(transforms, np.array([len(tree.heads) - 1])) + 1).tolist()]
    place = {word: number for number, word in enumerate(order)}
    heads = [-1, *(order[transformed.heads[place[word]]] for word in range(1, len(order)))]
    return Tree(heads, ["", *(transformed.deprels[place[word]] for word in range(1, len(order)))])


def _steps_up(heads: Heads, transformed: Heads, word: int) -> int:
    steps, node = 0, heads[word]
    while node >= 0:
        if node == transformed[word]:
            return steps
        steps, node = steps + 1, heads[node]
    return 0
