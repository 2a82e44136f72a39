"""Error propagation metrics: Pre, Post and error clustering (Nilsson 2009, section 4.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .percent import Json, Result, Share, percentage


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Errors among tokens. The rate is a percentage, or None if there are no tokens."""

    errors: int
    tokens: int

    rate = Share("errors", "tokens")

    def normalised(self, total: ErrorRate) -> float | None:
        """Return the rate as a percentage of the overall error rate; None if either is undefined or the latter is 0."""
        if self.rate is None or not total.rate:
            return None
        return 100.0 * self.rate / total.rate

    def against(self, total: ErrorRate) -> dict[str, Json]:
        """Return as JSON the rate, the normalised rate, the share of all tokens, and the counts."""
        return {
            "rate": self.rate,
            "normalised": self.normalised(total),
            "share": percentage(self.tokens, total.tokens),
            "errors": self.errors,
            "tokens": self.tokens,
        }


@dataclass(frozen=True, slots=True)
class Propagation(Result):
    """Pre, Post and error clustering for one definition of a right token.

    pre: tokens up to and including the first wrong token of their sentence; all tokens of a sentence without errors.
    post: tokens after the first wrong token.
    clusters: ``clusters[k - 1]`` contains tokens whose latest preceding error is k steps to the left. The position
        before the sentence counts as an error. The last entry contains all greater distances.

    All rates are micro-averages over tokens. Every token is in pre or post, and in one cluster. So dividing by the rate
    of ``total`` normalises them (100 is the average).
    """

    total: ErrorRate
    pre: ErrorRate
    post: ErrorRate
    clusters: tuple[ErrorRate, ...]

    def to_json(self) -> dict[str, Json]:
        """Return total, pre, post, and the clusters under ``1`` … ``7`` and ``>7``."""
        last = len(self.clusters) - 1
        names = [*map(str, range(1, last + 1)), f">{last}"]
        return {
            "total": self.total.against(self.total),
            "pre": self.pre.against(self.total),
            "post": self.post.against(self.total),
            "clusters": {name: cluster.against(self.total) for name, cluster in zip(names, self.clusters, strict=True)},
        }


def propagation(right: NDArray[np.bool_], lengths: NDArray[np.int64], steps: int = 7) -> Propagation:
    """Compute Pre, Post and error clustering of a corpus.

    right: bool[N], whether each token is parsed correctly.
    lengths: int[S], number of words of each sentence; their sum is N.
    steps: number of clusters before the last one, ``>steps`` (default: 7, as in the thesis).
    """
    lengths = np.asarray(lengths, dtype=np.int64)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    index = np.arange(len(right), dtype=np.int64)
    latest = np.maximum.accumulate(np.where(right, -1, index), dtype=np.int64)
    before = np.concatenate(([-1], latest[:-1])) if len(right) else latest
    clean = before < starts
    distance = np.minimum(index - np.maximum(before, starts - 1), steps + 1)
    tokens = np.bincount(distance, minlength=steps + 2)
    errors = np.bincount(distance[~right], minlength=steps + 2)
    return Propagation(
        total=_rate(~right, np.ones(len(right), dtype=np.bool_)),
        pre=_rate(~right, clean),
        post=_rate(~right, ~clean),
        clusters=tuple(ErrorRate(int(errors[k]), int(tokens[k])) for k in range(1, steps + 2)),
    )


def _rate(wrong: NDArray[np.bool_], where: NDArray[np.bool_]) -> ErrorRate:
    return ErrorRate(int(np.count_nonzero(wrong & where)), int(np.count_nonzero(where)))
