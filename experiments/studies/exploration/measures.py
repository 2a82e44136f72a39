"""Measures of error positions in a sentence.

A word is wrong if its head or label is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....parser.evaluate.percent import Json, percentage

Ints = NDArray[np.int64]
LENGTHS = {"1-10": (1, 10), "11-20": (11, 20), "21-30": (21, 30), "31-": (31, None)}
"""Bins of sentences by number of words, each with its least and greatest (None: no limit)."""
AFTER = {"1": (1, 1), "2": (2, 2), "3-4": (3, 4), "5-8": (5, 8), "9-16": (9, 16), "17-": (17, None)}
"""Bins of words by their distance in words from the first wrong word of the sentence before them."""


def by_length(right: NDArray[np.bool_], lengths: Ints) -> dict[str, float | None]:
    """The percentage of right words (bool (words,)) by the length of their sentences (int64 (sentences,))."""
    return _shares(right, np.repeat(lengths, lengths), LENGTHS)


def after_first_error(right: NDArray[np.bool_], lengths: Ints) -> dict[str, float | None]:
    """The percentage of *wrong* words by distance from the first wrong word. Parameters are those of ``by_length``."""
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


def mean_figures(runs: Sequence[dict[str, Any]]) -> dict[str, Json]:
    """The mean of each figure over runs with different seeds (None: undefined in a run).

    ``las_range`` is the difference between the highest and the lowest LAS.
    """
    result: dict[str, Json] = {}
    for name, value in runs[0].items():
        values = [run[name] for run in runs]
        if isinstance(value, dict):
            result[name] = mean_figures(values)
        else:
            result[name] = None if None in values else sum(values) / len(values)
    if "las" in result:
        las = [run["las"] for run in runs]
        result["las_range"] = max(las) - min(las)
    return result
