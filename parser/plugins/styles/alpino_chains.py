"""Coordination in Alpino style, converted to Collins style and to Mel'čuk style and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ....transitions.trees import Heads, dependents, subtree_intervals, top_down
from ...transforms.generic import deepest_first
from .profile import Labelled, Profile

PLACED = "\t"
"""Ends the labels of conjuncts that a conjunction has taken already; no label in a CoNLL file has a tab."""


def _bottom_up(heads: Heads, deprels: Sequence[str], profile: Profile) -> list[tuple[int, list[int], list[int]]]:
    """The coordinations of a tree, each after those below it: base, conjuncts and places.

    The base is the conjunction, and the conjuncts are its dependents. The places are the words that stand for the
    conjuncts after the transform, ascending: the conjunct itself, or if it is a conjunction, the first conjunct of its
    own coordination.
    """
    children = dependents(heads)
    place = list(range(len(heads)))
    chains = []
    for base in reversed(top_down(children)):
        conjuncts = [word for word in children[base] if deprels[word] == profile.conjunct]
        if conjuncts:
            conjuncts.sort(key=place.__getitem__)
            chains.append((base, conjuncts, [place[word] for word in conjuncts]))
            place[base] = place[conjuncts[0]]
    return chains


def alpino_to_collins(heads: Heads, deprels: Sequence[str], profile: Profile) -> Labelled:
    """Alpino style, in which the conjunction heads the conjuncts, to Collins style (Nilsson 2009, section 6.1.2).

    Each conjunct except the first depends on the previous one, and the conjunction on the nearest conjunct to its left.
    The first conjunct gets the function, and the conjunction the profile's ``base`` label. The others keep the label of
    conjuncts, so that the inverse can distinguish them from other dependents; the thesis gives them the function, too.
    Commas stay in place.
    """
    result, labels = list(heads), list(deprels)
    children = dependents(heads)
    place = list(range(len(heads)))
    for base, conjuncts, places in _bottom_up(heads, deprels, profile):
        for word in children[base]:
            if word not in conjuncts and not _is_comma(word, heads, deprels, children, profile):
                result[place[word]] = _nearest(places, place[word])
        for before, after in pairwise(places):
            result[after], labels[after] = before, profile.conjunct
        first = place[base] = places[0]
        result[first], labels[first] = result[base], labels[base]
        result[base], labels[base] = _nearest(places, base), profile.base[0]
    return result, labels


def _nearest(conjuncts: Sequence[int], word: int) -> int:
    """The nearest of the words to the left of a word; the first one if none is to the left."""
    return max((conjunct for conjunct in conjuncts if conjunct < word), default=conjuncts[0])


def _is_comma(
    word: int, heads: Heads, deprels: Sequence[str], children: Sequence[Sequence[int]], profile: Profile
) -> bool:
    """Whether a word depends on the word to its left and has no dependents."""
    return heads[word] == word - 1 and deprels[word] in profile.separators and not children[word]


def collins_to_alpino(heads: Heads, deprels: Sequence[str], profile: Profile) -> Labelled:
    """The inverse of :func:`alpino_to_collins`, except for dependents of the conjunction that are not conjuncts.

    Deeper conjunctions are raised first, and of those with the same head the leftmost. A coordination can then be a
    conjunct of the next one.
    """
    result, labels = list(heads), list(deprels)
    waiting = [word for word in deepest_first(heads) if deprels[word] == profile.base[0] and heads[word] > 0]
    for number, base in enumerate(waiting):
        if result[base] > 0:
            _raise(result, labels, base, waiting[number + 1 :], profile.conjunct)
    return result, [label.removesuffix(PLACED) for label in labels]


def _raise(heads: list[int], labels: list[str], base: int, waiting: Sequence[int], conjunct: str) -> None:
    """Make a conjunction the head of the conjunct on which it depends, of the next one, and of the rest of their chain.

    These conjuncts are marked, so that no other conjunction takes them. Remaining dependents of the first conjunct to
    the right of the last one belong to a coordination that contains this one as a conjunct.
    """
    children = dependents(heads)
    free = [label == conjunct for label in labels]
    top = heads[base]
    conjuncts = [word for word in children[top] if free[word] and word > max(top, base)][:1]
    for word in conjuncts:
        conjuncts.extend(below for below in children[word] if free[below] and below > word)
    last = max([top, base, *conjuncts])
    conjuncts.append(top)
    while not (outer := _further(children[top], last, free, waiting)) and free[top] and 0 < heads[top] < top:
        siblings = [word for word in children[heads[top]] if word < top]
        others = [word for word in siblings if word in waiting]
        if others and not _further(siblings, others[-1], free, ()):
            break
        top = heads[top]
        conjuncts.append(top)
    heads[base], labels[base] = heads[top], labels[top]
    for word in outer:
        heads[word] = base
    for word in conjuncts:
        heads[word], labels[word] = base, conjunct + PLACED


def _further(words: Sequence[int], last: int, free: Sequence[bool], waiting: Sequence[int]) -> list[int]:
    """The conjuncts and conjunctions among the words to the right of the last conjunct."""
    return [word for word in words if word > last and (free[word] or word in waiting)]


def alpino_to_melcuk(heads: Heads, deprels: Sequence[str], profile: Profile) -> Labelled:
    """Alpino style to Mel'čuk style (Nilsson 2009, section 6.1.2, adaptations for Alpino).

    It differs from Collins style in that all conjuncts have the function and each depends on the last separator before
    it. A separator is the conjunction, or a comma that closes the previous conjunct and then depends on that conjunct.
    A comma closes a conjunct if it depends on the word to its left and the conjunct dominates no later word before the
    next conjunct; arcs to commas inside the conjunct would be non-projective. Conjuncts without a separator before them
    are attached as in Collins style; the thesis attaches them to a separator further left or right.
    """
    result, labels = alpino_to_collins(heads, deprels, profile)
    children = dependents(heads)
    begins, ends = subtree_intervals(heads)
    function = list(deprels)
    # outer coordinations first, so that their functions reach the inner ones
    for base, conjuncts, places in reversed(_bottom_up(heads, deprels, profile)):
        for word in conjuncts:
            function[word] = function[base]
        labels[places[0]] = function[base]
        for conjunct, (left, right) in zip(conjuncts[:-1], pairwise(places), strict=True):
            links = [base] if left < base < right else []
            for word in range(right - 1, left, -1):
                if begins[conjunct] <= begins[word] < ends[conjunct]:
                    if not _is_comma(word, heads, deprels, children, profile):
                        break
                    result[word] = left
                    links.append(word)
            if links:
                result[right], labels[right] = max(links), function[base]
    return result, labels


def melcuk_to_alpino(heads: Heads, deprels: Sequence[str], profile: Profile) -> Labelled:
    """The inverse of :func:`alpino_to_melcuk`, except for dependents of the conjunction that are not conjuncts.

    Commas are attached to the word on their left. The conjunction gets the function of its last conjunct (Nilsson 2009,
    section 6.1.3).
    """
    result, labels = list(heads), list(deprels)
    children = dependents(heads)
    neighbours = []
    # to Collins style: conjuncts after a separator depend on the one before it, and functions move to the first one
    for separator in deepest_first(heads):
        conjunct = heads[separator]
        if 0 < conjunct < separator and deprels[separator] in (profile.base[0], *profile.separators):
            following = [word for word in children[separator] if word > separator]
            following = [word for word in following if deprels[word] not in profile.separators]
            for before, word in pairwise([conjunct, *following]):
                if labels[conjunct] != profile.conjunct:
                    labels[conjunct] = labels[word]
                result[word], labels[word] = before, profile.conjunct
                neighbours.append((conjunct, word))
    collins_children = dependents(result)
    for conjunct, word in neighbours:
        for comma in children[conjunct]:
            if conjunct < comma < word and deprels[comma] in profile.separators and not collins_children[comma]:
                result[comma] = comma - 1
    return collins_to_alpino(result, labels, profile)
