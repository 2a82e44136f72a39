"""McNemar's test on the outcomes of two parsers on the same data (Nilsson 2009, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import erfc, sqrt
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError, check_names
from ..base.parameters import shown
from .comparison import SCORES, Comparison
from .percent import Json, Result

K = TypeVar("K")
LARGEST_EXACT = 25
LEVELS = ((0.01, 2.5758), (0.05, 1.9600))


@dataclass(frozen=True, slots=True)
class McNemar(Result):
    """Result of McNemar's test.

    b: number of items that only the second parser has right.
    c: number of items that only the first parser has right (Parser A in the thesis' table).
    z: statistic; None if the exact binomial test was used.
    p: two-tailed probability.
    level: the strictest of 0.01 and 0.05 at which the difference is significant, or None.
    winner: the better parser if the difference is significant, else None.
    """

    b: int
    c: int
    z: float | None
    p: float
    level: float | None
    winner: Literal["first", "second"] | None


def mcnemar(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> McNemar:
    """Test whether two parsers differ, by McNemar's test on matched outcomes (Nilsson 2009, section 3.2).

    first, second: bool (N,), whether each parser is right on each item.

    Up to 25 disagreements the two-tailed exact binomial test decides. Above, ``Z = (|b - c| - 1) / sqrt(b + c)`` is
    compared with 1.9600 and 2.5758; b and c count the items on which one parser alone is right. If b equals c, Z is 0.
    Raises CrossarcError for other arrays and different lengths.

    >>> import crossarc
    >>> import numpy as np
    >>> right, wrong = np.ones(20, dtype=np.bool_), np.zeros(20, dtype=np.bool_)
    >>> crossarc.mcnemar(right, wrong).winner
    'first'
    """
    first, second = _flags(first, "first"), _flags(second, "second")
    if first.shape != second.shape:
        raise CrossarcError(f"McNemar's test needs pairs: {first.size} outcomes against {second.size}")
    b = int(np.count_nonzero(~first & second))
    c = int(np.count_nonzero(first & ~second))
    return mcnemar_of(b, c)


def _flags(values: NDArray[np.bool_] | Sequence[bool], what: str) -> NDArray[np.bool_]:
    """Return bool (N,) from truth values or the numbers 0 and 1. Raises CrossarcError for anything else."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    truths = array.dtype.kind in "biu" and bool(((array == 0) | (array == 1)).all())
    if array.ndim != 1 or (array.size and not truths):
        raise CrossarcError(f"{what}: found {shown(values)}, expected one row of truth values")
    return array.astype(np.bool_)


def mcnemar_of(b: int, c: int) -> McNemar:
    """McNemar's test from the counts of :class:`McNemar`."""
    z, p = _exact(b, c) if b + c <= LARGEST_EXACT else _normal(b, c)
    level = next((alpha for alpha, bound in LEVELS if (p < alpha if z is None else z > bound)), None)
    winner: Literal["first", "second"] = "second" if b > c else "first"
    return McNemar(b, c, z, p, level, winner if level is not None else None)


def significance(
    first: Comparison,
    second: Comparison,
    score: str,
    *,
    counted: Literal["all", "no_punct"] = "all",
    arcs: Literal["projective", "nonprojective"] | None = None,
) -> McNemar:
    """Compare two parsers on one gold corpus.

    first, second: the corpora parsed by each, aligned with the gold corpus.
    score: las, uas, la (items are tokens), lem or uem (items are sentences).
    counted: "no_punct" leaves punctuation out.
    arcs: restricts a token score to tokens with a projective or non-projective gold arc.

    Raises CrossarcError if the gold corpora differ.
    """
    check_names("score", [score], SCORES)
    _same_gold(first, second)
    where = np.ones(len(first.sentence), dtype=np.bool_) if counted == "all" else ~first.punctuation
    if score in ("lem", "uem"):
        if arcs is not None:
            raise CrossarcError(f"{score} is a score of sentences: it has no {arcs} arcs")
        return mcnemar(first.sentence_right(score, where), second.sentence_right(score, where))
    if arcs is not None:
        where = where & (first.gold.nonprojective == (arcs == "nonprojective"))
    return mcnemar(first.token_right(score)[where], second.token_right(score)[where])


def pairwise(
    parsers: Mapping[str, Comparison],
    scores: Sequence[str] = ("las", "uas", "lem", "uem"),
    counted: Literal["all", "no_punct"] = "all",
    arcs: Literal["projective", "nonprojective"] | None = None,
) -> dict[str, dict[tuple[str, str], McNemar]]:
    """Test every pair of parsers under every score; the result is ``result[score][first, second]``.

    parsers: comparisons by parser, all with the same gold corpus.
    counted, arcs: as in :func:`significance`.

    Pairs are in the order of the mapping.
    """
    return {
        score: {
            (first, second): significance(parsers[first], parsers[second], score, counted=counted, arcs=arcs)
            for first, second in combinations(parsers, 2)
        }
        for score in scores
    }


def holm(ps: Mapping[K, float]) -> dict[K, float]:
    """Return the p-values of several tests in rising order, corrected for the number of tests (Holm 1979).

    >>> holm({"a": 0.04, "b": 0.01})
    {'b': 0.02, 'a': 0.04}
    """
    corrected: dict[K, float] = {}
    largest = 0.0
    for rank, key in enumerate(sorted(ps, key=ps.__getitem__)):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[key]))
        corrected[key] = largest
    return corrected


def significance_json(tests: Mapping[str, Mapping[tuple[str, str], McNemar]]) -> dict[str, Json]:
    """Return the pairwise tests by score, as lists of objects with ``first``, ``second`` and the fields of the test."""
    return {
        score: [{"first": first, "second": second, **test.to_json()} for (first, second), test in row.items()]
        for score, row in tests.items()
    }


def _exact(b: int, c: int) -> tuple[None, float]:
    """Return (None, p): the exact test has no z; p is the two-tailed p-value of the binomial test of b against c."""
    from scipy.stats import binomtest  # takes a second to import, and most tests do not need it

    return None, float(binomtest(min(b, c), b + c).pvalue) if b + c else 1.0


def _normal(b: int, c: int) -> tuple[float, float]:
    z = max(0.0, (abs(b - c) - 1) / sqrt(b + c))
    return z, erfc(z / sqrt(2))


def _same_gold(first: Comparison, second: Comparison) -> None:
    if not np.array_equal(first.lengths, second.lengths):
        raise CrossarcError("significance: the two parsers were scored on different sentences")
    labels, others = (np.array(side.labels, dtype=object)[side.gold.labels] for side in (first, second))
    if not (np.array_equal(first.gold.heads, second.gold.heads) and np.array_equal(labels, others)):
        raise CrossarcError("significance: the two parsers were scored against different gold trees")
