"""The comparison of Björkelund & Kuhn (2012): non-projective strategies in a graph-based parser, and beside it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from ....parser.base.errors import CrossarcError, choices
from ....parser.blending.blend import blend_votes
from ....parser.blending.vote_weights import equal_weights
from ....parser.config.config import Config
from ....parser.config.graph_options import GRAPH
from ....parser.evaluate import Comparison, Scores, compare, score_comparison, scored_tree
from ....parser.evaluate.percent import Json
from ....parser.treebank.tree import Tree
from ....transitions.trees import roots
from ...harness.parsing import Part, performance_cell, statistics_cell, unpack
from ...harness.results import write_results
from ...harness.rows import Row, published_rows, score_table, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, TreebankEntry, available, load_settings
from ...harness.tables import markdown_table
from ...studies.cross_validation.experiment import fold_parts
from .approximation import approximation_cell, changes
from .crossing_arcs import crossing_arcs

__all__ = ["NAME", "PairedT", "paired_t", "run"]

NAME = "bjorkelund-kuhn-2012"
BLEND = "blend"
TABLE_1 = {
    "sentences": "sentences",
    "edges": "NP edges",
    "edges_percent": "NP edges %",
    "sentences_percent": "NP sentences %",
}
TABLE_2 = {"las": "LAS", "lem": "LEM", "p": "NP edges: P", "r": "R", "np": "#NP"}
CROSSING = {
    "arcs": "NP arcs",
    "right": "right",
    "label": "wrong label",
    "lifted": "at the lifted head",
    "elsewhere": "elsewhere",
    "found": "#NP",
    "found_right": "right",
    "found_near": "wrong, gold is NP",
    "found_none": "wrong, gold is not NP",
    "others_right": "other arcs right",
}
CHANGES = {name: name for name in ("changed", "mended", "broken", "both wrong")}
LEVELS = (0.001, 0.05)


@dataclass(frozen=True, slots=True)
class PairedT:
    """A paired t-test over sentences: the second parser's gain in correct words a sentence, and what t-value and
    two-sided probability it has; no probability where the parsers never differ."""

    gain: float
    t: float | None
    p: float | None

    @property
    def verdict(self) -> str:
        """Which is better beyond which of :data:`LEVELS`."""
        level = next((level for level in LEVELS if self.p is not None and self.p < level), None)
        if level is None:
            return "–" if self.p is None else f"– (p = {self.p:.3f})"
        return f"{'first' if self.gain < 0 else 'second'} < {level}"


def paired_t(first: Comparison, second: Comparison) -> PairedT:
    """The test of two parsers of the same sentences: pairs are the numbers of words with right head and label."""
    count = len(first.lengths)
    one, other = (np.bincount(own.sentence, own.token_right("las"), count) for own in (first, second))
    if (one == other).all():
        return PairedT(0.0, None, None)
    result = ttest_rel(other, one)
    return PairedT(float((other - one).mean()), float(result.statistic), float(result.pvalue))


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    for key in ("table_2", "blend"):
        for name in settings.values[key]:
            if name not in settings.parsers:
                raise CrossarcError(f"{key}: no parser {choices(name, settings.parsers)}")
    folds, split = settings.values["folds"], settings.values["split"]
    entries = available(settings.treebanks, ("train",) if folds else ("train", split), options.progress)
    folder = Path(options.out)
    cells = [cell for entry in entries for cell in _cells(entry, settings)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    outcomes = {entry.name: _outcome(entry, settings, results) for entry in entries}
    write_text(folder, "report.md", _report(settings, entries, outcomes))
    figures = {name: own["json"] for name, own in outcomes.items()}
    full = {name: own["scores"] for name, own in outcomes.items()}
    write_results(folder, NAME, settings, entries, figures, ("train",) if folds else ("train", split), full)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _parts(entry: TreebankEntry, settings: Settings) -> list[tuple[Part, Part]]:
    """(what to train on, what to parse), once or for each fold."""
    folds = settings.values["folds"]
    train = entry.part("train")
    return fold_parts(train, folds) if folds else [(train, entry.part(settings.values["split"]))]


def _cells(entry: TreebankEntry, settings: Settings) -> list[Cell]:
    cells = [statistics_cell(f"{entry.name} statistics", entry.part("train"))]
    for name, config in settings.parsers.items():
        for number, (train, test) in enumerate(_parts(entry, settings)):
            cell = approximation_cell if _approximates(config) else performance_cell
            cells.append(cell(_title(entry, name, number), config, train, test))
    return cells


def _approximates(config: Config) -> bool:
    return config.system == GRAPH and config.graph.nonprojective == "npa"


def _title(entry: TreebankEntry, parser: str, number: int) -> str:
    return f"{entry.name} {parser} {number}"


def _outcome(entry: TreebankEntry, settings: Settings, results: Mapping[str, Json]) -> dict[str, Any]:
    """Everything of one treebank: the rows of the tables by parser, and tests."""
    parts = _parts(entry, settings)
    gold = [scored_tree(sentence) for _, test in parts for sentence in test.sentences()]
    parsed: dict[str, list[Tree]] = {}
    costs: dict[str, Row] = {}
    changed: dict[str, Json] = {}
    for name, config in settings.parsers.items():
        own: list[Any] = [results[_title(entry, name, number)] for number in range(len(parts))]
        parsed[name] = [tree for result in own for tree in unpack(result)]
        if _approximates(config):
            before = [tree for result in own for tree in unpack(result["before"])]
            changed[name] = changes(gold, before, parsed[name])
        costs[name] = _cost([result["cost"] for result in own])
    if settings.values["blend"]:
        parsed[BLEND] = _blended(gold, [parsed[name] for name in settings.values["blend"]])
    comparisons = {name: compare(gold, trees) for name, trees in parsed.items()}
    scores = {name: score_comparison(own) for name, own in comparisons.items()}
    tests = {pair: paired_t(*(comparisons[name] for name in pair)) for pair in combinations(comparisons, 2)}
    counted: Any = results[f"{entry.name} statistics"]
    statistics = {
        "sentences": counted["sentences"],
        "edges": counted["nonprojective_arcs"],
        "edges_percent": counted["nonprojective_arcs_percent"],
        "sentences_percent": counted["nonprojective_sentences_percent"],
    }
    rows = {name: _row(own) for name, own in scores.items()}
    crossing = {name: crossing_arcs(gold, trees) for name, trees in parsed.items()}
    return {
        "statistics": statistics,
        "rows": rows,
        "costs": costs,
        "tests": tests,
        "changed": changed,
        "crossing": crossing,
        "scores": {name: own.to_json() for name, own in scores.items()},
        "json": {
            "statistics": statistics,
            "rows": rows,
            "cost": costs,
            "approximation": changed,
            "crossing": crossing,
            "paired_t": {f"{first} : {second}": asdict(test) for (first, second), test in tests.items()},
        },
    }


def _row(scores: Scores) -> Row:
    """A row of table 2."""
    crossing = scores.nonprojective.all.labelled
    return {
        "las": scores.las,
        "lem": scores.lem,
        "p": crossing.precision,
        "r": crossing.recall,
        "np": crossing.predicted,
    }


def _cost(costs: Sequence[Mapping[str, Any]]) -> Row:
    words, seconds = sum(own["words"] for own in costs), sum(own["parse_cpu"] for own in costs)
    return {
        "labels": max(own["labels"] for own in costs),
        "train_cpu": sum(own["train_cpu"] for own in costs),
        "speed": int(words / seconds) if seconds else None,
    }


def _blended(gold: Sequence[Tree], votes: Sequence[Sequence[Tree]]) -> list[Tree]:
    """The trees of several parsers blended with equal votes; with one root where all of them have one everywhere."""
    single = all(len(roots(tree.heads)) == 1 for own in votes for tree in own if len(tree.heads) > 1)
    upos = [tree.columns["upos"] for tree in gold]
    return blend_votes(votes, equal_weights(len(votes)), upos, single)


def _report(settings: Settings, entries: Sequence[TreebankEntry], outcomes: Mapping[str, Mapping[str, Any]]) -> str:
    folds = settings.values["folds"]
    how = f"{folds} folds by sentence number" if folds else f"the {settings.values['split']} split"
    lines = [
        "# Björkelund & Kuhn (2012): non-projective strategies for graph-based parsing",
        "",
        f"{settings.origin}; evaluated on {how}, all tokens counted. "
        "NP: non-projective; P, R: labelled precision and recall on such edges; #NP: how many the parser gives. The "
        "paper's figures are of other treebanks, with predicted tags, in ten folds.",
        "",
        "## Table 1: the training sets",
        "",
    ]
    published = {row["treebank"]: row for row in published_rows(NAME, "1")}
    own = {f"{name} (paper)": row for name, row in published.items()}
    lines.append(
        score_table(TABLE_1, {**{name: out["statistics"] for name, out in outcomes.items()}, **own}, first="treebank")
    )
    lines += ["## Table 2, and parsers that make crossing arcs themselves", ""]
    for entry in entries:
        outcome = outcomes[entry.name]
        theirs = {row["method"]: row for row in published_rows(NAME, "2", treebank=entry.published)}
        rows = outcome["rows"]
        first = {name: rows[name] for name in settings.values["table_2"]}
        rest = {name: row for name, row in rows.items() if name not in first}
        sentences = outcome["statistics"]["sentences"]
        lines += [
            f"### {entry.name}",
            "",
            f"Trained on {sentences} sentences.",
            "",
            score_table(TABLE_2, first, theirs),
        ]
        lines += [score_table(TABLE_2, rest)] if rest else []
        costs = {"labels": "labels", "train_cpu": "training, CPU s", "speed": "parsing, tokens per CPU s"}
        lines.append(score_table(costs, outcome["costs"]))
        lines += ["What becomes of the non-projective arcs of the gold trees, and what those of the parser are:", ""]
        lines.append(score_table(CROSSING, outcome["crossing"]))
        for name, own in outcome["changed"].items():
            kinds = {kind: own[kind] for kind in ("all", "crossing", "projective")}
            lines += [
                f"What the approximation of {name} changes, in {own['trees']} sentences, by the arc after it:",
                "",
            ]
            lines.append(score_table(CHANGES, kinds, first="arcs"))
    lines += [
        "## Paired t-tests",
        "",
        "Over sentences, on their numbers of words with right head and label, two-sided; with the gain of the second.",
        "",
    ]
    for name, outcome in outcomes.items():
        rows = [
            [f"{first} : {second}", f"{test.gain:+.3f}", test.verdict]
            for (first, second), test in outcome["tests"].items()
        ]
        lines += [f"### {name}", "", markdown_table(["parsers", "words a sentence", "t-test"], rows)]
    return "\n".join(lines)
