"""Beam search: the best partial derivations of each sentence, kept side by side (Zhang & Clark 2008).

A beam of k for a batch of sentences is a batch of k configurations per sentence.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...transitions.arrays import ranks
from ...transitions.configuration import NONE, Bools, Configuration, Ints
from ...transitions.system import TransitionSystem
from .greedy import check_steps, lead, store
from .learned_guide import LearnedGuide

STAY = NONE
"""Instead of a class: a derivation that has ended stays as it is, and one that no class leads on from takes the
default transition."""


class Beam:
    """The best partial derivations of the sentences of a batch.

    c: their configurations, sentence by sentence, the best first
    sentence: int64 (rows,), numbers of their sentences in the batch
    score: float64 (rows,), sums of the scores of their transitions
    defaults: int64 (rows,), numbers of default transitions
    inventory: int64 (classes, 2), move and label of each class
    margins: float64 (rows, width), the margins of the words, or (rows, 0); :func:`search` fills them
    """

    def __init__(
        self,
        system: TransitionSystem,
        c: Configuration,
        inventory: Ints,
        width: int,
        threshold: float = np.inf,
        complete: bool = False,
    ) -> None:
        """Begin a beam of ``width`` with one initial configuration per sentence.

        threshold, complete: see :func:`search`.
        """
        self.system = system
        self.inventory = inventory
        self.width, self.threshold, self.complete = width, threshold, complete
        self.c = c
        self.sentences = len(c)
        self.sentence = np.arange(len(c))
        self.score = np.zeros(len(c))
        self.defaults = np.zeros(len(c), dtype=np.int64)
        self.running = np.flatnonzero(~system.terminal(c))
        self.margins = np.zeros((len(c), 0))
        self._steps = 0

    @property
    def live(self) -> Configuration:
        """The configurations that are not terminal: those of the rows ``running``.

        Raises DerivationError if they have exceeded the bound of the system.
        """
        live = self.c.at(self.running)
        check_steps(self.system, live, self._steps)
        return live

    def ranked(self) -> tuple[Ints, NDArray[np.float64]]:
        """Return the rows of each sentence, the best first, int64 (sentences, width), and their scores, float64.

        If a sentence has fewer rows, its best row is repeated with a score of minus infinity.
        """
        place = ranks(self.sentence)
        rows = np.repeat(np.flatnonzero(place == 0)[:, None], self.width, axis=1)
        scores = np.full(rows.shape, -np.inf)
        rows[self.sentence, place], scores[self.sentence, place] = np.arange(len(place)), self.score
        return rows, scores

    def extend(self, legal: Bools, scores: NDArray[np.floating]) -> tuple[Ints, Ints]:
        """Keep the best extensions of each sentence's derivations; ties go to the extension of the better derivation.

        legal: bool (running rows, moves), the permissible moves
        scores: (running rows, classes), the score of each transition; minus infinity where it is not permissible

        Return for each row after the step, int64 (rows,), the row before that it extends, and the class that was taken,
        or :data:`STAY`.
        """
        stuck = np.isneginf(scores).all(axis=1)
        staying = np.ones(len(self.c), dtype=np.bool_)
        staying[self.running] = stuck
        totals = scores + self.score[self.running, None]
        best = np.where(staying, self.score, -np.inf)
        best[self.running[~stuck]] = totals[~stuck].max(axis=1)
        least = self._least(best)
        row, chosen = np.nonzero((totals >= least[self.running, None]) & (totals > -np.inf))
        stays = np.flatnonzero(staying & (best >= least))
        score = np.concatenate([totals[row, chosen], self.score[stays]])
        parent = np.concatenate([self.running[row], stays])
        chosen = np.concatenate([chosen, np.full(len(stays), STAY)])
        order = np.lexsort((parent, -score, self.sentence[parent]))
        kept = order[ranks(self.sentence[parent[order]]) < self.width]
        parent, chosen = parent[kept], chosen[kept]
        self.score, self.sentence = score[kept], self.sentence[parent]
        self.defaults[self.running[stuck]] += 1
        self.defaults = self.defaults[parent]
        self._advance(parent, chosen, legal, staying)
        return parent, chosen

    def _least(self, best: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64 (rows,): a lower bound for the scores of extensions that can stay in the beam of their sentence.

        best: float64 (rows,), the best score of an extension of each row

        If the beam of a sentence is full, the bound is the lowest of its best scores, since enough extensions reach it.
        """
        first = np.searchsorted(self.sentence, np.arange(self.sentences))
        full = np.diff(np.append(first, len(self.c))) == self.width
        filled = np.where(full, np.minimum.reduceat(best, first), -np.inf)
        return np.maximum(filled, np.maximum.reduceat(best, first) - self.threshold)[self.sentence]

    def _advance(self, parent: Ints, chosen: Ints, legal: Bools, staying: Bools) -> None:
        defaults = np.full(len(self.c), NONE)
        defaults[self.running] = self.system.default(legal)
        taken = np.concatenate([self.inventory, [[NONE, NONE]]])[chosen]  # STAY is the last one
        moves = np.where(staying[parent], defaults[parent], taken[:, 0])
        self.c = self.c.at(parent).compact()
        self._steps += 1
        self.system.advance(self.c, moves, taken[:, 1])
        self.running = np.flatnonzero(~self.system.terminal(self.c))


def search(
    system: TransitionSystem,
    guide: LearnedGuide,
    c: Configuration,
    width: int,
    margins: bool = False,
    threshold: float = np.inf,
    finish: Callable[[LearnedGuide, Beam], bool] | None = None,
    complete: bool = False,
) -> Beam:
    """Return the beam of ``width`` after all derivations of the sentences of ``c``, a fresh batch, have ended.

    margins: whether to record the margins of the words
    threshold: difference of scores by which derivations may fall behind the best one of their sentence
    finish: function that may finish the beam, see :meth:`.compiled.loading.LoadedLoop.finish`; it is called before each
        step
    complete: whether the scores of a beam of 2 or more are the sums over all transitions; otherwise those may be
        missing that change no order
    """
    beam = Beam(system, c, guide.inventory, width, threshold, complete)
    if margins:
        beam.margins = np.zeros((len(c), c.width))
    while beam.running.size:
        if finish is not None and finish(guide, beam):
            finish = None
            continue
        live = beam.live
        legal = system.legal(live)
        scores = guide.scored(live, legal)[1]
        running = beam.running
        parent, chosen = beam.extend(legal, guide.learner.additive(scores))
        beam.margins = beam.margins[parent]
        if margins:
            taken = np.flatnonzero(chosen != STAY)
            before, chosen = np.searchsorted(running, parent[taken]), chosen[taken]
            ahead = lead(scores[before], chosen)
            store(beam.margins, taken, system, live.at(before), guide.inventory[chosen, 0], ahead)
    return beam
