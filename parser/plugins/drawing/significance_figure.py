"""Figure 4 of Kuhlmann & Nivre (2010): significant differences between parsers, drawn as small graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from ...evaluate.mcnemar import McNemar
from .svg import document, element, text, text_width

SIZE = 13.0
HALF_HEIGHT = 15.0
GAP = 26.0
LEGEND = "P → P′: P′ is better; solid: p < 0.01, dashed: p < 0.05"


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


def significance_figure(parsers: Sequence[str], panels: Mapping[str, Mapping[str, Sequence[Arrow]]]) -> str:
    """Draw the figure as SVG: one row per language, one column per score, in the order of ``panels[language][score]``.

    parsers: names in the order of their places, clockwise from the upper left of an ellipse.
    panels: arrows of each panel.

    The places are the same in every panel, and no arrow crosses a third parser. An arrow P → P' means that P' is
    better: solid lines at level 0.01, dashed lines at 0.05. Raises ValueError if an arrow names a parser that is not in
    ``parsers``.
    """
    scores = list(dict.fromkeys(score for row in panels.values() for score in row))
    half_width = max([20.0, *(0.6 * text_width(name, SIZE) + 8 for name in parsers)])
    places = _places(parsers, half_width)
    reach_x = max((abs(x) for x, _ in places.values()), default=0.0) + half_width
    reach_y = max((abs(y) for _, y in places.values()), default=0.0) + HALF_HEIGHT
    panel_width, panel_height = 2 * reach_x + GAP, 2 * reach_y + GAP
    left = 16 + max((text_width(language, SIZE) for language in panels), default=0.0)
    width = max(left + panel_width * len(scores), 32 + text_width(LEGEND, 12))
    height = 40 + panel_height * len(panels) + 34
    drawn = [_arrowhead()]
    for column, score in enumerate(scores):
        x = left + (column + 0.5) * panel_width
        drawn.append(text(score, x, 24, text_anchor="middle", font_size=SIZE, font_weight="bold"))
    for row, (language, columns) in enumerate(panels.items()):
        y = 40 + (row + 0.5) * panel_height
        drawn.append(text(language, 8, y + 4, font_size=SIZE, font_weight="bold"))
        for score, arrows in columns.items():
            x = left + (scores.index(score) + 0.5) * panel_width
            drawn.append(_panel(places, half_width, arrows, x, y, f"{language}, {score}"))
    drawn.append(text(LEGEND, 16, height - 14))
    return document(width, height, "McNemar's test", drawn)


def _places(parsers: Sequence[str], half_width: float) -> dict[str, tuple[float, float]]:
    """Return the centres of the parsers' ellipses, relative to the centre of the panel.

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
    places: Mapping[str, tuple[float, float]],
    half_width: float,
    arrows: Sequence[Arrow],
    x: float,
    y: float,
    label: str,
) -> str:
    drawn = [_line(places, half_width, arrow, label) for arrow in arrows]
    for name, (px, py) in places.items():
        drawn.append(element("ellipse", cx=px, cy=py, rx=half_width, ry=HALF_HEIGHT, fill="white", stroke="#444"))
        drawn.append(text(name, px, py + 4.5, text_anchor="middle", font_size=SIZE))
    return element("g", "".join(drawn), transform=f"translate({x:.2f} {y:.2f})")


def _line(places: Mapping[str, tuple[float, float]], half_width: float, arrow: Arrow, label: str) -> str:
    """The line of an arrow between two ellipses: from the centre of one, which covers its beginning, to the other."""
    for name in (arrow.worse, arrow.better):
        if name not in places:
            raise ValueError(f"{label}: an arrow names {name!r}; the parsers are {', '.join(places)}")
    (x1, y1), (x2, y2) = places[arrow.worse], places[arrow.better]
    inside = 1 / hypot((x2 - x1) / (half_width + 3), (y2 - y1) / (HALF_HEIGHT + 3))
    dashes: dict[str, str | float] = {} if arrow.level <= 0.01 else {"stroke_dasharray": "5 4"}
    end = {"x2": x2 - inside * (x2 - x1), "y2": y2 - inside * (y2 - y1)}
    return element("line", x1=x1, y1=y1, **end, stroke="#000", stroke_width=1.4, marker_end="url(#head)", **dashes)


def _arrowhead() -> str:
    tip = element("path", d="M 0 0 L 9 4 L 0 8 z")
    marker = element(
        "marker", tip, id="head", viewBox="0 0 9 8", refX=9, refY=4, markerWidth=9, markerHeight=8,
        markerUnits="userSpaceOnUse", orient="auto",
    )  # fmt: skip
    return element("defs", marker)
