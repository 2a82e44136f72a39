"""McNemar's test on the outcomes of two parsers on the same data (Nilsson 2009, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import erfc, sqrt
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError, choices
from ..base.given import given_flags
from .comparison import SCORES, Comparison
from .percent import Json, Result

K = TypeVar("K")
LARGEST_EXACT = 25
LEVELS = ((0.01, 2.5758), (0.05, 1.9600))


@dataclass(frozen=True, slots=True)
class McNemar(Result):
    """Outcome of the test.

    ``b`` observations only the second parser gets right, ``c`` only the first (the thesis' table with the first as
    Parser A); ``z`` None where the exact binomial was used; ``p`` two-tailed; ``level`` the strictest of 0.01 and 0.05
    that is passed, or None; ``winner`` the better parser where the difference is significant, else None.
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
    first, second = given_flags(first, "first"), given_flags(second, "second")
    if first.shape != second.shape:
        raise CrossarcError(f"McNemar's test needs pairs: {first.size} outcomes against {second.size}")
    b = int(np.count_nonzero(~first & second))
    c = int(np.count_nonzero(first & ~second))
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

    ``score`` is las, uas or la (observations are tokens), lem or uem (sentences). ``counted`` leaves punctuation out.
    ``arcs`` restricts a token score to the tokens whose gold arc is of a class. Raises CrossarcError where the gold
    corpora differ.
    """
    if score not in SCORES:
        raise CrossarcError(f"score {choices(score, SCORES)}")
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
    """The test for every pair of parsers under every score: ``result[score][first, second]``.

    Pairs are in the order of the mapping, each once. All comparisons must share their gold corpus.
    counted, arcs: as in :func:`significance`.
    """
    return {
        score: {
            (first, second): significance(parsers[first], parsers[second], score, counted=counted, arcs=arcs)
            for first, second in combinations(parsers, 2)
        }
        for score in scores
    }


def holm(ps: Mapping[K, float]) -> dict[K, float]:
    """The p-values of several tests, corrected for their number (Holm 1979), in rising order.

    >>> holm({"a": 0.04, "b": 0.01})
    {'b': 0.02, 'a': 0.04}
    """
    corrected: dict[K, float] = {}
    largest = 0.0
    for rank, key in enumerate(sorted(ps, key=ps.__getitem__)):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[key]))
        corrected[key] = largest
    return corrected


def bootstrap(right: NDArray[np.bool_], lengths: NDArray[np.int64], rounds: int = 2000) -> tuple[float, float]:
    """The 95 % confidence interval of a percentage of right tokens: sentences are drawn again, with replacement.

    right: bool[N] of all tokens; lengths: int64[S], the tokens of each sentence.
    """
    number = len(lengths)
    correct = np.bincount(np.repeat(np.arange(number), lengths), weights=right, minlength=number)
    drawn = np.random.default_rng(1).multinomial(number, np.full(number, 1 / number), rounds)
    low, high = np.quantile(100 * (drawn @ correct) / (drawn @ lengths), (0.025, 0.975)).tolist()
    return low, high


def significance_json(tests: Mapping[str, Mapping[tuple[str, str], McNemar]]) -> dict[str, Json]:
    """The pairwise tests by score, each a list of objects with ``first``, ``second`` and the fields of the test."""
    return {
        score: [{"first": first, "second": second, **test.to_json()} for (first, second), test in row.items()]
        for score, row in tests.items()
    }


def _exact(b: int, c: int) -> tuple[None, float]:
    """Two-tailed probability of a split at least as uneven as b : c when both sides are equally likely."""
    from scipy.stats import binomtest  # takes a second to import, and most tests do without

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
