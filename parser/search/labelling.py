"""The guide that labels a given tree: an oracle chooses the moves, a learner their labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...oracles.oracle import Oracle
from ...transitions.configuration import Bools, Configuration
from ...transitions.step import Decision
from .learned_guide import LearnedGuide


@dataclass(frozen=True, slots=True)
class LabellingGuide:
    """Takes the moves of an oracle, each with the label that the learner prefers for it."""

    oracle: Oracle
    learner: LearnedGuide

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """Decide for each row; the move is -1 if the oracle has none, or training had none with a label."""
        moves = self.oracle.decide(c, legal).moves
        return self.learner.decide(c, legal & (moves[:, None] == np.arange(legal.shape[1])))
