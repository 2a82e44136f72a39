"""How accurate the best parsers are that we know of, treebank by treebank, against the ready config."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ....parser.base.errors import CrossarcError, choices
from ....parser.evaluate import Comparison, compare, mcnemar, score_comparison, scored_tree
from ....parser.evaluate.percent import Json
from ...harness.parsing import performances_cell, unpack
from ...harness.results import write_results
from ...harness.rows import split_report, write_text
from ...harness.runner import run_cells
from ...harness.settings import Settings, TreebankEntry, available, load_settings

__all__ = ["NAME", "run"]

NAME = "most-accurate"
COLUMNS = {"las": "LAS", "uas": "UAS", "gain": "gain", "p": "p", "train_cpu": "training", "speed": "words per CPU s"}

NOTE = "all tokens counted. gain, p: over the first parser, with McNemar's test; training: CPU s."


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    splits: Sequence[str] = settings.values["splits"]
    entries = available(settings.treebanks, ("train", *splits), options.progress)
    folder = Path(options.out)
    rows = {entry.name: _rows(entry, settings) for entry in entries}
    cells = [
        performances_cell(
            _title(entry, name), settings.parsers[name], entry.part("train"), [entry.part(split) for split in splits]
        )
        for entry in entries
        for name in rows[entry.name].values()
    ]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    figures = {entry.name: _figures(entry, rows[entry.name], splits, results) for entry in entries}
    heading = ["# The most accurate parsers", f"{settings.origin}; {NOTE}"]
    write_text(folder, "report.md", split_report(heading, COLUMNS, figures, splits, "parser"))
    write_results(folder, NAME, settings, entries, figures, ("train", *splits))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _rows(entry: TreebankEntry, settings: Settings) -> dict[str, str]:
    """The parsers of a treebank by what they are there; the first is what the others are compared with."""
    rows = settings.values["rows"]
    if entry.name not in rows:
        raise CrossarcError(f"rows: found none for the treebank {entry.name}")
    for name in rows[entry.name].values():
        if name not in settings.parsers:
            raise CrossarcError(f"rows: {entry.name}: found {choices(name, settings.parsers)}")
    return dict(rows[entry.name])


def _title(entry: TreebankEntry, parser: str) -> str:
    return f"{entry.name} {parser}"


def _figures(
    entry: TreebankEntry, rows: Mapping[str, str], splits: Sequence[str], results: Mapping[str, Any]
) -> dict[str, Json]:
    """By split and row the parser, its scores, gain and p of McNemar's test over the first row's, and what it costs."""
    first = next(iter(rows))
    figures: dict[str, Json] = {}
    for number, split in enumerate(splits):
        gold = [scored_tree(sentence) for sentence in entry.part(split).sentences()]
        own = {row: results[_title(entry, name)] for row, name in rows.items()}
        found = {row: compare(gold, list(unpack(result["parsed"][number]))) for row, result in own.items()}
        figures[split] = {
            row: {"parser": rows[row], **_scores(found[first], found[row]), **_cost(own[row]["cost"])} for row in rows
        }
    return figures


def _scores(base: Comparison, own: Comparison) -> dict[str, Json]:
    scores, before = score_comparison(own), score_comparison(base)
    assert scores.las is not None
    assert before.las is not None
    return {
        "las": scores.las,
        "uas": scores.uas,
        "gain": None if own is base else scores.las - before.las,
        "p": None if own is base else mcnemar(base.token_right("las"), own.token_right("las")).p,
    }


def _cost(cost: Mapping[str, Any]) -> dict[str, Json]:
    return {"train_cpu": cost["train_cpu"], "speed": cost["words"] / max(cost["parse_cpu"], 1e-9)}
