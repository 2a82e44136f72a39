"""Non-projective arcs in parsed trees, and the changes that approximation makes to the best projective trees."""

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

OUTCOMES = {(False, True): "mended", (True, False): "broken", (False, False): "both wrong"}
"""Name of a change, by whether the word was right before and is right after."""


def approximation(config: Config, train_part: Part, tests: Mapping[str, Part]) -> Json:
    """Train and run a graph-based parser that approximates non-projective trees.

    The result is that of :func:`~...harness.parsing.parses`. Its ``parts`` also have ``before``: the best projective
    trees for the part ``test``, which the approximation changes.
    """
    model, result = trained_and_run(config, train_part, tests)
    assert isinstance(model, GraphModel)
    projective = replace(model, parser=replace(model.parser, nonprojective="none"))
    before = pack(trees_of(projective.parse(tests["test"].sentences())))
    parts: Any = result["parts"]
    return {**result, "parts": {**parts, "before": before}}


def changes(gold: Sequence[Tree], before: Sequence[Tree], after: Sequence[Tree]) -> dict[str, Any]:
    """Count words whose head or label changed. A word is right if it has the head and label of the gold tree.

    gold: gold trees.
    before, after: trees to compare.

    The result has ``trees``, the number of changed sentences, and three groups of counts: ``all`` words, words whose
    arc is non-projective in ``after`` (``crossing``), and other words (``projective``). A group counts words that are
    ``changed``, ``mended`` (wrong, then right), ``broken`` (right, then wrong), and ``both wrong``.
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
    names = ("changed", *OUTCOMES.values())
    by_kind: Mapping[str, Any] = {kind: {name: own[name] for name in names} for kind, own in counts.items()}
    return {"trees": trees, **by_kind}


def _arc(tree: Tree, word: int) -> tuple[int, str]:
    return tree.heads[word], tree.deprels[word]


LENGTHS = {"2 to 4": 4, "5 to 9": 9, "10 and more": None}
"""Bins of the lengths of non-projective arcs, each with its greatest length in words."""
MOST_DEPRELS = 8
"""Number of deprels that are counted separately."""
COUNTS = (
    *("arcs", "right", "label", "lifted", "elsewhere", "others", "others_right"),
    *("found", "found_right", "found_near", "found_none"),
)


def crossing_arcs(gold: Sequence[Tree], parsed: Sequence[Tree]) -> dict[str, Any]:
    """Count a parser's results on the non-projective arcs of gold trees.

    Counts of words in the result:

    - ``arcs``: non-projective gold arcs. For each the parser gives the right head and label (``right``), the right head
      with a wrong label (``label``), the head after projectivizing the gold tree (``lifted``), or another head
      (``elsewhere``).
    - ``others``, ``others_right``: words with a projective gold arc, and those of them with the right head and label.
    - ``found``: non-projective arcs of the parser. The word has the right head and label (``found_right``), or else its
      gold arc is non-projective (``found_near``) or projective (``found_none``).
    - ``length``, ``deprel``: numbers of ``arcs`` and of ``right`` ones by bin of :data:`LENGTHS`, and by gold label for
      the most frequent labels.
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
