"""Confidence intervals and significance over sentences, since errors of a sentence are not independent.

Both methods draw sentences of the gold file again and again (Efron & Tibshirani 1993; Yeh 2000) and compute the scores
from sums of their counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
SEED = 1
_AT_A_TIME = 500


class SentenceCounts(NamedTuple):
    """Numbers of items by sentence of the gold file and by score (int64, (sentences, scores)).

    gold, system: the items of each file. correct: equal items.
    """

    gold: NDArray[np.int64]
    system: NDArray[np.int64]
    correct: NDArray[np.int64]


def token_counts(right: Sequence[NDArray[np.bool_]], lengths: NDArray[np.int64]) -> SentenceCounts:
    """The counts of scores whose F1 is the percentage of right tokens.

    right: for each score whether each token is right (bool, (tokens,)).
    lengths: number of tokens of each sentence (int64, (sentences,)).
    """
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    correct = [np.bincount(sentence[correct_words], minlength=len(lengths)) for correct_words in right]
    tokens = np.repeat(lengths[:, None], len(right), axis=1)
    return SentenceCounts(tokens, tokens, np.stack(correct, axis=1))


def percent(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """``100 * part / whole``; 0 where ``whole`` is 0."""
    return np.divide(100.0 * part, whole, out=np.zeros(whole.shape), where=whole > 0)


def bootstrap(counts: SentenceCounts, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """The 95 % confidence interval of the F1 of each score, in per cent (float64, (scores, 2))."""
    sentences = len(counts.gold)
    generator = np.random.default_rng(SEED)
    table = _table(counts)
    shares = np.full(sentences, 1 / sentences)
    draws = (generator.multinomial(sentences, shares, size) for size in _sizes(resamples))
    scores = [_f1(weights.astype(np.float32) @ table) for weights in draws]
    return np.percentile(np.concatenate(scores), [2.5, 97.5], axis=0).T


def difference(one: SentenceCounts, other: SentenceCounts, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """The 95 % confidence interval of what the other file has more in F1 of each score (float64, (scores, 2)).

    Both files have the same drawn sentences (paired bootstrap).
    """
    sentences = len(one.gold)
    generator = np.random.default_rng(SEED)
    first, second = _table(one), _table(other)
    shares = np.full(sentences, 1 / sentences)
    draws = (generator.multinomial(sentences, shares, size).astype(np.float32) for size in _sizes(resamples))
    gains = [_f1(weights @ second) - _f1(weights @ first) for weights in draws]
    return np.percentile(np.concatenate(gains), [2.5, 97.5], axis=0).T


def randomization(one: SentenceCounts, other: SentenceCounts, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """The p-value of each score's difference between two files (paired randomization test; float64, (scores,)).

    Each resample exchanges the two files' results of about half the sentences. p is the share of resamples whose
    difference of F1 is at least as large as the observed one, with the observed one among them.
    """
    first, second = _table(one), _table(other)
    change = second - first
    observed = np.abs(_f1(first.sum(axis=0)) - _f1(second.sum(axis=0)))
    generator = np.random.default_rng(SEED)
    larger = np.zeros(len(observed))
    for size in _sizes(resamples):
        exchanged = generator.integers(0, 2, (size, len(change)), dtype=np.int8).astype(np.float32) @ change
        difference = np.abs(_f1(first.sum(axis=0) + exchanged) - _f1(second.sum(axis=0) - exchanged))
        larger += (difference >= observed - 1e-6).sum(axis=0)
    return (larger + 1) / (resamples + 1)


def _table(counts: SentenceCounts) -> NDArray[np.float32]:
    """Gold, system and correct items side by side (float32, (sentences, 3 * scores)); sums stay exact."""
    return np.concatenate(counts, axis=1).astype(np.float32)


def _f1(sums: NDArray[np.float32]) -> NDArray[np.float64]:
    gold, system, correct = np.split(sums.astype(np.float64), 3, axis=-1)
    return percent(2 * correct, gold + system)


def _sizes(resamples: int) -> Iterator[int]:
    for start in range(0, resamples, _AT_A_TIME):
        yield min(_AT_A_TIME, resamples - start)
