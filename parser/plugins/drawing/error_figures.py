"""Charts of errors by distance from the latest error, position, depth and arc length (Nilsson 2009)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from ...evaluate.percent import percentage
from ...evaluate.scores import PrecisionRecall, Scores
from .charts import Point, line_chart
from .report_page import Chart

BIN = 5


class _Kind(NamedTuple):
    """A kind of chart.

    points: returns the points of the line of one parser.
    """

    title: str
    points: Callable[[Scores], list[Point]]
    x_label: str
    y_label: str


def error_figures(systems: Mapping[str, Scores]) -> dict[str, str]:
    """Return all charts as SVG by name, with one line per parser; eight parsers at most."""
    return {name: error_figure(name, systems) for name in KINDS}


def error_charts(systems: Mapping[str, Scores]) -> list[Chart]:
    """Return the charts of :func:`error_figures` for a page, with captions and descriptions."""
    charts = []
    for name, kind in KINDS.items():
        caption = f"{kind.title}: {kind.y_label} by {kind.x_label}"
        lines = []
        for system, scores in systems.items():
            points = [f"{y:.1f} at {x:g}" for x, y in kind.points(scores) if y is not None]
            lines.append(f"{system}: {', '.join(points) or 'no points'}")
        charts.append(Chart(error_figure(name, systems), caption, f"{caption}. {'; '.join(lines)}"))
    return charts


def error_figure(name: str, systems: Mapping[str, Scores]) -> str:
    """Draw one chart as SVG (sources: Nilsson 2009).

    name: name of the chart, see below.
    systems: scores by parser.

    - ``error-clustering``: normalised labelled error rates by the steps from the latest error (section 4.2.3, figures
      4.1, 7.2 and 8.2).
    - ``position``: normalised labelled error rates of words by position (figure 8.3).
    - ``depth``, ``arc-length``: labelled precision by the depth and length of arcs (figures 7.3 and 8.4).
    """
    kind = KINDS[name]
    series = {system: kind.points(scores) for system, scores in systems.items()}
    return line_chart(series, title=kind.title, x_label=kind.x_label, y_label=kind.y_label)


def _cluster_rates(scores: Scores) -> list[Point]:
    las = scores.propagation["las"]
    return [(step, cluster.normalised(las.total)) for step, cluster in enumerate(las.clusters, 1)]


def _depth_precisions(scores: Scores) -> list[Point]:
    depths = {
        int(name.removeprefix(">")) - 1 + name.startswith(">"): bin_scores
        for name, bin_scores in scores.by_depth.items()
    }
    return [(depth, bin_scores.labelled.precision) for depth, bin_scores in depths.items()]


def position_rates(scores: Scores) -> list[Point]:
    """Return the normalised labelled error rates of words by position, in bins of five.

    The x value of a bin is its last position. The last bin contains all positions that the scores do not distinguish.
    """
    counts: dict[int, list[int]] = {}
    for name, bin_scores in scores.by_position.items():
        position = int(name.removeprefix(">")) + name.startswith(">")
        bin_ = counts.setdefault(-(-position // BIN) * BIN, [0, 0])
        bin_[0] += bin_scores.tokens - bin_scores.las_correct
        bin_[1] += bin_scores.tokens
    total = percentage(scores.all.tokens - scores.all.las_correct, scores.all.tokens)
    return [(end, 100.0 * (percentage(*counts[end]) or 0.0) / total if total else None) for end in sorted(counts)]


def length_precisions(scores: Scores) -> list[Point]:
    """Return labelled precision by the length of the predicted arc; the last point covers all longer arcs."""
    return [(length, arcs.precision) for length, arcs in by_length(scores, "labelled").items() if length]


def by_length(scores: Scores, kind: Literal["unlabelled", "labelled"]) -> dict[int, PrecisionRecall]:
    """Return precision and recall by arc length, regardless of direction.

    Arcs from node 0 have length 0; the last length covers all longer arcs.
    """
    counts: dict[int, list[int]] = {}
    for name, arcs in scores.by_arc_length.items():
        figures: PrecisionRecall = getattr(arcs, kind)
        length = 0 if name == "root" else abs(int(name.strip("<>"))) + name.startswith(("<", ">"))
        sums = counts.setdefault(length, [0, 0, 0, 0])
        for k, count in enumerate((figures.predicted, figures.predicted_correct, figures.gold, figures.gold_correct)):
            sums[k] += count
    return {length: PrecisionRecall(*counts[length]) for length in sorted(counts)}


KINDS: Mapping[str, _Kind] = {
    "error-clustering": _Kind(
        "Error clustering", _cluster_rates, "steps from the latest error (8: more than 7)", "normalised error rate"
    ),
    "position": _Kind(
        "Errors by position",
        position_rates,
        "position in the sentence, in bins of five (45: after 40)",
        "normalised error rate",
    ),
    "depth": _Kind("Precision by depth", _depth_precisions, "depth (0: on node 0; 15: 15 and more)", "precision"),
    "arc-length": _Kind("Precision by arc length", length_precisions, "arc length (16: 16 and more)", "precision"),
}
