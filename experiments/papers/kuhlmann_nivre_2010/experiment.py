"""Kuhlmann & Nivre (2010): theoretical coverage and empirical performance of the parsers P0 to P3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...harness import Cell, Experiment, Json, Treebank, count_part, tests_json
from ...harness.parsing import cost_row


def cells(treebank: Treebank) -> list[Cell]:
    """Cells that count the treebank, the oracles' coverage, and the parsers (none for ``untrained`` treebanks)."""
    splits = ("train", treebank.values["split"])
    counted = [treebank.cell(f"statistics {own}", count_part, treebank.part(own)) for own in splits]
    return counted + treebank.coverage(treebank.configs) + treebank.each_fold()


def figures(treebank: Treebank) -> dict[str, Json]:
    """The figures of one treebank: coverage, performance and cost of each parser, and tests between parsers."""
    parsed, coverage = treebank.parsed(), treebank.of_coverage(treebank.configs)
    scores = {"coverage": coverage, "performance": parsed.scores}
    return {
        "statistics": {own: treebank[f"statistics {own}"] for own in ("train", treebank.values["split"])},
        **{
            kind: {name: treebank.measured("arcs", own) for name, own in found.items()}
            for kind, found in scores.items()
        },
        **tests_json(parsed.tests()),
        "cost": {name: cost_row(treebank.costs(name), "test") for name in treebank.parsers},
        "full": {kind: {name: own.to_json() for name, own in found.items()} for kind, found in scores.items()},
    }


def together(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """The figures of all treebanks, and in ``tests`` the numbers of significant tests.

    ``by chance`` is the number of significant tests to expect if all parsers were equal.
    """
    document: dict[str, Any] = {treebank.name: figures(treebank) for treebank in treebanks}
    tests: list[Any] = [test for own in document.values() for row in own["significance"].values() for test in row]
    levels = [test["level"] for test in tests if test["level"]]
    passed = {level: sum(own <= level for own in levels) for level in (0.05, 0.01)}
    return {
        **document,
        "tests": {
            "all": len(tests),
            **{f"beyond {level}": number for level, number in passed.items()},
            **{f"by chance beyond {level}": level * len(tests) for level in passed},
        },
    }


EXPERIMENT = Experiment(cells=(cells,), figures=together)
