"""Charts of tables; a parser has the same colour on all of them.

    {{ chart("las", x="LAS") }}
    {{ chart("{treebank}-speed", "{treebank}/{parser}/{words}/speed",
       rows={"treebank": "*", "parser": "*", "words": "*"}, columns=column("speed"),
       across="words", title="{treebank}", x="words", y="words per s", log="xy") }}

The first draws a table that the template has made, with dots in a row for each of its rows. With ``across`` there are
lines over the values of this variable, or over the figures of a column of this key: one line for each other column and
each combination of other variables. If the name has variables, each of their values has its own chart, whose title and
labels may name them, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...parser.base.yaml_values import load_yaml
from ...parser.plugins.drawing.charts import Dot, Point, dot_chart, line_chart
from .figures import number
from .runner import file_name
from .tables import Table

_Row = tuple[str, str | float | None, Mapping[str, Dot]]
"""The label of a row, its place on the horizontal axis, and its figures by title of the column."""

ENDS = ("low", "high")


@dataclass(frozen=True, slots=True)
class Chart:
    """How a table is drawn: labels of the axes, title, variable of the horizontal axis, logarithmic axes."""

    x: str
    y: str = ""
    title: str = ""
    across: str = ""
    log: str = ""


@cache
def parser_colours() -> dict[str, int]:
    """The number of the colour of each parser."""
    alike = load_yaml(Path(__file__).parents[1].joinpath("colours.yaml").read_text("utf-8"), "colours.yaml")
    return {name: rank for rank, names in enumerate(alike) for name in names}


def charts_of(name: str, table: Table, chart: Chart) -> dict[str, str]:
    """The charts of a table, as SVG by file name.

    name: name of the table. There is one chart for each combination of values of the variables in it.

    Columns ``NAME low`` and ``NAME high`` are the ends of the interval of a dot in column NAME.

    Charts, and rows of the same label, are left out if they have no figures.
    """
    variables, across = table.variables, chart.across
    groups: dict[str, tuple[Mapping[str, str], list[_Row]]] = {}
    for key, entries in table.rows.items():
        values, titles = (dict(zip(variables, column_values, strict=True)) for column_values in zip(*key, strict=True))
        figures = {
            column: None if entry.figure is None else number(entry.figure, name)
            for column, entry in zip(table.columns, entries, strict=True)
        }
        place = figures.pop(across, values.get(across))
        label = [text for variable, text in titles.items() if variable != across and f"{{{variable}}}" not in name]
        _, rows = groups.setdefault(file_name(name.format(**values)), (titles, []))
        rows.append(
            (", ".join(label), place, {table.columns[column]: figure for column, figure in _dots(figures).items()})
        )
    drawn = {}
    for file, (called, rows) in groups.items():
        known = {label for label, _, figures in rows if any(figure is not None for figure in figures.values())}
        if known:
            texts = Chart(*(getattr(chart, key).format(**called) for key in Chart.__slots__))
            drawn[f"{file}.svg"] = _drawn(texts, [row for row in rows if row[0] in known])
    return drawn


def _dots(figures: Mapping[str, float | None]) -> dict[str, Dot]:
    """The figures, with their intervals where the columns of both ends have figures."""
    dots: dict[str, Dot] = {}
    for name, value in figures.items():
        low, high = (figures.get(f"{name} {end}") for end in ENDS)
        if not name.endswith(tuple(f" {end}" for end in ENDS)):
            dots[name] = value if value is None or low is None or high is None else (value, low, high)
    return dots


def _drawn(chart: Chart, rows: Sequence[_Row]) -> str:
    """A chart with a line for each label and column, or without ``across`` with dots in a row for each label."""
    if not chart.across:
        return dot_chart({label: row for label, _, row in rows}, x_label=chart.x, colours=parser_colours())
    series: dict[str, list[Point]] = {}
    for label, place, figures in rows:
        for title, figure in figures.items():
            name = ", ".join(filter(None, (label, title if len(figures) > 1 else "")))
            if place is not None and not isinstance(figure, tuple):
                series.setdefault(name, []).append((float(place), figure))
    return line_chart(
        series,
        title=chart.title,
        x_label=chart.x,
        y_label=chart.y,
        log_x="x" in chart.log,
        log_y="y" in chart.log,
        colours=parser_colours(),
    )
