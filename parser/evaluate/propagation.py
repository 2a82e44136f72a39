"""Error propagation metrics: Pre, Post and error clustering (Nilsson 2009, section 4.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .percent import Json, Result, Share, percentage


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Errors among tokens; the rate is a percentage, None where there are no tokens."""

    errors: int
    tokens: int

    rate = Share("errors", "tokens")

    def normalised(self, total: ErrorRate) -> float | None:
        """The rate as a percentage of the overall error rate; None where either is undefined or that is 0."""
        if self.rate is None or not total.rate:
            return None
        return 100.0 * self.rate / total.rate

    def against(self, total: ErrorRate) -> dict[str, Json]:
        """As JSON: rate, its normalisation, the share of all tokens, and the counts."""
        return {
            "rate": self.rate,
            "normalised": self.normalised(total),
            "share": percentage(self.tokens, total.tokens),
            "errors": self.errors,
            "tokens": self.tokens,
        }


@dataclass(frozen=True, slots=True)
class Propagation(Result):
    """Pre, Post and error clustering under one notion of a right token.

    ``pre`` covers every token up to and including the first wrong one of its sentence (all tokens of a sentence without
    errors), ``post`` the tokens after it; both are micro-averages over tokens. ``clusters[k - 1]`` covers the tokens
    whose latest preceding error is k steps to the left, the position before the sentence counting as an error; the last
    entry collects all greater distances. Every token is in one of pre and post and in exactly one cluster, so that
    dividing by the rate of ``total`` normalises (100 is the average).
    """

    total: ErrorRate
    pre: ErrorRate
    post: ErrorRate
    clusters: tuple[ErrorRate, ...]

    def to_json(self) -> dict[str, Json]:
        """total, pre, post, and the clusters under ``1`` … ``7`` and ``>7``."""
        last = len(self.clusters) - 1
        names = [*map(str, range(1, last + 1)), f">{last}"]
        return {
            "total": self.total.against(self.total),
            "pre": self.pre.against(self.total),
            "post": self.post.against(self.total),
            "clusters": {name: cluster.against(self.total) for name, cluster in zip(names, self.clusters, strict=True)},
        }


def propagation(right: NDArray[np.bool_], lengths: NDArray[np.int64], steps: int = 7) -> Propagation:
    """Pre, Post and error clustering of a corpus.

    ``right`` bool[N] says which tokens are parsed correctly, ``lengths`` int[S] how many words each sentence has (their
    sum is N), ``steps`` the number of clusters told apart before the last one, ``>steps`` (the thesis shows 7).
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
