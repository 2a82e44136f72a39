"""Tests of differences between parsers over sentences, and over the runs of each parser with different seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import lcm
from typing import Literal

import numpy as np

from ..base.errors import CrossarcError
from ..treebank import Sentence
from .align import compare_sentences
from .comparison import Comparison
from .mcnemar import holm
from .percent import Result
from .resampling import Counts, difference, percent, randomization, token_counts

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class SentenceTest(Result):
    """Result of the test over sentences of two parsers.

    difference: what the second parser has more, in points. low, high: its 95 % confidence interval (paired bootstrap).
    p: two-tailed probability (paired randomization over sentences).
    corrected: p, corrected by Holm's method for the pairs that were tested together.
    winner: the better parser if ``corrected`` is below 0.05, else None.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> [test] = crossarc.compare_parsers(gold, {"A": [gold], "B": [gold]}).values()
    >>> isinstance(test, crossarc.SentenceTest), test.difference
    (True, 0.0)
    """

    difference: float
    low: float
    high: float
    p: float
    corrected: float
    winner: Literal["first", "second"] | None


def compare_parsers(
    gold: Iterable[Sentence],
    parsers: Mapping[str, Sequence[Iterable[Sentence]]],
    score: str = "las",
    *,
    punctuation: str = "unicode",
) -> dict[tuple[str, str], SentenceTest]:
    """Test every pair of parsers on the same sentences.

    gold: the gold sentences.
    parsers: by parser the parsed sentences of its runs, for example with different seeds; one run or more.
    score: las, uas, la (items are words), lem or uem (items are sentences).
    punctuation: as in :func:`~.align.compare_sentences`.

    Errors of a sentence are not independent of each other; therefore sentences are exchanged as wholes, with the
    results of all runs. Raises CrossarcError as :func:`~.align.compare_sentences` does.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> tests = crossarc.compare_parsers(gold, {"A": [gold, gold], "B": [gold]})
    >>> tests["A", "B"].p
    1.0
    """
    gold = list(gold)
    runs = {
        name: [compare_sentences(gold, run, punctuation=punctuation) for run in sentences]
        for name, sentences in parsers.items()
    }
    return sentence_tests(runs, score)


def sentence_tests(runs: Mapping[str, Sequence[Comparison]], score: str) -> dict[tuple[str, str], SentenceTest]:
    """The tests of :func:`compare_parsers`, from the comparisons of the runs of each parser."""
    if lacking := next((name for name, own in runs.items() if not own), None):
        raise CrossarcError(f"parser {lacking}: found no run, expected one or more")
    pairs = list(combinations(runs, 2))
    if not pairs:
        return {}
    common = lcm(*map(len, runs.values()))  # so that each parser has the same number of items
    counts = {
        name: _times(over_runs([sentence_counts([run], score) for run in own]), common // len(own))
        for name, own in runs.items()
    }
    first, second = (_side_by_side([counts[name] for name in side]) for side in zip(*pairs, strict=True))
    gains = [percent(own.correct.sum(axis=0), own.gold.sum(axis=0)) for own in (first, second)]
    ps = dict(zip(pairs, randomization(first, second).tolist(), strict=True))
    corrected = holm(ps)
    tests = {}
    intervals = difference(first, second).tolist()
    for pair, gain, (low, high) in zip(pairs, (gains[1] - gains[0]).tolist(), intervals, strict=True):
        better: Literal["first", "second"] = "second" if gain > 0 else "first"
        winner = better if corrected[pair] < SIGNIFICANT and gain else None
        tests[pair] = SentenceTest(gain, low, high, ps[pair], corrected[pair], winner)
    return tests


def sentence_counts(
    comparisons: Sequence[Comparison],
    score: str,
    counted: Literal["all", "no_punct"] = "all",
    arcs: Literal["projective", "nonprojective"] | None = None,
) -> Counts:
    """By sentence the numbers of items, and of those that each parser has right (int64, (sentences, parsers)).

    comparisons: of parsers, all with the same gold sentences.
    score, counted, arcs: as in :func:`~.mcnemar.significance`.
    """
    first = comparisons[0]
    where = np.ones(len(first.sentence), dtype=np.bool_) if counted == "all" else ~first.punctuation
    if arcs is not None:
        where &= first.gold.nonprojective == (arcs == "nonprojective")
    words = np.bincount(first.sentence[where], minlength=len(first.lengths))
    token_score = {"lem": "las", "uem": "uas"}.get(score, score)
    counts = token_counts([own.token_right(token_score)[where] for own in comparisons], words)
    if token_score == score:
        return counts
    ones = np.ones_like(counts.gold)
    return Counts(ones, ones, (counts.correct == counts.gold).astype(np.int64))


def over_runs(counts: Sequence[Counts]) -> Counts:
    """The counts of several runs of one parser, summed by sentence."""
    return Counts(*(np.sum(own, axis=0) for own in zip(*counts, strict=True)))


def _side_by_side(counts: Sequence[Counts]) -> Counts:
    """Counts of several parsers or pairs, each as a column."""
    return Counts(*(np.concatenate(own, axis=1) for own in zip(*counts, strict=True)))


def _times(counts: Counts, factor: int) -> Counts:
    return Counts(*(factor * own for own in counts))
