"""Choice of the parsers of a blend and of their weights, by scores on held-out sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from ...treebank.tree import Tree, flat_trees, right_arcs
from .blend import blend_votes
from .vote_weights import Weights, learn_weights

T = TypeVar("T")
MOST_SENTENCES = 2000
"""Maximum number of sentences, evenly spread, on which blends are compared."""


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Gold trees and the trees of the parsers, each from a parser that was trained on the other parts of the treebank.

    gold: the gold trees, with a head of -1 where a word is not decided, which does not count.
    votes: the trees of the parsers, ``votes[parser][sentence]``.
    fold: the number of the part of each sentence.
    upos: the parts of speech of the words.
    single_root: whether blended trees have exactly one dependent of node 0.
    """

    gold: Sequence[Tree]
    votes: Sequence[Sequence[Tree]]
    fold: Sequence[int]
    upos: Sequence[Sequence[str]]
    single_root: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen blend.

    parsers: the numbers of its parsers, in ascending order.
    weights: weights of their votes, learned on all sentences.
    las: LAS of the blend in cross-validation, in percent.
    alone: LAS of each parser alone in cross-validation, chosen or not, in percent.
    """

    parsers: tuple[int, ...]
    weights: Weights
    las: float
    alone: tuple[float, ...]


def select_blend(data: CrossValidated, weightings: Sequence[str]) -> Selection:
    """The blend with the highest LAS in cross-validation; a single parser counts as a blend, too.

    Forward selection: the best parser comes first, then always the one that improves the blend most. All weightings
    are tried with the best of these blends. Ties go to the blend of fewer parsers, then to the earlier weighting.
    Weights are learned on all parts except the part on which they are tried.
    """
    some = _part(data, range(0, len(data.gold), -(-len(data.gold) // MOST_SENTENCES)))
    folds = [[number for number, fold_of in enumerate(some.fold) if fold_of == fold] for fold in sorted(set(some.fold))]
    inside = [_part(some, numbers) for numbers in folds]
    outside = [_part(some, sorted({*range(len(some.gold))}.difference(numbers))) for numbers in folds]

    @cache
    def learned(by: str) -> list[Weights]:
        """For each part, the weights of all parsers, learned on the other parts."""
        return [learn_weights(by, part.gold, part.votes, part.upos) for part in outside]

    @cache
    def las(chosen: tuple[int, ...], by: str) -> float:
        """The LAS of the blend of the chosen parsers, in percent."""
        blended: list[Tree] = []
        for part, weights in zip(inside, learned(by), strict=True):
            votes = [part.votes[parser] for parser in chosen]
            blended += blend_votes(votes, weights.among(chosen), part.upos, part.single_root)
        return _las([tree for part in inside for tree in part.gold], blended)

    parsers = range(len(data.votes))
    alone = tuple(_las(data.gold, votes) for votes in data.votes)
    first = weightings[0]
    blends: list[tuple[int, ...]] = [(max(parsers, key=alone.__getitem__),)]
    while left := [parser for parser in parsers if parser not in blends[-1]]:
        larger = [tuple(sorted([*blends[-1], parser])) for parser in left]
        blends.append(max(larger, key=lambda chosen: las(chosen, first)))
    chosen = max(blends, key=lambda chosen: las(chosen, first))
    by = max(weightings, key=lambda by: las(chosen, by))
    weights = learn_weights(by, data.gold, [data.votes[parser] for parser in chosen], data.upos)
    return Selection(chosen, weights, las(chosen, by), alone)


def _part(data: CrossValidated, numbers: Sequence[int]) -> CrossValidated:
    """The sentences with these numbers."""

    def taken(items: Sequence[T]) -> list[T]:
        return [items[number] for number in numbers]

    votes = list(map(taken, data.votes))
    return CrossValidated(taken(data.gold), votes, taken(data.fold), taken(data.upos), data.single_root)


def _las(gold: Sequence[Tree], parsed: Sequence[Tree]) -> float:
    right, _ = right_arcs(flat_trees(parsed), flat_gold := flat_trees(gold))
    right = right[flat_gold.heads >= 0]
    return 100 * int(right.sum()) / len(right) if len(right) else 0.0
