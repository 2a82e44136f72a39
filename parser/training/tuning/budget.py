"""The budget of time: the time left, and the estimated duration of a trial."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log

from .trial import Candidate

SECONDS_PER_WORD = 3e-4
"""Training time with the rich model: arc-standard on English-EWT took 61 CPU s for 204 577 words (project README)."""
TEMPLATES = 93
GRAPH_EPOCH = 2.5
"""Time of one epoch of a graph-based parser relative to training with the rich model: 83 CPU s on English-EWT, where
training arc-standard takes 35 (project README).
"""
EXPLORING = 4.0
"""Time of training with one round of exploration, relative to training without (configs/README.md)."""
CAUTION, STRANGE = 1.2, 2.0
"""Factors by which a trial may exceed the estimate from a similar trial, and from a trial of another system."""
SUPERLINEAR = 0.15
"""Training time grows with the power 1 + this of the work."""
TRIALS = 60
"""The budget has time for this number of trials on the first, smallest training sets."""


class Budget:
    """Seconds from now on. now: a clock in seconds, of wall time or, for one job, of CPU time."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.now = now
        self._start = now()

    def left(self, share: float = 1.0) -> float:
        """Seconds until that share of the budget is used; negative if it is exceeded."""
        return share * self.seconds - (self.now() - self._start)


def work_of(candidate: Candidate, words: int) -> float:
    """The cost of a trial, in units proportional to its time.

    The cost is words times templates, more with exploration; for a graph-based parser, it is words times epochs.
    """
    if candidate.config.kind.knows("graph.epochs"):
        return words * TEMPLATES * GRAPH_EPOCH * candidate.config.graph.epochs
    rounds = candidate.config.training.explore.rounds
    return words * max(len(candidate.templates), 1) * (1 + (EXPLORING - 1) * rounds)


class Costs:
    """Measured times of finished trials, and estimates for other trials."""

    def __init__(self) -> None:
        self._taken: list[tuple[str, float, float]] = []

    def add(self, candidate: Candidate, words: int, seconds: float) -> None:
        self._taken.append((_kind(candidate), work_of(candidate, words), seconds))

    def estimate(self, candidate: Candidate, words: int) -> float:
        """Estimate the seconds of a trial from the finished trial nearest in size, the latest of several.

        Trials of the same system and learner are preferred to all others. The relative cost of graph-based parsing is
        known.
        """
        work = work_of(candidate, words)
        like = [own for own in self._taken if own[0] == _kind(candidate)]
        if not self._taken:
            return STRANGE * SECONDS_PER_WORD * work / TEMPLATES
        _, done, seconds = min(reversed(like or self._taken), key=lambda own: abs(log(own[1] / work)))
        if not like and candidate.config.kind.knows("graph.epochs"):
            return CAUTION * seconds * work / done
        grown = max(1.0, work / done) ** SUPERLINEAR
        return seconds * work / done * grown * (CAUTION if like else STRANGE)


def first_step(words: int, minutes: float, jobs: int, least: int) -> int:
    """The step of the first trials, which train on every ``step``-th sentence: 1, 2, 4, ...

    The step is so large that the budget has time for :data:`TRIALS` trials, but leaves at least ``least`` words.
    """
    step = 1
    while words * SECONDS_PER_WORD / step > 60 * minutes * jobs / TRIALS and words >= 2 * step * least:
        step *= 2
    return step


def _kind(candidate: Candidate) -> str:
    config = candidate.config
    return f"{config.system} {config.guide.get('learner')} {config.guide.get('kernel')} {bool(config.transforms)}"
