"""Accuracy of the best known parsers for each treebank, against a ready config."""

from __future__ import annotations

from ....parser.base.errors import CrossarcError, check_names
from ...harness import Cell, Experiment, ExperimentTreebank, Json, by_treebank, parses
from ...harness.parsing import cost_row


def rows(treebank: ExperimentTreebank) -> dict[str, str]:
    """The parsers of a treebank by name of their row; others are compared with the first.

    Raises CrossarcError if the setting ``rows`` has no valid parsers for the treebank.
    """
    chosen_rows = treebank.values["rows"].get(treebank.name)
    if chosen_rows is None:
        raise CrossarcError(f"rows: found none for the treebank {treebank.name}; add its parsers")
    check_names(f"rows: {treebank.name}: found", chosen_rows.values(), treebank.parsers)
    return dict(chosen_rows)


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the parsers of a treebank, each run on all splits."""
    parsers = {name: treebank.parsers[name] for name in rows(treebank).values()}
    tests = {split: treebank.part(split) for split in treebank.values["splits"]}
    return treebank.each(parsers, parses, treebank.part("train"), tests)


def figures(treebank: ExperimentTreebank) -> Json:
    """By split and row: parser, scores, cost, and gain over the first row with p of McNemar's test."""
    by_split: dict[str, Json] = {}
    names = rows(treebank)
    for split in treebank.values["splits"]:
        compared = treebank.outputs(treebank.part(split), split, names).against(next(iter(names)))
        costs = {row: cost_row([treebank[name]["cost"]], split) for row, name in names.items()}
        by_split[split] = {row: {"parser": name, **compared[row], **costs[row]} for row, name in names.items()}
    return by_split


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
