"""An observer that records the derivation of one sentence for drawing, with judgements and reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....features.decode import decode_key, value_text
from ....oracles.dynamic import DynamicOracle
from ....oracles.oracle import Gold
from ....transitions.configuration import NONE, Bools, Configuration
from ....transitions.step import Decision, DerivationStep
from ....transitions.system import TransitionSystem
from ....transitions.valencies import TreeConfiguration
from ...learners.learner import Contribution
from ...models.transition_model import TransitionModel
from ...search.greedy import DerivedTrees, Fallback, Guide, derive
from ...search.stage import Stage
from ...treebank.symbols import FIRST_KNOWN, NO_NODE, ROOT_NODE
from ...treebank.tree import Tree
from ..drawing.derivation import FINISH, DrawnStep, Option, Snapshot

FEATURES = 8
NEIGHBOURS = 5
OPTIONS = 6


def transition_name(system: TransitionSystem, move: int, label: int, names: Sequence[str]) -> str:
    """Return a transition as text: its move, and its label if it has one. names: names of labels by number."""
    move_type = system.moves[move]
    name = names[label] if move_type.labelled and label != NONE else ""
    return f"{move_type}({name})" if name else str(move_type)


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
        contributions = self.stage.learner.contributions(keys, winner, others[0])[:FEATURES] if others else []
        return tuple((contribution.value, self._feature(contribution, keys)) for contribution in contributions)

    def name(self, number: int) -> str:
        """Return the transition of a class."""
        move, label = self.stage.inventory[number].tolist()
        return transition_name(self.stage.system, move, label, self.model.labels)

    def neighbours(self, decision: Decision) -> tuple[tuple[float, str], ...]:
        """Return (distance, transition taken there) for the nearest stored instances of a memory-based learner."""
        if decision.keys is None:
            return ()
        described = []
        for distance, counts in self.stage.learner.examples(decision.keys[0], NEIGHBOURS):
            votes = sorted(((count, number) for number, count in counts.items()), reverse=True)
            described.append((distance, ", ".join(f"{self.name(number)} {count}" for count, number in votes)))
        return tuple(described)

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


Transition = tuple[int, int]
"""The numbers of a move and a label."""
Judgement = tuple[Transition | None, int | None, list[int | None]]
"""The right transition, the cost of the one that is taken, and those of the possible ones; see :class:`Judge`."""


class Judge:
    """Base class of judges of the transitions of one derivation by the gold tree. Without one, it gives no judgements.

    A judge is called once for each step, with the configuration, its permissible moves, the transition that is taken
    and the possible ones. It returns the right transition, the cost of the one that is taken, and those of the possible
    ones. A cost is the number of gold arcs that become unreachable; None if unknown or expensive to compute.
    """

    def __call__(self, c: Configuration, legal: Bools, taken: Transition, possible: Sequence[Transition]) -> Judgement:
        return None, None, [None] * len(possible)

    def labels(self, c: Configuration) -> Mapping[int, int]:
        """Return the correct label of each move, by its number, if known."""
        return {}


class DynamicJudge(Judge):
    """Judges by a dynamic oracle. A wrong label on a gold arc costs 1.

    Costs are relative to the cheapest permissible transition, because crossing gold arcs may make some losses
    unavoidable.
    """

    def __init__(self, pricing: DynamicOracle) -> None:
        self._pricing = pricing

    def labels(self, c: Configuration) -> Mapping[int, int]:
        return dict(enumerate(self._pricing.labels(c)[0][0].tolist()))

    def __call__(self, c: Configuration, legal: Bools, taken: Transition, possible: Sequence[Transition]) -> Judgement:
        best = self._pricing.decide(c, legal)
        costs = self._pricing.costs(c, legal)[0]
        labels, gold = self._pricing.labels(c)
        cost, *others = [
            int(costs[move] - costs.min()) + int(gold[0, move] and label != labels[0, move])
            for move, label in (taken, *possible)
        ]
        return (int(best.moves[0]), int(best.labels[0])), cost, [*others]


class StaticJudge(Judge):
    """Judges by a static oracle until the first error; gives no judgements after it.

    The cost of a transition is the number of gold arcs that are lost if the oracle continues after it. It is 0 if the
    transition leads to the same tree.
    """

    def __init__(self, system: TransitionSystem, oracle: Guide, gold: Gold, fallback: Fallback) -> None:
        self._system = system
        self._oracle = oracle
        self._gold = gold
        self._fallback = fallback
        self._silent = False

    def __call__(self, c: Configuration, legal: Bools, taken: Transition, possible: Sequence[Transition]) -> Judgement:
        if self._silent:
            return super().__call__(c, legal, taken, possible)
        decision = self._oracle.decide(c, legal)
        best = (int(decision.moves[0]), int(decision.labels[0])) if decision.moves[0] != NONE else None
        cost = 0
        if best != taken:
            after = c.compact()
            self._system.advance(after, np.array(taken[:1]), np.array(taken[1:]))
            cost = max(0, self._reached(c.compact()) - self._reached(after))
        self._silent = cost > 0
        return best, cost, [None] * len(possible)

    def _reached(self, c: Configuration) -> int:
        """Return the number of gold arcs in the tree that the oracle builds from a configuration."""
        derived = derive(self._system, self._oracle, c, self._fallback)
        right = (derived.heads == self._gold.heads) & (derived.deprels == self._gold.deprels)
        return int(np.count_nonzero(right & (self._gold.heads != NONE)))


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
        self._reasons = reasons
        self._waiting: tuple[tuple[int, str], ...] = ()  # node and label of each valency in θ
        self._after: Configuration | None = None  # the configuration after the last step
        self.steps: list[DrawnStep] = []
        self.end = Snapshot((), (), Tree([NONE], [""]))

    def __call__(self, step: DerivationStep) -> None:
        c, taken = step.c, (int(step.moves[0]), int(step.labels[0]))
        self._after = c.compact()
        self.system.advance(self._after, step.moves, step.labels)
        possible = self._possible(step)
        best, cost, costs = self._judge(c, step.legal, taken, [option[:2] for option in possible])
        told = None if step.unguided[0] else self._reasons
        self.steps.append(
            DrawnStep(
                system=self.system.name,
                before=self._snapshot(c),
                transition=self._name(*taken),
                by_default=bool(step.unguided[0]),
                options=tuple(
                    Option(self._name(*option[:2]), *option[2:], price)
                    for option, price in zip(possible, costs, strict=True)
                ),
                reasons=told.against_runner_up(step.decision) if told else (),
                neighbours=told.neighbours(step.decision) if told else (),
                oracle=self._name(*best) if best else "",
                cost=cost,
            )
        )

    def finish(self, c: Configuration, derived: DerivedTrees) -> None:
        """End the recording of the derivation that began with ``c`` and produced these trees."""
        n = int(c.lengths[0])
        labels = ["", *(self._label(number) for number in derived.deprels[0, 1 : n + 1].tolist())]
        last = self._snapshot(c if self._after is None else self._after)
        self.end = replace(last, tree=Tree([NONE, *derived.heads[0, 1 : n + 1].tolist()], labels))
        if last.tree != self.end.tree:
            self.steps.append(DrawnStep(self.system.name, last, FINISH, by_default=True))

    def _possible(self, step: DerivationStep) -> Sequence[tuple[int, int, float | None, float | None]]:
        """Return (move, label, score, confidence) of the best transitions by the learner's scores, or of all."""
        if self._reasons is not None and step.decision.scores is not None:
            return self._reasons.options(step.decision.scores)
        labels = {**self._judge.labels(step.c), int(step.moves[0]): int(step.labels[0])}
        return [(move, labels.get(move, NONE), None, None) for move in np.flatnonzero(step.legal[0]).tolist()]

    def _snapshot(self, c: Configuration) -> Snapshot:
        size = int(c.stack_size[0])
        if isinstance(c, TreeConfiguration):
            waiting = [(node, self._names[label]) for node, label in c.waiting()]
            kept = [valency for valency in self._waiting if valency in waiting]
            new = [valency for valency in waiting if valency not in kept]
            self._waiting = (*kept, *new)  # in the order in which they were put
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
