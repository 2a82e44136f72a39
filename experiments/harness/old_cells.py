"""Cells of experiments that do not declare theirs yet."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ...parser.config.config import Config
from ...parser.evaluate import Comparison, compare, scored_tree
from ...parser.evaluate.percent import Json
from ...parser.models.graph_model import GraphModel
from ...parser.models.transition_model import TransitionModel
from ...parser.treebank.tree import trees_of
from .parsing import Part, count_part, pack, resolved, trained_on, unpack
from .runner import Cell

__all__ = [
    "compared",
    "performance",
    "performance_cell",
    "performances",
    "performances_cell",
    "statistics_cell",
    "trained_and_run",
]


def performance_cell(name: str, config: Config, train_part: Part, test: Part) -> Cell:
    """The cell of :func:`performance`; the templates of the feature model are part of its key."""
    key = {"config": resolved(config, train_part), "train": train_part.key(), "test": test.key()}
    return Cell(name, performance, (config, train_part, test), key, (train_part.path, test.path))


def performances_cell(name: str, config: Config, train_part: Part, tests: Sequence[Part]) -> Cell:
    """The cell of :func:`performances`."""
    key = {"config": resolved(config, train_part), "train": train_part.key(), "parts": [part.key() for part in tests]}
    files = (train_part.path, *(part.path for part in tests))
    return Cell(name, performances, (config, train_part, tests), key, files)


def statistics_cell(name: str, part: Part) -> Cell:
    """The cell of :func:`count_part`."""
    return Cell(name, count_part, (part,), {"part": part.key()}, (part.path,))


def performance(config: Config, train_part: Part, test: Part) -> Json:
    """Train on one part, parse another: the parsed trees (see :func:`pack`), and what it cost in seconds of CPU."""
    return trained_and_run(config, train_part, test)[1]


def performances(config: Config, train_part: Part, tests: Sequence[Part]) -> Json:
    """Train once, parse several parts.

    ``parsed``: the trees of each (see :func:`pack`). ``single_root``: whether node 0 gets one dependent. ``cost``: what
    training and parsing the first of them took.
    """
    model, first = trained_and_run(config, train_part, tests[0])
    cost = first.pop("cost")
    parsed: list[Json] = [first, *(pack(trees_of(model.parse(part.sentences()))) for part in tests[1:])]
    return {"parsed": parsed, "single_root": model.single_root, "cost": cost}


def trained_and_run(
    config: Config, train_part: Part, test: Part
) -> tuple[TransitionModel | GraphModel, dict[str, Json]]:
    """(the model, the result of :func:`performance`)."""
    cpu = time.process_time()
    model = trained_on(config, train_part)
    trained = time.process_time()
    parsed = list(model.parse(test.sentences()))
    cost: dict[str, Json] = {
        "train_cpu": trained - cpu,
        "parse_cpu": time.process_time() - trained,
        "words": sum(map(len, parsed)),
        "train": {name: model.provenance["train"][name] for name in ("sentences", "words")},
        "labels": len(model.labels),
    }
    return model, {**pack(trees_of(parsed)), "cost": cost}


def compared(test: Part, result: Json) -> Comparison:
    """The parsed trees of a cell against the gold trees of the part they are of."""
    assert isinstance(result, dict)
    gold = [scored_tree(sentence) for sentence in test.sentences()]
    return compare(gold, list(unpack(result)))
