"""Dot charts: places of dots and intervals."""

import xml.etree.ElementTree as ET

import pytest
from crossarc.parser.plugins.drawing.charts import PLOT, dot_chart

SVG = "{http://www.w3.org/2000/svg}"


def test_dots_are_where_their_values_are():
    drawn = ET.fromstring(dot_chart({"a": {"first": -1.0, "second": 3.0}, "b": {"first": 4.0}}))
    dots = [(float(node.get("cx", 0)), float(node.get("cy", 0))) for node in drawn.iter(f"{SVG}circle")][1:]
    squares = [float(node.get("x", 0)) + 4 for node in drawn.iter(f"{SVG}rect") if node.get("width") == "8"][1:]
    (low, upper), (high, lower) = dots
    assert (high - low) / (squares[0] - low) == pytest.approx(5 / 4, rel=0.01)
    assert lower > upper
    assert high - low <= PLOT


def test_intervals_surround_their_dots():
    drawn = ET.fromstring(dot_chart({"a": {"first": (1.0, 0.5, 2.5)}, "b": {"first": 1.5}}))
    lines = [node for node in drawn.iter(f"{SVG}line") if node.get("stroke") == "#0072b2"]
    assert len(lines) == 1
    dot, _ = [float(node.get("cx", 0)) for node in drawn.iter(f"{SVG}circle")][1:]
    low, high = float(lines[0].get("x1", 0)), float(lines[0].get("x2", 0))
    assert (high - dot) / (dot - low) == pytest.approx(3, rel=0.01)


@pytest.mark.parametrize("rows", [{"a": {"x": float("nan")}}, {"a": {str(number): 1.0 for number in range(9)}}])
def test_charts_that_cannot_be_drawn(rows):
    with pytest.raises(ValueError, match=r"finite|at most"):
        dot_chart(rows)
