"""An analysis of errors: what becomes of non-projective arcs, and what the others cost or gain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ....parser.transforms.lifting.projectivize import projectivize
from ....parser.treebank.tree import Tree
from ....transitions.trees import nonprojective_arcs

__all__ = ["LENGTHS", "crossing_arcs"]

LENGTHS = {"2 to 4": 4, "5 to 9": 9, "10 and more": None}
"""The bins of the lengths of non-projective arcs, each with its greatest."""
MOST_DEPRELS = 8
COUNTS = (
    *("arcs", "right", "label", "lifted", "elsewhere", "others", "others_right"),
    *("found", "found_right", "found_near", "found_none"),
)


def crossing_arcs(gold: Sequence[Tree], parsed: Sequence[Tree]) -> dict[str, Any]:
    """What a parser makes of the non-projective arcs of gold trees, as counts of words.

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
