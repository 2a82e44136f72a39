"""Rows of figures from scores and costs, and rows that papers published."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...parser.evaluate.percent import Json, Result, percentage
from .registry import published_file
from .tables import lookup


def picked(result: Result | Mapping[str, Any], paths: Mapping[str, str]) -> dict[str, Json]:
    """Figures of a result by name, each from its path in the result as JSON (see :func:`~.tables.lookup`)."""
    values = result.to_json() if isinstance(result, Result) else result
    return {name: lookup(values, path) for name, path in paths.items()}


def lift_shares(lifts: Mapping[str, int], arcs: int) -> dict[str, Json]:
    """The percentages of arcs that need 1, 2, 3 and more lifts, from the number of arcs for each number of lifts."""
    few: dict[str, Json] = {f"lifts_{steps}": percentage(lifts.get(steps, 0), arcs) for steps in "123"}
    return {**few, "lifts_more": percentage(sum(own for steps, own in lifts.items() if int(steps) > 3), arcs)}


def cost_row(costs: Sequence[Mapping[str, Any]], name: str) -> dict[str, Json]:
    """The cost of a parser, from the costs of its cells (see :func:`~.parsing.parses`). name: of the parsed part."""
    seconds, words = (sum(own[key][name] for own in costs) for key in ("parse_cpu", "words"))
    return {
        "train_words": sum(own["train_words"] for own in costs),
        "train_cpu": sum(own["train_cpu"] for own in costs),
        "parse_cpu": seconds,
        "speed": round(words / seconds) if seconds else 0,
        "labels": max(own["labels"] for own in costs),
    }


def published_rows(paper: str, table: str, **where: str) -> list[dict[str, Any]]:
    """The rows of a published table whose columns have the given values."""
    text = published_file(paper).read_text("utf-8")
    rows = json.loads(text)["tables"][table]["rows"]
    return [row for row in rows if all(row[key] == value for key, value in where.items())]
