"""What dynamic oracles cost: CPU time a configuration, along walks that are partly random."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from ....oracles.oracle import Gold
from ....oracles.registry import DYNAMIC_ORACLES, make_dynamic_oracle
from ....parser.evaluate.percent import Json
from ....parser.treebank.tree import Tree, trees_of
from ....transitions.configuration import NONE
from ....transitions.registry import make_system
from ...harness.generated import generated_entries
from ...harness.parsing import Part
from ...harness.results import write_results
from ...harness.rows import score_table, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import load_settings

__all__ = ["NAME", "microseconds", "run"]

NAME = "dynamic-oracles"
COLUMNS = {"microseconds": "µs a configuration", "configurations": "configurations", "words": "words a sentence"}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    folder = Path(options.out)
    entries = generated_entries(settings.values["generated"], folder)
    how = {key: settings.values[key] for key in ("batch", "random", "seed", "rounds")}
    figures: dict[str, Any] = {}
    for entry in entries:
        part = entry.part("test")
        cells = [
            Cell(
                f"{entry.name} {system}",
                microseconds,
                (system, part, *how.values()),
                {"system": system, **how},
                (part.path,),
            )
            for system in DYNAMIC_ORACLES
        ]
        results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
        figures[entry.name] = {system: results[f"{entry.name} {system}"] for system in DYNAMIC_ORACLES}
    tables = [score_table(COLUMNS, rows, first=name) for name, rows in figures.items()]
    write_text(folder, "report.md", "\n".join(["# What dynamic oracles cost", "", f"{settings.origin}.", "", *tables]))
    write_results(folder, NAME, settings, entries, figures, ("test",))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def microseconds(system: str, part: Part, batch: int, random: float, seed: int, rounds: int) -> Json:
    """The CPU time that the costs of all moves take, in microseconds a configuration; configurations; mean length.

    Sentences are walked through so many at a time, by the cheapest move or, with the probability ``random``, by any
    permissible one. Of the rounds, which are alike, the fastest counts.
    """
    trees = trees_of(part.sentences())
    walked = [_walk(system, trees, batch, random, seed) for _ in range(rounds)]
    seconds, configurations = min(walked)
    return {
        "microseconds": round(1e6 * seconds / configurations, 1),
        "configurations": configurations,
        "words": sum(len(tree.heads) - 1 for tree in trees) / len(trees),
    }


def _walk(name: str, trees: list[Tree], batch: int, random: float, seed: int) -> tuple[float, int]:
    """(seconds of CPU for all costs, configurations) of one walk through the trees."""
    system = make_system(name)
    labelled = np.array([move.labelled for move in system.moves])
    drawn = np.random.default_rng(seed)
    seconds, configurations = 0.0, 0
    for first in range(0, len(trees), batch):
        own = trees[first : first + batch]
        oracle = make_dynamic_oracle(
            system, Gold([tree.heads for tree in own], [[0] * len(tree.heads) for tree in own])
        )
        c = system.initial(oracle.gold.lengths)
        while len(c := c.at(~system.terminal(c)).compact()):
            legal = system.legal(c)
            start = time.process_time()
            costs = oracle.costs(c, legal)
            seconds += time.process_time() - start
            configurations += len(c)
            anything = np.argmax(drawn.random(legal.shape) * legal, axis=1)
            moves = np.where(drawn.random(len(c)) < random, anything, np.argmin(costs, axis=1))
            system.advance(c, moves, np.where(labelled[moves], 0, NONE))
    return seconds, configurations
