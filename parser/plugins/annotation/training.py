"""Training of constraints."""

from __future__ import annotations

from ...training.prepare import Preparation, StepTrainer
from .constraints import NONE, learn_constraints


class ConstraintsTrainer(StepTrainer):
    """Learns the constraints that the config key ``constraints`` chooses."""

    def train(self, data: Preparation) -> None:
        if self.value != NONE:
            data.steps.append(learn_constraints(self.value, data.sentences))
