"""Greedy parsing by compiled loops, where they are to be had and worth loading."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

import numpy as np

from ...features.plan import FeaturePlan, packed_columns, plan
from ...transitions.configuration import NONE, Configuration, Ints
from ...transitions.program import Program, record
from ..learners.linear_model import LinearModel
from .greedy import Shortcut
from .lanes import Choice, Weights, Work, make_lanes
from .learned_guide import LearnedGuide, ValueIds

__all__ = ["CompiledLoop", "LoadedLoop", "compiled_loop"]

ENOUGH = 80_000
"""Loading numba and the loops takes about as long as so many configurations take longer without them."""
STEP = 30
"""A step without them takes about as long for all configurations of a batch as for so many more."""
KERNEL = f"{__package__}.kernel"


class CompiledLoop:
    """The compiled loop of a guide that asks a linear learner: transition system, features and weights as arrays.

    The loop makes the decisions of the driver in :mod:`.greedy` that asks the guide.
    """

    def __init__(self, guide: LearnedGuide, program: Program, features: FeaturePlan) -> None:
        from . import kernel  # imports numba

        system, learner = guide.system, guide.learner
        assert isinstance(learner, LinearModel)
        self._kernel, self._system, self._extractor = kernel, system, guide.extractor
        self._program, self._features = program, features
        index = learner.index_
        self._weights = Weights(
            index.direct,
            index.direct_slots,
            np.stack([index.table_keys, index.table_rows.astype(np.int64)], axis=1),
            index.shift,
            learner.padded,
            np.float32(learner.scale_),
        )
        moves, labels = guide.inventory.T
        seen = np.isin(np.arange(len(moves)), learner.classes_)
        self._choice = Choice(
            np.where(seen, moves, NONE),
            np.ascontiguousarray(labels),
            np.array([system.moves.index(move) for move in system.default_moves]),
            np.zeros((2, 0), dtype=np.bool_) if guide.label_places is None else guide.label_places,
        )

    def run(self, c: Configuration, ids: ValueIds, defaults: Ints) -> None:
        """Take all configurations of a batch to terminal ones.

        ids: of the batch as it was created. defaults: int64 (rows,), how many default transitions each row has taken,
        to be added to.
        """
        columns = packed_columns(self._extractor, ids)
        work = Work(c.arrays(), columns, self._program, self._features, self._weights, self._choice)
        self._kernel.derive(work, make_lanes(work), defaults)


def compiled_loop(guide: LearnedGuide) -> CompiledLoop | None:
    """The loop of a guide, or None: without numba, and for transition systems, features and learners that it does not
    know. Linear learners have one, and systems and features without lists of valencies."""
    if find_spec("numba") is None or not isinstance(guide.learner, LinearModel):
        return None
    program, features = record(guide.system), plan(guide.extractor)
    return None if program is None or features is None else CompiledLoop(guide, program, features)


class LoadedLoop:
    """The compiled loop of a stage, loaded as soon as that is worth it.

    The environment variable CROSSARC_KERNEL=numpy keeps it from being used, CROSSARC_KERNEL=numba has it loaded for
    however little there is to parse.
    """

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
        kernel = os.environ.get("CROSSARC_KERNEL")
        if kernel == "numpy" or (self._sought and self._loop is None):
            return None

        def take_over(c: Configuration, defaults: Ints) -> bool:
            if not self._sought:
                self._met += STEP + len(c)
                if not (kernel == "numba" or self._met + self._coming >= ENOUGH or KERNEL in sys.modules):
                    return False
                self._loop, self._sought = compiled_loop(guide), True
            if self._loop is None:
                return False
            self._loop.run(c, guide.ids, defaults)
            return True

        return take_over
