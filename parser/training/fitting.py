"""Fitting a learner, and telling how long that takes where the learner itself tells nothing."""

from __future__ import annotations

from typing import TypeVar

from ..base.progress import Progress, task
from ..learners.learner import Instances, Learner

L = TypeVar("L", bound=Learner)


def fit(learner: L, instances: Instances, progress: Progress, what: str = "") -> L:
    """The learner, fitted; meanwhile a watcher is told what is done and how many seconds it should take."""
    expected = learner.seconds_needed(instances)
    handed = [instances]
    del instances
    with task(progress, what or f"training {learner.name}", expected=expected):
        return learner.fit(handed.pop())  # if nobody else holds them, the learner can let go of what it needs no more
