"""Positions of words and arcs in a drawing, in pixels from its upper left corner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .arcs import Arc, levels
from .word_line import WordLine, text_columns

SIZE = 15.0
LABEL_SIZE = 11.0
MARGIN = 12.0
ROW = LABEL_SIZE + 4
LEVEL = 24.0
GAP = 16.0
"""Minimum distance between two words, in pixels."""
PORT = 7.0
"""Distance between the ends of two arcs at one word, in pixels."""
LETTER = 0.62
"""Upper estimate of the mean width of a letter, as a share of the font size."""

Ports = Mapping[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """The positions of words and arcs.

    middles: horizontal centres of the words 1..n.
    halves: half the width of each word.
    empty: horizontal centres of the empty nodes.
    ends: for each arc, the position where it leaves its head and where it meets its dependent.
    heights: height of each arc above ``floor``.
    floor: line from which arcs rise.
    baseline: baseline of the words.
    """

    middles: Sequence[float]
    halves: Sequence[float]
    empty: Sequence[float]
    ends: Sequence[tuple[float, float]]
    heights: Sequence[float]
    floor: float
    baseline: float
    width: float
    height: float


def label_width(label: str) -> float:
    """Return the width of an arc's label."""
    return text_columns(label) * LABEL_SIZE * LETTER


def lay_out(line: WordLine, arcs: Sequence[Arc]) -> TreeLayout:
    """Compute the layout of a line of words with arcs above it."""
    ranks = levels(arcs, len(line.forms))
    ports = _ports(arcs, ranks)
    halves = _halves(line, ports)
    middles, empty, width = _places(line, arcs, ports, halves)
    ends = [
        tuple(middles[node - 1] + ports[number, node] for node in (arc.head or arc.dependent, arc.dependent))
        for number, arc in enumerate(arcs)
    ]
    if line.right_to_left:
        middles, empty = [width - x for x in middles], [width - x for x in empty]
        ends = [(width - start, width - end) for start, end in ends]
    floor = MARGIN + LABEL_SIZE + LEVEL * max(ranks, default=0)
    baseline = floor + SIZE + 3
    rows = len(line.below) + (2 if line.multiword else 0)
    height = baseline + 5 + ROW * rows + MARGIN
    heights = [LEVEL * rank for rank in ranks]
    return TreeLayout(middles, halves, empty, [(s, e) for s, e in ends], heights, floor, baseline, width, height)


def _ports(arcs: Sequence[Arc], ranks: Sequence[int]) -> Ports:
    """Return the distance from the middle of the word for each end of an arc (number of the arc, node).

    Arcs to the left end to the left of arcs to the right. On each side, higher arcs end nearer to the middle, so that
    no arc crosses the end of another.
    """
    at_node: dict[int, list[tuple[int, int, int]]] = {}
    for number, arc in enumerate(arcs):
        for node, other in ((arc.head, arc.dependent), (arc.dependent, arc.head)):
            if node:
                side = 0 if not other else 1 if other > node else -1
                at_node.setdefault(node, []).append((side, -side * ranks[number], number))
    return {
        (number, node): PORT * (place - (len(ends) - 1) / 2)
        for node, ends in at_node.items()
        for place, (_, _, number) in enumerate(sorted(ends))
    }


def _halves(line: WordLine, ports: Ports) -> list[float]:
    """Return half the width that each word needs for its text, the rows below it, and the ends of its arcs."""
    halves = [
        max([text_columns(form) * SIZE, *(text_columns(row[k]) * LABEL_SIZE for row in line.below)]) * LETTER / 2
        for k, form in enumerate(line.forms)
    ]
    for (_, node), port in ports.items():
        halves[node - 1] = max(halves[node - 1], abs(port))
    return halves


def _places(
    line: WordLine, arcs: Sequence[Arc], ports: Ports, halves: Sequence[float]
) -> tuple[list[float], list[float], float]:
    """Return the middles of words, the middles of empty nodes, and the total width, which leaves space for labels."""
    wanted: dict[int, list[tuple[int, float]]] = {}
    roots = {arc.dependent: label_width(arc.deprel) / 2 for arc in arcs if arc.head == 0}
    for number, arc in enumerate(arcs):
        low, high = sorted((arc.head, arc.dependent))
        if low:
            span = label_width(arc.deprel) + 14 + ports[number, low] - ports[number, high]
            wanted.setdefault(high, []).append((low, span))
    middles: list[float] = []
    empty: list[float] = []
    right = MARGIN - GAP
    for word in range(len(line.forms) + 1):
        if word:
            least = right + GAP + halves[word - 1]
            spans = [middles[low - 1] + span for low, span in wanted.get(word, ())]
            middles.append(max([least, MARGIN + roots.get(word, 0.0), *spans]))
            right = middles[-1] + halves[word - 1]
        for node in line.empty:
            if node.after == word:
                half = text_columns(node.form) * SIZE * LETTER / 2
                empty.append(right + GAP + half)
                right = empty[-1] + half
    beyond = [middles[word - 1] + half for word, half in roots.items()]
    return middles, empty, max([right, *beyond, MARGIN]) + MARGIN
