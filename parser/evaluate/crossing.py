"""How non-projective arcs fare: by deprel, by length and by depth, each class with examples to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..treebank.crossing import DEPTHS, LENGTHS, depth_class, length_class
from .comparison import Comparison, Ints, Mask, TreeColumns
from .scores import ArcScores, CrossingScores, PrecisionRecall

__all__ = ["crossing_scores"]


def crossing_scores(c: Comparison, here: Mask) -> dict[str, dict[str, CrossingScores]]:
    """For "deprel", "length" and "depth" the scores of each class that has non-projective arcs; here: bool[N], the
    tokens that count."""
    kinds: dict[str, tuple[tuple[str, ...], Callable[[TreeColumns], Ints]]] = {
        "deprel": (c.labels, lambda tree: tree.labels),
        "length": (LENGTHS, lambda tree: _classes(np.abs(c.position - tree.heads), length_class, LENGTHS)),
        "depth": (DEPTHS, lambda tree: _classes(tree.depths, depth_class, DEPTHS)),
    }
    found = {}
    for kind, (names, group) in kinds.items():
        rows = dict(_rows(c, here, names, group))
        if kind == "deprel":
            rows = dict(sorted(rows.items(), key=lambda item: (-item[1].arcs.unlabelled.gold, item[0])))
        found[kind] = rows
    return found


def _rows(
    c: Comparison, here: Mask, names: tuple[str, ...], group: Callable[[TreeColumns], Ints]
) -> Iterator[tuple[str, CrossingScores]]:
    gold_groups, predicted_groups = group(c.gold), group(c.predicted)
    for number, name in enumerate(names):
        gold = here & c.gold.nonprojective & (gold_groups == number)
        predicted = here & c.predicted.nonprojective & (predicted_groups == number)
        if gold.any() or predicted.any():
            both = c.head_right & c.label_right
            arcs = ArcScores(_counted(predicted, gold, c.head_right), _counted(predicted, gold, both))
            yield name, CrossingScores(arcs, _first(c, gold & ~c.head_right), _first(c, predicted & ~c.head_right))


def _counted(predicted: Mask, gold: Mask, right: Mask) -> PrecisionRecall:
    return PrecisionRecall(
        *(int(np.count_nonzero(mask)) for mask in (predicted, predicted & right, gold, gold & right))
    )


def _first(c: Comparison, where: Mask) -> str:
    """The first token under the mask."""
    if not where.any():
        return ""
    token = int(np.argmax(where))
    return f"{int(c.sentence[token]) + 1}:{int(c.position[token])}"


def _classes(values: Ints, name: Callable[[int], str], names: tuple[str, ...]) -> Ints:
    """The number of each value's class; -1 for values below 2, which non-projective arcs do not have."""
    numbers = {value: names.index(name(value)) if value > 1 else -1 for value in np.unique(values).tolist()}
    return np.array([numbers[value] for value in values.tolist()], dtype=np.int64)
