"""Trees as SVG: arcs above the words; non-projective arcs are blue and dashed, wrong arcs red and thick."""

from __future__ import annotations

from collections.abc import Sequence

from .arcs import Arc, ArcFault
from .layout import LABEL_SIZE, LETTER, MARGIN, ROW, SIZE, TreeLayout, label_width, lay_out
from .svg import document, element, number, text
from .word_line import WordLine, text_columns

ROUND = 7.0
INK = "#1a1a1a"
PALE = "#666666"
CROSSING = "#0060a8"
ERROR = "#c62828"
CROSSING_DASH = "7 3"


def tree_svg(line: WordLine, arcs: Sequence[Arc], title: str = "") -> str:
    """Return an SVG file with one tree.

    arcs: results of :func:`.arcs.arcs_of` or :func:`.arcs.arcs_against`.
    """
    return trees_svg([(title, line, arcs)], title)


def trees_svg(trees: Sequence[tuple[str, WordLine, Sequence[Arc]]], title: str = "") -> str:
    """Return an SVG file with trees below each other.

    trees: heading ("" for none), words and arcs of each tree.
    """
    drawn, width, height = [], 0.0, 0.0
    for heading, line, arcs in trees:
        if heading:
            drawn.append(text(heading, MARGIN, height + 20, font_size=13, fill=PALE))
            width, height = max(width, end_of_text(heading, 13)), height + 22
        elements, own_width, own_height = drawn_tree(line, arcs)
        drawn.append(element("g", "".join(elements), transform=f"translate(0 {number(height)})"))
        width, height = max(width, own_width), height + own_height
    return document(width, height, title or "tree", drawn)


def end_of_text(content: str, size: float) -> float:
    """Return the width of a drawing with a line of text between its margins: an upper estimate."""
    return 2 * MARGIN + text_columns(content) * size * LETTER


def drawn_tree(line: WordLine, arcs: Sequence[Arc]) -> tuple[list[str], float, float]:
    """Return the elements of a drawing, its width and its height."""
    layout = lay_out(line, arcs)
    lines = [_drawn_arc(arc, number, layout) for number, arc in enumerate(arcs)]
    labels = [_drawn_label(arc, number, layout) for number, arc in enumerate(arcs)]
    return [*lines, *labels, *_drawn_words(line, layout), *_drawn_multiword(line, layout)], layout.width, layout.height


def _drawn_words(line: WordLine, layout: TreeLayout) -> list[str]:
    direction = {"direction": "rtl"} if line.right_to_left else {}
    drawn = []
    for word, (form, x) in enumerate(zip(line.forms, layout.middles, strict=True)):
        drawn.append(text(form, x, layout.baseline, text_anchor="middle", font_size=SIZE, fill=INK, **direction))
        for row, texts in enumerate(line.below, 1):
            y = layout.baseline + row * ROW + 2
            drawn.append(text(texts[word], x, y, text_anchor="middle", font_size=LABEL_SIZE, fill=PALE))
    style: dict[str, str | float] = {"text_anchor": "middle", "font_size": SIZE, "font_style": "italic", "fill": PALE}
    drawn += [text(node.form, x, layout.baseline, **style) for node, x in zip(line.empty, layout.empty, strict=True)]
    return drawn


def _drawn_multiword(line: WordLine, layout: TreeLayout) -> list[str]:
    """Draw a bracket below the words of each multiword token, and its form below the bracket."""
    drawn = []
    for token in line.multiword:
        words = (token.first - 1, token.last - 1)
        left = min(layout.middles[word] - layout.halves[word] for word in words)
        right = max(layout.middles[word] + layout.halves[word] for word in words)
        y = layout.baseline + ROW * len(line.below) + 10
        drawn.append(
            element("path", d=f"M{number(left)} {number(y - 4)}v4H{number(right)}v-4", fill="none", stroke=PALE)
        )
        drawn.append(text(token.form, (left + right) / 2, y + 14, text_anchor="middle", font_size=12, fill=PALE))
    return drawn


def _drawn_arc(arc: Arc, which: int, layout: TreeLayout) -> str:
    bottom = layout.floor
    y = bottom - layout.heights[which]
    start, end = layout.ends[which]
    style: dict[str, str | float] = {"stroke": _colour(arc), "stroke_width": 2.4 if _wrong_head(arc) else 1.3}
    if arc.crossing:
        style["stroke_dasharray"] = CROSSING_DASH
    tip = element("path", d=f"M{number(end)} {number(bottom)}l-3.5 -7h7z", fill=_colour(arc))
    classes = ["arc", arc.fault.value, *(["crossing"] if arc.crossing else [])]
    path = element("path", d=_path(arc, start, end, y, bottom), fill="none", **style)
    return element("g", path + tip, **{"class": " ".join(classes)})


def _path(arc: Arc, start: float, end: float, y: float, bottom: float) -> str:
    down = f"V{number(bottom - 4)}"
    if arc.head == 0:
        return f"M{number(end)} {number(y)}{down}"
    turn = ROUND if end > start else -ROUND
    return (
        f"M{number(start)} {number(bottom)}V{number(y + ROUND)}"
        f"Q{number(start)} {number(y)} {number(start + turn)} {number(y)}H{number(end - turn)}"
        f"Q{number(end)} {number(y)} {number(end)} {number(y + ROUND)}{down}"
    )


def _drawn_label(arc: Arc, which: int, layout: TreeLayout) -> str:
    """Draw a deprel on a white box that hides lines behind it; wrong deprels are framed."""
    x, y = sum(layout.ends[which]) / 2, layout.floor - layout.heights[which] - 4
    half = label_width(arc.deprel) / 2 + 1
    wrong = arc.fault in (ArcFault.LABEL, ArcFault.BOTH)
    frame: dict[str, str | float] = {"stroke": ERROR, "stroke_width": 1.2} if wrong else {}
    ground = element(
        "rect", x=x - half, y=y - LABEL_SIZE + 1, width=2 * half, height=LABEL_SIZE + 1.5, fill="white", **frame
    )
    colour = ERROR if wrong else _colour(arc)
    return ground + text(arc.deprel, x, y, text_anchor="middle", font_size=LABEL_SIZE, fill=colour)


def _wrong_head(arc: Arc) -> bool:
    return arc.fault in (ArcFault.HEAD, ArcFault.BOTH)


def _colour(arc: Arc) -> str:
    if _wrong_head(arc):
        return ERROR
    return CROSSING if arc.crossing else INK
