"""Arc lengths: accuracy by length, and changes of lengths by transforms (Nilsson 2009, section 6.5.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .....parser.drawing.charts import line_chart
from .....parser.evaluate.error_figures import by_length
from .....parser.evaluate.percent import percentage
from .....parser.evaluate.scores import Scores
from .....parser.transforms import apply_all, fit_all, parse_transform
from .....parser.treebank.tree import trees_of
from ....harness import Json, Part

LONGEST = 15
"""Longest arcs with a bin of their own, in words."""
X_LABEL = f"arc length (0: from the root, {LONGEST + 1}: longer than {LONGEST})"


def arc_lengths(transforms: Sequence[Any], part: Part) -> Json:
    """Number of arcs by length, ``before`` and ``after`` transforms; arcs from node 0 have length 0."""
    trees = trees_of(part.sentences())
    chain = [parse_transform(spec) for spec in transforms]
    fit_all(chain, trees)
    changed = [apply_all(chain, tree) for tree in trees]
    found: dict[str, Json] = {}
    for name, own in (("before", trees), ("after", changed)):
        arcs = ((word, head) for tree in own for word, head in enumerate(tree.heads) if word)
        counts = Counter(abs(head - word) if head else 0 for word, head in arcs)
        found[name] = {str(length): counts[length] for length in sorted(counts)}
    return found


def mean_length(counts: Mapping[str, int]) -> float | None:
    """The mean length of arcs between words; None if there are none. counts: number of arcs by length."""
    arcs = sum(count for length, count in counts.items() if length != "0")
    return sum(int(length) * count for length, count in counts.items()) / arcs if arcs else None


def ratios(result: Mapping[str, Mapping[str, int]]) -> dict[int, float | None]:
    """The number of arcs by length after transforms, in per cent of the number before (None: 0 before)."""
    before, after = Counter[int](), Counter[int]()
    for bins, name in ((before, "before"), (after, "after")):
        for length, count in result[name].items():
            bins[min(int(length), LONGEST + 1)] += count
    longest = max([*before, *after], default=0)
    return {length: percentage(after[length], before[length]) for length in range(longest + 1)}


def length_chart(title: str, scores: Mapping[str, Scores]) -> str:
    """Figure 6.8 as SVG: unlabelled precision and recall by arc length, for up to four parsers."""
    arcs = {name: by_length(values, "unlabelled") for name, values in scores.items()}
    series = {
        f"{name}, {side}": [(float(length), getattr(own, side)) for length, own in arcs[name].items()]
        for name in scores
        for side in ("precision", "recall")
    }
    return line_chart(series, title=title, x_label=X_LABEL, y_label="unlabelled precision and recall")


def ratio_chart(title: str, results: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Figure 6.9 as SVG: number of arcs by length after transforms, in per cent of the number before."""
    series = {
        name: [(float(length), ratio) for length, ratio in ratios(result).items()] for name, result in results.items()
    }
    return line_chart(series, title=title, x_label=X_LABEL, y_label="% of the arcs without transform")
