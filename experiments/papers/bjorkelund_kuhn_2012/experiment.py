"""Björkelund & Kuhn (2012): treatments of non-projective arcs in graph-based parsing, and transition-based parsers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from ....parser.base.errors import check_names
from ....parser.config.config import ParserConfig
from ....parser.evaluate.comparison import Comparison, Ints, Mask
from ....parser.evaluate.percent import percentage
from ....parser.models.words import SentenceWords
from ....parser.plugins.graph.config import GraphConfig
from ....parser.plugins.graph.features import WordColumns as FactorWords
from ....parser.plugins.graph.model import GraphModel
from ....parser.treebank import Sentence
from ....parser.treebank.tree import Tree, trees_of
from ....transitions.trees import nonprojective_arcs, roots
from ...harness import (
    Cell,
    Experiment,
    ExperimentTreebank,
    Json,
    Outputs,
    Settings,
    TreebankPart,
    by_treebank,
    count_part,
    parses,
)
from ...harness.parsing import pack, trained_and_run

BLEND = "blend"


def paired_t(one: Ints, other: Ints) -> dict[str, Json]:
    """A paired t-test over sentences, on the numbers of right words of two parsers.

    The result has the mean ``gain`` of the second parser, ``t`` and the two-sided ``p`` (None: no difference at all).
    """
    if (one == other).all():
        return {"gain": 0.0, "t": None, "p": None}
    result = ttest_rel(other, one)
    return {"gain": float((other - one).mean()), "t": float(result.statistic), "p": float(result.pvalue)}


def check(settings: Settings) -> None:
    """Raise CrossarcError for unknown parsers in the settings ``table_2`` and ``blend``."""
    for key in ("table_2", "blend"):
        check_names(f"{key}: no parser", settings.values[key], settings.parsers)


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells that count the training set, and of the parsers."""
    counted = treebank.cell("statistics", count_part, treebank.part("train"))
    return [counted, *treebank.each_fold(lambda config: approximation if approximates(config) else parses)]


def approximates(config: ParserConfig) -> bool:
    """Whether a parser is graph-based with non-projective approximation (NPA)."""
    return isinstance(config, GraphConfig) and config.graph.nonprojective == "npa"


def figures(treebank: ExperimentTreebank) -> dict[str, Json]:
    """The figures of all tables for one treebank, and tests between parsers."""
    parsers = treebank.parsers
    outputs = treebank.parsed()
    approximating = [name for name, config in parsers.items() if approximates(config)]
    before = treebank.parsed("before", systems=approximating).comparisons
    changed: dict[str, Json] = {
        name: changes(comparison, outputs.comparisons[name]) for name, comparison in before.items()
    }
    if blend := treebank.values["blend"]:
        outputs = Outputs(outputs.gold, {**outputs.trees, BLEND: blended(outputs, blend)})
    scores = outputs.scores
    rows = treebank.rows("table 2", scores)
    return {
        "statistics": treebank.measured("statistics", treebank["statistics"]),
        "rows": rows,
        "table_2": {name: rows[name] for name in treebank.values["table_2"]},
        "cost": {name: treebank.cost(name) for name in parsers},
        "approximation": changed,
        "candidates": {name: treebank[f"{name} 0"]["candidates"] for name in approximating},
        "crossing": {
            name: crossing_arcs(comparison, outputs.lifted) for name, comparison in outputs.comparisons.items()
        },
        "paired_t": {
            f"{first} : {second}": paired_t(*outputs.counts([first, second]).correct.T)
            for first, second in combinations(outputs.trees, 2)
        },
        "full": {name: score.to_json() for name, score in scores.items()},
    }


def blended(outputs: Outputs, parsers: Sequence[str]) -> list[Tree]:
    """The trees of several parsers, blended with equal votes; with a single root if all these trees have one."""
    trees = [tree for name in parsers for tree in outputs.trees[name] if len(tree.heads) > 1]
    single = all(len(roots(tree.heads)) == 1 for tree in trees)
    return outputs.blended(parsers, outputs.weights("equal", parsers), single)


