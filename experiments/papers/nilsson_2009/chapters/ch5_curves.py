"""The learning curves of chapter 5 of Nilsson (2009), section 5.4.3: table 5.8 and figure 5.4.

Without sets a share of the training set is the first so many sentences, and the parsers are scored on the split that
parsers are compared on; the whole training set is the last point. In the form of the thesis the training set is divided
into ten sets by sentence number, and parsers that are trained on sets 1 to n are scored on sets 0 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .....parser.base.errors import CrossarcError
from .....parser.drawing.line_chart import line_chart
from .....parser.evaluate.metrics import score_comparison
from ....harness.experiment import Bank
from ....harness.parsing import Part, parses
from ....harness.runner import Cell
from ....harness.settings import Settings
from ..measures.transforms import NONE, parser_cell

__all__ = ["check_curves", "curve_cells", "curve_charts", "curves_of"]

WHOLE = 100
CURVES = 8
SETS = 10


def check_curves(settings: Settings) -> None:
    """Raise CrossarcError for curves that cannot be drawn."""
    shares, sets = settings.values["curve"], settings.values["curve_sets"]
    if sets not in (0, SETS):
        raise CrossarcError(f"curve_sets: found {sets}; allowed: 0 or {SETS}")
    for share in shares:
        if not isinstance(share, int) or not 0 < share < WHOLE:
            raise CrossarcError(f"curve: found {share!r}; allowed: whole numbers from 1 to {WHOLE - 1}")
        if sets and (share % SETS or share > WHOLE - 2 * SETS):
            raise CrossarcError(f"curve: found {share}; allowed with {SETS} sets: tens up to {WHOLE - 2 * SETS}")
    if shares and len(settings.parsers) > CURVES + 1:
        raise CrossarcError(f"curve: {len(settings.parsers)} parsers; allowed: {CURVES} and {NONE!r}")


def curve_cells(bank: Bank) -> list[Cell]:
    """The parsers trained on shares of the training set."""
    cells = []
    for share in shares_of(bank):
        if bank.values["curve_sets"]:
            train, tests = sets_of(bank, range(1, share // SETS + 1)), {"held out": sets_of(bank, (0, SETS - 1))}
            cells += [
                bank.cell(f"{name} {share} sets", parses, config, train, tests)
                for name, config in bank.settings.parsers.items()
            ]
        else:
            part = replace(bank.part("train"), limit=max(1, round(share / 100 * bank["statistics"]["sentences"])))
            cells += [
                parser_cell(bank, f"{name} {share}", config, part) for name, config in bank.settings.parsers.items()
            ]
    return cells


def curves_of(bank: Bank, whole: Mapping[str, float | None]) -> dict[str, dict[str, float | None]]:
    """UAS without punctuation of each parser by share in per cent; nothing for treebanks without curves.

    whole: UAS of the parsers that are trained on the whole training set.
    """
    curves: dict[str, dict[str, float | None]] = {name: {} for name in bank.settings.parsers}
    split, sets = bank.values["split"], bank.values["curve_sets"]
    for name, points in curves.items():
        for share in shares_of(bank):
            if sets:
                own = bank.compared(sets_of(bank, (0, SETS - 1)), f"{name} {share} sets", "held out")
            else:
                own = bank.compared(bank.part(split), f"{name} {share}", f"{split} inverted")
            points[str(share)] = score_comparison(own, breakdowns="no_punct").no_punct.uas
        if points and not sets:
            points[str(WHOLE)] = whole[name]
    return curves


def curve_charts(banks: Sequence[Bank], found: Mapping[str, Any]) -> dict[str, str]:
    """Figure 5.4 of each treebank with curves."""
    charts = {}
    for bank in banks:
        if shares_of(bank):
            reductions = found[bank.name]["error_reduction"]
            series = {name: [(float(share), value) for share, value in own.items()] for name, own in reductions.items()}
            title = f"{bank.name}: error reduction of UAS against None"
            chart = line_chart(series, title=title, x_label="% of the training set", y_label="error reduction in %")
            charts[f"figure5.4-{bank.name}.svg"] = chart
    return charts


def shares_of(bank: Bank) -> list[int]:
    """The shares that parsers are trained on, in per cent."""
    return bank.values["curve"] if bank.name in bank.values["curve_treebanks"] else []


def sets_of(bank: Bank, numbers: Sequence[int]) -> Part:
    """Some of the ten sets of the training set."""
    return replace(bank.part("train"), folds=SETS, fold=tuple(numbers))
