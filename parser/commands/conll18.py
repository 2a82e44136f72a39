"""The scores of the CoNLL 2018 shared task on the command line: ``evaluate --scores conll18``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from itertools import combinations

from ..base.progress import counted
from ..console.options import print_json
from ..console.outputs import short_names, write_rows
from ..console.progress import progress_of
from ..drawing.report_page import Table
from ..evaluate.conll18 import METRICS, Conll18Scores, evaluate_conll18
from ..evaluate.report import format_table
from ..evaluate.resampling import bootstrap, randomization
from ..treebank import read_sentences

TESTED = ("Words", "UPOS", "LAS", "MLAS", "BLEX")
"""Metrics whose p-values are printed; JSON has all."""


def print_conll18(options: argparse.Namespace) -> int:
    """Print the scores of parsed files against a gold file, with intervals and, for several files, p-values."""
    gold = list(read_sentences(options.gold, "conllu"))
    found: dict[str, Conll18Scores] = {}
    with progress_of(options) as progress:
        for name in counted(options.parsed, progress, "evaluating", "files", len(options.parsed)):
            found[name] = evaluate_conll18(gold, read_sentences(name, "conllu"))
    intervals = {name: bootstrap(own.counts).tolist() for name, own in found.items()}
    pairs = {(a, b): randomization(found[a].counts, found[b].counts).tolist() for a, b in combinations(found, 2)}
    if options.output:
        write_rows(options.output, _rows(found, intervals))
    if options.json:
        print_json(
            {
                "scores": {name: own.to_json() for name, own in found.items()},
                "intervals": {name: dict(zip(METRICS, own, strict=True)) for name, own in intervals.items()},
                "p": [{"files": pair, **dict(zip(METRICS, own, strict=True))} for pair, own in pairs.items()],
            }
        )
    else:
        for table in _tables(found, intervals, pairs):
            print(format_table(table))
        print("Relations count without subtypes, and every word counts. Intervals: 95 %, bootstrap over sentences.")
    return 0


def _rows(found: Mapping[str, Conll18Scores], intervals: Mapping[str, list[list[float]]]) -> Iterator[list[str]]:
    yield ["file", "metric", "precision", "recall", "f1", "aligned", "low", "high"]
    for name, own in found.items():
        for metric, (low, high) in zip(METRICS, intervals[name], strict=True):
            values = own.precision[metric], own.recall[metric], own.f1[metric], own.aligned[metric], low, high
            yield [name, metric, *("" if value is None else f"{value:.2f}" for value in values)]


def _tables(
    found: Mapping[str, Conll18Scores],
    intervals: Mapping[str, list[list[float]]],
    pairs: Mapping[tuple[str, str], list[float]],
) -> list[Table]:
    if len(found) == 1:
        rows = [[*own[:5], f"{own[5]} to {own[6]}"] for _, *own in list(_rows(found, intervals))[1:]]
        return [Table(["metric", "precision", "recall", "F1", "aligned", "interval of F1"], rows)]
    short = dict(zip(found, short_names(list(found)), strict=True))
    rows = [[metric, *(f"{own.f1[metric]:.2f}" for own in found.values())] for metric in METRICS]
    tables = [Table(["F1", *short.values()], rows)]
    count = len(pairs)
    rows = [
        [f"{short[a]}, {short[b]}", *(f"{p[METRICS.index(name)]:.4f}" for name in TESTED)]
        for (a, b), p in pairs.items()
    ]
    note = "paired randomization over sentences" + (f"; {count} pairs, not corrected" if count > 1 else "")
    tables.append(Table(["p", *TESTED], rows, notes=[("p", note)]))
    return tables
