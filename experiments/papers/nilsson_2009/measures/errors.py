"""Rows of the error analysis of Nilsson (2009): tables 4.1 to 4.3, 7.3 to 7.5, 8.3 and 8.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....parser.evaluate.percent import Json, error_reduction, percentage
from .....parser.evaluate.scores import Scores
from ....harness.outputs import Tested
from ....harness.tables import picked

Figures = dict[str, float | None]


def share_row(scores: Scores) -> Figures:
    """A row of table 4.3: percentages of the tokens by the distance in words from the previous error."""
    own = scores.propagation["las"]
    tokens = [cluster.tokens for cluster in own.clusters]
    bins = {"1-2": tokens[:2], "3-7": tokens[2:7], ">7": tokens[7:]}
    return {name: percentage(sum(part), own.total.tokens) for name, part in bins.items()}


def pre_post_row(scores: Scores, single: Scores | None = None, key: str = "las") -> Figures:
    """A row of tables 7.3 and 8.3: accuracies, normalised error rates, and error reductions against ``single``."""
    own = scores.propagation[key]
    row: Figures = {"total": getattr(scores, key)}
    for name in ("pre", "post"):
        part = getattr(own, name)
        row |= {name: _accuracy(part.rate), f"{name}_normalised": part.normalised(own.total)}
        before = getattr(single.propagation[key], name).rate if single else None
        row[f"{name}_reduction"] = error_reduction(_accuracy(before), _accuracy(part.rate))
    return row


def analysis_of(systems: Mapping[str, Scores], measures: Mapping[str, Mapping[str, str]]) -> dict[str, Json]:
    """The rows of all tables of each system; error reductions are computed against the first system.

    measures: of the settings: ``root`` (tables 7.5 and 8.4: dependents of node 0, and other words), and rows of
        labelled error rates, in total, up to the first error of a sentence and after it (table 4.1) and by the
        distance in words from the error before (tables 4.2 and 7.4).
    """
    single = next(iter(systems.values()))
    return {
        name: {
            "pre_post": dict(pre_post_row(own, None if own is single else single)),
            **{row: picked(own.propagation["las"], paths) for row, paths in measures.items() if row != "root"},
            "share": dict(share_row(own)),
            "root": picked(own, measures["root"]),
        }
        for name, own in systems.items()
    }


def _accuracy(rate: float | None) -> float | None:
    return None if rate is None else 100.0 - rate


def best_of(scores: Mapping[str, Scores], names: Sequence[str]) -> str:
    """The system with the most words right (head and label); of equally good systems the first."""
    return max(names, key=lambda name: scores[name].all.las_correct)


def summary(scores: Scores, full: bool = False) -> dict[str, Json]:
    """Totals, error propagation and scores of root words as JSON; full: also scores by position, length and depth."""
    values = scores.to_json()
    kept = ["las", "uas", "la", "lem", "uem", "tokens", "propagation", "root", "nonroot"]
    if full:
        kept += ["gold_arcs", "by_position", "by_arc_length", "by_depth"]
    return {key: values[key] for key in kept}


def confirmed(test: Tested) -> bool:
    """Whether the second parser is better with p < 0.01 by the randomization test over sentences."""
    return test.b > test.c and test.over_sentences < 0.01


def verdict(test: Tested) -> str:
    """p of the randomization test over sentences as text, with a star if :func:`confirmed`."""
    return f"{test.over_sentences:.2g}" + " *" * confirmed(test)
