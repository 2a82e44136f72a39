"""Greedy parsing by compiled loops, where they are to be had and worth loading."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from ...features.plan import FeaturePlan, packed_columns, plan
from ...transitions.configuration import NONE, Configuration, Ints
from ...transitions.program import Program, record
from ..learners.key_index import direct_range
from ..learners.linear.model import LinearModel
from . import machine_code
from .greedy import Shortcut
from .lanes import Choice, Work, make_lanes
from .learned_guide import LearnedGuide, ValueIds
from .tables import keys_of, weights_of

__all__ = ["CompiledLoop", "LoadedLoop", "compiled_loop"]

ENOUGH = 2_000
"""Loading the loop and what it looks up takes about as long as so many configurations take longer without it."""
TO_COMPILE = 80_000
"""For fewer configurations it is not compiled."""
STEP = 30
"""A step without them takes about as long for all configurations of a batch as for so many more."""


class CompiledLoop:
    """The compiled loop of a guide that asks a linear learner: transition system, features and weights as arrays.

    The loop makes the decisions of the driver in :mod:`.greedy` that asks the guide. weights: what it looks up.
    """

    def __init__(self, guide: LearnedGuide, program: Program, features: FeaturePlan) -> None:
        system, learner = guide.system, guide.learner
        assert isinstance(learner, LinearModel)
        self._system, self._extractor = system, guide.extractor
        self._derive: Callable[..., None] | None = None
        self._program, self._features = program, features
        direct_slots, small = direct_range(learner.slots_)
        self._keys = keys_of(features, direct_slots)
        self.weights = weights_of(learner.sparse, learner.scale_, learner.n_classes_, small)
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
        work = Work(c.arrays(), columns, self._program, self._features, self._keys, self.weights, self._choice)
        arguments = (work, make_lanes(work), defaults)
        if self._derive is None:
            self._derive = machine_code.loop(arguments)
        self._derive(*arguments)


def compiled_loop(guide: LearnedGuide) -> CompiledLoop | None:
    """The loop of a guide, or None: without numba, and for transition systems, features and learners that it does not
    know. Linear learners have one, and systems and features without lists of valencies."""
    if not machine_code.available() or not isinstance(guide.learner, LinearModel):
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
                if kernel != "numba" and not self._is_worth_it():
                    return False
                self._loop, self._sought = compiled_loop(guide), True
            if self._loop is None:
                return False
            self._loop.run(c, guide.ids, defaults)
            return True

        return take_over

    def _is_worth_it(self) -> bool:
        configurations = self._met + self._coming
        return configurations >= TO_COMPILE or (configurations >= ENOUGH and machine_code.is_kept())
