"""Fitting of learners, with reports on expected memory and on progress."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

from ..base.errors import CrossarcError
from ..base.progress import Progress, task
from .learner import Instances, Learner

L = TypeVar("L", bound=Learner)

WORTH_SAYING = 2**30
"""Bytes; needs below 1 GB are not reported."""
LONG, SLOW = 10.0, 5e-4
"""Seconds of training, and of one decision while parsing, from which the expected time is reported."""
LESS = "a higher guide.min_count, features=small or, with many labels, guide.decide=two-step needs less"


def say_memory(learner: Learner, instances: Instances, progress: Progress) -> None:
    """Report the minimum memory that fitting the learner needs, if it is large.

    Raises CrossarcError if it exceeds the free memory of the machine.
    """
    needed, free = learner.memory_needed(instances), free_memory()
    said = f"guide {learner.name}: needs at least {needed / 1e9:.1f} GB of memory"
    if free is not None and needed > free:
        raise CrossarcError(f"{said}; the machine has {free / 1e9:.1f} GB free; {LESS}")
    if needed >= WORTH_SAYING:
        progress(said)


def free_memory(meminfo: str = "/proc/meminfo") -> int | None:
    """The number of bytes that a process can still get without swapping; None if unknown.

    meminfo: path of Linux' memory statistics, which count the caches that the system can release; other systems count
        free pages
    """
    try:
        for line in Path(meminfo).read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def fit(learner: L, instances: Instances, progress: Progress, what: str = "") -> L:
    """Fit the learner; report the task, and its expected duration in seconds, as progress."""
    expected = learner.seconds_needed(instances)
    handed = [instances]
    del instances
    if expected is not None and expected >= LONG:
        progress(f"training {learner.name} takes about {expected:.0f} s")
    with task(progress, what or f"training {learner.name}", expected=expected):
        learner.fit(handed.pop())  # without other references, the learner can release instances it no longer needs
    if learner.seconds_each >= SLOW:
        progress(f"guide {learner.name}: parsing takes about {2 * 1000 * learner.seconds_each:.0f} s per 1000 words")
    return learner
