"""CPU time of dynamic oracles per configuration, measured in partly random derivations."""

from __future__ import annotations

import time

import numpy as np

from ....oracles.oracle import Gold
from ....oracles.registry import DYNAMIC_ORACLES, make_dynamic_oracle
from ....parser.treebank.tree import Tree, trees_of
from ....transitions.configuration import NONE
from ....transitions.registry import make_system
from ...harness import Cell, Experiment, Json, Part, Treebank, by_treebank


def cells(treebank: Treebank) -> list[Cell]:
    """A cell for each system that has a dynamic oracle."""
    how = [treebank.values[key] for key in ("batch", "random", "seed", "rounds")]
    return [treebank.cell(system, microseconds, system, treebank.part("test"), *how) for system in DYNAMIC_ORACLES]


def microseconds(system: str, part: Part, batch: int, random: float, seed: int, rounds: int) -> Json:
    """CPU time in microseconds to compute the costs of all moves of one configuration.

    batch: number of sentences that are derived together.
    random: probability of a random permissible move; other moves are the cheapest.
    seed: random seed of the moves.
    rounds: number of repetitions, all with the same moves; the fastest counts.

    The result also has the number of ``configurations`` and the mean length of sentences in ``words``.
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
    """Derive all trees once; return (CPU seconds for all costs, number of configurations)."""
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


EXPERIMENT = Experiment(
    cells=(cells,), figures=by_treebank(lambda treebank: {system: treebank[system] for system in DYNAMIC_ORACLES})
)
