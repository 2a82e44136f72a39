"""Parsers that differ only in how they search for the heads of lifted words: trained once, run once each."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...parser.config.config import Config
from ...parser.evaluate.percent import Json
from ...parser.transforms import Transform, parse_transform, transform_from_json
from ...parser.treebank.tree import trees_of
from .parsing import Part, pack, performance_cell, resolved, trained_on
from .runner import Cell

__all__ = ["performance_by_parser", "performance_cells", "performances", "trained_alike"]


def trained_alike(parsers: Mapping[str, Config]) -> list[dict[str, Config]]:
    """The parsers in groups, in their order, whose configs are the same but for ``search`` of their transforms."""
    groups: dict[str, dict[str, Config]] = {}
    for name, config in parsers.items():
        values = config.to_json()
        values["transforms"] = [_with_search(parse_transform(spec), None) for spec in config.transforms]
        groups.setdefault(json.dumps(values, sort_keys=True), {})[name] = config
    return list(groups.values())


def performance_cells(prefix: str, parsers: Mapping[str, Config], train: Part, test: Part) -> list[Cell]:
    """A cell for each group of parsers that are trained alike; see :func:`performance_by_parser`."""
    cells = []
    for group in trained_alike(parsers):
        title = f"{prefix} {', '.join(group)} performance"
        if len(group) == 1:
            (config,) = group.values()
            cells.append(performance_cell(title, config, train, test))
            continue
        key = {
            "configs": {name: resolved(config, train) for name, config in group.items()},
            "train": train.key(),
            "test": test.key(),
        }
        cells.append(Cell(title, performances, (group, train, test), key, (train.path, test.path)))
    return cells


def performance_by_parser(prefix: str, parsers: Mapping[str, Config], results: Mapping[str, Json]) -> dict[str, Any]:
    """For each parser what :func:`~crossarc.experiments.harness.parsing.performance` would give, from all results."""
    found: dict[str, Any] = {}
    for group in trained_alike(parsers):
        result: Any = results[f"{prefix} {', '.join(group)} performance"]
        found.update({name: result[name] if len(group) > 1 else result for name in group})
    return {name: found[name] for name in parsers}


def performances(parsers: Mapping[str, Config], train: Part, test: Part) -> Json:
    """Train the first parser and parse with it as each would, the inverse of the transforms being its own."""
    start = time.process_time()
    model = trained_on(next(iter(parsers.values())), train)
    trained = time.process_time() - start
    results: dict[str, Json] = {}
    for name, config in parsers.items():
        own = [parse_transform(spec).params().get("search") for spec in config.transforms]
        inverses = tuple(
            transform_from_json(_with_search(fitted, search))
            for fitted, search in zip(model.transforms, own, strict=True)
        )
        start = time.process_time()
        parsed = list(replace(model, transforms=inverses).parse(test.sentences()))
        cost: dict[str, Json] = {
            "train_cpu": trained,
            "parse_cpu": time.process_time() - start,
            "words": sum(map(len, parsed)),
            "train": {key: model.provenance["train"][key] for key in ("sentences", "words")},
            "labels": len(model.labels),
        }
        results[name] = {**pack(trees_of(parsed)), "cost": cost}
    return results


def _with_search(transform: Transform, search: str | None) -> dict[str, Any]:
    """The transform as JSON, with another search if it has one."""
    values = transform.to_json()
    if "search" in values["params"]:
        values["params"] = {**values["params"], "search": search}
    return values
