"""Accuracy of the best known parser for each treebank, against the ready config."""

from __future__ import annotations

from typing import Any

from ....parser.base.errors import CrossarcError, choices
from ....parser.evaluate.comparison import Comparison
from ....parser.evaluate.mcnemar import mcnemar
from ....parser.evaluate.metrics import score_comparison
from ....parser.evaluate.percent import Json
from ...harness.experiment import Experiment, Treebank, by_treebank
from ...harness.parsing import parses
from ...harness.rows import cost_row
from ...harness.runner import Cell


def rows(treebank: Treebank) -> dict[str, str]:
    """The parsers of a treebank by what they are there; the first is what the others are compared with."""
    own = treebank.values["rows"].get(treebank.name)
    if own is None:
        raise CrossarcError(f"rows: found none for the treebank {treebank.name}")
    for name in own.values():
        if name not in treebank.settings.parsers:
            raise CrossarcError(f"rows: {treebank.name}: found {choices(name, treebank.settings.parsers)}")
    return dict(own)


def cells(treebank: Treebank) -> list[Cell]:
    """The parsers of a treebank, each run on every split."""
    tests = {split: treebank.part(split) for split in treebank.values["splits"]}
    names = dict.fromkeys(rows(treebank).values())
    return [
        treebank.cell(name, parses, treebank.settings.parsers[name], treebank.part("train"), tests) for name in names
    ]


def figures(treebank: Treebank) -> Json:
    """By split and row the parser, its scores, gain and p of McNemar's test over the first row's, and its cost."""
    found: dict[str, Json] = {}
    costs = {row: treebank[name]["cost"] for row, name in rows(treebank).items()}
    for split in treebank.values["splits"]:
        compared = {row: treebank.compared(treebank.part(split), name, split) for row, name in rows(treebank).items()}
        base = next(iter(compared.values()))
        found[split] = {
            row: {
                "parser": rows(treebank)[row],
                **scores(base, own),
                **cost_row([costs[row]], split),
            }
            for row, own in compared.items()
        }
    return found


def scores(base: Comparison, own: Comparison) -> dict[str, Json]:
    """LAS and UAS, and for others than the base what is gained."""
    after, before = score_comparison(own), score_comparison(base)
    las: Any = after.las
    return {
        "las": las,
        "uas": after.uas,
        "gain": None if own is base else las - before.las,
        "p": None if own is base else mcnemar(base.token_right("las"), own.token_right("las")).p,
    }


EXPERIMENT = Experiment(
    title="The most accurate parsers",
    note="All tokens counted. gain, p: over the first parser, with McNemar's test; training: CPU s.",
    splits=lambda values: ("train", *values["splits"]),
    cells=(cells,),
    figures=by_treebank(figures),
)
