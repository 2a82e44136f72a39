"""Coordination in Prague style: conjuncts, separators and other dependents; conversion to Mel'čuk style and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ....transitions.trees import Heads, dependents, depths, top_down
from ...transforms.generic import marked, unmarked
from .profile import Labelled, Profile


class Conjunction(NamedTuple):
    """The dependents of a base conjunction, ascending: conjuncts, commas that may be separators, and others."""

    conjuncts: list[int]
    separators: list[int]
    others: list[int]


def base_label(label: str, profile: Profile) -> bool:
    """Whether a label belongs to a base conjunction, which may be a conjunct itself."""
    return (label.removesuffix(profile.conjunct_suffix) if profile.conjunct_suffix else label) in profile.base


class PragueGroups:
    """The coordinations of one tree (Nilsson 2009, section 6.1.2, classification of tokens).

    groups: by base conjunction, each after those below it.
    bears_suffix: by node, whether it has the suffix of conjuncts, or a word below it that takes its suffix has it.
    reaches_base: by node, whether it is a base conjunction or, as AuxP and AuxC, has one below it.
    function: by node, its label without suffix, or that of the word or first conjunct that it stands for.

    If conjuncts have a suffix, a dependent is a conjunct if it has the suffix itself, or if the word below it that
    takes its suffix has it (AuxP, AuxC). A conjunction below another one has no such mark: it is a conjunct if its own
    conjuncts have the function of the other conjuncts. If there are no suffixes, the dependents with the same function
    on both sides of the conjunction are conjuncts; otherwise several of one function on one side; otherwise the nearest
    on both sides.
    """

    def __init__(self, heads: Heads, deprels: Sequence[str], profile: Profile) -> None:
        self.profile = profile
        self.deprels = deprels
        self.children = dependents(heads)
        self.bears_suffix = [False] * len(heads)
        self.reaches_base = [False] * len(heads)
        self.function = [""] * len(heads)
        self.groups: dict[int, Conjunction] = {}
        for word in reversed(top_down(self.children)):  # a word is classified by those below it
            self._classify(word)

    def suffixed(self, conjunct: int) -> list[int]:
        """The words with the suffix of a conjunct: the conjunct itself, or the words below it that take its suffix."""
        words, waiting = [], [conjunct]
        for word in waiting:
            if self._has_suffix(word):
                words.append(word)
            elif self.deprels[word] in self.profile.through:
                waiting.extend(child for child in self._eligible(word) if self.bears_suffix[child])
        return words

    def _classify(self, word: int) -> None:
        label, profile = self.deprels[word], self.profile
        if base_label(label, profile):
            self.reaches_base[word] = True
            self.bears_suffix[word] = self._has_suffix(word)
            group = self._marked_group(word) if profile.conjunct_suffix else self._unmarked_group(word)
            self.groups[word] = group
            self.function[word] = self.function[group.conjuncts[0]] if group.conjuncts else label
        elif label in profile.through and (eligible := self._eligible(word)):
            self.bears_suffix[word] = any(self.bears_suffix[child] for child in eligible)
            self.reaches_base[word] = any(self.reaches_base[child] for child in eligible)
            bearer = next((child for child in eligible if self.bears_suffix[child]), eligible[0])
            self.function[word] = self.function[bearer]
        else:
            self.bears_suffix[word] = self._has_suffix(word)
            self.function[word] = label.removesuffix(profile.conjunct_suffix)

    def _has_suffix(self, word: int) -> bool:
        suffix = self.profile.conjunct_suffix
        return bool(suffix) and self.deprels[word].endswith(suffix)

    def _eligible(self, word: int) -> list[int]:
        return [child for child in self.children[word] if self.deprels[child] not in self.profile.never]

    def _marked_group(self, base: int) -> Conjunction:
        conjuncts = {child for child in self.children[base] if self.bears_suffix[child]}
        implicit = [child for child in self.children[base] if child not in conjuncts and self.reaches_base[child]]
        functions = {self.function[child] for child in conjuncts}
        if not functions and implicit:
            functions = {Counter(self.function[child] for child in implicit).most_common(1)[0][0]}
        return self._group(base, conjuncts.union(child for child in implicit if self.function[child] in functions))

    def _unmarked_group(self, base: int) -> Conjunction:
        eligible = [child for child in self._eligible(base) if self.deprels[child] not in self.profile.separators]
        left = Counter(self.function[child] for child in eligible if child < base)
        right = Counter(self.function[child] for child in eligible if child > base)
        both = left + right
        shared = [function for function in both if left[function] and right[function]]
        several = shared or [function for function in both if both[function] > 1]
        if several:
            chosen = max(several, key=lambda function: (both[function], function))
            return self._group(base, {child for child in eligible if self.function[child] == chosen})
        nearest = [max((c for c in eligible if c < base), default=0), min((c for c in eligible if c > base), default=0)]
        return self._group(base, {child for child in nearest if child})

    def _group(self, base: int, conjuncts: set[int]) -> Conjunction:
        rest = [child for child in self.children[base] if child not in conjuncts]
        separators = [
            child for child in rest if self.deprels[child] in self.profile.separators and not self.children[child]
        ]
        return Conjunction(sorted(conjuncts), separators, [child for child in rest if child not in separators])


def add_suffix(labels: list[str], children: Sequence[Sequence[int]], conjunct: int, profile: Profile) -> None:
    """Add the suffix in ``labels`` to a conjunct, or to the word below it that takes its suffix."""
    word = conjunct
    while labels[word] in profile.through:
        eligible = [child for child in children[word] if labels[child] not in profile.never]
        if not eligible:
            break
        word = min(eligible, key=lambda child: (child < word, abs(child - word)))
    if not base_label(labels[word], profile) and not labels[word].endswith(profile.conjunct_suffix):
        labels[word] += profile.conjunct_suffix


SIGN = "+"
VARIANTS = ("c", "c*", "c+", "c+*")
"""The variants of Nilsson (2009, section 6.1.3): ``+`` marks other dependents, ``*`` goes by their labels."""


def chain(heads: Heads, deprels: Sequence[str], profile: Profile, variant: str) -> Labelled:
    """Prague style to Mel'čuk style: first conjunct, separators and further conjuncts form a left-headed chain."""
    groups = PragueGroups(heads, deprels, profile)
    result, labels, signs = list(heads), list(deprels), [0] * len(heads)
    stands_for = list(range(len(heads)))
    for base, group in groups.groups.items():
        if not group.conjuncts:
            signs[base] += 1
            continue
        conjuncts = sorted(stands_for[word] for word in group.conjuncts)
        separators = [word for word in group.separators if conjuncts[0] < word < conjuncts[-1]]
        others = [*group.others, *(word for word in group.separators if word not in separators)]
        for word in others:
            other = stands_for[word]
            result[other] = max((c for c in conjuncts if c < other), default=conjuncts[0])
            signs[other] += not (variant == "c+*" and labels[other] in profile.predefined)
        for conjunct in group.conjuncts:
            for word in groups.suffixed(conjunct):
                if not base_label(labels[word], profile):
                    labels[word] = labels[word].removesuffix(profile.conjunct_suffix)
        result[conjuncts[0]] = result[base]
        stands_for[base] = conjuncts[0]
        _link(result, base, conjuncts, separators)
    return result, marked(labels, signs, SIGN) if "+" in variant else labels


