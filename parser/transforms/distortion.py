"""The loss of a transform and its inverse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...transitions.trees import Heads, nonprojective_arcs
from ..treebank.statistics import percentage
from ..treebank.tree import Tree
from .transform import Transform, fit_all, invert_all

COUNTED = ("words", "nonprojective_sentences", "nonprojective_arcs", "changed_sentences", "changed_arcs")


def distortion(trees: Sequence[Tree], transforms: Sequence[Transform]) -> dict[str, Any]:
    """Fit the transforms on the trees, apply and invert them, and compare with the trees.

    The figures of Nivre & Nilsson (2005), tables 3 and 4, and Nilsson (2009), tables 5.3 to 5.5. Percentages are of
    the words (arcs) or sentences concerned, None where there are none:

    sentences, words, nonprojective_sentences, nonprojective_arcs: counts in the trees;
    changed_sentences: how many the transforms change (heads or labels); changed_arcs: heads;
    lifts: of the non-projective arcs, how many had their head moved 1, 2, ... steps up (0: not upwards or not at all);
    labels_before, labels_after: distinct labels; new_labels: how many of the latter are not among the former;
    uas, las: arcs that are right after the inverse, without and with label;
    nonprojective_uas, nonprojective_las: the same of the non-projective arcs; nonprojective_lost: how many are wrong;
    restored_sentences: sentences that are as they were.
    """
    trees = list(trees)
    count: Counter[str] = Counter()
    lifts: Counter[int] = Counter()
    before: set[str] = set()
    after: set[str] = set()
    for tree, transformed in zip(trees, fit_all(transforms, trees), strict=True):
        restored = invert_all(transforms, transformed)
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


def _steps_up(heads: Heads, transformed: Heads, word: int) -> int:
    steps, node = 0, heads[word]
    while node >= 0:
        if node == transformed[word]:
            return steps
        steps, node = steps + 1, heads[node]
    return 0
