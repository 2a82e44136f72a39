"""Dot charts as SVG: one row of dots for each thing compared, with intervals where they are known."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TypeAlias

from .line_chart import COLOURS, marker, tick_label, ticks
from .svg import document, element, text, text_width

Dot: TypeAlias = float | tuple[float, float, float]
"""A value, or a value with the lower and upper end of its interval."""
ROW, TOP, BOTTOM, PLOT = 20.0, 48.0, 46.0, 420.0
SPREAD = 5.0
"""Vertical distance between the dots of two series in one row."""


def dot_chart(rows: Mapping[str, Mapping[str, Dot]], *, x_label: str = "") -> str:
    """Draw the values of up to eight series in named rows as SVG, with a line at zero.

    rows: by name of the row, top first, the dots by name of the series. A row may lack series.

    Raises ValueError for more than eight series and for values that are not finite numbers.
    """
    names = list(dict.fromkeys(name for own in rows.values() for name in own))
    if len(names) > len(COLOURS):
        raise ValueError(f"a chart has at most {len(COLOURS)} series, not {len(names)}")
    dots = {row: {name: _ends(dot) for name, dot in own.items()} for row, own in rows.items()}
    values = [end for own in dots.values() for ends in own.values() for end in ends]
    if not all(map(isfinite, values)):
        raise ValueError("a chart needs finite numbers")
    at = ticks(min([0.0, *values]), max([0.0, *values]))
    left = 16 + max((text_width(row, 12) for row in rows), default=0.0)
    bottom = TOP + ROW * len(rows)

    def across(value: float) -> float:
        return left + (value - at[0]) / (at[-1] - at[0]) * PLOT

    drawn = []
    for tick in at:
        x = across(tick)
        zero = abs(tick) < 1e-12
        drawn.append(element("line", x1=x, y1=TOP - 6, x2=x, y2=bottom, stroke="#000" if zero else "#ddd"))
        drawn.append(text(tick_label(tick), x, bottom + 16, text_anchor="middle"))
    drawn.append(text(x_label, left + PLOT / 2, bottom + 36, text_anchor="middle"))
    place = left
    for rank, name in enumerate(names):
        drawn.append(marker(place, 32, rank))
        drawn.append(text(name, place + 10, 36))
        place += 34 + text_width(name, 12)
    for count, (row, own) in enumerate(dots.items()):
        y = TOP + ROW * (count + 0.5)
        drawn.append(text(row, left - 10, y + 4, text_anchor="end"))
        drawn.append(element("line", x1=left, y1=y, x2=left + PLOT, y2=y, stroke="#eee"))
        for name, ends in own.items():
            rank = names.index(name)
            level = y + SPREAD * (rank - (len(names) - 1) / 2)
            low, value, high = map(across, ends)
            if low < high:
                drawn.append(element("line", x1=low, y1=level, x2=high, y2=level, stroke=COLOURS[rank]))
            drawn.append(marker(value, level, rank))
    return document(max(left + PLOT, place) + 16, bottom + BOTTOM, "chart", drawn)


def _ends(dot: Dot) -> tuple[float, float, float]:
    """The lower end, the value and the upper end."""
    return (dot[1], dot[0], dot[2]) if isinstance(dot, tuple) else (dot, dot, dot)
