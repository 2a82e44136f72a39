"""How accurate the best parsers are that we know of, treebank by treebank, against the ready config."""

from __future__ import annotations

from typing import Any

from ....parser.base.errors import CrossarcError, choices
from ....parser.evaluate.comparison import Comparison
from ....parser.evaluate.mcnemar import mcnemar
from ....parser.evaluate.metrics import score_comparison
from ....parser.evaluate.percent import Json
from ...harness.experiment import Bank, Experiment, by_treebank
from ...harness.parsing import parses
from ...harness.rows import cost_row
from ...harness.runner import Cell

__all__ = ["EXPERIMENT"]


def rows(bank: Bank) -> dict[str, str]:
    """The parsers of a treebank by what they are there; the first is what the others are compared with."""
    own = bank.values["rows"].get(bank.name)
    if own is None:
        raise CrossarcError(f"rows: found none for the treebank {bank.name}")
    for name in own.values():
        if name not in bank.settings.parsers:
            raise CrossarcError(f"rows: {bank.name}: found {choices(name, bank.settings.parsers)}")
    return dict(own)


def cells(bank: Bank) -> list[Cell]:
    """The parsers of a treebank, each run on every split."""
    tests = {split: bank.part(split) for split in bank.values["splits"]}
    names = dict.fromkeys(rows(bank).values())
    return [bank.cell(name, parses, bank.settings.parsers[name], bank.part("train"), tests) for name in names]


def figures(bank: Bank) -> Json:
    """By split and row the parser, its scores, gain and p of McNemar's test over the first row's, and its cost."""
    found: dict[str, Json] = {}
    for split in bank.values["splits"]:
        compared = {row: bank.compared(bank.part(split), name, split) for row, name in rows(bank).items()}
        base = next(iter(compared.values()))
        found[split] = {
            row: {"parser": rows(bank)[row], **scores(base, own), **cost_row([bank[rows(bank)[row]]["cost"]], split)}
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
