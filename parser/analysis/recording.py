"""An observer that records the derivation of one sentence for drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...transitions.configuration import NONE, Configuration
from ...transitions.step import Step
from ...transitions.system import TransitionSystem
from ...transitions.valencies import TreeConfiguration
from ..drawing.derivation import FINISH, DrawnStep, Option, Snapshot, Valency
from ..search.greedy import DerivedTrees
from ..treebank.tree import Tree
from .judging import Judge
from .reasons import Reasons, transition_name


class Recording:
    """Observes one sentence in one system or pass. ``steps`` are the transitions; ``end`` is the result.

    names: names of labels by number.
    reasons: explains the learner's decisions; None if an oracle decides.
    """

    def __init__(
        self, system: TransitionSystem, names: Sequence[str], judge: Judge, reasons: Reasons | None = None
    ) -> None:
        self.system = system
        self._names = names
        self._judge = judge
        self._waiting: tuple[Valency, ...] = ()
        self._reasons = reasons
        self._after: Configuration | None = None
        self.steps: list[DrawnStep] = []
        self.end = Snapshot((), (), Tree([NONE], [""]))

    def __call__(self, step: Step) -> None:
        c, move, label = step.c, int(step.moves[0]), int(step.labels[0])
        self._after = c.compact()
        self.system.advance(self._after, step.moves, step.labels)
        cost = self._judge.cost(c, step.legal, move, label)
        best = self._judge.best(c, step.legal)
        told = None if step.unguided[0] else self._reasons
        self.steps.append(
            DrawnStep(
                system=self.system.name,
                before=self._snapshot(c),
                transition=self._name(move, label),
                by_default=bool(step.unguided[0]),
                options=self._options(step),
                reasons=told.against_runner_up(step.decision) if told else (),
                neighbours=told.neighbours(step.decision) if told else (),
                oracle=self._name(*best) if best else "",
                cost=cost,
            )
        )
        self._judge.took(cost)

    def finish(self, c: Configuration, derived: DerivedTrees) -> None:
        """End the recording of the derivation that began with ``c`` and produced these trees."""
        n = int(c.lengths[0])
        labels = ["", *(self._label(number) for number in derived.deprels[0, 1 : n + 1].tolist())]
        last = self._snapshot(c if self._after is None else self._after)
        self.end = replace(last, tree=Tree([NONE, *derived.heads[0, 1 : n + 1].tolist()], labels))
        if last.tree != self.end.tree:
            self.steps.append(DrawnStep(self.system.name, last, FINISH, by_default=True))

    def _options(self, step: Step) -> tuple[Option, ...]:
        """Return the candidate transitions: the best by the learner's scores, or all permissible ones."""
        found: Sequence[tuple[int, int, float | None, float | None]]
        if self._reasons is not None and step.decision.scores is not None:
            found = self._reasons.options(step.decision.scores)
        else:
            labels = {**self._judge.labels(step.c), int(step.moves[0]): int(step.labels[0])}
            found = [(move, labels.get(move, NONE), None, None) for move in np.flatnonzero(step.legal[0]).tolist()]
        costs = self._judge.costs(step.c, step.legal, [(move, label) for move, label, *_ in found])
        return tuple(Option(self._name(*own[:2]), *own[2:], cost) for own, cost in zip(found, costs, strict=True))

    def _snapshot(self, c: Configuration) -> Snapshot:
        size = int(c.stack_size[0])
        if isinstance(c, TreeConfiguration):
            waiting = [Valency(node, self._names[label]) for node, label in c.waiting()]
            kept = [own for own in self._waiting if own in waiting]
            self._waiting = (*kept, *(own for own in waiting if own not in kept))  # in the order of insertion
            c = c.compact()
            c.settle()
        names, aside = ("stack", ""), [int(c.context(k)[0]) for k in range(int(c.context_size[0]))]
        if c.two_stacks:  # both lists are in the order of the words
            names, aside = ("active", "inactive"), np.flatnonzero(c.on_other_stack()[0]).tolist()
        elif any(move.name == "NO-ARC" for move in self.system.moves):
            names = ("λ1", "λ2")
        return Snapshot(
            stack=tuple(int(c.stack(k)[0]) for k in reversed(range(size))),
            buffer=tuple(int(c.buffer(k)[0]) for k in range(int(c.buffer_size[0]))),
            aside=tuple(aside),
            names=names,
            waiting=self._waiting,
            tree=self._tree(c),
        )

    def _tree(self, c: Configuration) -> Tree:
        n = int(c.lengths[0])
        labels = c.deprels_matrix()[0, : n + 1].tolist()
        return Tree(c.heads_matrix()[0, : n + 1].tolist(), list(map(self._label, labels)))

    def _name(self, move: int, label: int) -> str:
        return transition_name(self.system, move, label, self._names)

    def _label(self, number: int) -> str:
        return self._names[number] if number != NONE else ""
