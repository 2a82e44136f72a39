"""The compiled loop of a guide: its input arrays and its calls."""

from __future__ import annotations

import numpy as np

from ....transitions.configuration import NONE, Configuration, Ints
from ...base.compiling import enabled
from ...learners.linear.model import LinearModel
from ..learned_guide import LearnedGuide, ValueIds
from ..margins import Floats
from .plan import FeaturePlan, packed_columns, plan
from .program import Program, trace
from .tables import LANES, Choice, Work, scratch_for


class CompiledLoop:
    """The compiled loop of a guide that asks a linear learner: transition system, features and weights as arrays.

    The loop makes the same decisions as the driver in :mod:`.greedy` with this guide.
    """

    def __init__(self, guide: LearnedGuide, learner: LinearModel, program: Program, features: FeaturePlan) -> None:
        system = guide.system
        self._system, self._extractor = system, guide.extractor
        self._program, self._features = program, features
        self._weights = learner.table
        moves, labels = guide.inventory.T
        seen = np.isin(np.arange(len(moves)), learner.classes_)
        self._choice = Choice(
            learner.bias_,
            np.float32(learner.scale_),
            np.where(seen, moves, NONE),
            np.ascontiguousarray(labels),
            np.array([system.moves.index(move) for move in system.default_moves]),
            np.zeros((2, 0), dtype=np.bool_) if guide.label_places is None else guide.label_places,
        )

    def load(self, ids: ValueIds) -> None:
        """Load the machine code, which is compiled first unless it is cached."""
        nothing = {name: own[:0] for name, own in ids.items()}
        self.run(self._system.initial(np.array([], dtype=np.int64)), nothing, np.zeros(0, dtype=np.int64))

    def run(self, c: Configuration, ids: ValueIds, defaults: Ints, margins: Floats | None = None) -> None:
        """Take all configurations of a batch to terminal ones, within the bound of the system.

        ids: value ids of the original batch
        defaults: int64 (rows,), numbers of default transitions, which the loop increases
        margins: receives the margins of the arcs
        """
        from .derive import derive  # imports numba

        columns = packed_columns(self._extractor, ids)
        margins = np.zeros((0, 0)) if margins is None else margins
        work = Work(c.arrays(), columns, self._program, self._features, self._weights, self._choice, margins)
        bound = sum(map(self._system.max_transitions, c.lengths.tolist()))
        derive(work, scratch_for(work), np.empty(LANES, dtype=np.int64), defaults, bound)


def compiled_loop(guide: LearnedGuide) -> CompiledLoop | None:
    """Make the loop of a guide; None without numba, or if the loop does not support its system, features or learner.

    Linear learners are supported, as are systems and features without lists of valencies.
    """
    if not enabled() or (learner := guide.linear) is None:
        return None
    program, features = trace(guide.system), plan(guide.extractor)
    return None if program is None or features is None else CompiledLoop(guide, learner, program, features)
