"""Words that transforms change: lifted words, conjuncts, auxiliary verbs (Nilsson 2009, tables 5.7, 6.1, 6.5).

Masks (bool[N]) are over the N tokens of all trees, concatenated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .....parser.evaluate.comparison import Comparison, Mask
from .....parser.evaluate.mcnemar import McNemar, mcnemar
from .....parser.evaluate.scores import PrecisionRecall
from .....parser.plugins.styles.prague_chains import PragueGroups
from .....parser.plugins.styles.profile import Profile, load_profile
from .....parser.transforms.lifting.labels import taken_apart
from .....parser.treebank.tree import Tree, trees_of
from .....transitions.trees import Heads, dependents
from ....harness import Json, TreebankPart

AUXILIARIES = ("aux",)
"""Deprels of auxiliary verbs in Universal Dependencies, for profiles that name none; subtypes count, too."""


class WordMasks(NamedTuple):
    """Masks of conjuncts, separators (conjunctions and commas between conjuncts) and auxiliary verbs."""

    conjuncts: Mask
    separators: Mask
    auxiliaries: Mask


def count_words(profile: str, part: TreebankPart) -> Json:
    """Numbers of sentences, tokens, conjuncts, separators and auxiliary verbs."""
    trees = trees_of(part.sentences())
    words = words_in(trees, load_profile(profile))
    counts: dict[str, Json] = {kind: int(np.count_nonzero(mask)) for kind, mask in words._asdict().items()}
    return {"sentences": len(trees), "tokens": len(words.conjuncts), **counts}


def words_in(trees: Iterable[Tree], profile: Profile) -> WordMasks:
    """Masks of the words of each kind."""
    flags_of: tuple[list[bool], list[bool], list[bool]] = ([], [], [])
    for tree in trees:
        for flags, words in zip(flags_of, words_of(tree.heads, tree.deprels, profile), strict=True):
            flags.extend(word in words for word in range(1, len(tree.heads)))
    return WordMasks(*(np.array(flags, dtype=np.bool_) for flags in flags_of))


def words_of(heads: Heads, deprels: Sequence[str], profile: Profile) -> tuple[set[int], set[int], set[int]]:
    """The conjuncts, separators and auxiliary verbs of a tree.

    The first conjunct counts, although Universal Dependencies do not label it as a conjunct. A conjunction that heads a
    coordination counts as a separator (section 6.1.2).
    """
    conjuncts: set[int] = set()
    separators: set[int] = set()
    for members, between in _coordinations(heads, deprels, profile):
        conjuncts.update(members)
        separators.update(between)
    named = profile.auxiliaries or (AUXILIARIES if profile.style == "ud" else ())
    return conjuncts, separators, {word for word in range(1, len(heads)) if _has_label(deprels[word], named, profile)}


def marked_in(uninverted: Sequence[Tree]) -> Mask:
    """Mask of the tokens whose labels, before the inverse transform, mark their arcs as lifted."""
    flags = [taken_apart(label).head_label is not None for tree in uninverted for label in tree.deprels[1:]]
    return np.array(flags, dtype=np.bool_)


def class_scores(comparison: Comparison, predicted: Mask, gold: Mask) -> PrecisionRecall:
    """Unlabelled precision and recall of a class of words, without punctuation (section 3.1).

    predicted, gold: masks of the words in the class in predicted trees and in gold trees.

    Precision is the share of ``predicted`` words with the right head, recall the share of ``gold`` words. A word with
    the right head counts for precision even if the gold tree does not put it into the class.
    """
    counted = ~comparison.punctuation
    right = comparison.head_right
    masks = (predicted, predicted & right, gold, gold & right)
    return PrecisionRecall(*(int(np.count_nonzero(mask & counted)) for mask in masks))


def class_tests(
    comparisons: tuple[Comparison, Comparison], predicted: tuple[Mask, Mask], gold: Mask
) -> dict[str, McNemar]:
    """McNemar's tests of two parsers on the measures of :func:`class_scores`.

    The test of precision counts words that are in the class in both predicted trees.
    """
    first, second = (comparison.head_right for comparison in comparisons)
    where = {"precision": predicted[0] & predicted[1], "recall": gold}
    counted = ~comparisons[0].punctuation
    return {side: mcnemar(first[mask & counted], second[mask & counted]) for side, mask in where.items()}


def _has_label(label: str, named: Sequence[str], profile: Profile) -> bool:
    """Whether a label is one of some; in Universal Dependencies without its subtype."""
    return (label.partition(":")[0] if profile.style == "ud" else label) in named


def _coordinations(
    heads: Heads, deprels: Sequence[str], profile: Profile
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """(conjuncts in ascending order, separators) of each coordination."""
    if profile.style == "prague":
        for conjunction, group in PragueGroups(heads, deprels, profile).groups.items():
            if members := group.conjuncts:
                yield members, [conjunction, *(word for word in group.separators if members[0] < word < members[-1])]
        return
    children = dependents(heads)
    for top, children_of_top in enumerate(children[1:], 1):
        conjuncts = [word for word in children_of_top if _has_label(deprels[word], (profile.conjunct,), profile)]
        if profile.style == "ud":  # whose conjuncts follow the first one
            conjuncts = [word for word in conjuncts if word > top]
        if conjuncts:
            yield _members(top, conjuncts, children, deprels, profile)


def _members(
    top: int, conjuncts: Sequence[int], children: Sequence[Sequence[int]], deprels: Sequence[str], profile: Profile
) -> tuple[Sequence[int], Sequence[int]]:
    """(conjuncts in ascending order, separators) of a coordination, in styles whose conjuncts have a special label.

    top: head of the coordination.
    conjuncts: dependents of ``top`` with the label of conjuncts.

    In ``alpino`` style the conjunction is the head, and a comma depends on the conjunct before it. In ``ud`` style the
    first conjunct is the head, and conjunctions and commas depend on the conjunct after them.
    """
    if profile.style == "alpino":
        links = [word for conjunct in conjuncts for word in children[conjunct] if conjuncts[0] < word < conjuncts[-1]]
        return conjuncts, [top, *(word for word in links if _has_label(deprels[word], profile.separators, profile))]
    named = (*profile.conjunctions, *profile.separators)
    links = [word for conjunct in conjuncts for word in children[conjunct] if top < word < conjunct]
    return [top, *conjuncts], [word for word in links if _has_label(deprels[word], named, profile)]
