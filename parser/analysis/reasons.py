"""Reasons for a transition: weighted features, or the nearest instances of a memory-based learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...features.decode import decode_key, value_text
from ...transitions.configuration import NONE
from ...transitions.step import Decision
from ...transitions.system import TransitionSystem
from ..learners.learner import Contribution
from ..models.transition_model import TransitionModel
from ..search.stage import Stage
from ..treebank import FIRST_KNOWN, NO_NODE, ROOT_NODE

FEATURES = 8
NEIGHBOURS = 5
OPTIONS = 6


def transition_name(system: TransitionSystem, move: int, label: int, names: Sequence[str]) -> str:
    """Return a transition as text: its move, and its label if it has one. names: names of labels by number."""
    own = system.moves[move]
    name = names[label] if own.labelled and label != NONE else ""
    return f"{own}({name})" if name else str(own)


@dataclass(frozen=True, slots=True)
class Reasons:
    """Explains decisions of one stage of a model from their feature keys and scores."""

    model: TransitionModel
    stage: Stage

    def options(self, scores: NDArray[np.float32]) -> list[tuple[int, int, float, float]]:
        """Return (move, label, score, confidence) of the best permissible transitions.

        scores: float32 (1, classes).
        """
        sure = self.stage.learner.confidences(scores)[0]
        inventory = self.stage.inventory
        best = self.ranked(scores)[:OPTIONS]
        return [(*inventory[number].tolist(), float(scores[0, number]), float(sure[number])) for number in best]

    def ranked(self, scores: NDArray[np.float32]) -> list[int]:
        """Return the permissible classes, best first.

        scores: float32 (1, classes).
        """
        order = np.argsort(-scores[0], kind="stable")
        return [int(number) for number in order if not np.isneginf(scores[0, number])]

    def against_runner_up(self, decision: Decision) -> tuple[tuple[float, str], ...]:
        """Return (amount, feature) for the best transition against the second best."""
        if decision.keys is None or decision.scores is None:
            return ()
        winner, *others = self.ranked(decision.scores)
        keys = decision.keys[0]
        found = self.stage.learner.contributions(keys, winner, others[0])[:FEATURES] if others else []
        return tuple((own.value, self._feature(own, keys)) for own in found)

    def name(self, number: int) -> str:
        """Return the transition of a class."""
        move, label = self.stage.inventory[number].tolist()
        return transition_name(self.stage.system, move, label, self.model.labels)

    def neighbours(self, decision: Decision) -> tuple[tuple[float, str], ...]:
        """Return (distance, transition taken there) for the nearest stored instances of a memory-based learner."""
        if decision.keys is None:
            return ()
        found = []
        for own in self.stage.learner.examples(decision.keys[0], NEIGHBOURS):
            votes = sorted(((count, number) for number, count in own.counts.items()), reverse=True)
            found.append((own.distance, ", ".join(f"{self.name(number)} {count}" for count, number in votes)))
        return tuple(found)

    def _feature(self, contribution: Contribution, keys: NDArray[np.int64]) -> str:
        return " & ".join(
            f"{value.part} = {value_text(value, self._column_value, self.model.labels.__getitem__)}"
            for slot in contribution.slots
            for value in decode_key(self.stage.extractor, slot, int(keys[slot]))
        )

    def _column_value(self, column: str, number: int) -> str:
        """Return the value of a column from its number in the symbol table."""
        table = self.model.tables[column]
        reserved = {NO_NODE: "-", ROOT_NODE: "ROOT"}
        return table.values[number - FIRST_KNOWN] if number >= FIRST_KNOWN else reserved.get(number, "unknown")
