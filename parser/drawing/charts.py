"""Line charts and dot charts as SVG, for learning curves and controlled experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from math import ceil, floor, isfinite, log10
from typing import TypeAlias

from .svg import document, element, number, text, text_width

Point: TypeAlias = tuple[float, float | None]

# Okabe & Ito's colours, which colour-blind readers can distinguish, and dashes for black-and-white print.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7f7f7f")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3")
WIDTH, HEIGHT = 640.0, 380.0
LEFT, TOP, BOTTOM = 62.0, 36.0, 50.0
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
) -> str:
    """Draw up to eight named series of (x, y) points as SVG.

    series: points by name, joined in the given order. A y of None is a gap.
    log_x, log_y: whether the axis is logarithmic; its values must exceed 0.

    Raises ValueError for more than eight series and for values that are not finite numbers.
    """
    if len(series) > len(COLOURS):
        raise ValueError(f"a chart has at most {len(COLOURS)} series, not {len(series)}")
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points if y is not None]
    if not all(map(isfinite, [*xs, *ys])):
        raise ValueError("a chart needs finite numbers")
    across, up = (log10 if log else float for log in (log_x, log_y))
    x_ticks = (_log_ticks if log_x else ticks)(min(xs, default=0.0), max(xs, default=1.0))
    y_ticks = (_log_ticks if log_y else ticks)(min(ys, default=0.0), max(ys, default=1.0))
    legend = 60 + max((text_width(name, 12) for name in series), default=0.0)
    right, floor_y = WIDTH - legend, HEIGHT - BOTTOM
    x_low, x_high = across(x_ticks[0]), across(x_ticks[-1])
    y_low, y_high = up(y_ticks[0]), up(y_ticks[-1])

    def place(x: float, y: float) -> tuple[float, float]:
        share = (across(x) - x_low) / (x_high - x_low)
        return LEFT + share * (right - LEFT), floor_y - (up(y) - y_low) / (y_high - y_low) * (floor_y - TOP)

    drawn = _axes(x_ticks, y_ticks, place)
    drawn.append(text(title, (LEFT + right) / 2, 20, text_anchor="middle", font_size=14, font_weight="bold"))
    drawn.append(text(x_label, (LEFT + right) / 2, HEIGHT - 12, text_anchor="middle"))
    middle = (TOP + floor_y) / 2
    drawn.append(text(y_label, 16, middle, text_anchor="middle", transform=f"rotate(-90 16 {number(middle)})"))
    for rank, (name, points) in enumerate(series.items()):
        colour, dash = COLOURS[rank], DASHES[rank]
        drawn += _curve([None if y is None else place(x, y) for x, y in points], rank)
        y = TOP + 10 + 20 * rank
        drawn.append(_path([(right + 14, y), (right + 44, y)], colour, dash))
        drawn.append(marker(right + 29, y, rank))
        drawn.append(text(name, right + 50, y + 4))
    return document(WIDTH, HEIGHT, title or "chart", drawn)


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
        drawn.append(text(tick_label(tick), left - 7, y + 4, text_anchor="end"))
    end = 0.0
    for tick in x_ticks:
        x, half = place(tick, y_ticks[0])[0], text_width(tick_label(tick), 12) / 2
        drawn.append(element("line", x1=x, y1=bottom, x2=x, y2=bottom + 5, stroke="#000"))
        if x - half >= end:
            drawn.append(text(tick_label(tick), x, bottom + 18, text_anchor="middle"))
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
        return element("rect", x=x - 3, y=y - 3, width=6, height=6, fill=colour)
    return element("circle", cx=x, cy=y, r=3.2, fill=colour)


Dot: TypeAlias = float | tuple[float, float, float]
"""A value, or a value with the lower and upper end of its interval."""
ROW, ABOVE, BELOW, PLOT = 20.0, 48.0, 46.0, 420.0
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
    bottom = ABOVE + ROW * len(rows)

    def across(value: float) -> float:
        return left + (value - at[0]) / (at[-1] - at[0]) * PLOT

    drawn = []
    for tick in at:
        x = across(tick)
        zero = abs(tick) < 1e-12
        drawn.append(element("line", x1=x, y1=ABOVE - 6, x2=x, y2=bottom, stroke="#000" if zero else "#ddd"))
        drawn.append(text(tick_label(tick), x, bottom + 16, text_anchor="middle"))
    drawn.append(text(x_label, left + PLOT / 2, bottom + 36, text_anchor="middle"))
    place = left
    for rank, name in enumerate(names):
        drawn.append(marker(place, 32, rank))
        drawn.append(text(name, place + 10, 36))
        place += 34 + text_width(name, 12)
    for count, (row, own) in enumerate(dots.items()):
        y = ABOVE + ROW * (count + 0.5)
        drawn.append(text(row, left - 10, y + 4, text_anchor="end"))
        drawn.append(element("line", x1=left, y1=y, x2=left + PLOT, y2=y, stroke="#eee"))
        for name, ends in own.items():
            rank = names.index(name)
            level = y + SPREAD * (rank - (len(names) - 1) / 2)
            low, value, high = map(across, ends)
            if low < high:
                drawn.append(element("line", x1=low, y1=level, x2=high, y2=level, stroke=COLOURS[rank]))
            drawn.append(marker(value, level, rank))
    return document(max(left + PLOT, place) + 16, bottom + BELOW, "chart", drawn)


def _ends(dot: Dot) -> tuple[float, float, float]:
    """The lower end, the value and the upper end."""
    return (dot[1], dot[0], dot[2]) if isinstance(dot, tuple) else (dot, dot, dot)