def _link(heads: list[int], base: int, conjuncts: Sequence[int], separators: Sequence[int]) -> None:
    """Attach the separators to the previous conjuncts, and each further conjunct to the last separator before it.

    A conjunct without a separator before it is attached to the last separator further left, or to the base conjunction,
    which is then attached to the first conjunct.
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


class _ChainState(NamedTuple):
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

    Deeper conjunctions are raised first, and of those with the same head the nearest to its right. A coordination can
    then be a conjunct of the next one.
    """
    labels, signs = list(deprels), [0] * len(heads)
    if "+" in variant:
        labels, signs = unmarked(deprels, SIGN)
    state = _ChainState(list(heads), labels, signs, profile)
    bases = [word for word in range(1, len(heads)) if not signs[word] and base_label(labels[word], profile)]
    if bases:
        depth = depths(heads)
        waiting = sorted(bases, key=lambda word: (-depth[word], word < heads[word], word))
        for number, base in enumerate(waiting):
            if state.heads[base] > 0:
                _raise(state, base, waiting[number + 1 :], variant)
    return state.heads, state.labels


def _raise(state: _ChainState, base: int, waiting: Sequence[int], variant: str) -> None:
    """Make a conjunction the head of its conjuncts."""
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


def _first_conjunct(state: _ChainState, base: int) -> int:
    heads = state.heads
    top = heads[base]
    while state.may_be_conjunct(top) and 0 < heads[top] < top and state.separates(heads[top]) and heads[heads[top]] > 0:
        top = heads[heads[top]]
    return top


def _collect(state: _ChainState, children: Sequence[Sequence[int]], top: int, base: int) -> tuple[list[int], set[int]]:
    """(conjuncts in ascending order, the separators of their chain except the base conjunction)."""
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
