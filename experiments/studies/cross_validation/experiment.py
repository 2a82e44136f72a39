"""Comparison of parsers over folds and seeds (Nilsson 2009, sections 3.3 and 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, stdev
from typing import Any

from ....parser.config.config import Config
from ....parser.evaluate.mcnemar import significance_json
from ...harness import Cell, Experiment, Json, Outputs, Treebank, by_treebank, joined
from ...harness.parsing import seeded


def runs(treebank: Treebank) -> dict[str, dict[str, Config]]:
    """For each parser, its config by run: one for each of the setting ``seeds``, or its own config."""
    seeds, parsers = treebank.values["seeds"], treebank.parsers
    if not seeds:
        return {name: {name: config} for name, config in parsers.items()}
    return {name: {f"{name} seed {seed}": seeded(config, seed) for seed in seeds} for name, config in parsers.items()}


def cells(treebank: Treebank) -> list[Cell]:
    """Cells of all parsers for each seed and fold."""
    return [cell for own in runs(treebank).values() for cell in treebank.each_fold(parsers=own)]


def figures(treebank: Treebank) -> Json:
    """Means and deviations of measures over folds and seeds; with the first seed, scores and tests of all folds."""
    names = runs(treebank)
    folds = treebank.of_folds([run for own in names.values() for run in own])
    measured: dict[str, list[dict[str, Any]]] = {
        name: [treebank.measured("spread", fold.scores[run]) for run in own for fold in folds]
        for name, own in names.items()
    }
    first = {name: next(iter(own)) for name, own in names.items()}
    pooled = joined([Outputs(fold.gold, {name: fold.trees[run] for name, run in first.items()}) for fold in folds])
    together = pooled.scores
    return {
        "spread": {
            name: {key: spread([row[key] for row in rows]) for key in rows[0]} for name, rows in measured.items()
        },
        "together": treebank.rows("together", together),
        "significance": significance_json(pooled.tests()),
        "full": {
            "folds": {
                name: [fold.scores[run].to_json() for run in own for fold in folds] for name, own in names.items()
            },
            "together": {name: scores.to_json() for name, scores in together.items()},
        },
    }


def spread(values: Sequence[float | None]) -> dict[str, Json]:
    """The mean and the sample standard deviation of a measure over runs; None if fewer than two runs have it."""
    known = [value for value in values if value is not None]
    few = len(known) < 2
    return {"mean": None if few else mean(known), "deviation": None if few else stdev(known)}


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
