"""Choice of the parsers of a blend and of their weights, by scores on held-out sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..treebank.tree import Tree
from .blend import blend_votes, select_parsers
from .vote_weights import Weights, learn_weights

MOST_SENTENCES = 2000
"""Maximum number of sentences, evenly spread, on which blends are compared."""


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Gold trees and the trees of the parsers, each from a parser that was trained on the other parts of the treebank.

    gold: the gold trees.
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

    The blends tried are the first parsers of three orders, which all begin with the best parser: the others best first,
    worst first (Nilsson 2009, section 9.3.3), and always the parser that improves the blend most. All weightings are
    then tried with the best of these blends. Ties go to the blend of fewer parsers, then to the earlier weighting.
    Weights are learned on all parts except the part on which they are tried.
    """
    trial = _Trial(_some(data))
    parsers = range(len(data.votes))
    alone = tuple(_las(data.gold, votes) for votes in data.votes)
    best = max(parsers, key=alone.__getitem__)
    first = weightings[0]
    orders = [select_parsers(best, alone, True), select_parsers(best, alone, False)]
    orders.append(_gaining(best, parsers, lambda chosen: trial.las(chosen, first)))
    tried = dict.fromkeys(tuple(sorted(order[:size])) for order in orders for size in range(1, len(order) + 1))
    chosen = max(sorted(tried, key=len), key=lambda chosen: trial.las(chosen, first))
    by = max(weightings, key=lambda by: trial.las(chosen, by))
    weights = learn_weights(by, data.gold, [data.votes[parser] for parser in chosen], data.upos)
    return Selection(chosen, weights, trial.las(chosen, by), alone)


def _gaining(best: int, parsers: Sequence[int], las: Callable[[tuple[int, ...]], float]) -> list[int]:
    """The order of the parsers after the best one in which each step adds the parser that gives the best blend."""
    order = [best]
    while left := [parser for parser in parsers if parser not in order]:
        order.append(max(left, key=lambda parser: las(tuple(sorted([*order, parser])))))
    return order


class _Trial:
    """Scores of blends, each computed once."""

    def __init__(self, data: CrossValidated) -> None:
        self._data = data
        self._folds = [
            [number for number, own in enumerate(data.fold) if own == fold] for fold in sorted(set(data.fold))
        ]
        self._weights: dict[str, list[Weights]] = {}
        self._las: dict[tuple[tuple[int, ...], str], float] = {}

    def las(self, chosen: tuple[int, ...], by: str) -> float:
        """The LAS of the blend of the chosen parsers, in percent."""
        if (chosen, by) not in self._las:
            blended: dict[int, Tree] = {}
            for numbers, weights in zip(self._folds, self._learned(by), strict=True):
                votes = [[self._data.votes[parser][number] for number in numbers] for parser in chosen]
                upos = [self._data.upos[number] for number in numbers]
                own = blend_votes(votes, weights.among(chosen), upos, self._data.single_root)
                blended.update(zip(numbers, own, strict=True))
            self._las[chosen, by] = _las(self._data.gold, [blended[number] for number in range(len(blended))])
        return self._las[chosen, by]

    def _learned(self, by: str) -> list[Weights]:
        """For each part, the weights of all parsers, learned on the other parts."""
        if by not in self._weights:
            data = self._data
            self._weights[by] = []
            for numbers in self._folds:
                own = set(numbers)
                others = [number for number in range(len(data.gold)) if number not in own]
                votes = [[trees[number] for number in others] for trees in data.votes]
                gold, upos = [data.gold[number] for number in others], [data.upos[number] for number in others]
                self._weights[by].append(learn_weights(by, gold, votes, upos))
        return self._weights[by]


def _some(data: CrossValidated) -> CrossValidated:
    step = -(-len(data.gold) // MOST_SENTENCES)
    votes = [trees[::step] for trees in data.votes]
    return CrossValidated(data.gold[::step], votes, data.fold[::step], data.upos[::step], data.single_root)


def _las(gold: Sequence[Tree], parsed: Sequence[Tree]) -> float:
    right = words = 0
    for own, other in zip(gold, parsed, strict=True):
        words += len(own.heads) - 1
        pairs = zip(own.heads[1:], own.deprels[1:], strict=True)
        right += sum(a == b for a, b in zip(pairs, zip(other.heads[1:], other.deprels[1:], strict=True), strict=True))
    return 100 * right / words if words else 0.0
