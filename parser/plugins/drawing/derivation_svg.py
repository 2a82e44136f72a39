"""The configurations of a derivation as SVG pictures, for slides."""

from __future__ import annotations

from collections.abc import Sequence

from .arcs import arcs_of
from .derivation import DrawnDerivation, first_error, moved_back, new_arcs
from .layout import LETTER, MARGIN, SIZE
from .svg import document, element, text
from .tree_svg import CROSSING, ERROR, INK, PALE, drawn_tree, end_of_text
from .word_line import WordLine, right_to_left, text_columns

BOX = SIZE + 12
BETWEEN = 6.0
NAMES = 74.0
"""Width of the column with the names of the lists, in pixels."""


def derivation_svgs(derivation: DrawnDerivation) -> list[str]:
    """Return one picture per configuration: the transition that led to it, the arcs so far, stack and buffer."""
    return [_picture(derivation, count) for count in range(len(derivation.steps) + 1)]


def _picture(derivation: DrawnDerivation, count: int) -> str:
    snapshot, title = derivation.snapshot(count), derivation.heading(count)
    new = new_arcs(derivation.snapshot(count - 1), snapshot) if count else []
    wrong = count > 0 and first_error(derivation.steps) == count - 1
    below = [[str(place) for place in derivation.order]] if derivation.order else []
    line = WordLine(derivation.forms, below, right_to_left=right_to_left(derivation.forms))
    tree, width, height = drawn_tree(line, arcs_of(snapshot.tree))
    heading = text(title, MARGIN, 22, font_size=16, font_weight="bold", fill=ERROR if wrong else INK)
    width = max(width, end_of_text(title, 16))
    drawn = [heading, element("g", "".join(tree), transform="translate(0 30)")]
    y = height + 36
    for name, nodes in snapshot.lists():
        row, end = _row(name, nodes, derivation, y, moved_back(snapshot) if name == "buffer" else set())
        drawn.append(row)
        width, y = max(width, end + MARGIN), y + BOX + 8
    if snapshot.waiting:
        waiting = "  ".join(f"{derivation.forms[node - 1]}:{label}" for node, label in snapshot.waiting)
        drawn += [text("θ", MARGIN, y + 18, font_size=12, fill=PALE), text(waiting, NAMES + MARGIN, y + 18, fill=INK)]
        width, y = max(width, NAMES + end_of_text(waiting, 12)), y + BOX
    if new:
        words = ", ".join(f"{derivation.form(snapshot.tree.heads[word])} → {derivation.form(word)}" for word in new)
        drawn.append(text(f"new: {words}", MARGIN, y + 14, font_size=12, fill=PALE))
        width = max(width, end_of_text(f"new: {words}", 12))
    return document(width, y + 26, title, drawn)


def _row(name: str, nodes: Sequence[int], derivation: DrawnDerivation, y: float, moved: set[int]) -> tuple[str, float]:
    """Return a list of nodes as boxes after its name, and its right end. Nodes that were moved back are dashed."""
    drawn = [text(name, MARGIN, y + 18, font_size=12, fill=PALE)]
    x = MARGIN + NAMES
    for node in nodes:
        form = derivation.form(node)
        width = text_columns(form) * SIZE * LETTER + 12
        style: dict[str, str | float] = {"stroke": INK}
        if node in moved:
            style = {"stroke": CROSSING, "stroke_dasharray": "5 3", "stroke_width": 2}
        drawn.append(element("rect", x=x, y=y, width=width, height=BOX, rx=3, fill="none", **style))
        drawn.append(text(form, x + width / 2, y + 19, text_anchor="middle", font_size=SIZE, fill=INK))
        x += width + BETWEEN
    return "".join(drawn), x
