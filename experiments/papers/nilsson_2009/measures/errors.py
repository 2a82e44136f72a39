"""Rows of the error analysis of Nilsson (2009): tables 4.1 to 4.3, 7.3 to 7.5, 8.3 and 8.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....parser.evaluate.percent import Json, error_reduction, percentage
from .....parser.evaluate.scores import Scores
from ....harness.outputs import Tested
from ....harness.tables import picked


def share_row(scores: Scores) -> dict[str, Json]:
    """A row of table 4.3: percentages of the tokens by the distance in words from the previous error."""
    propagation = scores.propagation["las"]
    tokens = [cluster.tokens for cluster in propagation.clusters]
    bins = {"1-2": tokens[:2], "3-7": tokens[2:7], ">7": tokens[7:]}
    return {name: percentage(sum(part), propagation.total.tokens) for name, part in bins.items()}


def pre_post_row(scores: Scores, single: Scores, key: str = "las") -> dict[str, Json]:
    """A row of tables 7.3 and 8.3: accuracies, normalised error rates, and error reductions against ``single``.

    The error reductions of ``single`` itself are None.
    """
    propagation = scores.propagation[key]
    row: dict[str, Json] = {"total": getattr(scores, key)}
    for name in ("pre", "post"):
        part = getattr(propagation, name)
        row |= {name: _accuracy(part.rate), f"{name}_normalised": part.normalised(propagation.total)}
        before = None if scores is single else getattr(single.propagation[key], name).rate
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
            "pre_post": pre_post_row(propagation, single),
            **{
                row: picked(propagation.propagation["las"], measures[row])
                for row in ("total", "error rate", "normalised")
            },
            "share": share_row(propagation),
            "root": picked(propagation, measures["root"]),
        }
        for name, propagation in systems.items()
    }


def _accuracy(rate: float | None) -> float | None:
    return None if rate is None else 100.0 - rate


def best_of(scores: Mapping[str, Scores], names: Sequence[str]) -> str:
    """The system with the most words right (head and label); of equally good systems the first."""
    return max(names, key=lambda name: scores[name].all.las_correct)


def confirmed(test: Tested) -> bool:
    """Whether the second parser is better with p < 0.01 by the randomization test over sentences."""
    return test.b > test.c and test.over_sentences < 0.01


def verdict(test: Tested) -> str:
    """p of the randomization test over sentences as text, with a star if :func:`confirmed`."""
    return f"{test.over_sentences:.2g}" + " *" * confirmed(test)
