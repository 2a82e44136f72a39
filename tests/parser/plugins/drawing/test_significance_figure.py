"""Significance figure and line chart: elements and coordinates, read from the SVG."""

import math
from itertools import pairwise, permutations
from xml.etree import ElementTree

import pytest
from crossarc.parser.evaluate.mcnemar import McNemar
from crossarc.parser.plugins.drawing.charts import line_chart
from crossarc.parser.plugins.drawing.significance_figure import Arrow, arrows, significance_figure
from hypothesis import given, strategies as st

SVG = "{http://www.w3.org/2000/svg}"


def panels_of(figure):
    return ElementTree.fromstring(figure).findall(f"{SVG}g")


def ends(line):
    x1, y1, x2, y2 = (float(line.get(key, "nan")) for key in ("x1", "y1", "x2", "y2"))
    return (x1, y1), (x2, y2)


def centres(panel):
    pairs = zip(panel.findall(f"{SVG}ellipse"), panel.findall(f"{SVG}text"), strict=True)
    return {str(name.text): (float(node.get("cx", "")), float(node.get("cy", ""))) for node, name in pairs}


def test_arrows_point_from_the_worse_to_the_better_parser():
    tests = {
        ("P0", "P1"): McNemar(40, 10, 4.1, 0.00004, 0.01, "second"),
        ("P0", "P2"): McNemar(1, 9, None, 0.02, 0.05, "first"),
        ("P1", "P2"): McNemar(5, 5, None, 1.0, None, None),
    }
    assert arrows(tests) == (Arrow("P0", "P1", 0.01), Arrow("P2", "P0", 0.05))


names = st.lists(st.text("abPQ<&>\"'é01- ", min_size=1, max_size=14), min_size=1, max_size=8, unique=True)


@given(names, st.data())
def test_arrows_connect_their_parsers_and_avoid_the_others(parsers, data):
    pairs = [(a, b) for a in range(len(parsers)) for b in range(len(parsers)) if a != b]
    chosen = data.draw(st.lists(st.sampled_from(pairs), max_size=9, unique=True)) if pairs else []
    drawn = [Arrow(parsers[a], parsers[b], 0.01 if a < b else 0.05) for a, b in chosen]
    figure = significance_figure(parsers, {"A & B": {"LAS": drawn}})
    (panel,) = panels_of(figure)
    places = centres(panel)
    assert list(places) == parsers
    lines = panel.findall(f"{SVG}line")
    assert len(lines) == len(drawn)
    for line, arrow in zip(lines, drawn, strict=True):
        start, end = ends(line)
        direct = [b - a for a, b in zip(places[arrow.worse], places[arrow.better], strict=True)]
        assert math.dist(start, places[arrow.worse]) < math.dist(end, places[arrow.worse])
        assert math.dist(end, places[arrow.better]) < math.dist(start, places[arrow.better])
        assert (end[0] - start[0]) * direct[1] - (end[1] - start[1]) * direct[0] == pytest.approx(0, abs=5)
        assert (line.get("stroke-dasharray") is not None) == (arrow.level == 0.05)
        for other in set(parsers) - {arrow.worse, arrow.better}:
            steps = [[a + t / 50 * (b - a) for a, b in zip(start, end, strict=True)] for t in range(51)]
            assert min(math.dist(step, places[other]) for step in steps) > 13


@pytest.mark.parametrize("longest", [1, 30])
@pytest.mark.parametrize("parsers", [1, 4, 8])
def test_ellipses_do_not_overlap(parsers, longest):
    (panel,) = panels_of(significance_figure([f"{k}" * longest for k in range(parsers)], {"x": {"LAS": []}}))
    found = [
        tuple(float(node.get(key, "")) for key in ("cx", "cy", "rx", "ry")) for node in panel.iter(f"{SVG}ellipse")
    ]
    assert len(found) == parsers
    for one, other in permutations(found, 2):
        assert math.hypot((other[0] - one[0]) / (2 * one[2]), (other[1] - one[1]) / (2 * one[3])) >= 1


