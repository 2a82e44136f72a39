"""Reliability of the probabilities of arcs: calibration error, and how soon checking uncertain words finds errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError
from ..treebank import Sentence
from ..treebank.pairs import pair_sentences
from ..treebank.sentence import misc_entries

BINS = 10
"""Number of bins of equal width."""
SHARES = (5, 10, 20)
"""Percentages of the words, the least certain first, in which errors are counted."""
KEYS = ("Conf", "ConfHead")
"""Keys in MISC of the probability that head and label are right, and that the head is right."""


class Bin(NamedTuple):
    """The words whose probabilities are from ``low`` to ``high``.

    words: their number.
    mean: their mean probability in percent.
    right: the percentage of them that are right.
    """

    low: float
    high: float
    words: int
    mean: float
    right: float


class Reliability(NamedTuple):
    """The reliability of probabilities.

    words: number of words.
    error: expected calibration error in percent, the mean difference between mean and right of the bins, by words.
    bins: the bins that have words.
    found: percentage of all errors among the least certain words, for each percentage of :data:`SHARES`; None without
        errors.
    """

    words: int
    error: float
    bins: list[Bin]
    found: dict[str, float | None]


def reliability(probabilities: NDArray[np.float64], right: NDArray[np.bool_]) -> Reliability:
    """Compare the probabilities that words are right with the share that is right.

    probabilities: of each word, one or more (float64, (words,), from 0 to 1).
    right: whether each word is right (bool, (words,)).
    """
    place = np.minimum((probabilities * BINS).astype(np.int64), BINS - 1)
    bins = []
    for number in np.unique(place).tolist():
        inside = place == number
        means = 100 * float(probabilities[inside].mean()), 100 * float(right[inside].mean())
        bins.append(Bin(number / BINS, (number + 1) / BINS, int(inside.sum()), *means))
    error = sum(part.words * abs(part.mean - part.right) for part in bins) / len(right)
    # words of equal probability share their errors, so that the order of sentences does not matter
    _, rank, of_rank = np.unique(probabilities, return_inverse=True, return_counts=True)
    words = np.concatenate([[0], np.cumsum(of_rank)])
    wrong = np.concatenate([[0], np.cumsum(np.bincount(rank, ~right))])
    least = {str(share): max(len(right) * share // 100, 1) for share in SHARES}
    shares = {
        share: 100 * float(np.interp(count, words, wrong) / wrong[-1]) if wrong[-1] else None
        for share, count in least.items()
    }
    return Reliability(len(right), error, bins, shares)


def score_reliability(gold: Iterable[Sentence], parsed: Iterable[Sentence]) -> dict[str, Reliability]:
    """The reliability of the scores in MISC of parsed sentences, for each of :data:`KEYS`.

    Raises CrossarcError for words without scores and for different words.
    """
    probabilities: dict[str, list[float]] = {key: [] for key in KEYS}
    right: dict[str, list[bool]] = {key: [] for key in KEYS}
    for gold_sentence, parsed_sentence in pair_sentences(gold, parsed):
        heads = [a == b for a, b in zip(gold_sentence.heads()[1:], parsed_sentence.heads()[1:], strict=True)]
        labels = [a == b for a, b in zip(gold_sentence.deprels()[1:], parsed_sentence.deprels()[1:], strict=True)]
        right["ConfHead"] += heads
        right["Conf"] += [a and b for a, b in zip(heads, labels, strict=True)]
        for key, listed in probabilities.items():
            listed += probabilities_of(parsed_sentence, key)
    if not right["Conf"]:
        raise CrossarcError("found no words, expected one or more")
    return {key: reliability(np.array(probabilities[key]), np.array(right[key])) for key in KEYS}


def probabilities_of(sentence: Sentence, key: str = KEYS[0]) -> list[float]:
    """The scores of the words of a parsed sentence, between 0 and 1. key: one of :data:`KEYS`.

    Raises CrossarcError for words without scores.
    """
    where = f"{sentence.source}:{sentence.line}"
    return [_probability(misc_entries(misc).get(key, ""), key, where) for misc in sentence.column("misc")]


def _probability(text: str, key: str, where: str) -> float:
    try:
        if 0 <= (value := float(text)) <= 1:
            return value
    except ValueError:
        pass
    raise CrossarcError(
        f"{where}: MISC: found {key}={text!r}, expected a number from 0 to 1; crossarc parse --scores adds it"
    )
