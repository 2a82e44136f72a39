"""Configurations as plain lists, and values of feature templates computed from the definitions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from crossarc.features.address import Address
from crossarc.features.extractor import ColumnSize
from crossarc.features.template import Part, Template
from numpy.typing import NDArray

LABELS = 5
ATOMS = 3
SIZES = {
    "form": ColumnSize(9),
    "upos": ColumnSize(5),
    "feats": ColumnSize(3 + 4, ATOMS),
    "single": ColumnSize(3 + 2, 1),
    "empty": ColumnSize(3, 0),
}
Columns = dict[str, NDArray[np.int32]]
Value = object


@dataclass
class Plain:
    """One configuration as lists, and the transitions as tables of the papers define them.

    n: number of words.
    other: the second stack of 2-planar parsing.
    context: the second list of Covington's algorithm.
    arcs: (head, label) by dependent.
    seen: words that were in the stack.
    swapped: the node that was moved back to the buffer last.
    """

    n: int
    stack: list[int] = field(default_factory=lambda: [0])
    other: list[int] = field(default_factory=lambda: [0])
    context: list[int] = field(default_factory=list)
    buffer: list[int] = field(default_factory=list)
    arcs: dict[int, tuple[int, int]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    swapped: int | None = None

    def __post_init__(self) -> None:
        self.buffer = list(range(1, self.n + 1))

    def arc(self, head: int, label: int, dependent: int) -> None:
        self.arcs[dependent] = (head, label)

    def shift(self) -> None:
        self.stack += [*self.context, self.buffer[0]]
        self.context = []
        self.seen.add(self.buffer.pop(0))

    def back(self, node: int, behind: int = 0) -> None:
        self.stack.remove(node)
        self.buffer.insert(behind, node)
        self.swapped = node

    def retract(self) -> None:
        self.context.insert(0, self.stack.pop())

    def apply(self, system: str, move: str, label: int) -> None:
        if move == "SHIFT":
            self.other.append(self.buffer[0])
            self.shift()
        elif move == "SWITCH":
            self.stack, self.other = self.other, self.stack
        elif system in ("planar", "2-planar"):
            self.planar(move, label)
        elif system in ("arc-standard", "attardi", "swap"):
            self.between_stack_nodes(move, label)
        elif system in ("arc-hybrid", "arc-hybrid-swap"):
            self.hybrid(move, label)
        elif system == "arc-eager":
            self.eager(move, label)
        elif system == "covington":
            self.covington(move, label)
        else:
            self.projective(move, label)

    def between_stack_nodes(self, move: str, label: int) -> None:
        top = self.stack[-1]
        if move == "LEFT-ARC":
            self.arc(top, label, self.stack.pop(-2))
        elif move == "RIGHT-ARC":
            self.stack.pop()
            self.arc(self.stack[-1], label, top)
        elif move == "LEFT-ARC-2":
            self.arc(top, label, self.stack.pop(-3))
        elif move == "RIGHT-ARC-2":
            self.arc(self.stack[-3], label, self.stack.pop())
            self.back(self.stack[-1])
        else:
            assert move == "SWAP"
            self.back(self.stack[-2])

    def hybrid(self, move: str, label: int) -> None:
        if move == "SWAP":
            self.back(self.stack[-1], behind=1)
        else:
            top = self.stack.pop()
            self.arc(self.buffer[0] if move == "LEFT-ARC" else self.stack[-1], label, top)

    def planar(self, move: str, label: int) -> None:
        if move == "LEFT-ARC":
            self.arc(self.buffer[0], label, self.stack[-1])
        elif move == "RIGHT-ARC":
            self.arc(self.stack[-1], label, self.buffer[0])
        else:
            assert move == "REDUCE"
            self.stack.pop()

    def eager(self, move: str, label: int) -> None:
        self.planar(move, label)
        if move == "LEFT-ARC":
            self.stack.pop()
        elif move == "RIGHT-ARC":
            self.shift()

    def covington(self, move: str, label: int) -> None:
        if move != "NO-ARC":
            self.planar(move, label)
        self.retract()

    def projective(self, move: str, label: int) -> None:
        """Projective Covington and tagging: TAG attaches the next word like RIGHT-ARC."""
        if move == "NO-ARC":
            self.retract()
        else:
            self.context = []
            self.eager("LEFT-ARC" if move == "LEFT-ARC" else "RIGHT-ARC", label)

    # nodes that features address

    def node(self, address: Address) -> int | None:
        node = self.source(address.source, address.index)
        for function in address.functions:
            node = None if node is None else self.function(function, node)
        return node

    def source(self, source: str, k: int) -> int | None:
        unseen = [word for word in range(1, self.n + 1) if word not in self.seen]
        nodes = {
            "Stack": self.stack[::-1],
            "OtherStack": self.other[::-1],
            "Left": self.stack[::-1],
            "LeftContext": self.context,
            "Input": self.buffer,
            "Lookahead": unseen,
            "Swapped": [] if self.swapped is None else [self.swapped],
        }[source]
        return nodes[k] if k < len(nodes) else None

    def dependents(self, head: int, left: bool) -> list[int]:
        """The left or right dependents of a node, from the outermost to the innermost."""
        found = [word for word, (other, _) in self.arcs.items() if other == head and (word < head) == left]
        return sorted(found, reverse=not left)

    def function(self, function: str, node: int) -> int | None:
        head = self.arcs[node][0] if node in self.arcs else None
        siblings = [] if head is None else [word for word in self.arcs if self.arcs[word][0] == head]
        return {
            "head": head,
            "ldep": nth(self.dependents(node, True), 0),
            "ldep2": nth(self.dependents(node, True), 1),
            "rdep": nth(self.dependents(node, False), 0),
            "rdep2": nth(self.dependents(node, False), 1),
            "lsib": max((word for word in siblings if word < node), default=None),
            "rsib": min((word for word in siblings if word > node), default=None),
            "pred": node - 1 if node > 1 else None,
            "succ": node + 1 if 0 < node < self.n else None,
        }[function]


def nth(nodes: list[int], k: int) -> int | None:
    return nodes[k] if k < len(nodes) else None


def bin_of(distance: int) -> int:
    for lowest in (15, 10, 7):
        if distance >= lowest:
            return lowest
    return min(distance, 5)


def values(part: Part, plain: Plain, row: int, columns: Columns) -> list[Value]:
    """The values of a part of a template: one value, or any number of values of a set."""
    nodes = [plain.node(address) for address in part.addresses]
    node = nodes[0]
    if part.kind == "distance":
        first, second = nodes
        return [None if first is None or second is None else bin_of(abs(first - second))]
    if part.kind == "arity":
        counts = {"left": len(plain.dependents(-1 if node is None else node, True))}
        counts["right"] = len(plain.dependents(-1 if node is None else node, False))
        return [min(6, counts[part.side] if part.side else sum(counts.values()))]
    if part.kind == "dependents":
        found = [] if node is None else plain.dependents(node, part.side == "left")
        return [plain.arcs[word][1] for word in found]
    if part.kind == "deprel":
        return [plain.arcs[node][1] if node in plain.arcs else None]
    column = columns[part.column]
    if column.ndim == 3:
        return [] if node is None else [int(atom) for atom in column[row, node] if atom]
    return [None if node is None else int(column[row, node])]


def value_tuples(template: Template, plain: Plain, row: int, columns: Columns) -> set[tuple[Value, ...]]:
    tuples: set[tuple[Value, ...]] = {()}
    for part in template.parts:
        found = values(part, plain, row, columns)
        tuples = {(*before, value) for before in tuples for value in found}
    return tuples
