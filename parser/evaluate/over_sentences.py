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
from .resampling import SentenceCounts, difference, percent, randomization, token_counts

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
    return sentence_tests(runs, [score])[score]


def sentence_tests(
    runs: Mapping[str, Sequence[Comparison]], scores: Sequence[str]
) -> dict[str, dict[tuple[str, str], SentenceTest]]:
    """The tests of :func:`compare_parsers` by score, from the comparisons of the runs of each parser.

    All scores are tested with the same random exchanges, since drawing them takes most of the time.
    """
    if lacking := next((name for name, comparisons in runs.items() if not comparisons), None):
        raise CrossarcError(f"parser {lacking}: found no run, expected one or more")
    pairs = list(combinations(runs, 2))
    if not pairs:
        return {score: {} for score in scores}
    common = lcm(*map(len, runs.values()))  # so that each parser has the same number of items
    counts = {
        (name, score): _times(
            over_runs([sentence_counts([run], score) for run in comparisons]), common // len(comparisons)
        )
        for name, comparisons in runs.items()
        for score in scores
    }
    tested = [(score, pair) for score in scores for pair in pairs]
    first, second = (_side_by_side([counts[pair[side], score] for score, pair in tested]) for side in (0, 1))
    before, after = (percent(side.correct.sum(axis=0), side.gold.sum(axis=0)) for side in (first, second))
    gains = dict(zip(tested, (after - before).tolist(), strict=True))
    intervals = dict(zip(tested, difference(first, second).tolist(), strict=True))
    ps = dict(zip(tested, randomization(first, second).tolist(), strict=True))
    tests: dict[str, dict[tuple[str, str], SentenceTest]] = {}
    for score in scores:
        corrected = holm({pair: ps[score, pair] for pair in pairs})
        tests[score] = {}
        for pair in pairs:
            gain, (low, high) = gains[score, pair], intervals[score, pair]
            better: Literal["first", "second"] = "second" if gain > 0 else "first"
            winner = better if corrected[pair] < SIGNIFICANT and gain else None
            tests[score][pair] = SentenceTest(gain, low, high, ps[score, pair], corrected[pair], winner)
    return tests


def sentence_counts(
    comparisons: Sequence[Comparison],
    score: str,
    counted: Literal["all", "no_punct"] = "all",
    arcs: Literal["projective", "nonprojective"] | None = None,
) -> SentenceCounts:
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
    counts = token_counts([comparison.token_right(token_score)[where] for comparison in comparisons], words)
    if token_score == score:
        return counts
    ones = np.ones_like(counts.gold)
    return SentenceCounts(ones, ones, (counts.correct == counts.gold).astype(np.int64))


def over_runs(counts: Sequence[SentenceCounts]) -> SentenceCounts:
    """The counts of several runs of one parser, summed by sentence."""
    return SentenceCounts(*(np.sum(arrays, axis=0) for arrays in zip(*counts, strict=True)))


def _side_by_side(counts: Sequence[SentenceCounts]) -> SentenceCounts:
    """Counts of several parsers or pairs, each as a column."""
    return SentenceCounts(*(np.concatenate(arrays, axis=1) for arrays in zip(*counts, strict=True)))


def _times(counts: SentenceCounts, factor: int) -> SentenceCounts:
    return SentenceCounts(*(factor * count for count in counts))
