"""The error analysis of Nilsson (2009) in its form: tables 4.1 to 4.3, 7.3 to 7.5, 8.3 and 8.4, and the figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..parser.evaluate import PrecisionRecall, Scores, error_reduction, line_chart
from ..parser.evaluate.percent import percentage
from .nilsson_2009_outputs import TOGETHER, Keyed, elsewhere
from .nilsson_2009_tables import beside, thesis_rows

__all__ = [
    "STEPS",
    "clustering_figure",
    "clustering_row",
    "depth_figure",
    "length_figure",
    "length_precisions",
    "position_figure",
    "position_rates",
    "pre_post_row",
    "propagation_tables",
    "root_row",
    "root_table",
    "share_row",
    "total_row",
]

STEPS = ("1", "2", "3", "4", "5", "6", "7", ">7")
BIN = 5
Figures = dict[str, float | None]
Points = list[tuple[float, float | None]]

TOTALS = {
    "total": "total",
    "pre": "Pre",
    "pre_share": "% of tokens in Pre",
    "post": "Post",
    "pre_normalised": "Pre, normalised",
    "post_normalised": "Post, normalised",
}
ROOTS = {
    "root_precision": "P, root",
    "other_precision": "P, non-root",
    "root_recall": "R, root",
    "other_recall": "R, non-root",
}
SHARES = {"1-2": "1–2", "3-7": "3–7", ">7": ">7"}


def total_row(scores: Scores) -> Figures:
    """A row of table 4.1: labelled error rates, in total, up to and including the first error, and after it."""
    own = scores.propagation["las"]
    return {
        "total": own.total.rate,
        "pre": own.pre.rate,
        "pre_share": percentage(own.pre.tokens, own.total.tokens),
        "post": own.post.rate,
        "pre_normalised": own.pre.normalised(own.total),
        "post_normalised": own.post.normalised(own.total),
    }


def clustering_row(scores: Scores, normalised: bool = False) -> Figures:
    """A row of tables 4.2 and 7.4: labelled error rates by the steps from the latest error."""
    own = scores.propagation["las"]
    rates = [cluster.normalised(own.total) if normalised else cluster.rate for cluster in own.clusters]
    return dict(zip(STEPS, rates, strict=True))


def share_row(scores: Scores) -> Figures:
    """A row of table 4.3: the percentages of the tokens in bins of table 4.2."""
    own = scores.propagation["las"]
    tokens = [cluster.tokens for cluster in own.clusters]
    bins = {"1-2": tokens[:2], "3-7": tokens[2:7], ">7": tokens[7:]}
    return {name: percentage(sum(part), own.total.tokens) for name, part in bins.items()}


def pre_post_row(scores: Scores, single: Scores | None = None, key: str = "las") -> Figures:
    """A row of tables 7.3 and 8.3: accuracies, normalised error rates, and error reductions on a single parser."""
    own = scores.propagation[key]
    row: Figures = {"total": getattr(scores, key)}
    for name in ("pre", "post"):
        part = getattr(own, name)
        row |= {name: _accuracy(part.rate), f"{name}_normalised": part.normalised(own.total)}
        before = getattr(single.propagation[key], name).rate if single else None
        row[f"{name}_reduction"] = error_reduction(_accuracy(before), _accuracy(part.rate))
    return row


def root_row(scores: Scores) -> Figures:
    """A row of tables 7.5 and 8.4: labelled precision and recall of words that hang on node 0, and of the others."""
    root, every = scores.root.labelled, scores.all.attachment
    other = PrecisionRecall(
        every.tokens - root.predicted,
        every.las_correct - root.predicted_correct,
        every.tokens - root.gold,
        every.las_correct - root.gold_correct,
    )
    return {
        "root_precision": root.precision,
        "other_precision": other.precision,
        "root_recall": root.recall,
        "other_recall": other.recall,
    }


def root_table(table: str, treebanks: str, systems: Mapping[str, Scores]) -> str:
    """Table 7.5 or 8.4, of all treebanks together. treebanks: those of the published rows."""
    ours: Keyed = {(TOGETHER, name): root_row(own) for name, own in systems.items()}
    theirs = elsewhere(treebanks, thesis_rows(table, ("system",), None, {key: key for key in ROOTS}))
    return beside(("treebanks", "system"), ROOTS, ours, theirs)


def propagation_tables(systems: Mapping[str, Scores]) -> list[str]:
    """Tables 4.1, 4.2 and 4.3 for any systems, as lines of Markdown."""
    steps = {step: step for step in STEPS}
    kinds: list[tuple[str, str, Callable[[Scores], Figures], Mapping[str, str]]] = [
        ("4.1", "labelled error rates up to the first error and after it", total_row, TOTALS),
        ("4.2", "labelled error rates by the steps from the latest error", clustering_row, steps),
        ("4.3", "% of the tokens by the steps from the latest error", share_row, SHARES),
    ]
    lines = []
    for table, title, row, columns in kinds:
        ours: Keyed = {(TOGETHER, name): row(own) for name, own in systems.items()}
        theirs = elsewhere("CoNLL 2006", thesis_rows(table, ("parser",), None, {key: key for key in columns}))
        lines += [f"### Table {table}: {title}", "", beside(("treebanks", "parser"), columns, ours, theirs)]
    return lines


def position_rates(scores: Scores) -> Points:
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


def length_precisions(scores: Scores) -> Points:
    """Labelled precision by the length of the predicted arc; the last point is of all longer ones."""
    counts: dict[int, list[int]] = {}
    for name, own in scores.by_arc_length.items():
        if name != "root":
            length = abs(int(name.strip("<>"))) + name.startswith(("<", ">"))
            of_length = counts.setdefault(length, [0, 0])
            of_length[0] += own.labelled.predicted_correct
            of_length[1] += own.labelled.predicted
    return [(length, percentage(*counts[length])) for length in sorted(counts)]


def clustering_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """Figures 4.1, 7.2 and 8.2 as SVG."""
    series: dict[str, Points] = {
        name: list(enumerate(clustering_row(own, normalised=True).values(), 1)) for name, own in systems.items()
    }
    return line_chart(
        series, title=title, x_label="steps from the latest error (8: more than 7)", y_label="normalised error rate"
    )


def position_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """Figure 8.3 as SVG."""
    series = {name: position_rates(own) for name, own in systems.items()}
    label = "position in the sentence, in bins of five (45: after 40)"
    return line_chart(series, title=title, x_label=label, y_label="normalised error rate")


def depth_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """The left half of figures 7.3 and 8.4 as SVG."""
    series: dict[str, Points] = {
        name: [
            (int(depth.removeprefix(">")) - 1 + depth.startswith(">"), arcs.labelled.precision)
            for depth, arcs in own.by_depth.items()
        ]
        for name, own in systems.items()
    }
    return line_chart(series, title=title, x_label="depth (0: on node 0; 15: 15 and more)", y_label="precision")


def length_figure(title: str, systems: Mapping[str, Scores]) -> str:
    """The right half of figures 7.3 and 8.4 as SVG."""
    series = {name: length_precisions(own) for name, own in systems.items()}
    return line_chart(series, title=title, x_label="arc length (16: 16 and more)", y_label="precision")


def _accuracy(rate: float | None) -> float | None:
    return None if rate is None else 100.0 - rate
