"""Two ways of comparing candidates: races over growing training sets, and greedy changes one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...base.progress import Progress
from .trial import Candidate, Outcome, better
from .trials import Trials

MARGIN = 1.2
"""Factor of reserved over estimated time."""


class Option(NamedTuple):
    """A candidate, and a short description of its difference."""

    name: str
    candidate: Candidate


class Change(NamedTuple):
    """A named group of templates to remove or add."""

    name: str
    templates: tuple[str, ...]
    adds: bool

    def applied(self, candidate: Candidate) -> Candidate:
        left = [line for line in candidate.templates if self.adds or line not in self.templates]
        added = [line for line in self.templates if line not in left] if self.adds else []
        return Candidate(candidate.config, (*left, *added))

    def halves(self) -> list[Change]:
        """The change in two halves; empty if it consists of one template."""
        middle = len(self.templates) // 2
        parts = (self.templates[:middle], self.templates[middle:])
        return [Change(_named(self.name, part), part, self.adds) for part in parts] if middle else []


@dataclass(frozen=True, slots=True)
class Row:
    """A comparison in the report.

    sentences: number of training sentences
    base: the outcome that it was compared with
    templates, base_templates: numbers of templates
    """

    phase: str
    name: str
    sentences: int
    outcome: Outcome
    base: Outcome
    templates: int
    base_templates: int
    kept: bool = False

    @property
    def gain(self) -> float:
        """Difference of LAS to the base."""
        return self.outcome.las - self.base.las


@dataclass(slots=True)
class Search:
    """The best candidate so far, and the comparisons that led to it.

    steps: steps of the training sets from the smallest to the whole, see :class:`~.trials.Trials`; the last is 1
    ranked: the options of the last race by their outcomes on the smallest training set, the best first
    reserved: seconds held back, see :meth:`reserve`
    """

    trials: Trials
    best: Candidate
    steps: tuple[int, ...]
    progress: Progress
    rows: list[Row] = field(default_factory=list)
    ranked: list[Option] = field(default_factory=list)
    reserved: float = 0.0

    def reserve(self, candidates: Sequence[Candidate]) -> None:
        """Hold back time for trials of the candidates on all training sets, if there is enough; it stays reserved."""
        needed = MARGIN * sum(self.trials.estimate(own, step) for own in candidates for step in self.steps)
        self.reserved = 0.0
        self.reserved = needed if needed < self._left(1.0) else 0.0

    def race(self, phase: str, options: Sequence[Option], share: float, finalists: int = 2) -> bool:
        """Compare options on growing training sets, from which only the best advance.

        share: share of the budget that may be used by the end of the race
        finalists: number of options that are trained on the whole training set

        Returns whether an option is the new best: it must win on the whole training set by more than the standard
        error.
        """
        left = list(options)
        for step in self.steps:
            last = step == 1
            whole = sorted((self.trials.estimate(own.candidate, 1) for own in left), reverse=True)
            reserved = 0.0 if last else sum(whole[:finalists])
            seconds = self._left(share) - reserved
            if not self.trials.run([self.best], step, self._left(share)):
                return False
            tried = self.trials.run([own.candidate for own in left], step, seconds)
            left = [own for own in left if own.candidate in tried]
            if not left:
                return False
            left.sort(key=lambda own: -self.trials.result(own.candidate, step).las)
            if step == self.steps[0]:
                self.ranked = left
            base = self.trials.result(self.best, step)
            winner = left[0] if last and better(self.trials.result(left[0].candidate, step), base) else None
            for own in left:
                self._row(phase, own, step, self.best, own is winner)
            if winner is not None:
                self.best = winner.candidate
                return True
            left = left[:finalists]
        return False

    def greedy(self, phase: str, changes: Sequence[Change], start: Candidate, share: float) -> Candidate:
        """Apply, one by one, the changes to ``start`` that help on the smallest training set.

        A change that neither helps nor hurts is divided into halves, which are tried separately. The caller compares
        the result on the whole training set by a race.
        """
        step = self.steps[0]
        current, waiting, undecided = start, list(changes), list[Change]()
        while waiting:
            if not self.trials.run([current], step, self._left(share)):
                return current
            base = self.trials.result(current, step)
            applied = {change: change.applied(current) for change in waiting}
            applied = {change: own for change, own in applied.items() if own.templates and own != current}
            tried = self.trials.run(list(applied.values()), step, self._left(share))
            done = [change for change, own in applied.items() if own in tried]
            outcomes = {change: self.trials.result(applied[change], step) for change in done}
            done.sort(key=lambda change: -outcomes[change].las)
            winner = done[0] if done and better(outcomes[done[0]], base) else None
            for change in done:
                verb = "with" if change.adds else "without"
                self._row(phase, Option(f"{verb} {change.name}", applied[change]), step, current, change is winner)
            open_ones = [own for own in done if own is not winner and not better(base, outcomes[own])]
            if winner is not None:
                current = applied[winner]
                waiting = [own for own in open_ones if outcomes[own].las > base.las]
                undecided += [own for own in open_ones if outcomes[own].las <= base.las]
            else:
                undecided += open_ones
                waiting = [half for own in undecided for half in own.halves()]
                undecided = []
            if len(done) < len(applied):
                return current
        return current

    def _left(self, share: float) -> float:
        """Seconds that trials may use until that share of the budget is reached.

        Reserved time and the time for writing results are excluded.
        """
        budget = self.trials.budget
        return min(budget.left(share), budget.left() - self.reserved - self.trials.closing(self.best))

    def _row(self, phase: str, option: Option, step: int, base: Candidate, kept: bool) -> None:
        outcome = self.trials.result(option.candidate, step)
        sentences = len(self.trials.data.train[::step])
        templates = len(option.candidate.templates), len(base.templates)
        row = Row(phase, option.name, sentences, outcome, self.trials.result(base, step), *templates, kept)
        self.rows.append(row)
        said = outcome.failure or f"LAS {outcome.las:.2f} ({row.gain:+.2f}){', taken' if kept else ''}"
        self.progress(f"{phase}: {option.name}, {sentences} sentences: {said}")


def _named(name: str, part: Sequence[str]) -> str:
    return part[0] if len(part) == 1 else f"{name.partition(' (')[0]} ({part[0]} and {len(part) - 1} more)"
