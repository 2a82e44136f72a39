"""Learning curves of Nilsson (2009), section 5.4.3: table 5.8 and figure 5.4.

The setting ``curve_sets`` decides which sentences are used:

- 0: A share of the training set is its first sentences. The split ``split`` is parsed. The last point of a curve is the
  complete training set.
- 10, as in the thesis: The training set is divided into ten sets by sentence number. A share of 10 n % is the sets 1 to
  n. Sets 0 and 9 are parsed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .....parser.base.errors import CrossarcError
from .....parser.drawing.line_chart import line_chart
from ....harness import Cell, Part, Settings, Treebank, parses
from ..measures.transforms import NONE, check_parsers, parser_cells

WHOLE = 100
"""The complete training set, in per cent."""
CURVES = 8
"""Most curves in one chart: the number of colours."""
SETS = 10
"""Sets that the thesis divides a training set into."""


def check_curves(settings: Settings) -> None:
    """Raise CrossarcError for other parsers, for invalid shares or sets, and for more curves than a chart can show."""
    check_parsers(settings)
    shares, sets = settings.values["curve"], settings.values["curve_sets"]
    if sets not in (0, SETS):
        raise CrossarcError(f"curve_sets: found {sets}; allowed: 0 or {SETS}")
    for share in shares:
        if not isinstance(share, int) or not 0 < share < WHOLE:
            raise CrossarcError(f"curve: found {share!r}; allowed: whole numbers from 1 to {WHOLE - 1}")
        if sets and (share % SETS or share > WHOLE - 2 * SETS):
            limit = WHOLE - 2 * SETS
            raise CrossarcError(f"curve: found {share}; allowed with {SETS} sets: multiples of 10 up to {limit}")
    if shares and len(settings.parsers) > CURVES + 1:
        raise CrossarcError(f"curve: found {len(settings.parsers)} parsers; allowed: {NONE!r} and {CURVES} others")


def curve_cells(treebank: Treebank) -> list[Cell]:
    """Cells of the parsers trained on shares of the training set."""
    cells = []
    for share in shares_of(treebank):
        parsers = {f"{name} {share}": config for name, config in treebank.parsers.items()}
        if treebank.values["curve_sets"]:
            train, held_out = (sets_of(treebank, own) for own in (range(1, share // SETS + 1), (0, SETS - 1)))
            with_sets = {f"{name} sets": config for name, config in parsers.items()}
            cells += treebank.each(with_sets, parses, train, {"held out": held_out})
        else:
            sentences = max(1, round(share / 100 * treebank["statistics"]["sentences"]))
            cells += parser_cells(treebank, parsers, replace(treebank.part("train"), limit=sentences))
    return cells


def curves_of(treebank: Treebank, whole: Mapping[str, float | None]) -> dict[str, dict[str, float | None]]:
    """UAS of each parser without punctuation, by share in per cent; no points for treebanks without curves.

    whole: UAS of the parsers trained on the complete training set.
    """
    curves: dict[str, dict[str, float | None]] = {name: {} for name in treebank.parsers}
    split, sets = treebank.values["split"], treebank.values["curve_sets"]
    for name, points in curves.items():
        for share in shares_of(treebank):
            part = sets_of(treebank, (0, SETS - 1)) if sets else treebank.part(split)
            trees, cell = ("held out", f"{name} {share} sets") if sets else (f"{split} inverted", f"{name} {share}")
            points[str(share)] = treebank.outputs(part, trees, [cell]).scores[cell].no_punct.uas
        if points and not sets:
            points[str(WHOLE)] = whole[name]
    return curves


def curve_charts(treebanks: Sequence[Treebank], found: Mapping[str, Any]) -> dict[str, str]:
    """Figure 5.4 for each treebank with curves."""
    charts = {}
    for treebank in treebanks:
        if shares_of(treebank):
            reductions = found[treebank.name]["error_reduction"]
            series = {name: [(float(share), value) for share, value in own.items()] for name, own in reductions.items()}
            title = f"{treebank.name}: error reduction of UAS against None"
            chart = line_chart(series, title=title, x_label="% of the training set", y_label="error reduction in %")
            charts[f"figure5.4-{treebank.name}.svg"] = chart
    return charts


def shares_of(treebank: Treebank) -> list[int]:
    """The shares of the training set in per cent; none for treebanks without curves."""
    return treebank.values["curve"] if treebank.name in treebank.values["curve_treebanks"] else []


def sets_of(treebank: Treebank, numbers: Sequence[int]) -> Part:
    """The sentences in some of the ten sets of the training set, by the numbers of the sets."""
    return replace(treebank.part("train"), folds=SETS, fold=tuple(numbers))
