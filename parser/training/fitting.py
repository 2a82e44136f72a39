"""Fitting of learners, with progress for those that report none themselves."""

from __future__ import annotations

from typing import TypeVar

from ..base.progress import Progress, task
from ..learners.learner import Instances, Learner

L = TypeVar("L", bound=Learner)


def fit(learner: L, instances: Instances, progress: Progress, what: str = "") -> L:
    """Fit the learner; report the task and its expected duration in seconds as progress."""
    expected = learner.seconds_needed(instances)
    handed = [instances]
    del instances
    with task(progress, what or f"training {learner.name}", expected=expected):
        return learner.fit(
            handed.pop()
        )  # without other references, the learner can release instances that it no longer needs
