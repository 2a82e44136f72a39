"""A guide that keeps given arcs: it excludes the transitions that make them unreachable."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...oracles.dynamic import DynamicOracle
from ...oracles.oracle import Gold
from ...oracles.registry import DYNAMIC_ORACLES
from ...transitions.configuration import NONE, Bools, Configuration, Ints
from ...transitions.system import TransitionSystem
from .learned_guide import LearnedGuide


class KeptArcs(NamedTuple):
    """Given arcs of the words of a batch.

    heads: head of each word, -1 for words without a given arc (int64, (B, width)).
    labels: number of the label of each arc, -1 for any label (int64, (B, width)).
    """

    heads: Ints
    labels: Ints


@dataclass(frozen=True, slots=True)
class KeepingGuide(LearnedGuide):
    """A learner's guide among the transitions that lose the fewest given arcs.

    kept: the given arcs
    oracle: prices transitions by the arcs that they make unreachable; None for a system whose oracles need whole trees,
        where only transitions that give a word another head or label are excluded
    """

    kept: KeptArcs | None = None
    oracle: DynamicOracle | None = None

    @classmethod
    def of(cls, guide: LearnedGuide, kept: KeptArcs, lengths: NDArray[np.integer]) -> KeepingGuide:
        """The guide that keeps arcs in a batch of sentences with ``lengths`` words."""
        known = {own.name: getattr(guide, own.name) for own in fields(guide)}
        oracle = DYNAMIC_ORACLES.get(guide.system.name)
        if oracle is None or not oracle.partial:
            return cls(**known, kept=kept)
        ends = (lengths + 1).tolist()
        heads, labels = ([own[:end] for own, end in zip(part.tolist(), ends, strict=True)] for part in kept)
        return cls(**known, kept=kept, oracle=oracle(guide.system, Gold(heads, labels)))

    def scored(self, c: Configuration, legal: Bools) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        keys, scores = LearnedGuide.scored(self, c, legal)
        assert self.kept is not None
        given = np.flatnonzero((self.kept.heads >= 0).any(axis=1))
        rows = np.flatnonzero(np.isin(c.origin // c.width, given))
        if rows.size:
            own = c.at(rows)
            costs = wrong_arcs(self.system, own, self.kept, self.inventory)
            if self.oracle is not None:
                costs += self.oracle.class_costs(own, legal[rows], self.inventory)
            costs[np.isneginf(scores[rows])] = np.iinfo(np.int64).max
            scores[rows] = np.where(costs > costs.min(axis=1, keepdims=True), np.float32(-np.inf), scores[rows])
        return keys, scores


def wrong_arcs(system: TransitionSystem, c: Configuration, kept: KeptArcs, inventory: Ints) -> Ints:
    """int64 (rows, classes): 1 for transitions that give a word another head or label than the given one."""
    wrong = np.zeros((len(c), len(inventory)), dtype=np.int64)
    for move, (head, dependent) in system.arcs(c).items():
        classes = np.flatnonzero(inventory[:, 0] == system.moves.index(move))
        given, label = (part.ravel()[c.origin + dependent][:, None] for part in kept)
        other = (label != NONE) & (label != inventory[classes, 1])
        wrong[:, classes] = (given != NONE) & (dependent > 0)[:, None] & ((given != head[:, None]) | other)
    return wrong
