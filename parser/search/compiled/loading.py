"""Decide when to load or compile the loop; short inputs are parsed with numpy."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ....transitions.configuration import Configuration, Ints
from ...base.compiling import chosen, enabled, is_kept
from ..greedy import BatchParser, Floats
from ..learned_guide import LearnedGuide

if TYPE_CHECKING:
    from ..beam import Beam
    from .loop import CompiledLoop

TO_LOAD = 45_000
"""Number of configurations for which numpy takes as long as loading numba and the stored loop: measured with the levels
fast (47 templates) and accurate (193 templates, beam 4) on 1 to 5 000 sentences of English-GUM."""
TO_LOAD_NEXT = 2_000
"""The same number for further loops in a process that has loaded one."""
TO_COMPILE = 80_000
"""Number of configurations from which compiling the loop pays off; later processes load it."""
STEP = 30
"""Cost of one numpy step for a batch, in configurations."""
BEYOND = 2
"""Factor by which configurations exceed the announced minimum in systems that take more transitions per word."""
LOADING = Lock()
"""Held by the thread that loads or compiles the loop; until the loop is ready, other threads parse with numpy."""


def compiled_ready() -> bool:
    """Whether the loop is available without compiling."""
    return enabled() and is_kept(Path(__file__).with_name("derive.py"), "_derive")


def worth_loading(configurations: int) -> bool:
    """Return whether a loop pays off for a number of configurations."""
    least = TO_LOAD_NEXT if f"{__package__}.derive" in sys.modules else TO_LOAD
    enough = configurations >= TO_COMPILE or (configurations >= least and compiled_ready())
    return enough or chosen() == "numba"


class LoadedLoop:
    """The compiled loop of a stage, loaded when enough configurations will follow.

    What is announced will follow, and as much again as was parsed before the announcement. If there is :data:`BEYOND`
    times as much as announced, as much will follow as was parsed. So the loop is not loaded shortly before the end of
    the work. With the backend numba it is loaded at once, see :func:`...base.compiling.chosen`.

    Counted are configurations with numpy (``_met``), those that were announced and met (``_due``), and the cost of
    parsing with numpy in configurations, now (``_spent``) and at the last announcement (``_before``).
    """

    def __init__(self) -> None:
        self._met = self._due = self._spent = self._before = 0
        self._attempted = False
        self._loop: CompiledLoop | None = None

    def __reduce__(self) -> tuple[type[LoadedLoop], tuple[()]]:
        """Reset the state in a new process."""
        return LoadedLoop, ()

    def hint_workload(self, configurations: int) -> None:
        """Announce the minimum number of configurations that will follow."""
        if configurations > self._due - self._met:
            self._due, self._before = self._met + configurations, self._spent

    def batch_parser(self, guide: LearnedGuide, margins: Floats | None = None) -> BatchParser | None:
        """The function that finishes batches, None without a loop. It returns False while numpy is to parse.

        margins: receives the margins of the arcs
        """
        if not enabled() or (self._attempted and self._loop is None):
            return None

        def take_over(c: Configuration, defaults: Ints) -> bool:
            loop = self._loaded(guide, len(c))
            if loop is not None:
                loop.run(c, guide.ids, defaults, margins)
            return loop is not None

        return take_over

    def finish(self, guide: LearnedGuide, beam: Beam) -> bool:
        """Finish the derivations of a beam; return False while numpy is to parse."""
        # numpy takes twice as long for each configuration of a beam
        loop = self._loaded(guide, 2 * len(beam.c)) if enabled() else None
        if loop is not None:
            loop.search(beam, guide.ids)
        return loop is not None

    def _loaded(self, guide: LearnedGuide, configurations: int) -> CompiledLoop | None:
        """The loop, None while numpy is to parse. configurations: number of those that await their next transition."""
        if not self._attempted:
            # what still follows: the rest of what was announced, or if far more came, as much again as until now
            cost = self._spent + STEP + configurations
            expected = cost if self._met >= BEYOND * self._due else self._before + max(0, self._due - self._met)
            self._met += configurations
            self._spent = cost
            if not worth_loading(expected) or not LOADING.acquire(blocking=False):
                return None
            from .loop import compiled_loop

            try:
                loop = compiled_loop(guide)
                if loop is not None:
                    loop.load(guide.ids)
                self._loop, self._attempted = loop, True
            finally:
                LOADING.release()
        return self._loop
