"""The budget of time: the time left, and the estimated duration of a trial."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log

from .trial import Candidate

SECONDS_PER_WORD = 3e-4
"""Of training with the rich model: arc-standard on English-EWT took 61 CPU s for 204 577 words (project README)."""
TEMPLATES = 93
GRAPH_EPOCH = 2.5
"""One epoch of a graph-based parser takes so many times as long as training with the rich model: 83 CPU s on
English-EWT, where training arc-standard takes 35 (project README)."""
EXPLORING = 4.0
"""Exploration of one round takes so many times as long as training without (configs/README.md)."""
CAUTION, STRANGE = 1.2, 2.0
"""A trial may take so many times what one like it, or one of another system, says of it."""
SUPERLINEAR = 0.15
"""By this exponent more, training grows faster than its work."""
TRIALS = 60
"""The first, smallest training sets are such that the budget has time for so many trials."""


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
    """The cost of a trial, in units proportional to its time: words times templates, more for exploration; words times
    epochs for a graph-based parser."""
    if candidate.config.kind.knows("graph.epochs"):
        return words * TEMPLATES * GRAPH_EPOCH * candidate.config.graph.epochs
    rounds = candidate.config.training.explore.rounds
    return words * max(len(candidate.templates), 1) * (1 + (EXPLORING - 1) * rounds)


class Costs:
    """Measured times of finished trials, and estimates of others."""

    def __init__(self) -> None:
        self._taken: list[tuple[str, float, float]] = []

    def add(self, candidate: Candidate, words: int, seconds: float) -> None:
        self._taken.append((_kind(candidate), work_of(candidate, words), seconds))

    def estimate(self, candidate: Candidate, words: int) -> float:
        """Seconds, after the trial nearest in size, and of those the last: among those of the same system and learner,
        or else among all; what graph-based parsing costs beside others is known."""
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
    """Every how many-th sentence the first trials train on: 1, 2, 4, ...

    So few that the budget has time for :data:`TRIALS` of them, but no fewer than ``least`` words.
    """
    step = 1
    while words * SECONDS_PER_WORD / step > 60 * minutes * jobs / TRIALS and words >= 2 * step * least:
        step *= 2
    return step


def _kind(candidate: Candidate) -> str:
    config = candidate.config
    return f"{config.system} {config.guide.get('learner')} {config.guide.get('kernel')} {bool(config.transforms)}"
