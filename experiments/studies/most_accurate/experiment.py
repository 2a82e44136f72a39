"""How accurate the best parsers are that we know of, treebank by treebank, against the ready config."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ....parser.config.config import Config
from ....parser.errors import CrossarcError, choices
from ....parser.evaluate import Comparison, compare, mcnemar, score_comparison, scored_tree
from ....parser.evaluate.percent import Json
from ....parser.treebank.tree import trees_of
from ...harness.parsing import Part, pack, resolved, trained_and_run, unpack
from ...harness.results import write_results
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, TreebankEntry, available, load_settings
from ...harness.tables import score_table, write_text

__all__ = ["NAME", "run", "trained_once"]

NAME = "most-accurate"
COLUMNS = {"las": "LAS", "uas": "UAS", "gain": "gain", "p": "p", "train_cpu": "training", "speed": "words per CPU s"}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    splits: Sequence[str] = settings.values["splits"]
    entries = available(settings.treebanks, ("train", *splits), options.progress)
    folder = Path(options.out)
    rows = {entry.name: _rows(entry, settings) for entry in entries}
    cells = [
        _cell(entry, name, settings.parsers[name], splits) for entry in entries for name in rows[entry.name].values()
    ]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    figures = {entry.name: _figures(entry, rows[entry.name], splits, results) for entry in entries}
    write_text(folder, "report.md", _report(settings, figures))
    write_results(folder, NAME, settings, entries, figures, ("train", *splits))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def trained_once(config: Config, train_part: Part, parts: Sequence[Part]) -> Json:
    """Train on one part, parse others: ``parsed``, the trees of each (see :func:`~...harness.parsing.pack`), and
    ``cost``, what training and parsing the first of them took."""
    model, first = trained_and_run(config, train_part, parts[0])
    cost = first.pop("cost")
    return {"parsed": [first, *(pack(trees_of(model.parse(part.sentences()))) for part in parts[1:])], "cost": cost}


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


def _cell(entry: TreebankEntry, name: str, config: Config, splits: Sequence[str]) -> Cell:
    train, parts = entry.part("train"), [entry.part(split) for split in splits]
    key = {"config": resolved(config, train), "train": train.key(), "parts": [part.key() for part in parts]}
    files = (train.path, *(part.path for part in parts))
    return Cell(_title(entry, name), trained_once, (config, train, parts), key, files)


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


def _report(settings: Settings, figures: Mapping[str, Any]) -> str:
    lines = [
        "# The most accurate parsers",
        "",
        f"{settings.origin}; all tokens counted. gain, p: over the first parser, with McNemar's test; training: CPU s.",
        "",
    ]
    for name, own in figures.items():
        for split, rows in own.items():
            lines += [f"## {name}, {split}", "", score_table(COLUMNS, rows, first="parser")]
    return "\n".join(lines)
