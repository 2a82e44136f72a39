"""Non-projective arcs in parsed trees, and the changes that approximation makes to the best projective trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....parser.config.config import Config
from ....parser.evaluate.comparison import Comparison, Ints, Mask
from ....parser.models.graph_model import GraphModel
from ....parser.treebank.tree import trees_of
from ...harness import Json, Part
from ...harness.parsing import pack, trained_and_run


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


def changes(before: Comparison, after: Comparison) -> dict[str, Any]:
    """Count words whose head or label changed. A word is right if it has the head and label of the gold tree.

    before, after: the trees to compare, each compared with the gold trees.

    The result has ``trees``, the number of changed sentences, and three groups of counts: ``all`` words, words whose
    arc is non-projective in ``after`` (``crossing``), and other words (``projective``). A group counts words that are
    ``changed``, ``mended`` (wrong, then right), ``broken`` (right, then wrong), and ``both wrong``.
    """
    was_right, is_right = before.token_right("las"), after.token_right("las")
    old, new = (np.array(own.labels, dtype=object)[own.predicted.labels] for own in (before, after))
    changed = (before.predicted.heads != after.predicted.heads) | (old != new)
    crosses = after.predicted.nonprojective
    kinds = {"all": changed, "crossing": changed & crosses, "projective": changed & ~crosses}
    outcomes = {
        "changed": changed,
        "mended": ~was_right & is_right,
        "broken": was_right & ~is_right,
        "both wrong": ~was_right & ~is_right,
    }
    counts = {kind: {name: _count(own & mask) for name, mask in outcomes.items()} for kind, own in kinds.items()}
    return {"trees": len(np.unique(after.sentence[changed])), **counts}


LENGTHS = {"2 to 4": (2, 4), "5 to 9": (5, 9), "10 and more": (10, np.inf)}
"""Bins of the lengths of non-projective arcs in words."""
MOST_DEPRELS = 8
"""Number of deprels that are counted separately."""


def crossing_arcs(own: Comparison, lifted: Ints) -> dict[str, Any]:
    """Count a parser's results on the non-projective arcs of gold trees.

    lifted: heads of all words after projectivizing the gold trees (int64, (words,)).

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
    crossing, found, right = own.gold.nonprojective, own.predicted.nonprojective, own.token_right("las")
    wrong, as_lifted = crossing & ~own.head_right, own.predicted.heads == lifted
    counted = {
        "arcs": crossing,
        "right": crossing & right,
        "label": crossing & own.head_right & ~right,
        "lifted": wrong & as_lifted,
        "elsewhere": wrong & ~as_lifted,
        "others": ~crossing,
        "others_right": ~crossing & right,
        "found": found,
        "found_right": found & right,
        "found_near": found & crossing & ~right,
        "found_none": found & ~crossing & ~right,
    }
    lengths, deprels = np.abs(own.gold.heads - own.position), np.array(own.labels, dtype=object)[own.gold.labels]
    frequent = Counter(sorted(deprels[crossing])).most_common(MOST_DEPRELS)

    def share(mask: Mask) -> dict[str, int]:
        return {"arcs": _count(crossing & mask), "right": _count(crossing & right & mask)}

    return {
        **{name: _count(mask) for name, mask in counted.items()},
        "length": {name: share((lengths >= least) & (lengths <= most)) for name, (least, most) in LENGTHS.items()},
        "deprel": {label: share(deprels == label) for label, _ in frequent},
    }


def _count(mask: Mask) -> int:
    return int(np.count_nonzero(mask))
