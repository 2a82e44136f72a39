"""Cross-validation of any parsers on any treebanks (Nilsson 2009, sections 3.3 and 5.2)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

from ....parser.base.errors import CrossarcError
from ....parser.config.config import Config
from ....parser.evaluate import Comparison, Scores, compare, pairwise, score_comparison, scored_tree, significance_json
from ....parser.evaluate.percent import Json
from ....parser.treebank.tree import Tree
from ...harness.generated import generated_entries
from ...harness.parsing import Part, performance_cell, unpack
from ...harness.results import write_results
from ...harness.rows import ARCS, OVERALL, arc_row, overall_row, score_table, significance_table, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import TreebankEntry, available, load_settings
from ...harness.tables import markdown_table

__all__ = ["NAME", "fold_parts", "run"]

NAME = "cross-validation"


def fold_parts(part: Part, folds: int) -> list[tuple[Part, Part]]:
    """(what to train on, what to parse) for each fold: those whose sentence number leaves 1, 2, ..., 0 over."""
    if folds < 2:
        raise CrossarcError(f"folds: found {folds}; allowed: 2 or more")
    numbers = [(k + 1) % folds for k in range(folds)]
    inside = [replace(part, folds=folds, fold=number) for number in numbers]
    return [(replace(fold, outside=True), fold) for fold in inside]


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    folds = settings.values["folds"]
    folder = Path(options.out)
    entries = available(settings.treebanks, ("train",), options.progress)
    if not options.only:
        entries += generated_entries(settings.values["generated"], folder)
    cells = [cell for entry in entries for cell in _cells(entry, settings.parsers, folds)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    lines = [
        "# Cross-validation",
        "",
        f"{settings.origin}; {folds} folds by sentence number.",
        "",
    ]
    document: dict[str, Json] = {}
    figures: dict[str, Json] = {}
    for entry in entries:
        report, values = _treebank(entry, list(settings.parsers), folds, results)
        lines += [f"## {entry.name}", "", *report]
        document[entry.name] = values
        figures[entry.name] = {name: own for name, own in values.items() if name in ("spread", "significance")}
    write_text(folder, "report.md", "\n".join(lines))
    write_results(folder, NAME, settings, entries, figures, ("train",), scores=document)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _cell_name(treebank: str, parser: str, number: int) -> str:
    return f"{treebank} {parser} fold {number}"


def _cells(entry: TreebankEntry, parsers: Mapping[str, Config], folds: int) -> list[Cell]:
    return [
        performance_cell(_cell_name(entry.name, name, number), config, *parts)
        for name, config in parsers.items()
        for number, parts in enumerate(fold_parts(entry.part("train"), folds), 1)
    ]


def _treebank(
    entry: TreebankEntry, parsers: Sequence[str], folds: int, results: Mapping[str, Json]
) -> tuple[list[str], dict[str, Json]]:
    """(lines of the report, values) of one treebank."""
    gold = [scored_tree(sentence) for sentence in entry.part("train").sentences()]
    pooled: dict[str, Comparison] = {}
    by_fold: dict[str, list[Scores]] = {}
    for name in parsers:
        parsed: list[Tree | None] = [None] * len(gold)
        by_fold[name] = []
        for number in range(1, folds + 1):
            result = results[_cell_name(entry.name, name, number)]
            assert isinstance(result, dict)
            rows = range(number - 1, len(gold), folds)
            for row, parse in zip(rows, unpack(result), strict=True):
                parsed[row] = parse
            own = [tree for row in rows if (tree := parsed[row]) is not None]
            by_fold[name].append(score_comparison(compare([gold[row] for row in rows], own)))
        pooled[name] = compare(gold, [tree for tree in parsed if tree is not None])
    totals = {name: score_comparison(comparison) for name, comparison in pooled.items()}
    tests = pairwise(pooled)
    lines = [
        "Mean and standard deviation over the folds:",
        "",
        markdown_table(["parser", *OVERALL.values()], [[name, *_spread(by_fold[name])] for name in parsers]),
        "All folds together:",
        "",
        score_table(OVERALL, {name: overall_row(scores) for name, scores in totals.items()}),
        score_table(ARCS, {name: arc_row(scores) for name, scores in totals.items()}),
        "McNemar's test on all folds together:",
        "",
        significance_table(tests),
    ]
    values: dict[str, Json] = {
        "folds": {name: [scores.to_json() for scores in own] for name, own in by_fold.items()},
        "spread": {name: {key: _mean_and_deviation(own, key) for key in OVERALL} for name, own in by_fold.items()},
        "together": {name: scores.to_json() for name, scores in totals.items()},
        "significance": significance_json(tests),
    }
    return lines, values


def _mean_and_deviation(scores: Sequence[Scores], key: str) -> dict[str, Json]:
    """Over the folds that have the score: its mean, and the standard deviation of a sample; None for fewer than two."""
    values = [value for own in scores if (value := getattr(own, key)) is not None]
    few = len(values) < 2
    return {"mean": None if few else mean(values), "deviation": None if few else stdev(values)}


def _spread(scores: Sequence[Scores]) -> list[str]:
    cells = []
    for key in OVERALL:
        own = _mean_and_deviation(scores, key)
        cells.append("–" if own["mean"] is None else f"{own['mean']:.2f} ± {own['deviation']:.2f}")
    return cells
