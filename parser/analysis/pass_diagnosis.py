"""What the passes of a three-step parser did: the trees of its first step, and pairs refused because of cycles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Bools, Configuration, Ints
from ...transitions.three_step import ValencyPass
from ..models.greedy_parser import GreedyParser
from ..models.transition_model import ParserModel
from ..search.greedy import DerivedTrees
from ..search.passes import derive_stages
from ..search.stage import Columns, Stage
from ..treebank import Sentence

__all__ = ["RefusedCycles", "first_step", "refused_cycles"]


@dataclass(frozen=True, slots=True)
class RefusedCycles:
    """How often pairs were not permissible because they would close a cycle.

    steps: at how many steps a waiting valency could not be paired because its word is above the current one. wanted:
    at how many of these the guide scored that pair best, so that the refusal changed what was done.
    """

    steps: int = 0
    wanted: int = 0


def first_step(model: ParserModel, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The trees of the first step: projective ones, with anchors in place of non-projective arcs."""
    return GreedyParser(replace(model, stages=model.stages[:1])).parse(sentences)


def refused_cycles(model: ParserModel, sentences: Iterable[Sentence]) -> dict[str, RefusedCycles]:
    """For each pass what the acyclicity of the tree refused in parsing ``sentences``."""
    parser = _WatchedParser(model)
    for _ in parser.parse(sentences):
        pass
    return parser.refused


class _WatchedParser(GreedyParser):
    def __init__(self, model: ParserModel) -> None:
        super().__init__(model)
        self.refused = {stage.system.name: RefusedCycles() for stage in model.stages[1:]}

    def _derive(self, lengths: NDArray[np.integer], columns: Mapping[str, np.ndarray]) -> DerivedTrees:
        watchers = [_Watcher(stage, columns) for stage in self.model.stages[1:]]
        derivation = derive_stages(self.model.stages, lengths, columns, watchers)
        for watcher in watchers:
            name = watcher.stage.system.name
            old = self.refused[name]
            self.refused[name] = RefusedCycles(old.steps + watcher.steps, old.wanted + watcher.wanted)
        return derivation


@dataclass(slots=True)
class _Watcher:
    stage: Stage
    columns: Columns
    steps: int = 0
    wanted: int = 0

    def __call__(self, c: Configuration, moves: Ints, labels: Ints, unguided: Bools) -> None:
        system, inventory = self.stage.system, self.stage.inventory
        assert isinstance(system, ValencyPass)
        rows = np.flatnonzero(system.cyclic(c).any(axis=1))
        if not rows.size:
            return
        self.steps += len(rows)
        view = c.at(rows)
        is_pair = inventory[:, 0] == system.moves.index(system.pair)
        label = np.maximum(inventory[:, 1], 0)
        refused = is_pair & system.cyclic(view)[:, label]
        allowed = np.where(is_pair, system.pairable(view)[:, label], system.legal(view)[:, inventory[:, 0]])
        scores = self.stage.guide.scores(self.stage.extractor.keys(view, self.columns))
        best = np.argmax(np.where(refused | allowed, scores, -np.inf), axis=1)
        self.wanted += int(refused[np.arange(len(rows)), best].sum())
