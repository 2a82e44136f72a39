"""Coordination of Universal Dependencies, converted to Prague style and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ....transitions.trees import Heads, dependents, top_down
from .profile import Labelled, Profile


def universal_to_prague(heads: Heads, deprels: Sequence[str], profile: Profile) -> Labelled:
    """Universal Dependencies, in which the first conjunct heads the others, to Prague style.

    The last conjunction between conjuncts, or without a conjunction the last comma, becomes the head. Its label is
    ``base``, followed by a colon and its own label unless that is the first of ``conjunctions``. The conjuncts get the
    suffix and the function of the first conjunct; conjuncts with a subtype of ``conjunct`` keep it. Coordinations with
    neither conjunction nor comma stay unchanged.
    """
    result, labels = list(heads), list(deprels)
    function = list(deprels)
    children = dependents(heads)
    kinds = (*profile.conjunctions, *profile.separators)
    for first in top_down(children):
        others = [word for word in children[first] if word > first and _is(deprels[word], profile.conjunct)]
        # conjunctions and commas between a conjunct and the previous one that depend on it
        links = [
            word
            for before, conjunct in pairwise([first, *others])
            for word in children[conjunct]
            if before < word < conjunct and not children[word] and _among(deprels[word], kinds)
        ]
        if not links:
            continue
        base = max(links, key=lambda word: (_among(deprels[word], profile.conjunctions), word))
        if not labels[first].endswith(profile.conjunct_suffix):
            labels[first] += profile.conjunct_suffix
        for word in others:
            function[word] = function[first]
            label = function[word] if deprels[word] == profile.conjunct else deprels[word]
            labels[word] = label + profile.conjunct_suffix
        plain = deprels[base] == profile.conjunctions[0]
        labels[base] = profile.base[0] if plain else f"{profile.base[0]}:{deprels[base]}"
        above = result[first]
        for word in (first, *others, *links):
            result[word] = base
        result[base] = above
    return result, labels


def prague_to_universal(heads: Heads, deprels: Sequence[str], profile: Profile) -> Labelled:
    """The inverse of :func:`universal_to_prague`; no label of the Prague style is left.

    In parsed trees, a conjunction may precede all of its conjuncts, because the parser attached the first conjunct to
    the head before it reached the conjunction. The nearest word to the left with the same head then becomes the first
    conjunct; otherwise the head does, if it is on the left.
    """
    result, labels = list(heads), list(deprels)
    bases = {word for word in range(1, len(heads)) if _is(deprels[word], profile.base[0])}
    for base in reversed(top_down(dependents(heads))):
        if base not in bases:
            continue
        below = dependents(result)[base]
        labels[base] = deprels[base].removeprefix(profile.base[0]).removeprefix(":") or profile.conjunctions[0]
        conjuncts = [word for word in below if labels[word].endswith(profile.conjunct_suffix)]
        if not conjuncts:
            continue
        first = conjuncts[0]
        overlooked = 0 if first < base else _overlooked(result, labels, base, profile)
        if overlooked:
            first = overlooked
        else:
            result[first] = result[base]
        for word in conjuncts if overlooked else conjuncts[1:]:
            original = labels[word].removesuffix(profile.conjunct_suffix)
            result[word], labels[word] = first, original if _is(original, profile.conjunct) else profile.conjunct
        for word in (base, *(word for word in below if word not in conjuncts)):
            link = word == base or _among(labels[word], (*profile.conjunctions, *profile.separators))
            result[word] = min((c for c in conjuncts if c > word), default=conjuncts[-1]) if link else first
    return result, [label.removesuffix(profile.conjunct_suffix) for label in labels]


def _overlooked(heads: Heads, labels: Sequence[str], base: int, profile: Profile) -> int:
    """The word that should be the first conjunct of a conjunction; 0 if there is none."""
    links = (*profile.conjunctions, *profile.separators, *profile.base)
    siblings = [word for word in range(1, base) if heads[word] == heads[base] and not _among(labels[word], links)]
    return max(siblings, default=heads[base] if heads[base] < base else 0)


def _is(label: str, kind: str) -> bool:
    """Whether a label equals ``kind`` or is a subtype of it."""
    return label == kind or label.startswith(f"{kind}:")


def _among(label: str, kinds: Sequence[str]) -> bool:
    return any(_is(label, kind) for kind in kinds)
