"""What non-projective approximation makes of the best projective trees of the same weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....parser.config.config import Config
from ....parser.evaluate.percent import Json
from ....parser.models.graph_model import GraphModel
from ....parser.treebank.tree import Tree, trees_of
from ....transitions.trees import nonprojective_arcs
from ...harness.parsing import Part, pack, trained_and_run

__all__ = ["approximation", "changes"]

OUTCOMES = {(False, True): "mended", (True, False): "broken", (True, True): "both right", (False, False): "both wrong"}


def approximation(config: Config, train_part: Part, tests: Mapping[str, Part]) -> Json:
    """As :func:`~...harness.parsing.parses`, for a graph-based parser that approximates; ``before``: the best
    projective trees of the part ``test``, which it changes."""
    model, result = trained_and_run(config, train_part, tests)
    assert isinstance(model, GraphModel)
    projective = replace(model, parser=replace(model.parser, nonprojective="none"))
    before = pack(trees_of(projective.parse(tests["test"].sentences())))
    parts: Any = result["parts"]
    return {**result, "parts": {**parts, "before": before}}


def changes(gold: Sequence[Tree], before: Sequence[Tree], after: Sequence[Tree]) -> dict[str, Any]:
    """What became of the words whose head or label changed, right being head and label as in the gold tree.

    Of all, of those whose arc is non-projective afterwards (``crossing``), and of the others (``projective``):
    ``changed``, ``mended`` (wrong, then right), ``broken`` (right, then wrong), ``both wrong``. ``trees``: how many
    sentences changed.
    """
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("all", "crossing", "projective")}
    trees = 0
    for wanted, old, new in zip(gold, before, after, strict=True):
        crosses = nonprojective_arcs(new.heads)
        words = [word for word in range(1, len(new.heads)) if _arc(old, word) != _arc(new, word)]
        trees += bool(words)
        for word in words:
            outcome = OUTCOMES[_arc(old, word) == _arc(wanted, word), _arc(new, word) == _arc(wanted, word)]
            for kind in ("all", "crossing" if crosses[word] else "projective"):
                counts[kind].update(["changed", outcome])
    names = ("changed", "mended", "broken", "both wrong")
    by_kind: Mapping[str, Any] = {kind: {name: own[name] for name in names} for kind, own in counts.items()}
    return {"trees": trees, **by_kind}


def _arc(tree: Tree, word: int) -> tuple[int, str]:
    return tree.heads[word], tree.deprels[word]
