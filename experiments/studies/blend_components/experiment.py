"""What each component adds to a blend: the blend with all components, without each, and each by itself."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ....parser.base.errors import CrossarcError
from ....parser.blending.blend import blend_votes
from ....parser.blending.vote_weights import learn_weights
from ....parser.config.blend_config import BlendConfig, load_blend_config
from ....parser.config.config import AUTO
from ....parser.evaluate import compare, score_comparison, scored_tree, significance
from ....parser.evaluate.percent import Json
from ....parser.treebank.tree import Tree
from ...harness.parsing import Part, performances_cell, unpack
from ...harness.results import write_results
from ...harness.rows import split_report, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import TreebankEntry, available, load_settings

__all__ = ["NAME", "run"]

NAME = "blend-components"
ALL = "all"
COLUMNS = {"las": "LAS", "uas": "UAS", "lem": "LEM", "p": "p"}
NOTE = "all tokens counted. p: McNemar's test on heads with labels, against the blend of all components."


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    blend = load_blend_config(settings.values["blend"], settings.values["blend_settings"])
    if blend.retrain or blend.choose:
        raise CrossarcError("blend: found retrain or choose: true; allowed: components that are trained once")
    splits = settings.values["splits"]
    entries = available(settings.treebanks, ("train", *splits), options.progress)
    folder = Path(options.out)
    cells = [cell for entry in entries for cell in _cells(entry, blend, splits)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    figures = {entry.name: _figures(entry, blend, splits, results) for entry in entries}
    heading = ["# What each component adds to a blend", f"{settings.origin}; {NOTE}"]
    write_text(folder, "report.md", split_report(heading, COLUMNS, figures, splits, "parsers"))
    write_results(folder, NAME, settings, entries, figures, ("train", *splits))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _parts(entry: TreebankEntry, blend: BlendConfig, splits: Sequence[str]) -> tuple[Part, list[Part]]:
    """(what components are trained on, what they parse): what weights are learned on, if they are, and the splits."""
    train, tests = entry.part("train"), [entry.part(split) for split in splits]
    if blend.weights == "equal":
        return train, tests
    held_out = replace(train, folds=blend.held_out, fold=0)
    return replace(held_out, outside=True), [held_out, *tests]


def _cells(entry: TreebankEntry, blend: BlendConfig, splits: Sequence[str]) -> list[Cell]:
    train, parts = _parts(entry, blend, splits)
    return [performances_cell(_title(entry, name), own, train, parts) for name, own in blend.components.items()]


def _title(entry: TreebankEntry, component: str) -> str:
    return f"{entry.name} {component}"


def _figures(
    entry: TreebankEntry, blend: BlendConfig, splits: Sequence[str], results: Mapping[str, Any]
) -> dict[str, Json]:
    """By split the scores of the blend with all components, without each, and of each one; p of McNemar's test on the
    words' heads and labels, against the blend of all."""
    _, parts = _parts(entry, blend, splits)
    own = {name: results[_title(entry, name)] for name in blend.components}
    parsed = {name: [list(unpack(part)) for part in result["parsed"]] for name, result in own.items()}
    golds = [[scored_tree(sentence) for sentence in part.sentences()] for part in parts]
    gold_held_out = golds[0] if len(parts) > len(splits) else []
    kept = {ALL: list(own), **{f"without {name}": [other for other in own if other != name] for name in own}}
    blended = {}
    for title, names in kept.items():
        single = blend.single_root
        if single == AUTO:
            single = all(own[name]["single_root"] for name in names)
        votes_held_out = [parsed[name][0][: len(gold_held_out)] for name in names]
        weights = learn_weights(blend.weights, gold_held_out, votes_held_out, _tags(gold_held_out))
        blended[title] = [
            blend_votes([parsed[name][number] for name in names], weights, _tags(gold), bool(single))
            for number, gold in enumerate(golds)
        ]
    figures: dict[str, Json] = {"train_cpu": {name: result["cost"]["train_cpu"] for name, result in own.items()}}
    for number, split in enumerate(splits, len(parts) - len(splits)):
        trees = {title: own_parts[number] for title, own_parts in {**blended, **parsed}.items()}
        comparisons = {title: compare(golds[number], own_trees) for title, own_trees in trees.items()}
        rows: dict[str, Json] = {}
        for title, comparison in comparisons.items():
            scores = score_comparison(comparison)
            p = None if title == ALL else significance(comparisons[ALL], comparison, "las").p
            rows[title] = {"las": scores.las, "uas": scores.uas, "lem": scores.lem, "p": p}
        figures[split] = rows
    return figures


def _tags(trees: Sequence[Tree]) -> list[Sequence[str]]:
    return [tree.columns["upos"] for tree in trees]
