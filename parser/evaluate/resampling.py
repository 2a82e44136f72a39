"""Confidence intervals and significance over sentences, since errors of a sentence are not independent.

Both methods draw sentences of the gold file again and again (Efron & Tibshirani 1993; Yeh 2000) and compute the scores
from sums of their counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .conll18 import METRICS, Counts, f1_of

RESAMPLES = 10_000
SEED = 1
_AT_A_TIME = 500


def bootstrap(counts: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> NDArray[np.float64]:
    """The 95 % confidence interval of the F1 of each metric, in per cent (float64, (metrics, 2))."""
    sentences = len(counts.gold)
    generator = np.random.default_rng(seed)
    table = _table(counts)

    def drawn() -> Iterator[NDArray[np.float64]]:
        for size in _sizes(resamples):
            weights = generator.multinomial(sentences, np.full(sentences, 1 / sentences), size)
            yield _f1(weights.astype(np.float32) @ table)

    return np.percentile(np.concatenate(list(drawn())), [2.5, 97.5], axis=0).T


def randomization(one: Counts, other: Counts, resamples: int = RESAMPLES, seed: int = SEED) -> NDArray[np.float64]:
    """The p-value of each metric's difference between two files (paired randomization test; float64, (metrics,)).

    Each resample exchanges the two files' results of about half the sentences. p is the share of resamples whose
    difference of F1 is at least as large as the observed one, with the observed one among them.
    """
    first, second = _table(one), _table(other)
    change = second - first
    observed = np.abs(_f1(first.sum(axis=0)) - _f1(second.sum(axis=0)))
    generator = np.random.default_rng(seed)
    larger = np.zeros(len(METRICS))
    for size in _sizes(resamples):
        exchanged = generator.integers(0, 2, (size, len(change)), dtype=np.int8).astype(np.float32) @ change
        difference = np.abs(_f1(first.sum(axis=0) + exchanged) - _f1(second.sum(axis=0) - exchanged))
        larger += (difference >= observed - 1e-6).sum(axis=0)
    return (larger + 1) / (resamples + 1)


def sign_flips(differences: NDArray[np.int64], resamples: int = RESAMPLES, seed: int = SEED) -> NDArray[np.float64]:
    """The p-values of several paired randomization tests over the same sentences (float64, (tests,)).

    differences: of the number of right words by test and sentence (int64, (tests, sentences)).

    Each resample changes the sign of about half the sentences. p is the share of resamples whose sum is at least as far
    from 0 as the observed one, with the observed one among them.
    """
    change = differences.T.astype(np.float32)
    observed = np.abs(differences.sum(axis=1))
    generator = np.random.default_rng(seed)
    larger = np.zeros(len(differences))
    for size in _sizes(resamples):
        signs = 2 * generator.integers(0, 2, (size, len(change)), dtype=np.int8).astype(np.float32) - 1
        larger += (np.abs(signs @ change) >= observed).sum(axis=0)
    return (larger + 1) / (resamples + 1)


def _table(counts: Counts) -> NDArray[np.float32]:
    """Gold, system and correct items side by side (float32, (sentences, 3 * metrics)); sums stay exact."""
    return np.concatenate([counts.gold, counts.system, counts.correct], axis=1).astype(np.float32)


def _f1(sums: NDArray[np.float32]) -> NDArray[np.float64]:
    gold, system, correct = np.split(sums.astype(np.float64), 3, axis=-1)
    return f1_of(gold, system, correct)


def _sizes(resamples: int) -> Iterator[int]:
    for start in range(0, resamples, _AT_A_TIME):
        yield min(_AT_A_TIME, resamples - start)
