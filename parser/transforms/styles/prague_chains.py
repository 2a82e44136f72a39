"""Coordination from Prague style to Mel'čuk style and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ....transitions.trees import Heads, dependents, depths
from ..marks import marked, unmarked
from .conjuncts import Group, PragueGroups, add_suffix, base_label
from .profile import Profile

SIGN = "+"
VARIANTS = ("c", "c*", "c+", "c+*")
"""The variants of Nilsson (2009, section 6.1.3): ``+`` marks other dependents, ``*`` goes by their labels."""

Labelled = tuple[list[int], list[str]]


def chain(heads: Heads, deprels: Sequence[str], profile: Profile, variant: str) -> Labelled:
    """Prague style to Mel'čuk style: first conjunct, separators and further conjuncts in a left-headed chain."""
    found = PragueGroups(heads, deprels, profile)
    result, labels, signs = list(heads), list(deprels), [0] * len(heads)
    stands_for = list(range(len(heads)))
    for base, group in found.groups.items():
        if not group.conjuncts:
            signs[base] += 1
            continue
        conjuncts = sorted(stands_for[word] for word in group.conjuncts)
        separators, others = _between(group, conjuncts)
        for word in others:
            other = stands_for[word]
            result[other] = max((c for c in conjuncts if c < other), default=conjuncts[0])
            signs[other] += not (variant == "c+*" and labels[other] in profile.predefined)
        for conjunct in group.conjuncts:
            for word in found.suffixed(conjunct):
                if not base_label(labels[word], profile):
                    labels[word] = labels[word].removesuffix(profile.conjunct_suffix)
        result[conjuncts[0]] = result[base]
        stands_for[base] = conjuncts[0]
        _link(result, base, conjuncts, separators)
    return result, marked(labels, signs, SIGN) if "+" in variant else labels


def _between(group: Group, conjuncts: Sequence[int]) -> tuple[list[int], list[int]]:
    """(separators between the first and the last conjunct, others)."""
    separators = [word for word in group.separators if conjuncts[0] < word < conjuncts[-1]]
    return separators, [*group.others, *(word for word in group.separators if word not in separators)]


def _link(heads: list[int], base: int, conjuncts: Sequence[int], separators: Sequence[int]) -> None:
    """Attach the separators to the conjuncts before them, and each further conjunct to the last separator before it.

    A conjunct without a separator before it hangs on the last one further left, or on the base conjunction, which
    then hangs on the first conjunct.
    """
    all_separators = sorted([*separators, base])
    last = None
    for left, right in pairwise(conjuncts):
        gap = [word for word in all_separators if left < word < right]
        for word in gap:
            heads[word] = left
        last = gap[-1] if gap else last
        heads[right] = base if last is None else last
    if not conjuncts[0] < base < conjuncts[-1]:
        hanging = base in (heads[word] for word in conjuncts)
        heads[base] = conjuncts[-1] if base > conjuncts[-1] and not hanging else conjuncts[0]
    elif len(conjuncts) > 1 and heads[conjuncts[1]] == base:
        heads[base] = conjuncts[0]


class _State(NamedTuple):
    heads: list[int]
    labels: list[str]
    signs: list[int]
    profile: Profile

    def separates(self, word: int) -> bool:
        return self.labels[word] in self.profile.separators and not self.signs[word]

    def may_be_conjunct(self, word: int) -> bool:
        return not self.signs[word] and self.labels[word] not in self.profile.never


def unchain(heads: Heads, deprels: Sequence[str], profile: Profile, variant: str) -> Labelled:
    """Mel'čuk style to Prague style (Nilsson 2009, section 6.1.3).

    Deeper conjunctions come first, and of those that hang on one conjunct the nearer to its right, so that what they
    coordinate is a conjunct of the others in turn.
    """
    labels, signs = list(deprels), [0] * len(heads)
    if "+" in variant:
        labels, signs = unmarked(deprels, SIGN)
    state = _State(list(heads), labels, signs, profile)
    bases = [word for word in range(1, len(heads)) if not signs[word] and base_label(labels[word], profile)]
    if bases:
        depth = depths(heads)
        waiting = sorted(bases, key=lambda word: (-depth[word], word < heads[word], word))
        for number, base in enumerate(waiting):
            if state.heads[base] > 0:
                _raise(state, base, waiting[number + 1 :], variant)
    return state.heads, state.labels


def _raise(state: _State, base: int, waiting: Sequence[int], variant: str) -> None:
    """Make one conjunction the head of its conjuncts."""
    heads, labels, signs, profile = state
    children = dependents(heads)
    top = _first_conjunct(state, base)
    conjuncts, separators = _collect(state, children, top, base)
    for left, right in pairwise(conjuncts):
        separators.update(w for w in children[left] if left < w < right and state.separates(w) and not children[w])
    outer = [word for word in waiting if heads[word] == top and not top < word < conjuncts[-1]]
    for conjunct in conjuncts:
        restored = base_label(labels[conjunct], profile)
        for word in children[conjunct]:
            if word == base or word in separators or word in conjuncts:
                continue
            if signs[word]:
                heads[word] = base
                signs[word] -= not (outer and not top < word < conjuncts[-1])
            elif "*" in variant and labels[word] in profile.predefined and not restored:
                heads[word] = base
    for word in outer:
        heads[word] = base
    heads[base], signs[base], signs[top] = heads[top], signs[top], 0
    for word in (*conjuncts, *separators):
        heads[word] = base
    if profile.conjunct_suffix:
        for conjunct in conjuncts:
            add_suffix(labels, children, conjunct, profile)


def _first_conjunct(state: _State, base: int) -> int:
    heads = state.heads
    top = heads[base]
    while state.may_be_conjunct(top) and 0 < heads[top] < top and state.separates(heads[top]) and heads[heads[top]] > 0:
        top = heads[heads[top]]
    return top


def _collect(state: _State, children: Sequence[Sequence[int]], top: int, base: int) -> tuple[list[int], set[int]]:
    """(conjuncts ascending, the separators of their chain except the base conjunction)."""
    conjuncts, separators = [top], set()
    for conjunct in conjuncts:
        for word in children[conjunct]:
            if word == base:
                conjuncts.extend(below for below in children[word] if state.may_be_conjunct(below))
            elif state.separates(word):
                below = [below for below in children[word] if below > word and state.may_be_conjunct(below)]
                conjuncts.extend(below)
                separators.update([word] if below else [])
    return sorted(conjuncts), separators
