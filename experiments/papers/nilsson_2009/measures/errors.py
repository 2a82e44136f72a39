"""The error analysis of Nilsson (2009) in its form: tables 4.1 to 4.3, 7.3 to 7.5, 8.3 and 8.4."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .....parser.evaluate import Scores, error_reduction
from .....parser.evaluate.percent import Json, percentage
from .outputs import TOGETHER, Keyed, elsewhere
from .tables import beside, thesis_rows

__all__ = [
    "STEPS",
    "Figures",
    "analysis_of",
    "clustering_row",
    "pre_post_row",
    "propagation_tables",
    "root_row",
    "root_table",
    "share_row",
    "total_row",
]

STEPS = ("1", "2", "3", "4", "5", "6", "7", ">7")
Figures = dict[str, float | None]

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
    root, other = scores.root.labelled, scores.nonroot.labelled
    return {
        "root_precision": root.precision,
        "other_precision": other.precision,
        "root_recall": root.recall,
        "other_recall": other.recall,
    }


def analysis_of(systems: Mapping[str, Scores]) -> dict[str, Json]:
    """The rows of tables 4.1, 7.3 to 7.5, 8.3 and 8.4 of each system; the first is the one errors are compared to."""
    single = next(iter(systems.values()))
    return {
        name: {
            "pre_post": dict(pre_post_row(own, None if own is single else single)),
            "total": dict(total_row(own)),
            "error rate": dict(clustering_row(own)),
            "normalised": dict(clustering_row(own, True)),
            "root": dict(root_row(own)),
        }
        for name, own in systems.items()
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


def _accuracy(rate: float | None) -> float | None:
    return None if rate is None else 100.0 - rate