def test_text_is_escaped_and_unprintable_characters_replaced():
    figure = significance_figure(["<b>&amp;", "\x00\ud800"], {"<script>": {"LAS": []}})
    assert "<script>" not in figure
    figure.encode("utf-8")
    assert list(centres(panels_of(figure)[0])) == ["<b>&amp;", "\ufffd\ufffd"]


def test_arrows_to_unknown_parsers_are_refused():
    with pytest.raises(ValueError, match=r"^Czech, LAS: an arrow names 'P9'; the parsers are P0, P1$"):
        significance_figure(["P0", "P1"], {"Czech": {"LAS": [Arrow("P0", "P9", 0.01)]}})


def polylines(chart):
    lines = ElementTree.fromstring(chart).findall(f"{SVG}polyline")
    return [[(float(x), float(y)) for x, y in (p.split(",") for p in line.get("points", "").split())] for line in lines]


def test_gaps_break_the_line_and_every_point_has_a_marker():
    chart = line_chart({"a": [(1, 1), (2, 2), (3, None), (4, 4), (5, None), (6, 1), (7, 0.5)]})
    assert [len(line) for line in polylines(chart)] == [2, 2, 2]
    assert len(ElementTree.fromstring(chart).findall(f"{SVG}circle")) == 5 + 1


def test_equal_ratios_are_equally_far_apart_on_a_logarithmic_axis():
    chart = line_chart({"a": [(0.12, 1), (0.5, 2), (1, 2), (2, 2), (12, 1)]}, log_x=True)
    (left, _), *middle, (right, _) = polylines(chart)[0]
    assert middle[1][0] - middle[0][0] == pytest.approx(middle[2][0] - middle[1][0], abs=0.02)
    shown = [label.text for label in ElementTree.fromstring(chart).findall(f"{SVG}text")]
    assert [own for own in ("0.1", "0.2", "0.5", "1", "2", "5", "10", "20") if own not in shown] == []
    assert 62 < left < right < 640


@pytest.mark.parametrize("highest", [10, 1000, 84_000, 10**9])
def test_labels_of_the_horizontal_axis_do_not_touch(highest):
    chart = line_chart({"a long name": [(1, 1), (highest, 2)]}, log_x=True)
    root = ElementTree.fromstring(chart)
    below = str(int(root.get("height", "")) - 36)
    labels = [node for node in root.findall(f"{SVG}text") if node.get("y") == below]
    shown = [(float(node.get("x", "")), len(node.text or "")) for node in labels]
    assert [label.text for label in labels[:3]] == ["1", "2", "5"]
    gaps = [b - a - 10 * (left + right) / 2 for (a, left), (b, right) in pairwise(shown)]  # a digit is 10 wide
    assert min(gaps) > 4


numbers = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
points = st.lists(st.tuples(numbers, st.none() | numbers), max_size=6)


@given(st.dictionaries(st.text(max_size=8), points, max_size=8))
def test_charts_are_well_formed_and_stay_inside_the_page(series):
    chart = line_chart(series)
    root = ElementTree.fromstring(chart)
    for line in polylines(chart):
        for x, y in line:
            assert 0 < x <= 640
            assert 30 <= y <= float(root.get("height", ""))
    markers = len(root.findall(f"{SVG}circle")) + len(root.findall(f"{SVG}rect")) - 1
    assert markers == len(series) + sum(y is not None for points in series.values() for _, y in points)


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ({str(k): [] for k in range(9)}, r"^a chart has at most 8 series, not 9$"),
        ({"a": [(1, math.nan)]}, r"^a chart needs finite numbers$"),
        ({"a": [(math.inf, 1)]}, r"^a chart needs finite numbers$"),
    ],
)
def test_invalid_series_are_refused(series, message):
    with pytest.raises(ValueError, match=message):
        line_chart(series)
