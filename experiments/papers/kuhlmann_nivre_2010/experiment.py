"""Kuhlmann & Nivre (2010): theoretical coverage and empirical performance of the parsers P0 to P3."""

from __future__ import annotations

from ...harness import Cell, Experiment, ExperimentTreebank, Json, by_treebank, count_part, tests_json


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells that count the treebank, the oracles' coverage, and the parsers (none for ``untrained`` treebanks)."""
    splits = ("train", treebank.values["split"])
    counted = [treebank.cell(f"statistics {split}", count_part, treebank.part(split)) for split in splits]
    return counted + treebank.coverage(treebank.configs) + treebank.each_fold()


def figures(treebank: ExperimentTreebank) -> dict[str, Json]:
    """The figures of one treebank: coverage, performance and cost of each parser, and tests between parsers."""
    parsed, coverage = treebank.parsed(), treebank.of_coverage(treebank.configs)
    scores = {"coverage": coverage, "performance": parsed.scores}
    return {
        "statistics": {part: treebank[f"statistics {part}"] for part in ("train", treebank.values["split"])},
        **{kind: treebank.rows("arcs", rows) for kind, rows in scores.items()},
        **tests_json(parsed.tests()),
        "cost": {name: treebank.cost(name) for name in treebank.parsers},
        "full": {kind: {name: score.to_json() for name, score in rows.items()} for kind, rows in scores.items()},
    }


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
