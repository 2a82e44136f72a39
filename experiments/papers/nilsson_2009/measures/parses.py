"""What the chapters of Nilsson (2009) share: parsers that parse several files, and what their trees are worth."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .....parser.config.config import Config
from .....parser.evaluate import Comparison, compare, scored_tree
from .....parser.evaluate.percent import Json
from .....parser.treebank import Sentence
from .....parser.treebank.tree import Tree, trees_of
from ....harness.parsing import Part, pack, resolved, trained_on, unpack
from ....harness.runner import Cell

__all__ = [
    "comparison_of",
    "parses",
    "parses_both_ways",
    "parses_cell",
    "votes_of",
]


def parses(config: Config, train: Part, parts: Mapping[str, Part]) -> Json:
    """Train on one part and parse others: their trees by name, and what training and parsing cost in seconds of CPU."""
    start = time.process_time()
    parser = trained_on(config, train)
    cost: dict[str, Json] = {"train_cpu": time.process_time() - start}
    trees: dict[str, Json] = {}
    for name, part in parts.items():
        sentences = list(part.sentences())
        start = time.process_time()
        parsed = list(parser.parse(sentences))
        cost[name] = time.process_time() - start
        trees[name] = pack(trees_of(parsed))
    return {"parts": trees, "cost": cost}


def parses_both_ways(config: Config, train: Part, parts: Mapping[str, Part]) -> Json:
    """Train on one part, parse others, and give the trees with and without inverse transforms (section 9.3.2)."""
    model = trained_on(config, train)
    parsers = {"inverted": model, "uninverted": replace(model, transforms=())}
    return {
        "parts": {
            f"{name} {form}": pack(trees_of(parser.parse(part.sentences())))
            for name, part in parts.items()
            for form, parser in parsers.items()
        }
    }


def parses_cell(
    name: str,
    config: Config,
    train: Part,
    parts: Mapping[str, Part],
    compute: Callable[[Config, Part, Mapping[str, Part]], Json] = parses,
) -> Cell:
    """The cell of :func:`parses` or :func:`parses_both_ways`."""
    key = {
        "config": resolved(config, train),
        "train": train.key(),
        "parts": {name: part.key() for name, part in parts.items()},
    }
    return Cell(name, compute, (config, train, parts), key, (train.path, *(part.path for part in parts.values())))


def votes_of(result: Json, part: str) -> list[Tree]:
    """The trees of a part in the result of a cell."""
    assert isinstance(result, dict)
    parts: Any = result["parts"]
    return list(unpack(parts[part]))


def comparison_of(gold: Sequence[Sentence], votes: Sequence[Tree]) -> Comparison:
    """Trees against the gold trees of the same sentences."""
    right = [scored_tree(sentence) for sentence in gold]
    return compare(right, votes)
