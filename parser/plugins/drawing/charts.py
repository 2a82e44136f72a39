"""Line charts and dot charts as SVG, for learning curves and controlled experiments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from math import ceil, floor, isfinite, log10
from typing import TypeAlias

from .svg import document, element, number, text, text_width

Point: TypeAlias = tuple[float, float | None]

# Okabe & Ito's colours, which colour-blind readers can distinguish, and dashes for black-and-white print.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7f7f7f")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3")
SIZE = 16.0
"""Size of the font: readable when a chart is shown at half its width."""
WIDTH, HEIGHT = 640.0, 320.0
LEFT, BOTTOM, LINE = 72.0, 58.0, 24.0
GAP = 6.0
"""Minimum distance between the labels below the horizontal axis; labels without room are left out."""


def line_chart(
    series: Mapping[str, Sequence[Point]],
    *,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    log_x: bool = False,
    log_y: bool = False,
    colours: Mapping[str, int] = {},
) -> str:
    """Draw up to eight named series of (x, y) points as SVG.

    series: points by name, joined in the given order. A y of None is a gap.
    log_x, log_y: whether the axis is logarithmic; its values must exceed 0.
    colours: number of the colour of some series, see :func:`ranks`.

    Raises ValueError for more than eight series and for values that are not finite numbers.
    """
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points if y is not None]
    if not all(map(isfinite, [*xs, *ys])):
        raise ValueError("a chart needs finite numbers")
    across, up = (log10 if log else float for log in (log_x, log_y))
    x_ticks = (_log_ticks if log_x else ticks)(min(xs, default=0.0), max(xs, default=1.0))
    y_ticks = (_log_ticks if log_y else ticks)(min(ys, default=0.0), max(ys, default=1.0))
    ranked = ranks(series, colours)
    legend, top = _legend(ranked, LINE, WIDTH, dashed=True)
    right, floor_y = WIDTH - GAP - text_width(tick_label(x_ticks[-1]), SIZE) / 2, top + HEIGHT - BOTTOM
    x_low, x_high = across(x_ticks[0]), across(x_ticks[-1])
    y_low, y_high = up(y_ticks[0]), up(y_ticks[-1])

    def place(x: float, y: float) -> tuple[float, float]:
        share = (across(x) - x_low) / (x_high - x_low)
        return LEFT + share * (right - LEFT), floor_y - (up(y) - y_low) / (y_high - y_low) * (floor_y - top)

    drawn = _axes(x_ticks, y_ticks, place)
    drawn.append(text(title, WIDTH / 2, 20, text_anchor="middle", font_weight="bold"))
    drawn.append(text(x_label, (LEFT + right) / 2, floor_y + 46, text_anchor="middle"))
    middle = (top + floor_y) / 2
    drawn.append(text(y_label, 16, middle, text_anchor="middle", transform=f"rotate(-90 16 {number(middle)})"))
    for name, points in series.items():
        drawn += _curve([None if y is None else place(x, y) for x, y in points], ranked[name])
    return document(WIDTH, floor_y + BOTTOM, title or "chart", [*drawn, *legend], SIZE)


def ranks(names: Collection[str], colours: Mapping[str, int]) -> dict[str, int]:
    """The number of the colour of each series: that of its first words in ``colours``, or one that no other needs.

    Raises ValueError for more than eight series.
    """
    if len(names) > len(COLOURS):
        raise ValueError(f"a chart has at most {len(COLOURS)} series, not {len(names)}")
    colour_of: dict[str, int] = {}
    for name in names:
        rank = colours.get(re.split(r", | \(", name)[0])
        if rank is not None and rank not in colour_of.values():
            colour_of[name] = rank
    free = (rank for rank in range(len(COLOURS)) if rank not in colour_of.values())
    return {name: colour_of[name] if name in colour_of else next(free) for name in names}


def _legend(ranked: Mapping[str, int], top: float, width: float, dashed: bool) -> tuple[list[str], float]:
    """The names of the series, in lines of at most so much width, and the place below them."""
    drawn, x, y = [], GAP, top + LINE / 2
    for name, rank in ranked.items():
        end = x + 52 + text_width(name, 0.9 * SIZE)
        if end > width and x > GAP:
            x, y, end = GAP, y + LINE, end - x + GAP
        drawn += [_path([(x, y), (x + 30, y)], COLOURS[rank], DASHES[rank])] if dashed else []
        drawn += [marker(x + 15, y, rank), text(name, x + (36 if dashed else 26), y + 5)]
        x = end
    return drawn, y + LINE


def ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers, 1, 2 or 5 times a power of ten apart, that cover ``low`` to ``high``."""
    if low == high:
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    raw = (high - low) / 5
    power = 10.0 ** floor(log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [step * k for k in range(first, last + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten that cover ``low`` to ``high``."""
    ticks = [factor * 10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 2) for factor in (1, 2, 5)]
    first = max(k for k, tick in enumerate(ticks) if tick <= low)
    last = next(k for k, tick in enumerate(ticks) if tick >= high and k > first)
    return ticks[first : last + 1]


def _axes(
    x_ticks: Sequence[float], y_ticks: Sequence[float], place: Callable[[float, float], tuple[float, float]]
) -> list[str]:
    """Draw grid lines, tick labels and the two axes."""
    (left, bottom), (right, top) = place(x_ticks[0], y_ticks[0]), place(x_ticks[-1], y_ticks[-1])
    drawn = []
    for tick in y_ticks:
        y = place(x_ticks[0], tick)[1]
        drawn.append(element("line", x1=left, y1=y, x2=right, y2=y, stroke="#ddd"))
        drawn.append(text(tick_label(tick), left - 7, y + 5, text_anchor="end"))
    end = 0.0
    for tick in x_ticks:
        x, half = place(tick, y_ticks[0])[0], text_width(tick_label(tick), SIZE) / 2
        drawn.append(element("line", x1=x, y1=bottom, x2=x, y2=bottom + 5, stroke="#000"))
        if x - half >= end:
            drawn.append(text(tick_label(tick), x, bottom + 22, text_anchor="middle"))
            end = x + half + GAP
    drawn.append(element("line", x1=left, y1=bottom, x2=right, y2=bottom, stroke="#000"))
    drawn.append(element("line", x1=left, y1=bottom, x2=left, y2=top, stroke="#000"))
    return drawn


def tick_label(value: float) -> str:
    """Return the label of a tick."""
    return "0" if abs(value) < 1e-12 else f"{value:.6g}"


def _curve(points: Sequence[tuple[float, float] | None], rank: int) -> list[str]:
    """Draw the markers of a series and the lines between adjacent points, interrupted at gaps."""
    runs = [[p for p in run if p is not None] for there, run in groupby(points, lambda p: p is not None) if there]
    lines = [_path(run, COLOURS[rank], DASHES[rank]) for run in runs if len(run) > 1]
    return lines + [marker(x, y, rank) for run in runs for x, y in run]


def _path(points: Sequence[tuple[float, float]], colour: str, dash: str) -> str:
    style: dict[str, str | float] = {"stroke_dasharray": dash} if dash else {}
    places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polyline", points=places, fill="none", stroke=colour, stroke_width=1.8, **style)


def marker(x: float, y: float, rank: int) -> str:
    """Draw the marker of a series, a circle or a square. rank: number of the series from 0."""
    colour = COLOURS[rank]
    if rank % 2:
        return element("rect", x=x - 4, y=y - 4, width=8, height=8, fill=colour)
    return element("circle", cx=x, cy=y, r=4.2, fill=colour)


Dot: TypeAlias = float | tuple[float, float, float] | None
"""A value, or a value with the lower and upper end of its interval; None is not drawn."""
ROW, BELOW, PLOT = 22.0, 58.0, 400.0
SPREAD = 5.0
"""Vertical distance between the dots of two series in one row."""


def dot_chart(rows: Mapping[str, Mapping[str, Dot]], *, x_label: str = "", colours: Mapping[str, int] = {}) -> str:
    """Draw the values of up to eight series in named rows as SVG, with a line at zero.

    rows: by name of the row, top first, the dots by name of the series. A row may lack series.
    colours: number of the colour of some series, see :func:`ranks`.

    Raises ValueError for more than eight series and for values that are not finite numbers.
    """
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    dots = {
        row: {name: _ends(dot) for name, dot in row_dots.items() if dot is not None} for row, row_dots in rows.items()
    }
    values = [end for row in dots.values() for ends in row.values() for end in ends]
    if not all(map(isfinite, values)):
        raise ValueError("a chart needs finite numbers")
    at = ticks(min([0.0, *values]), max([0.0, *values]))
    left = 16 + max((text_width(row, 0.9 * SIZE) for row in rows), default=0.0)
    width = left + PLOT + 24
    ranked = ranks(names, colours)
    legend, above = _legend(ranked, GAP, width, dashed=False)
    row_height = max(ROW, SPREAD * (len(names) + 3))
    bottom = above + row_height * len(rows)

    def across(value: float) -> float:
        return left + (value - at[0]) / (at[-1] - at[0]) * PLOT

    drawn = legend
    for tick in at:
        x = across(tick)
        zero = abs(tick) < 1e-12
        drawn.append(element("line", x1=x, y1=above - 6, x2=x, y2=bottom, stroke="#000" if zero else "#ddd"))
        drawn.append(text(tick_label(tick), x, bottom + 20, text_anchor="middle"))
    drawn.append(text(x_label, left + PLOT / 2, bottom + 44, text_anchor="middle"))
    for count, (row, ends_of) in enumerate(dots.items()):
        y = above + row_height * (count + 0.5)
        drawn.append(text(row, left - 10, y + 5, text_anchor="end"))
        drawn.append(element("line", x1=left, y1=y, x2=left + PLOT, y2=y, stroke="#eee"))
        for name, ends in ends_of.items():
            rank = ranked[name]
            level = y + SPREAD * (names.index(name) - (len(names) - 1) / 2)
            low, value, high = map(across, ends)
            if low < high:
                drawn.append(element("line", x1=low, y1=level, x2=high, y2=level, stroke=COLOURS[rank]))
            drawn.append(marker(value, level, rank))
    return document(width, bottom + BELOW, "chart", drawn, SIZE)


def _ends(dot: float | tuple[float, float, float]) -> tuple[float, float, float]:
    """The lower end, the value and the upper end."""
    return (dot[1], dot[0], dot[2]) if isinstance(dot, tuple) else (dot, dot, dot)
