"""Which arcs of a treebank are non-projective: by deprel, by length and by depth, each class with an example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ...transitions.trees import depths

LENGTHS = ("2", "3", "4", "5-6", "7-9", "10-")
"""The classes of arc lengths, in words; an arc between neighbours is projective."""
DEPTHS = ("2", "3", "4", "5", "6", "7-")
"""The classes of depths: the number of arcs from node 0 to the dependent; an arc from node 0 is projective."""
MOST_DEPRELS = 12


def length_class(length: int) -> str:
    """The class of an arc of this length in words, 2 or more."""
    return next(name for name in reversed(LENGTHS) if length >= int(name.split("-")[0]))


def depth_class(depth: int) -> str:
    """The class of an arc to a word of this depth, 2 or more."""
    return next(name for name in reversed(DEPTHS) if depth >= int(name.split("-")[0]))


LENGTH_CLASS = [("length", length_class(length) if length > 1 else "") for length in range(11)]
DEPTH_CLASS = [("depth", depth_class(depth) if depth > 1 else "") for depth in range(8)]


class CrossingCounts:
    """Counts over trees that are added one by one.

    A class of arcs is a pair: "deprel", "length" or "depth", and which. Arcs of length 0 and 1 and of depth 1 are
    projective by definition and counted in the class "" of lengths and depths.
    """

    def __init__(self) -> None:
        self._arcs = Counter[tuple[str, str]]()
        self._crossing = Counter[tuple[str, str]]()
        self._examples: dict[tuple[str, str], str] = {}

    def add(self, heads: Sequence[int], deprels: Sequence[str], crossing: Sequence[bool], sentence: int) -> None:
        """Count a tree: n + 1 heads and deprels, and which arcs are non-projective; sentence: its number, from 1."""
        deep = depths(heads)
        self._arcs.update([("deprel", deprel) for deprel in deprels[1:]])
        self._arcs.update([LENGTH_CLASS[min(abs(head - word), 10)] for word, head in enumerate(heads) if head > 0])
        self._arcs.update([DEPTH_CLASS[min(depth, 7)] for depth in deep[1:]])
        for word, crosses in enumerate(crossing):
            if crosses:
                length = abs(heads[word] - word)
                classes = [("deprel", deprels[word]), LENGTH_CLASS[min(length, 10)], DEPTH_CLASS[min(deep[word], 7)]]
                self._crossing.update(classes)
                for own in classes:
                    self._examples.setdefault(own, f"{sentence}:{word}")

    def summary(self) -> dict[str, Any]:
        """By kind of class and by class: ``arcs``, how many of them are ``nonprojective``, and the first as an example.

        Classes without non-projective arcs are left out; deprels come with the most of them first. An example is
        SENTENCE:WORD, both numbers from 1.
        """
        found: dict[str, Any] = {}
        for kind in ("deprel", "length", "depth"):
            names = [name for own, name in self._crossing if own == kind]
            order = {"length": LENGTHS, "depth": DEPTHS}.get(kind)
            names.sort(key=lambda name: (order.index(name) if order else -self._crossing[kind, name], name))
            found[kind] = {name: self._row(kind, name) for name in names}
        return found

    def _row(self, kind: str, name: str) -> dict[str, Any]:
        own = (kind, name)
        return {"arcs": self._arcs[own], "nonprojective": self._crossing[own], "example": self._examples[own]}


def crossing_lines(summary: dict[str, Any]) -> Iterator[str]:
    """The summary as lines of text; empty without non-projective arcs."""
    if not summary["deprel"]:
        return
    yield f"{'non-projective arcs':<21}{'':<20}{'number':>8}{'% of class':>12}  first (sentence:word)"
    for kind, rows in summary.items():
        for rank, (name, row) in enumerate(rows.items()):
            if kind == "deprel" and rank == MOST_DEPRELS:
                yield f"{'':<21}and {len(rows) - rank} more deprels"
                break
            share = 100 * row["nonprojective"] / row["arcs"]
            heading = f"  by {kind}" if rank == 0 else ""
            yield f"{heading:<21}{name:<20}{row['nonprojective']:>8}{share:>12.2f}  {row['example']}"
