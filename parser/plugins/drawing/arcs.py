"""The arcs of a drawing, their heights, and their differences from the gold tree."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from ....transitions.configuration import NONE
from ....transitions.trees import nonprojective_arcs
from ...treebank.tree import Tree


class ArcFault(Enum):
    """Differences between an arc and the gold arc of the same dependent.

    Values are the CSS classes of the arcs in SVG.
    """

    NONE = "right"
    HEAD = "wrong-head"
    LABEL = "wrong-label"
    BOTH = "wrong-both"


class Arc(NamedTuple):
    """An arc to draw.

    crossing: whether the arc is non-projective in its tree.
    """

    head: int
    dependent: int
    deprel: str
    crossing: bool = False
    fault: ArcFault = ArcFault.NONE


def arcs_of(tree: Tree) -> list[Arc]:
    """Return the arcs of a tree, ordered by dependent. A word with head -1 has no arc.

    In an incomplete tree no arc counts as non-projective, because the final descendants of a word are not known.
    """
    heads, deprels, _ = tree
    crossing = crossing_arcs(heads)
    return [Arc(head, word, deprels[word], crossing[word]) for word, head in enumerate(heads) if word and head != NONE]


def crossing_arcs(heads: Sequence[int]) -> Sequence[bool]:
    """Return whether the arc of each node counts as non-projective; in an incomplete tree none does."""
    return nonprojective_arcs(heads) if NONE not in heads[1:] else [False] * len(heads)


def arcs_against(gold: Tree, parsed: Tree) -> list[Arc]:
    """Return the arcs of a parsed tree with their faults."""
    return [arc._replace(fault=_fault(right, arc)) for right, arc in zip(arcs_of(gold), arcs_of(parsed), strict=True)]


def _fault(right: Arc, arc: Arc) -> ArcFault:
    if right.head == arc.head:
        return ArcFault.NONE if right.deprel == arc.deprel else ArcFault.LABEL
    return ArcFault.HEAD if right.deprel == arc.deprel else ArcFault.BOTH


def levels(arcs: Sequence[Arc], n: int, *, apart: bool = False) -> list[int]:
    """Return the height of each arc over the n words; 1 is next to the words. Arcs above the same gap differ in height.

    apart: whether arcs of equal height must not share a word, either.

    Short arcs are nearest to the words. Arcs from node 0 begin above all others at their word.
    """
    result = [0] * len(arcs)
    highest = [0] * (n + 1)  # height above the gap between word i and word i + 1
    places = [(arc.head == 0, abs(arc.head - arc.dependent), min(arc.head, arc.dependent)) for arc in arcs]
    for number in sorted(range(len(arcs)), key=lambda k: (places[k], arcs[k].dependent)):
        low, high = _gaps(arcs[number])
        high += apart
        result[number] = 1 + max(highest[low:high])
        highest[low:high] = [result[number]] * (high - low)
    return result


def _gaps(arc: Arc) -> tuple[int, int]:
    """Return the half-open range of gaps below an arc; an arc from node 0 takes the gaps beside its word."""
    if arc.head == 0:
        return arc.dependent - 1, arc.dependent + 1
    return min(arc.head, arc.dependent), max(arc.head, arc.dependent)
