"""The compiled loop of a guide: its input arrays and its calls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import NONE, Configuration, Ints
from ...base.compiling import enabled
from ...learners.linear.model import LinearModel
from ..beam import Beam
from ..greedy import Floats
from ..learned_guide import LearnedGuide, ValueIds
from .plan import FeaturePlan, packed_columns, plan
from .program import Program, trace
from .tables import LANES, LANES_OF_BEAMS, Beams, Choice, Work, beams_for, scratch_for

NOTHING_SHARED = np.zeros((0, 0), dtype=np.int32)


class CompiledLoop:
    """The compiled loop of a guide that asks a linear learner: transition system, features and weights as arrays.

    The loop makes the same decisions as the driver in :mod:`.greedy` with this guide.
    """

    def __init__(self, guide: LearnedGuide, learner: LinearModel, program: Program, features: FeaturePlan) -> None:
        system = guide.system
        self._system, self._extractor = system, guide.extractor
        moves, labels = guide.inventory.T
        seen = np.isin(np.arange(len(moves)), learner.classes_)
        choice = Choice(
            learner.bias_,
            np.float32(learner.scale_),
            np.where(seen, moves, NONE),
            np.ascontiguousarray(labels),
            np.array([system.moves.index(move) for move in system.default_moves]),
            np.zeros((2, 0), dtype=np.bool_) if guide.label_places is None else guide.label_places,
            float(learner.sharpness),
            not learner.of_derivations,
        )
        self._arrays = program, features, learner.table, choice

    def load(self, ids: ValueIds) -> None:
        """Load the machine code, which is compiled first unless it is cached."""
        nothing = {name: rows[:0] for name, rows in ids.items()}
        self.run(self._system.initial(np.array([], dtype=np.int64)), nothing, np.zeros(0, dtype=np.int64))

    def run(
        self,
        c: Configuration,
        ids: ValueIds,
        defaults: Ints,
        margins: Floats | None = None,
        shared: NDArray[np.int32] = NOTHING_SHARED,
        first: int = 0,
    ) -> None:
        """Take all configurations of a batch to terminal ones, within the bound of the system.

        ids: value ids of the original batch
        defaults: int64 (rows,), numbers of default transitions, which the loop increases
        margins: receives the margins of the arcs
        shared, first: see :class:`~.tables.Work`
        """
        sentences = c.origin // c.width
        recorded = np.zeros((len(c), 0)) if margins is None else margins[sentences]
        beams = beams_for(np.ones(len(c), dtype=np.int64), np.zeros(len(c)), defaults)
        self._derive(c, ids, recorded, beams, shared, first)
        if margins is not None:
            margins[sentences] = recorded

    def search(self, beam: Beam, ids: ValueIds) -> None:
        """Take all derivations of a beam to their ends, within the bound of the system. ids: as for :meth:`run`."""
        rows = beam.ranked()[0].ravel()
        c, margins = beam.c.at(rows).compact(), beam.margins[rows]
        live = np.bincount(beam.sentence, minlength=beam.sentences)
        beams = beams_for(live, beam.score[rows], beam.defaults[rows], beam.threshold, beam.complete)
        self._derive(c, ids, margins, beams, NOTHING_SHARED, 0)
        kept = beams.ranked[np.arange(beam.width) < live[:, None]]
        beam.c, beam.sentence = c.at(kept).compact(), np.repeat(np.arange(beam.sentences), live)
        beam.score, beam.defaults, beam.margins = beams.scores[kept], beams.defaults[kept], margins[kept]
        beam.running = np.flatnonzero(~self._system.terminal(beam.c))

    def _derive(
        self, c: Configuration, ids: ValueIds, margins: Floats, beams: Beams, shared: NDArray[np.int32], first: int
    ) -> None:
        from .derive import derive  # imports numba

        columns = packed_columns(self._extractor, ids)
        work = Work(c.arrays(), columns, *self._arrays, margins, shared, first)
        bound = sum(map(self._system.max_transitions, c.lengths.tolist()))
        width = beams.ranked.shape[1]
        turns = LANES if width == 1 else LANES_OF_BEAMS
        derive(work, scratch_for(work, turns * width), beams, np.empty(turns, dtype=np.int64), bound)


def compiled_loop(guide: LearnedGuide) -> CompiledLoop | None:
    """Make the loop of a guide; None without numba, or if the loop does not support its system, features or learner.

    Linear learners are supported, as are systems and features without lists of valencies.
    """
    if not enabled() or (learner := guide.linear) is None:
        return None
    program, features = trace(guide.system), plan(guide.extractor)
    return None if program is None or features is None else CompiledLoop(guide, learner, program, features)
