"""Learning curves of Nilsson (2009), section 5.4.3: table 5.8 and figure 5.4.

The training set is divided into ten sets by sentence number. A share of 10 n % is the sets 1 to n. Sets 0 and 9 are
parsed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .....parser.base.errors import CrossarcError
from .....parser.drawing.line_chart import line_chart
from ....harness import Cell, Part, Settings, Treebank, parses
from ..measures.transforms import NONE, check_parsers

SETS = 10
SHARES = range(10, 81, 10)
CURVES = 8
"""Most curves in one chart: the number of colours."""


def check_curves(settings: Settings) -> None:
    """Raise CrossarcError for other parsers, for invalid shares, and for more curves than a chart can show."""
    check_parsers(settings)
    for share in settings.values["curve"]:
        if share not in SHARES:
            raise CrossarcError(f"curve: found {share!r}; allowed: multiples of 10 from 10 to 80")
    if settings.values["curve"] and len(settings.parsers) > CURVES + 1:
        raise CrossarcError(f"curve: found {len(settings.parsers)} parsers; allowed: {NONE!r} and {CURVES} others")


def curve_cells(treebank: Treebank) -> list[Cell]:
    """Cells of the parsers trained on shares of the training set."""
    test = {"held out": sets_of(treebank, (0, 9))}
    return [
        treebank.cell(curve_cell(name, share), parses, config, sets_of(treebank, range(1, share // 10 + 1)), test)
        for share in shares_of(treebank)
        for name, config in treebank.parsers.items()
    ]


def curves_of(treebank: Treebank) -> dict[str, dict[str, float | None]]:
    """UAS of each parser without punctuation, by share in per cent; no points for treebanks without curves."""
    held_out, shares = sets_of(treebank, (0, 9)), shares_of(treebank)
    cells = [curve_cell(name, share) for name in treebank.parsers for share in shares]
    scores = treebank.outputs(held_out, "held out", cells).scores if cells else {}
    return {
        name: {str(share): scores[curve_cell(name, share)].no_punct.uas for share in shares}
        for name in treebank.parsers
    }


def curve_charts(treebanks: Sequence[Treebank], found: Mapping[str, Any]) -> dict[str, str]:
    """Figure 5.4 for each treebank with curves."""
    charts = {}
    for treebank in filter(shares_of, treebanks):
        reductions = found[treebank.name]["error_reduction"]
        series = {name: [(float(share), value) for share, value in own.items()] for name, own in reductions.items()}
        title = f"{treebank.name}: error reduction of UAS against None"
        chart = line_chart(series, title=title, x_label="% of the training set", y_label="error reduction in %")
        charts[f"figure5.4-{treebank.name}.svg"] = chart
    return charts


def curve_cell(parser: str, share: int) -> str:
    """The name of the cell of a parser trained on a share."""
    return f"{parser} {share} sets"


def shares_of(treebank: Treebank) -> list[int]:
    """The shares of the training set in per cent; none for treebanks without curves."""
    return treebank.values["curve"] if treebank.name in treebank.values["curve_treebanks"] else []


def sets_of(treebank: Treebank, numbers: Sequence[int]) -> Part:
    """The sentences in some of the ten sets of the training set, by the numbers of the sets."""
    return replace(treebank.part("train"), folds=SETS, fold=tuple(numbers))
