"""The greedy driver: a guide, either an oracle or a learner, takes a batch to terminal configurations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...transitions.configuration import NONE, Bools, Configuration, Ints
from ...transitions.step import Decision, Observer, Step
from ...transitions.system import TransitionSystem

COMPACT_BELOW = 0.75
"""The share of unfinished rows below which finished ones leave the batch."""


class Guide(Protocol):
    """A guide: an oracle with access to the gold trees, or a learner with features."""

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """Decide for each row; ``legal`` is the matrix of permissible moves, bool (rows, moves)."""


BatchParser = Callable[[Configuration, Ints], bool]
"""Function that either takes all configurations of a batch to terminal ones and returns True, or returns False. It adds
to the numbers of default transitions, int64 (rows,).
"""


@dataclass(frozen=True, slots=True)
class Fallback:
    """The labels of arcs that no guide has labelled: from node 0, and from all other nodes."""

    root_label: int
    orphan_label: int


@dataclass(frozen=True, slots=True)
class DerivedTrees:
    """The trees of a batch.

    heads, deprels: int64 (B, width), -1 outside the words
    defaults: int64 (B,), the number of default transitions of each sentence
    """

    heads: Ints
    deprels: Ints
    defaults: Ints


def derive(
    system: TransitionSystem,
    guide: Guide,
    c: Configuration,
    fallback: Fallback,
    observe: Observer | None = None,
    parse_batch: BatchParser | None = None,
) -> DerivedTrees:
    """Parse the sentences of ``c``, a fresh batch, deterministically (Kuhlmann & Nivre 2010, section 2.3).

    parse_batch: function that may finish the batch; it is called before each step

    The default transition is taken if the guide predicts no permissible transition. Its arcs are labelled at the end.
    """
    batch = len(c)
    heads = np.full((batch, c.width), NONE)
    deprels = np.full((batch, c.width), NONE)
    defaults = np.zeros(batch, dtype=np.int64)
    while len(c):
        if parse_batch is not None:
            taken = np.zeros(len(c), dtype=np.int64)
            parse_batch = None if parse_batch(c, taken) else parse_batch
            defaults[c.origin // c.width] += taken
        running = ~system.terminal(c)
        if running.mean() < COMPACT_BELOW:
            done = c.at(~running)
            system.finish(done, fallback.root_label, fallback.orphan_label)
            rows = done.origin // c.width
            heads[rows], deprels[rows] = done.heads_matrix(), done.deprels_matrix()
            c = c.at(running).compact()
            continue
        live = c.at(running)
        legal = system.legal(live)
        decision = guide.decide(live, legal)
        moves, labels = decision.moves, decision.labels
        unguided = (moves < 0) | ~legal[np.arange(len(live)), moves]
        if system.label_dependent:
            unguided |= ~system.legal_labels(live, moves, labels)
        if unguided.any():
            moves = np.where(unguided, system.default(legal), moves)
            labels = np.where(unguided, NONE, labels)
            defaults[live.origin[unguided] // live.width] += 1
        if observe is not None:
            observe(Step(live, legal, moves, labels, unguided, decision))
        system.advance(live, moves, labels)
    return DerivedTrees(heads, deprels, defaults)
