"""Non-projective arcs: what becomes of them in parses, and what approximation makes of the best projective trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....parser.config.config import Config
from ....parser.evaluate.percent import Json
from ....parser.models.graph_model import GraphModel
from ....parser.transforms.lifting.projectivize import projectivize
from ....parser.treebank.tree import Tree, trees_of
from ....transitions.trees import nonprojective_arcs
from ...harness.parsing import Part, pack, trained_and_run

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
    """Words whose head or label changed; right means head and label as in the gold tree.

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


LENGTHS = {"2 to 4": 4, "5 to 9": 9, "10 and more": None}
"""The bins of the lengths of non-projective arcs, each with its greatest."""
MOST_DEPRELS = 8
COUNTS = (
    *("arcs", "right", "label", "lifted", "elsewhere", "others", "others_right"),
    *("found", "found_right", "found_near", "found_none"),
)


def crossing_arcs(gold: Sequence[Tree], parsed: Sequence[Tree]) -> dict[str, Any]:
    """A parser's results on the non-projective arcs of gold trees, as counts of words.

    arcs: how many there are; each is ``right`` (head and label), or has its right head with the wrong label
    (``label``), or the head that it is lifted to where the gold tree is projectivized (``lifted``), or another one
    (``elsewhere``). others, others_right: the words whose gold arc is projective, and those of them with the right head
    and label. found: the non-projective arcs that the parser makes; each has the right head and label
    (``found_right``), or a gold arc that is non-projective, too (``found_near``), or one that is not
    (``found_none``). length, deprel: of the gold arcs in each bin of :data:`LENGTHS`, and with each of the most
    frequent gold labels, the number of ``arcs`` and of those ``right``.
    """
    counts: Counter[str] = Counter()
    lengths = {name: Counter[str]() for name in LENGTHS}
    deprels: dict[str, Counter[str]] = {}
    for wanted, own in zip(gold, parsed, strict=True):
        crossing, found = nonprojective_arcs(wanted.heads), nonprojective_arcs(own.heads)
        lifted = projectivize(wanted.heads)[0] if True in crossing else wanted.heads
        for word in range(1, len(wanted.heads)):
            head, label = wanted.heads[word], wanted.deprels[word]
            right = own.heads[word] == head and own.deprels[word] == label
            if found[word]:
                counts.update(["found", "found_right" if right else "found_near" if crossing[word] else "found_none"])
            if not crossing[word]:
                counts.update(["others", *(["others_right"] if right else [])])
                continue
            counts.update(["arcs", _outcome(own.heads[word], head, lifted[word], right)])
            for group in (lengths[_length(abs(head - word))], deprels.setdefault(label, Counter())):
                group.update(["arcs", *(["right"] if right else [])])
    frequent = sorted(deprels, key=lambda label: (-deprels[label]["arcs"], label))[:MOST_DEPRELS]
    return {
        **{name: counts[name] for name in COUNTS},
        "length": {name: _share(group) for name, group in lengths.items()},
        "deprel": {label: _share(deprels[label]) for label in frequent},
    }


def _outcome(own: int, head: int, lifted: int, right: bool) -> str:
    if right:
        return "right"
    return "label" if own == head else "lifted" if own == lifted else "elsewhere"


def _length(length: int) -> str:
    return next(name for name, most in LENGTHS.items() if most is None or length <= most)


def _share(group: Counter[str]) -> dict[str, int]:
    return {name: group[name] for name in ("arcs", "right")}
