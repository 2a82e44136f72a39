"""Conjuncts, separators and other dependents of a conjunction in Prague style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ....transitions.trees import Heads, dependents, top_down
from .profile import Profile


class Group(NamedTuple):
    """The dependents of a base conjunction, each ascending: conjuncts, commas that may be separators, and others."""

    conjuncts: list[int]
    separators: list[int]
    others: list[int]


def base_label(label: str, profile: Profile) -> bool:
    """Whether a label belongs to a base conjunction, which may be a conjunct itself."""
    return (label.removesuffix(profile.conjunct_suffix) if profile.conjunct_suffix else label) in profile.base


class PragueGroups:
    """The coordinations of one tree (Nilsson 2009, section 6.1.2, classification of tokens).

    groups: by base conjunction, every one after those below it. Where conjuncts have a suffix, a dependent is a
    conjunct if it has it, or if the word that it leaves it to has it (AuxP, AuxC). A conjunction below another one
    never says whether it is a conjunct: it is if its own conjuncts have the function of the other conjuncts. Where
    there are no suffixes, the dependents that have the same function on both sides of the conjunction are conjuncts;
    or else several of one function on one side; or else the nearest ones on both sides.
    """

    def __init__(self, heads: Heads, deprels: Sequence[str], profile: Profile) -> None:
        self.profile = profile
        self.deprels = deprels
        self.children = dependents(heads)
        self.carries = [False] * len(heads)
        self.reaches_base = [False] * len(heads)
        self.function = [""] * len(heads)
        self.groups: dict[int, Group] = {}
        for word in reversed(top_down(self.children)):
            self._look_at(word)

    def suffixed(self, conjunct: int) -> list[int]:
        """The words that have the suffix of a conjunct: itself, or the ones that it leaves it to."""
        found, waiting = [], [conjunct]
        for word in waiting:
            if self._has_suffix(word):
                found.append(word)
            elif self.deprels[word] in self.profile.through:
                waiting.extend(child for child in self._eligible(word) if self.carries[child])
        return found

    def _look_at(self, word: int) -> None:
        label, profile = self.deprels[word], self.profile
        if base_label(label, profile):
            self.reaches_base[word] = True
            self.carries[word] = self._has_suffix(word)
            group = self._marked_group(word) if profile.conjunct_suffix else self._unmarked_group(word)
            self.groups[word] = group
            self.function[word] = self.function[group.conjuncts[0]] if group.conjuncts else label
        elif label in profile.through and (eligible := self._eligible(word)):
            self.carries[word] = any(self.carries[child] for child in eligible)
            self.reaches_base[word] = any(self.reaches_base[child] for child in eligible)
            bearer = next((child for child in eligible if self.carries[child]), eligible[0])
            self.function[word] = self.function[bearer]
        else:
            self.carries[word] = self._has_suffix(word)
            self.function[word] = label.removesuffix(profile.conjunct_suffix)

    def _has_suffix(self, word: int) -> bool:
        suffix = self.profile.conjunct_suffix
        return bool(suffix) and self.deprels[word].endswith(suffix)

    def _eligible(self, word: int) -> list[int]:
        return [child for child in self.children[word] if self.deprels[child] not in self.profile.never]

    def _marked_group(self, base: int) -> Group:
        conjuncts = {child for child in self.children[base] if self.carries[child]}
        implicit = [child for child in self.children[base] if child not in conjuncts and self.reaches_base[child]]
        functions = {self.function[child] for child in conjuncts}
        if not functions and implicit:
            functions = {Counter(self.function[child] for child in implicit).most_common(1)[0][0]}
        return self._group(base, conjuncts.union(child for child in implicit if self.function[child] in functions))

    def _unmarked_group(self, base: int) -> Group:
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

    def _group(self, base: int, conjuncts: set[int]) -> Group:
        rest = [child for child in self.children[base] if child not in conjuncts]
        separators = [
            child for child in rest if self.deprels[child] in self.profile.separators and not self.children[child]
        ]
        return Group(sorted(conjuncts), separators, [child for child in rest if child not in separators])


def add_suffix(labels: list[str], children: Sequence[Sequence[int]], conjunct: int, profile: Profile) -> None:
    """Mark a conjunct in ``labels``, or the word that it leaves the suffix to."""
    word = conjunct
    while labels[word] in profile.through:
        eligible = [child for child in children[word] if labels[child] not in profile.never]
        if not eligible:
            break
        word = min(eligible, key=lambda child: (child < word, abs(child - word)))
    if not base_label(labels[word], profile) and not labels[word].endswith(profile.conjunct_suffix):
        labels[word] += profile.conjunct_suffix
