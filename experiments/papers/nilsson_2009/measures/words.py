"""Words that transforms are about: lifted, conjuncts, auxiliary verbs (Nilsson 2009, tables 5.7, 6.1, 6.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .....parser.evaluate.comparison import Comparison, Mask
from .....parser.evaluate.mcnemar import McNemar, mcnemar
from .....parser.evaluate.percent import Json
from .....parser.evaluate.scores import PrecisionRecall
from .....parser.transforms.lifting.labels import taken_apart
from .....parser.transforms.lifting.projectivize import projectivize
from .....parser.transforms.styles.prague_chains import PragueGroups
from .....parser.transforms.styles.profile import Profile, load_profile
from .....parser.treebank.tree import Tree, trees_of
from .....transitions.trees import Heads, dependents
from ....harness.parsing import Part

AUXILIARIES = ("aux",)
"""The auxiliary verbs of Universal Dependencies, subtypes included, for profiles that name none."""


class Words(NamedTuple):
    """Conjuncts, separators (conjunctions and commas between conjuncts) and auxiliary verbs: bool[N] each."""

    conjuncts: Mask
    separators: Mask
    auxiliaries: Mask


def count_words(profile: str, part: Part) -> Json:
    """Numbers of sentences, tokens and words of each type."""
    votes = trees_of(part.sentences())
    words = words_in(votes, load_profile(profile))
    counts: dict[str, Json] = {kind: int(np.count_nonzero(mask)) for kind, mask in words._asdict().items()}
    return {"sentences": len(votes), "tokens": len(words.conjuncts), **counts}


def words_in(trees: Iterable[Tree], profile: Profile) -> Words:
    """The words of each kind over the tokens of all trees."""
    found: tuple[list[bool], list[bool], list[bool]] = ([], [], [])
    for tree in trees:
        for flags, words in zip(found, words_of(tree.heads, tree.deprels, profile), strict=True):
            flags.extend(word in words for word in range(1, len(tree.heads)))
    return Words(*(np.array(flags, dtype=np.bool_) for flags in found))


def words_of(heads: Heads, deprels: Sequence[str], profile: Profile) -> tuple[set[int], set[int], set[int]]:
    """The conjuncts, separators and auxiliary verbs of a tree.

    All conjuncts of a coordination count, in Universal Dependencies the first one, too. The conjunction that heads a
    coordination is one of its separators (section 6.1.2).
    """
    conjuncts: set[int] = set()
    separators: set[int] = set()
    for members, between in _coordinations(heads, deprels, profile):
        conjuncts.update(members)
        separators.update(between)
    named = profile.auxiliaries or (AUXILIARIES if profile.style == "ud" else ())
    return conjuncts, separators, {word for word in range(1, len(heads)) if _is(deprels[word], named, profile)}


def lifted_in(gold: Sequence[Tree]) -> Mask:
    """bool[N]: which tokens' arcs projectivization lifts, shortest arcs first; the same for every encoding."""
    lifts = [projectivize(tree.heads)[1].lifts for tree in gold]
    flags = [word in own for tree, own in zip(gold, lifts, strict=True) for word in range(1, len(tree.heads))]
    return np.array(flags, dtype=np.bool_)


def marked_in(uninverted: Sequence[Tree]) -> Mask:
    """bool[N]: which tokens' labels say, before the inverse transform, that their arcs were lifted."""
    flags = [taken_apart(label).head_label is not None for tree in uninverted for label in tree.deprels[1:]]
    return np.array(flags, dtype=np.bool_)


def class_scores(comparison: Comparison, predicted: Mask, gold: Mask) -> PrecisionRecall:
    """Precision and recall of words of a kind, without punctuation, as section 3.1 has them; of lifted arcs, too.

    Precision: of the words that are of the kind in the predicted tree those with the right head, whatever they are in
    the gold tree; recall: of those that are of the kind in the gold tree, likewise.
    """
    counted = ~comparison.punctuation
    right = comparison.head_right
    masks = (predicted, predicted & right, gold, gold & right)
    return PrecisionRecall(*(int(np.count_nonzero(mask & counted)) for mask in masks))


def class_tests(
    comparisons: tuple[Comparison, Comparison], predicted: tuple[Mask, Mask], gold: Mask
) -> dict[str, McNemar]:
    """Whether two parsers differ in what :func:`class_scores` measures.

    recall: over the words of the kind in the gold trees; precision: over those of the kind in both predicted ones.
    """
    first, second = (own.head_right for own in comparisons)
    where = {"precision": predicted[0] & predicted[1], "recall": gold}
    counted = ~comparisons[0].punctuation
    return {side: mcnemar(first[mask & counted], second[mask & counted]) for side, mask in where.items()}


def _is(label: str, named: Sequence[str], profile: Profile) -> bool:
    return (label.partition(":")[0] if profile.style == "ud" else label) in named


def _coordinations(
    heads: Heads, deprels: Sequence[str], profile: Profile
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """(conjuncts ascending, separators) of each coordination."""
    if profile.style == "prague":
        for base, group in PragueGroups(heads, deprels, profile).groups.items():
            if members := group.conjuncts:
                yield members, [base, *(word for word in group.separators if members[0] < word < members[-1])]
        return
    children = dependents(heads)
    for top, below in enumerate(children[1:], 1):
        conjuncts = [word for word in below if _is(deprels[word], (profile.conjunct,), profile)]
        if profile.style == "ud":
            conjuncts = [word for word in conjuncts if word > top]
        if conjuncts:
            yield _members(top, conjuncts, children, deprels, profile)


def _members(
    top: int, conjuncts: Sequence[int], children: Sequence[Sequence[int]], deprels: Sequence[str], profile: Profile
) -> tuple[Sequence[int], Sequence[int]]:
    """Conjuncts and separators where the conjuncts have a label of their own.

    In ``alpino`` they hang on the conjunction, and commas on the conjunct before them; in ``ud`` on the first conjunct,
    and conjunctions and commas on the conjunct after them.
    """
    if profile.style == "alpino":
        links = [word for conjunct in conjuncts for word in children[conjunct] if conjuncts[0] < word < conjuncts[-1]]
        return conjuncts, [top, *(word for word in links if _is(deprels[word], profile.separators, profile))]
    named = (*profile.conjunctions, *profile.separators)
    links = [word for conjunct in conjuncts for word in children[conjunct] if top < word < conjunct]
    return [top, *conjuncts], [word for word in links if _is(deprels[word], named, profile)]
