"""Greedy parsing by the compiled loop, where there is one and it is worth loading."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import numpy as np

from ....transitions.configuration import NONE, Configuration, Ints
from ...base.compiling import chosen, enabled, is_kept
from ...learners.key_index import direct_range
from ...learners.linear.model import LinearModel
from ..greedy import Shortcut
from ..learned_guide import LearnedGuide, ValueIds
from .plan import FeaturePlan, packed_columns, plan
from .program import Program, record
from .tables import keys_of, weights_of
from .work import Choice, Work, scratch_for

__all__ = ["CompiledLoop", "LoadedLoop", "compiled_loop", "compiled_ready"]

ENOUGH = 2_000
"""Configurations from which on loading the loop that is kept takes less time than parsing without it."""
TO_COMPILE = 80_000
"""Configurations from which on it is worth to compile the loop, once for all later processes."""
STEP = 30
"""A step without the loop takes about as long for all configurations of a batch as for so many more."""
LOADING = Lock()
"""Held by the thread that loads or compiles the loop; the others parse with numpy until it is there."""


class CompiledLoop:
    """The compiled loop of a guide that asks a linear learner: transition system, features and weights as arrays.

    The loop makes the decisions of the driver in :mod:`.greedy` that asks the guide. weights: what it looks up.
    """

    def __init__(self, guide: LearnedGuide, program: Program, features: FeaturePlan) -> None:
        system, learner = guide.system, guide.learner
        assert isinstance(learner, LinearModel)
        self._system, self._extractor = system, guide.extractor
        self._program, self._features = program, features
        direct_slots, small = direct_range(learner.slots_)
        self._keys = keys_of(features, direct_slots)
        self.weights = weights_of(learner.sparse, learner.scale_, learner.n_classes_, small)
        moves, labels = guide.inventory.T
        seen = np.isin(np.arange(len(moves)), learner.classes_)
        self._choice = Choice(
            learner.bias_ if len(learner.bias_) else np.zeros(len(moves), dtype=np.int32),
            np.where(seen, moves, NONE),
            np.ascontiguousarray(labels),
            np.array([system.moves.index(move) for move in system.default_moves]),
            np.zeros((2, 0), dtype=np.bool_) if guide.label_places is None else guide.label_places,
        )

    def load(self, ids: ValueIds) -> None:
        """Load the machine code, which is compiled if it is not kept."""
        nothing = {name: own[:0] for name, own in ids.items()}
        self.run(self._system.initial(np.array([], dtype=np.int64)), nothing, np.zeros(0, dtype=np.int64))

    def run(self, c: Configuration, ids: ValueIds, defaults: Ints) -> None:
        """Take all configurations of a batch to terminal ones.

        ids: of the batch as it was created. defaults: int64 (rows,), how many default transitions each row has taken,
        to be added to.
        """
        from .derive import derive  # imports numba

        columns = packed_columns(self._extractor, ids)
        work = Work(c.arrays(), columns, self._program, self._features, self._keys, self.weights, self._choice)
        derive(work, scratch_for(work), defaults)


def compiled_loop(guide: LearnedGuide) -> CompiledLoop | None:
    """The loop of a guide, or None: without numba, and for transition systems, features and learners that it does not
    know. Linear learners have one, and systems and features without lists of valencies."""
    if not enabled() or not isinstance(guide.learner, LinearModel):
        return None
    program, features = record(guide.system), plan(guide.extractor)
    return None if program is None or features is None else CompiledLoop(guide, program, features)


def compiled_ready() -> bool:
    """Whether the loop can be had without compiling anything."""
    return enabled() and is_kept(Path(__file__).with_name("derive.py"), "_derive")


class LoadedLoop:
    """The compiled loop of a stage, loaded as soon as that is worth it, see :func:`...base.compiling.chosen`."""

    def __init__(self) -> None:
        self._met = self._coming = 0
        self._sought = False
        self._loop: CompiledLoop | None = None

    def __reduce__(self) -> tuple[type[LoadedLoop], tuple[()]]:
        """Another process has a beginning of its own."""
        return LoadedLoop, ()

    def expect(self, configurations: int) -> None:
        """So many configurations, or more, are about to be met."""
        self._coming = max(self._coming, configurations)

    def shortcut(self, guide: LearnedGuide) -> Shortcut | None:
        """What takes batches that the guide is asked about to their ends, from where it is worth to load it."""
        if not enabled() or (self._sought and self._loop is None):
            return None

        def take_over(c: Configuration, defaults: Ints) -> bool:
            if not self._sought:
                self._met += STEP + len(c)
                if not self._is_worth_it() or not LOADING.acquire(blocking=False):
                    return False
                try:
                    loop = compiled_loop(guide)
                    if loop is not None:
                        loop.load(guide.ids)
                    self._loop, self._sought = loop, True
                finally:
                    LOADING.release()
            if self._loop is None:
                return False
            self._loop.run(c, guide.ids, defaults)
            return True

        return take_over

    def _is_worth_it(self) -> bool:
        configurations = self._met + self._coming
        enough = configurations >= TO_COMPILE or (configurations >= ENOUGH and compiled_ready())
        return enough or chosen() == "numba"
