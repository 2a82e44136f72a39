"""The greedy driver: a guide, either an oracle or a learner, takes a batch to terminal configurations."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import NONE, Bools, Configuration, Ints
from ...transitions.step import Decision, DerivationStep, Observer
from ...transitions.system import TransitionSystem
from ..base.errors import CrossarcError

Floats = NDArray[np.float64]
"""Margins of the words of a batch (float64, (B, width)): infinity without another permissible transition, 0 for words
that a default transition or the end of the derivation attached."""

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


class DerivationError(CrossarcError):
    """A system or a guide that violates a rule of derivations.

    sentence: number of the sentence in its batch
    """

    def __init__(self, message: str, sentence: int) -> None:
        super().__init__(message)
        self.sentence = sentence


@contextmanager
def naming_sentences(names: Sequence[str]) -> Iterator[None]:
    """Add the name of the sentence to errors of derivations. names: names of the sentences of the batch."""
    try:
        yield
    except DerivationError as error:
        raise CrossarcError(f"{names[error.sentence]}: {error}") from error


def check_steps(system: TransitionSystem, c: Configuration, steps: int) -> None:
    """Raise DerivationError if running derivations of the batch ``c`` exceed the bound of the system.

    steps: number of transitions that each has taken
    """
    if len(c) and steps >= (most := system.max_transitions(int(c.lengths.max()))):
        raise DerivationError(
            f"{system.name}: a derivation has not ended after {most} transitions, the bound max_transitions; "
            "correct terminal, permissible, apply or the bound",
            int(c.origin[0]) // c.width,
        )


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
    Raises DerivationError if a derivation exceeds the bound of the system, has no permissible transition, or if the
    system or the guide fails.
    """
    batch = len(c)
    heads, deprels = np.full((2, batch, c.width), NONE)
    derived = DerivedTrees(heads, deprels, np.zeros(batch, dtype=np.int64))
    steps = 0
    while len(c):
        try:
            if parse_batch is not None:
                taken = np.zeros(len(c), dtype=np.int64)
                parse_batch = None if parse_batch(c, taken) else parse_batch
                derived.defaults[c.origin // c.width] += taken
            running = ~system.terminal(c)
            if running.mean() < COMPACT_BELOW:
                _finish(system, c.at(~running), fallback, derived)
                c = c.at(running).compact()
                continue
            live = c.at(running)
            check_steps(system, live, steps)
            _take_step(system, guide, live, observe, derived.defaults)
            steps += 1
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise _failure(system, guide, c, error) from error
    return derived


def _take_step(
    system: TransitionSystem, guide: Guide, live: Configuration, observe: Observer | None, defaults: Ints
) -> None:
    """Take one transition in each row; defaults: int64 (B,), numbers of default transitions, which are increased."""
    legal = system.legal(live)
    decision = guide.decide(live, legal)
    moves, labels = decision.moves, decision.labels
    unguided = (moves < 0) | ~legal[np.arange(len(live)), moves]
    if system.label_dependent:
        unguided |= ~system.legal_labels(live, moves, labels)
    if unguided.any():
        moves = np.where(unguided, system.default(legal), moves)
        labels = np.where(unguided, NONE, labels)
        if (stuck := ~legal[np.arange(len(live)), moves]).any():
            raise DerivationError(
                f"{system.name}: a configuration that is not terminal has no permissible move in default_moves",
                int(live.origin[stuck][0]) // live.width,
            )
        defaults[live.origin[unguided] // live.width] += 1
    if observe is not None:
        observe(DerivationStep(live, legal, moves, labels, unguided, decision))
    system.advance(live, moves, labels)


def _finish(system: TransitionSystem, done: Configuration, fallback: Fallback, derived: DerivedTrees) -> None:
    system.finish(done, fallback.root_label, fallback.orphan_label)
    rows = done.origin // done.width
    derived.heads[rows], derived.deprels[rows] = done.heads_matrix(), done.deprels_matrix()


def _failure(system: TransitionSystem, guide: Guide, c: Configuration, error: Exception) -> DerivationError:
    """Name the rule that failed, and the first sentence of ``c`` in which the system or the guide fails alone."""
    sentence = int(c.origin[0]) // c.width
    for row in range(len(c)):
        one = c.at(np.array([row]))
        try:
            if not system.terminal(one).all():
                guide.decide(one, system.legal(one))
        except type(error):
            sentence = int(one.origin[0]) // one.width
            break
    place = traceback.extract_tb(error.__traceback__)[-1]
    return DerivationError(
        f"{system.name}: {type(guide).__name__}: {type(error).__name__} {error} in {place.name} "
        f"({Path(place.filename).name}, line {place.lineno})",
        sentence,
    )


def record_margins(system: TransitionSystem, margins: Floats, step: DerivationStep) -> None:
    """Store the margin of each word's arc in ``margins``. All passes of a parser share one matrix."""
    scores = step.decision.scores
    assert scores is not None
    ahead = np.where(step.unguided, 0.0, lead(scores, np.argmax(scores, axis=1)))
    store(margins, step.sentences, system, step.c, step.moves, ahead)


def lead(scores: NDArray[np.floating], chosen: Ints) -> Floats:
    """The score of the chosen class of each row minus the best other one (float64, (rows,)); 0 if both are -inf."""
    rows = np.arange(len(chosen))
    taken, others = scores[rows, chosen], scores.copy()
    others[rows, chosen] = -np.inf
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(taken - others.max(axis=1), nan=0.0, posinf=np.inf).astype(np.float64)


def store(margins: Floats, rows: Ints, system: TransitionSystem, c: Configuration, moves: Ints, ahead: Floats) -> None:
    """Store the margins of the words that these transitions attach.

    rows: row of ``margins`` for each configuration (int64, (configurations,)).
    ahead: margin of each transition (float64, (configurations,)).
    """
    for move, (_, dependent) in system.arcs(c).items():
        attached = np.flatnonzero(moves == system.moves.index(move))
        margins[rows[attached], dependent[attached]] = ahead[attached]
