"""A derivation for drawing: its configurations, and the alternatives and costs of its transitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...transitions.configuration import NONE
from ..treebank.tree import Tree

FINISH = "(attaching what is left)"
"""Stands for a transition: at the end of a derivation, words without a head and arcs without a label get one."""


@dataclass(frozen=True, slots=True)
class Valency:
    """A valency in the list θ of the three-step passes (Lacroix & Béchet 2014): a word waits for a head ahead."""

    node: int
    label: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A configuration as plain data.

    stack: its top last. buffer: its first node first. aside: a further list: Covington's λ2, the node put aside last
    first, or the inactive stack of 2-planar parsing, its top last. names: of the stack and of the further list, "" for
    none. waiting: θ, the valency put last at the end. tree: the arcs so far, head -1 and deprel "" for none.
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    tree: Tree
    aside: tuple[int, ...] = ()
    names: tuple[str, str] = ("stack", "")
    waiting: tuple[Valency, ...] = ()

    def lists(self) -> list[tuple[str, Sequence[int]]]:
        """The lists of nodes with their names."""
        stack, aside = self.names
        further = [(aside, self.aside)] if aside else []
        return [(stack, self.stack), *further, ("buffer", self.buffer)]


@dataclass(frozen=True, slots=True)
class Option:
    """A permissible transition: its score, its confidence from 0 to 1, and how many gold arcs it makes unreachable.

    Unknown values are None.
    """

    transition: str
    score: float | None = None
    confidence: float | None = None
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A configuration and the transition that was taken there.

    system: the transition system or pass. by_default: whether nothing that was predicted was permissible. options:
    transitions that could be taken, the best first. reasons: how much each feature spoke for the transition against the
    runner-up, the largest amounts first. neighbours: of a memory-based learner the distances of the nearest stored
    instances, with what was done there. oracle: the transition of an oracle that knows the gold tree, "" if unknown.
    cost: the number of gold arcs that the transition makes unreachable, None if unknown.
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
    """The derivation of one sentence: by an oracle, or by a parser.

    name: of the system or the model. forms: the n words in the order in which the derivation meets them. order: the
    place of each word in the projective order of the gold tree, for systems that reorder words. end: the last
    configuration. gold: the tree that should come out, if it is known.
    """

    name: str
    forms: Sequence[str]
    steps: tuple[DrawnStep, ...]
    end: Snapshot
    gold: Tree | None = None
    order: Sequence[int] = field(default=())

    def form(self, node: int) -> str:
        """The word of a node."""
        return self.forms[node - 1] if node else "ROOT"

    def heading(self, count: int) -> str:
        """The number of transitions taken, the last of them, and whether it was the first error."""
        last = self.steps[count - 1].transition if count else "initial configuration"
        return f"{count}  {last}{'  (first error)' if first_error(self.steps) == count - 1 else ''}"

    def snapshot(self, number: int) -> Snapshot:
        """The configuration after this number of transitions."""
        return self.end if number == len(self.steps) else self.steps[number].before


def first_error(steps: Sequence[DrawnStep]) -> int | None:
    """The number, from 0, of the first step that is known to make a gold arc unreachable; None if there is none."""
    return next((number for number, step in enumerate(steps) if step.cost), None)


def new_arcs(before: Snapshot, after: Snapshot) -> list[int]:
    """The words whose arc a step has added or changed."""
    pairs = zip(before.tree.heads, before.tree.deprels, after.tree.heads, after.tree.deprels, strict=True)
    return [word for word, (head, label, now, name) in enumerate(pairs) if (head, label) != (now, name) and now != NONE]


def moved_back(snapshot: Snapshot) -> set[int]:
    """The nodes of the buffer that SWAP has moved there: some node before them is to their right in the sentence."""
    found = set()
    furthest = max(snapshot.stack, default=0)
    for node in snapshot.buffer:
        if node < furthest:
            found.add(node)
        furthest = max(furthest, node)
    return found
