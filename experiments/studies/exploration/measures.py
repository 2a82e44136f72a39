"""Measures beside scores: positions of errors in a sentence, and tests between parsers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....parser.evaluate.comparison import Comparison
from ....parser.evaluate.percent import Json, percentage
from ....parser.evaluate.scores import Scores

Ints = NDArray[np.int64]
LENGTHS = {"1-10": (1, 10), "11-20": (11, 20), "21-30": (21, 30), "31-": (31, None)}
"""Sentences by their numbers of words."""
AFTER = {"1": (1, 1), "2": (2, 2), "3-4": (3, 4), "5-8": (5, 8), "9-16": (9, 16), "17-": (17, None)}
"""Words by how many words after the first wrong one of their sentence they stand."""


def figures_of(scores: Scores, comparison: Comparison) -> dict[str, Json]:
    """The figures of one parser: percentages, of which None are undefined.

    Pre and Post are the shares of wrong words up to and including the first wrong one of a sentence, and after it
    (Nilsson 2009, section 4.2.1); a word is wrong if its head or label is.
    """
    crossing = scores.nonprojective.all.unlabelled
    errors = scores.propagation["las"]
    right = comparison.token_right("las")
    return {
        "las": scores.las,
        "uas": scores.uas,
        "pre": errors.pre.rate,
        "post": errors.post.rate,
        "recall": crossing.recall,
        "precision": crossing.precision,
        "length": dict(by_length(right, comparison.lengths)),
        "after": dict(after_first_error(right, comparison.lengths)),
    }


def by_length(right: NDArray[np.bool_], lengths: Ints) -> dict[str, float | None]:
    """The percentage of right words in sentences of so many words. right: bool (words,); lengths: (sentences,)."""
    return _shares(right, np.repeat(lengths, lengths), LENGTHS)


def after_first_error(right: NDArray[np.bool_], lengths: Ints) -> dict[str, float | None]:
    """The percentage of *wrong* words among those that stand so many words after the first wrong one."""
    ends = np.cumsum(lengths)
    places = np.arange(len(right))
    first = np.full(len(lengths), len(right))
    wrong = np.flatnonzero(~right)
    np.minimum.at(first, np.searchsorted(ends, wrong, side="right"), wrong)
    return _shares(~right, places - np.repeat(first, lengths), AFTER)


def _shares(
    counted: NDArray[np.bool_], sizes: Ints, bins: dict[str, tuple[int, int | None]]
) -> dict[str, float | None]:
    result = {}
    for name, (least, most) in bins.items():
        inside = (sizes >= least) & (sizes <= (sizes if most is None else most))
        result[name] = percentage(int(counted[inside].sum()), int(inside.sum()))
    return result


def mean_figures(runs: Sequence[dict[str, Json]]) -> dict[str, Json]:
    """The means over runs with different seeds, figure by figure, None where one is undefined; and ``las_range``, from
    the lowest LAS to the highest."""
    result: dict[str, Json] = {}
    for name, value in runs[0].items():
        values = [run[name] for run in runs]
        result[name] = mean_figures(values) if isinstance(value, dict) else _mean(values)  # type: ignore[arg-type]
    if "las" in result:
        scores = [run["las"] for run in runs]
        result["las_range"] = max(scores) - min(scores)  # type: ignore[type-var,operator]
    return result


def _mean(values: Sequence[Json]) -> float | None:
    numbers = [value for value in values if isinstance(value, int | float)]
    return sum(numbers) / len(numbers) if len(numbers) == len(values) else None


def sign_flip(differences: Ints, rounds: int = 10_000, seed: int = 1) -> float:
    """p of the hypothesis that two parsers are equally good, by approximate randomization over sentences (Yeh 2000).

    differences: int64 (sentences,), of how many words more the one has right than the other. In every round each
    sentence changes sides with probability one half; p is the share of rounds in which the sum is at least as far from
    0 as it is, which counts as a round, too.
    """
    own = differences[differences != 0]
    observed = abs(int(own.sum()))
    random = np.random.default_rng(seed)
    beyond = 1
    for start in range(0, rounds, block := 500):
        signs = random.integers(0, 2, (min(block, rounds - start), len(own))) * 2 - 1
        beyond += int(np.count_nonzero(np.abs(signs @ own) >= observed))
    return beyond / (rounds + 1)