def approximation(config: ParserConfig, train_part: TreebankPart, tests: Mapping[str, TreebankPart]) -> Json:
    """Train and run a graph-based parser that approximates non-projective trees.

    The result is that of :func:`~...harness.parsing.parses`. Its ``parts`` also have ``before``: the best projective
    trees for the part ``test``, which the approximation changes. ``candidates`` is the result of :func:`reachable`.
    """
    model, result = trained_and_run(config, train_part, tests)
    assert isinstance(model, GraphModel)
    projective = replace(model, parser=replace(model.parser, nonprojective="none"))
    before = pack(trees_of(projective.parse(tests["test"].sentences())))
    candidates = reachable(model, [*tests["test"].sentences()])
    return {**result, "parts": {**result["parts"], "before": before}, "candidates": candidates}


def reachable(model: GraphModel, sentences: Sequence[Sentence]) -> dict[str, Json]:
    """The percentage of gold arcs whose head is a candidate of the parser: of ``all`` and of ``crossing`` arcs."""
    heads = [sentence.heads() for sentence in sentences]
    hits, crosses = [], []
    for batch in model.batches(SentenceWords(sentences)):
        edges, _, _ = model.parser.candidates(FactorWords(batch.lengths, batch.ids))
        arcs = set(zip(edges.arc_head.tolist(), edges.arc_dependent.tolist(), strict=True))
        for number, start in zip(batch.numbers, edges.offsets.tolist(), strict=False):
            gold = heads[number]
            hits += [(start + gold[word], start + word) in arcs for word in range(1, len(gold))]
            crosses += nonprojective_arcs(gold)[1:]
    right, crossing = np.array(hits), np.array(crosses)
    return {"all": percentage(right.sum(), right.size), "crossing": percentage(right[crossing].sum(), crossing.sum())}


def changes(before: Comparison, after: Comparison) -> dict[str, Any]:
    """Count words whose head or label changed. A word is right if it has the head and label of the gold tree.

    before, after: the trees to compare, each compared with the gold trees.

    The result has three groups of counts: ``all`` words, words whose arc is non-projective in ``after``
    (``crossing``), and other words (``projective``). A group counts words that are ``changed``, ``mended`` (wrong, then
    right), ``broken`` (right, then wrong), and ``both wrong``.
    """
    was_right, is_right = before.token_right("las"), after.token_right("las")
    old, new = (
        np.array(comparison.labels, dtype=object)[comparison.predicted.labels] for comparison in (before, after)
    )
    changed = (before.predicted.heads != after.predicted.heads) | (old != new)
    crosses = after.predicted.nonprojective
    kinds = {"all": changed, "crossing": changed & crosses, "projective": changed & ~crosses}
    outcomes = {
        "changed": changed,
        "mended": ~was_right & is_right,
        "broken": was_right & ~is_right,
        "both wrong": ~was_right & ~is_right,
    }
    return {kind: {name: _count(of_kind & mask) for name, mask in outcomes.items()} for kind, of_kind in kinds.items()}


LENGTHS = {"2 to 4": (2, 4), "5 to 9": (5, 9), "10 and more": (10, np.inf)}
"""Bins of the lengths of non-projective arcs in words."""
MOST_DEPRELS = 8
"""Number of deprels that are counted separately."""


def crossing_arcs(comparison: Comparison, lifted: Ints) -> dict[str, Any]:
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
    crossing, reached, right = (
        comparison.gold.nonprojective,
        comparison.predicted.nonprojective,
        comparison.token_right("las"),
    )
    wrong, as_lifted = crossing & ~comparison.head_right, comparison.predicted.heads == lifted
    counted = {
        "arcs": crossing,
        "right": crossing & right,
        "label": crossing & comparison.head_right & ~right,
        "lifted": wrong & as_lifted,
        "elsewhere": wrong & ~as_lifted,
        "others": ~crossing,
        "others_right": ~crossing & right,
        "found": reached,
        "found_right": reached & right,
        "found_near": reached & crossing & ~right,
        "found_none": reached & ~crossing & ~right,
    }
    lengths, deprels = (
        np.abs(comparison.gold.heads - comparison.position),
        np.array(comparison.labels, dtype=object)[comparison.gold.labels],
    )
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


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures), check=check)
