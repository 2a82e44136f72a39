"""Figure 4 of Kuhlmann & Nivre (2010): significant differences between parsers, drawn as small graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt

from ..drawing.svg import document, element, text, text_width
from .mcnemar import McNemar

SIZE = 13.0
HALF_HEIGHT = 13.0
GAP = 26.0


@dataclass(frozen=True, slots=True)
class Arrow:
    """A significant difference: the score of ``better`` exceeds that of ``worse``.

    level: 0.01 or 0.05.
    """

    worse: str
    better: str
    level: float


def arrows(tests: Mapping[tuple[str, str], McNemar]) -> tuple[Arrow, ...]:
    """Return the significant differences among the pairwise tests of one score (see :func:`.mcnemar.pairwise`)."""
    return tuple(
        Arrow(*((first, second) if test.winner == "second" else (second, first)), test.level)
        for (first, second), test in tests.items()
        if test.level is not None
    )


def significance_figure(
    parsers: Sequence[str], panels: Mapping[str, Mapping[str, Sequence[Arrow]]], title: str = "McNemar's test"
) -> str:
    """Draw the figure as SVG: one row per language, one column per score, in the order of ``panels[language][score]``.

    parsers: names in the order of their places, clockwise from the upper left of an ellipse.
    panels: arrows of each panel.
    title: heading of the figure.

    The places are the same in every panel, and no arrow crosses a third parser. An arrow P → P' means that P' is
    better: solid lines at level 0.01, dashed lines at 0.05. Raises ValueError if an arrow names a parser that is not in
    ``parsers``.
    """
    scores = list(dict.fromkeys(score for row in panels.values() for score in row))
    half_width = max([14.0, *(text_width(name, SIZE) / 2 + 5 for name in parsers)])
    places = _places(parsers, half_width)
    reach_x = max((abs(x) for x, _ in places.values()), default=0.0) + half_width
    reach_y = max((abs(y) for _, y in places.values()), default=0.0) + HALF_HEIGHT
    panel_width, panel_height = 2 * reach_x + GAP, 2 * reach_y + GAP
    left = 16 + max((text_width(language, SIZE) for language in panels), default=0.0)
    width = max(
        left + panel_width * len(scores), 16 + text_width(LEGEND_SOLID, 12) + text_width(LEGEND_DASHED, 12) + 100
    )
    height = 40 + panel_height * len(panels) + 34
    drawn = [_arrowhead()]
    for column, score in enumerate(scores):
        x = left + (column + 0.5) * panel_width
        drawn.append(text(score, x, 24, text_anchor="middle", font_size=SIZE, font_weight="bold"))
    for row, (language, columns) in enumerate(panels.items()):
        y = 40 + (row + 0.5) * panel_height
        drawn.append(text(language, 8, y + 4, font_size=SIZE, font_weight="bold"))
        for score, found in columns.items():
            x = left + (scores.index(score) + 0.5) * panel_width
            drawn.append(_panel(places, half_width, found, x, y, f"{language}, {score}"))
    drawn += _legend(height - 18)
    return document(width, height, title, drawn)


LEGEND_SOLID = "P → P′: P′ is better, p < 0.01"
LEGEND_DASHED = "p < 0.05"


def _places(parsers: Sequence[str], half_width: float) -> dict[str, tuple[float, float]]:
    """Return the centres of the parsers' boxes, relative to the centre of the panel.

    They are evenly spaced on an ellipse, clockwise from the upper left.
    """
    k = len(parsers)
    if k < 2:
        return dict.fromkeys(parsers, (0.0, 0.0))
    radius = max(46.0, 15.0 * k)
    wide = max(radius + half_width - 14, (half_width + 10) / sin(pi / k))
    start = pi if k == 2 else -pi / 2 - pi / k
    angles = [start + 2 * pi * number / k for number in range(k)]
    return {name: (wide * cos(angle), radius * sin(angle)) for name, angle in zip(parsers, angles, strict=True)}


def _panel(
    places: Mapping[str, tuple[float, float]], half_width: float, found: Sequence[Arrow], x: float, y: float, label: str
) -> str:
    lines = [_line(places, half_width, arrow, label) for arrow in found]
    boxes = []
    for name, (px, py) in places.items():
        boxes.append(
            element(
                "rect", x=px - half_width, y=py - HALF_HEIGHT, width=2 * half_width, height=2 * HALF_HEIGHT,
                rx=HALF_HEIGHT, fill="white", stroke="#444",
            )
        )  # fmt: skip
        boxes.append(text(name, px, py + 4.5, text_anchor="middle", font_size=SIZE))
    return element("g", "".join([*lines, *boxes]), transform=f"translate({x:.2f} {y:.2f})")


def _line(places: Mapping[str, tuple[float, float]], half_width: float, arrow: Arrow, label: str) -> str:
    for name in (arrow.worse, arrow.better):
        if name not in places:
            raise ValueError(f"{label}: an arrow names {name!r}; the parsers are {', '.join(places)}")
    (x1, y1), (x2, y2) = places[arrow.worse], places[arrow.better]
    fraction = _edge(x2 - x1, y2 - y1, half_width)
    end = _edge(x2 - x1, y2 - y1, half_width, 3.0)
    style: dict[str, str | float] = {} if arrow.level <= 0.01 else {"stroke_dasharray": "5 4"}
    return element(
        "line",
        x1=x1 + fraction * (x2 - x1),
        y1=y1 + fraction * (y2 - y1),
        x2=x2 - end * (x2 - x1),
        y2=y2 - end * (y2 - y1),
        stroke="#000",
        stroke_width=1.4,
        marker_end="url(#head)",
        **style,
    )


def _edge(dx: float, dy: float, half_width: float, margin: float = 0.0) -> float:
    """Return the fraction of the way (dx, dy) from its centre that is inside a box: a rectangle with two half discs."""
    radius, flat = HALF_HEIGHT + margin, half_width - HALF_HEIGHT
    if abs(dx) * radius <= flat * abs(dy):
        return radius / abs(dy)
    square = dx * dx + dy * dy
    return (flat * abs(dx) + sqrt(square * radius**2 - (flat * dy) ** 2)) / square


def _arrowhead() -> str:
    tip = element("path", d="M 0 0 L 9 4 L 0 8 z")
    marker = element(
        "marker", tip, id="head", viewBox="0 0 9 8", refX=9, refY=4, markerWidth=9, markerHeight=8,
        markerUnits="userSpaceOnUse", orient="auto",
    )  # fmt: skip
    return element("defs", marker)


def _legend(y: float) -> list[str]:
    second = 64 + text_width(LEGEND_SOLID, 12)
    return [
        element("line", x1=16, y1=y, x2=52, y2=y, stroke="#000", stroke_width=1.4, marker_end="url(#head)"),
        text(LEGEND_SOLID, 58, y + 4),
        element(
            "line", x1=second, y1=y, x2=second + 36, y2=y, stroke="#000", stroke_width=1.4, stroke_dasharray="5 4",
            marker_end="url(#head)",
        ),
        text(LEGEND_DASHED, second + 42, y + 4),
    ]  # fmt: skip
