"""Greedy parsing by compiled loops, where they are to be had and worth loading."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

import numpy as np

from ...features.plan import FeaturePlan, packed_columns, plan
from ...transitions.configuration import NONE, Configuration
from ...transitions.program import Program, record
from ..learners.linear_model import LinearModel
from .greedy import DerivedTrees, Fallback
from .lanes import Choice, Weights, Work, make_lanes
from .learned_guide import LearnedGuide, ValueIds

__all__ = ["CompiledLoop", "LoadedLoop", "compiled_loop"]

ENOUGH = 40_000
"""Loading numba and the loops takes about as long as parsing so many words takes longer without them."""
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

    def derive(self, c: Configuration, ids: ValueIds, fallback: Fallback) -> DerivedTrees:
        """Parse a batch, fresh from the system's ``initial``; ``ids`` are its value ids."""
        defaults = np.zeros(len(c), dtype=np.int64)
        columns = packed_columns(self._extractor, ids)
        work = Work(c.arrays(), columns, self._program, self._features, self._weights, self._choice)
        self._kernel.derive(work, make_lanes(work), defaults)
        self._system.finish(c, fallback.root_label, fallback.orphan_label)
        return DerivedTrees(c.heads_matrix(), c.deprels_matrix(), defaults)


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
    however few words.
    """

    def __init__(self) -> None:
        self._words = 0
        self._sought = False
        self._loop: CompiledLoop | None = None

    def __reduce__(self) -> tuple[type[LoadedLoop], tuple[()]]:
        """Another process has a beginning of its own."""
        return LoadedLoop, ()

    def expect(self, words: int) -> None:
        """So many words, or more, are about to be parsed."""
        self._words += words

    def of(self, guide: LearnedGuide) -> CompiledLoop | None:
        """The loop of the stage's guide; None as long as loading it takes more than it brings, and if it has none."""
        kernel = os.environ.get("CROSSARC_KERNEL")
        if kernel == "numpy":
            return None
        if not self._sought and (kernel == "numba" or self._words >= ENOUGH or KERNEL in sys.modules):
            self._loop, self._sought = compiled_loop(guide), True
        return self._loop
