"""A derivation to be drawn: its configurations, and the alternatives and costs of its transitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate

from ....transitions.configuration import NONE
from ...treebank.tree import Tree

FINISH = "(attaching what is left)"
"""Name of the last step of a derivation, which attaches words without a head and labels arcs without a label."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A configuration as plain data.

    stack: nodes, with the top last.
    buffer: nodes, with the first node first.
    aside: nodes of an additional list: Covington's λ2, most recent node first, or the inactive stack of 2-planar
        parsing, with the top last.
    names: names of the stack and of the additional list, "" for none.
    waiting: θ of the three-step passes (Lacroix & Béchet 2014): words that wait for a head ahead, with their labels,
        the most recent valency last.
    tree: arcs so far; head -1 and deprel "" for words without an arc.
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    tree: Tree
    aside: tuple[int, ...] = ()
    names: tuple[str, str] = ("stack", "")
    waiting: tuple[tuple[int, str], ...] = ()

    def lists(self) -> list[tuple[str, Sequence[int]]]:
        """Return the lists of nodes with their names."""
        stack, aside = self.names
        further = [(aside, self.aside)] if aside else []
        return [(stack, self.stack), *further, ("buffer", self.buffer)]


@dataclass(frozen=True, slots=True)
class Option:
    """A permissible transition. Unknown values are None.

    score: score by the learner.
    confidence: from 0 to 1.
    cost: number of gold arcs that the transition makes unreachable.
    """

    transition: str
    score: float | None = None
    confidence: float | None = None
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A configuration and the transition taken in it.

    system: transition system or pass.
    by_default: whether no transition of the learner was permissible, so that a default one was taken.
    options: possible transitions, best first.
    reasons: contribution of each feature to the score difference from the second-best transition, largest first.
    neighbours: for memory-based learners, distances of the nearest stored instances and the transitions taken there.
    oracle: transition of an oracle that knows the gold tree, "" if unknown.
    cost: number of gold arcs that the transition makes unreachable, None if unknown.
    """

    system: str
    before: Snapshot
    transition: str
    by_default: bool = False
    options: tuple[Option, ...] = ()
    reasons: tuple[tuple[float, str], ...] = ()
    neighbours: tuple[tuple[float, str], ...] = ()
    oracle: str = ""
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnDerivation:
    """The derivation of one sentence, by an oracle or by a parser.

    name: name of the system or the model.
    forms: the n words, in the order in which the derivation reads them.
    order: position of each word in the projective order of the gold tree, for systems that reorder words.
    end: the last configuration.
    gold: the gold tree, if known.
    lost: number of arcs of the gold tree that the oracle's derivation lacks.
    """

    name: str
    forms: Sequence[str]
    steps: tuple[DrawnStep, ...]
    end: Snapshot
    gold: Tree | None = None
    order: Sequence[int] = field(default=())
    lost: int = 0

    @property
    def title(self) -> str:
        """The name, and the number of lost arcs."""
        return f"{self.name}{self._loss()}"

    def _repr_html_(self) -> str:
        """The configurations as a table, for notebooks: lists of nodes, the transition, its cost and the oracle's."""
        headings = ["", *(name for name, _ in self.snapshot(0).lists()), "transition", "cost", "oracle"]
        rows = []
        for number in range(len(self.steps) + 1):
            lists = [" ".join(map(self.form, nodes)) for _, nodes in self.snapshot(number).lists()]
            step = self.steps[number] if number < len(self.steps) else None
            said = ["", "", ""] if step is None else [step.transition, step.cost, step.oracle]
            cells = [number, *lists, *("" if value is None else value for value in said)]
            rows.append("".join(f"<td>{escape(str(cell))}</td>" for cell in cells))
        head = "".join(f"<th>{escape(name)}</th>" for name in headings)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>"

    def _loss(self) -> str:
        return f"  (tree not derived; missing arcs: {self.lost})" if self.lost else ""

    def form(self, node: int) -> str:
        """Return the word of a node."""
        return self.forms[node - 1] if node else "ROOT"

    def heading(self, count: int) -> str:
        """Return the number of transitions taken, the last of them, and whether it was the first error."""
        last = self.steps[count - 1].transition if count else "initial configuration"
        wrong = "  (first error)" if first_error(self.steps) == count - 1 else ""
        return f"{count}  {last}{wrong}{self._loss() if count == len(self.steps) else ''}"

    def snapshot(self, number: int) -> Snapshot:
        """Return the configuration after this number of transitions."""
        return self.end if number == len(self.steps) else self.steps[number].before


def first_error(steps: Sequence[DrawnStep]) -> int | None:
    """Return the number, from 0, of the first step that is known to make a gold arc unreachable, or None."""
    return next((number for number, step in enumerate(steps) if step.cost), None)


def new_arcs(before: Snapshot, after: Snapshot) -> list[int]:
    """Return the words whose arc a step has added or changed."""
    pairs = zip(before.tree.heads, before.tree.deprels, after.tree.heads, after.tree.deprels, strict=True)
    return [word for word, (head, label, now, name) in enumerate(pairs) if (head, label) != (now, name) and now != NONE]


def moved_back(snapshot: Snapshot) -> set[int]:
    """Return the buffer nodes that SWAP moved back: an earlier buffer node is to their right in the sentence."""
    furthest = accumulate(snapshot.buffer, max, initial=max(snapshot.stack, default=0))
    return {node for node, before in zip(snapshot.buffer, furthest, strict=False) if node < before}
