"""Where systems go wrong, as charts: after errors, along the sentence, by depth and by arc length (Nilsson 2009)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..drawing.line_chart import Point, line_chart
from .percent import percentage
from .scores import PrecisionRecall, Scores

__all__ = [
    "by_length",
    "clustering_figure",
    "depth_figure",
    "error_figures",
    "length_figure",
    "length_precisions",
    "position_figure",
    "position_rates",
]

BIN = 5


def error_figures(systems: Mapping[str, Scores]) -> dict[str, str]:
    """All charts as SVG by name, a line for each system, eight at most."""
    return {
        "error-clustering": clustering_figure("Error clustering", systems),
        "position": position_figure("Errors by position", systems),
        "depth": depth_figure("Precision by depth", systems),
        "arc-length": length_figure("Precision by arc length", systems),
    }


def clustering_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """Labelled error rates by the steps from the latest error, normalised (section 4.2.3, figures 4.1, 7.2, 8.2)."""
    series: dict[str, list[Point]] = {}
    for name, scores in systems.items():
        own = scores.propagation["las"]
        series[name] = [(step, cluster.normalised(own.total)) for step, cluster in enumerate(own.clusters, 1)]
    return line_chart(
        series, title=title, x_label="steps from the latest error (8: more than 7)", y_label="normalised error rate"
    )


def position_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """Normalised labelled error rates of words by their position in the sentence (figure 8.3)."""
    series = {name: position_rates(own) for name, own in systems.items()}
    label = "position in the sentence, in bins of five (45: after 40)"
    return line_chart(series, title=title, x_label=label, y_label="normalised error rate")


def depth_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """Labelled precision by the depth of arcs (figures 7.3 and 8.4, left)."""
    series: dict[str, list[Point]] = {
        name: [
            (int(depth.removeprefix(">")) - 1 + depth.startswith(">"), arcs.labelled.precision)
            for depth, arcs in own.by_depth.items()
        ]
        for name, own in systems.items()
    }
    return line_chart(series, title=title, x_label="depth (0: on node 0; 15: 15 and more)", y_label="precision")


def length_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """Labelled precision by the length of arcs (figures 7.3 and 8.4, right)."""
    series = {name: length_precisions(own) for name, own in systems.items()}
    return line_chart(series, title=title, x_label="arc length (16: 16 and more)", y_label="precision")


def position_rates(scores: Scores) -> list[Point]:
    """The normalised labelled error rates of words by position, in bins of five, each at its last position.

    The last bin holds all positions after those that the scores tell apart.
    """
    counts: dict[int, list[int]] = {}
    for name, own in scores.by_position.items():
        position = int(name.removeprefix(">")) + name.startswith(">")
        bin_ = counts.setdefault(-(-position // BIN) * BIN, [0, 0])
        bin_[0] += own.tokens - own.las_correct
        bin_[1] += own.tokens
    total = percentage(scores.all.attachment.tokens - scores.all.attachment.las_correct, scores.all.attachment.tokens)
    return [(end, 100.0 * (percentage(*counts[end]) or 0.0) / total if total else None) for end in sorted(counts)]


def length_precisions(scores: Scores) -> list[Point]:
    """Labelled precision by the length of the predicted arc; the last point is of all longer ones."""
    return [(length, arcs.precision) for length, arcs in by_length(scores, "labelled").items() if length]


def by_length(scores: Scores, kind: Literal["unlabelled", "labelled"]) -> dict[int, PrecisionRecall]:
    """Precision and recall by arc length, to the left and to the right together.

    Arcs from node 0 have length 0; the last length is that of all longer arcs.
    """
    counts: dict[int, list[int]] = {}
    for name, arcs in scores.by_arc_length.items():
        own: PrecisionRecall = getattr(arcs, kind)
        length = 0 if name == "root" else abs(int(name.strip("<>"))) + name.startswith(("<", ">"))
        sums = counts.setdefault(length, [0, 0, 0, 0])
        for k, count in enumerate((own.predicted, own.predicted_correct, own.gold, own.gold_correct)):
            sums[k] += count
    return {length: PrecisionRecall(*counts[length]) for length in sorted(counts)}
