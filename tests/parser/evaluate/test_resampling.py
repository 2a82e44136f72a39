"""Tests and intervals over sentences: against all exchanges of a few sentences, and against theory."""

from itertools import product
from math import erfc, sqrt

import numpy as np
import pytest
from crossarc.parser.evaluate.resampling import SentenceCounts, bootstrap, difference, randomization, token_counts


def counts_of(correct, words=20):
    """Counts of sentences of equal length. correct: the right words of each sentence, by score."""
    right = np.array(correct, dtype=np.int64).T
    return SentenceCounts(np.full_like(right, words), np.full_like(right, words), right)


def test_p_agrees_with_all_exchanges():
    differences = np.array([[3, -1, 0, 2, 2, -1, 1, 4], [1, -1, 1, -1, 1, -1, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1]])
    signs = np.array(list(product((1, -1), repeat=8)))
    expected = (np.abs(signs @ differences.T) >= np.abs(differences.sum(axis=1))).mean(axis=0)
    one, other = counts_of([[5] * 8] * 3), counts_of((5 + differences).tolist())
    assert randomization(one, other, 40_000) == pytest.approx(expected, abs=0.01)
    assert expected[1] == 1.0


def test_errors_that_come_together_make_p_larger():
    """Ten differences in each sentence count as one, which a test over words takes for ten."""
    single = np.random.default_rng(0).choice([-1, 0, 0, 1, 1], 400)

    def p_of(differences):
        before = counts_of([[10] * len(differences)])
        return float(randomization(before, counts_of([[10 + difference for difference in differences]]), 20_000)[0])

    z = single.sum() / sqrt((single**2).sum())
    assert p_of(single.tolist()) == pytest.approx(erfc(z / sqrt(2)), abs=0.01)
    together = 10 * single[:40]
    assert p_of(together.tolist()) > erfc(together.sum() / sqrt(np.abs(together).sum()) / sqrt(2))


def test_bootstrap_interval_agrees_with_theory():
    """With one token per sentence it is the binomial interval. It is wider if all tokens of a sentence agree."""
    right = np.arange(400) % 4 > 0
    ((low, high), none) = bootstrap(token_counts([right, ~right & right], np.ones(400, dtype=np.int64)))
    assert (low, high) == pytest.approx((75 - 4.24, 75 + 4.24), abs=0.6)
    assert none.tolist() == [0.0, 0.0]
    ((low, high),) = bootstrap(token_counts([np.repeat(np.arange(40) % 4 > 0, 10)], np.full(40, 10)))
    assert high - low > 2 * 10


def test_the_interval_of_a_difference_is_that_of_paired_sentences():
    """Equal files differ nowhere; a file that has one word more right in each sentence always gains."""
    lengths = np.array([3, 5, 2, 4, 6])
    dice = np.random.default_rng(3)
    right = [dice.random(int(lengths.sum())) < 0.5]
    one = token_counts(right, lengths)
    assert difference(one, one, 200).tolist() == [[0.0, 0.0]]
    better = one._replace(correct=one.correct + 1)
    low, high = difference(one, better, 500)[0]
    gains = 100 * len(lengths) / lengths.sum()
    assert 0 < low <= gains <= high
    backwards = difference(better, one, 500)[0]
    assert backwards == pytest.approx([-high, -low])
