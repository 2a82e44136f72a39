"""The learning curves of chapter 5 of Nilsson (2009), section 5.4.3: table 5.8 and figure 5.4.

Without sets a share of the training set is the first so many sentences, and the parsers are scored on the split that
parsers are compared on; the whole training set is the last point. In the form of the thesis the training set is divided
into ten sets by sentence number, and parsers that are trained on sets 1 to n are scored on sets 0 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .....parser.base.errors import CrossarcError
from .....parser.base.progress import Progress
from .....parser.drawing.line_chart import line_chart
from .....parser.evaluate import score_comparison
from .....parser.evaluate.percent import Json
from .....parser.treebank import Sentence
from ....harness.old_cells import compared, performance_cell
from ....harness.parsing import Part
from ....harness.results import write_text
from ....harness.rows import Row
from ....harness.runner import Cell
from ....harness.settings import Settings, TreebankEntry
from ..measures.tables import beside, published_names, thesis_rows
from ..measures.transforms import NONE, comparisons_of, parser_cell, scored, split_of

__all__ = ["check_curves", "curve_cells", "curve_lines", "curves_of"]

WHOLE = 100
CURVES = 8
SETS = 10
Curve = dict[str, float | None]
"""UAS, or how many errors of it are fewer, by the share of the training set in per cent."""


def check_curves(settings: Settings, progress: Progress) -> None:
    """Raise CrossarcError for curves that cannot be drawn; tell about treebanks that there are none of."""
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
    listed = [*(entry.name for entry in settings.treebanks), *settings.values["generated"]]
    for name in settings.values["curve_treebanks"]:
        if name not in listed:
            progress(f"{name}: no learning curve: not among the treebanks")


def curve_cells(entry: TreebankEntry, settings: Settings, sentences: int) -> list[Cell]:
    """The parsers trained on shares of a training set of so many sentences."""
    cells = []
    for share in _shares(entry, settings):
        if settings.values["curve_sets"]:
            train, held_out = _sets(entry, range(1, share // SETS + 1)), _held_out(entry)
            cells += [
                performance_cell(f"{entry.name} {_at(name, share)} sets", config, train, held_out)
                for name, config in settings.parsers.items()
            ]
        else:
            part = replace(entry.part("train"), limit=max(1, round(share / 100 * sentences)))
            cells += [parser_cell(entry, _at(name, share), config, part) for name, config in settings.parsers.items()]
    return cells


def curves_of(
    entry: TreebankEntry,
    settings: Settings,
    gold: Sequence[Sentence],
    whole: Mapping[str, float | None],
    results: Mapping[str, Json],
) -> dict[str, Curve]:
    """UAS without punctuation of each parser by share; nothing for treebanks without curves.

    gold: the split that parsers are compared on; whole: UAS of those that are trained on the whole training set.
    """
    curves: dict[str, Curve] = {name: {} for name in settings.parsers}
    sets = settings.values["curve_sets"]
    for share in _shares(entry, settings):
        names = {name: _at(name, share) for name in settings.parsers}
        if sets:
            test = _held_out(entry)
            own = {
                called: score_comparison(compared(test, results[f"{entry.name} {called} sets"]), breakdowns="no_punct")
                for called in names.values()
            }
        else:
            own = scored(comparisons_of(gold, entry, names.values(), split_of(settings), results))
        for name, called in names.items():
            curves[name][str(share)] = own[called].no_punct.uas
    for name, points in curves.items():
        if points and not sets:
            points[str(WHOLE)] = whole[name]
    return curves


def curve_lines(
    entries: Sequence[TreebankEntry],
    settings: Settings,
    reductions: Mapping[str, Mapping[str, Curve]],
    folder: Path,
) -> list[str]:
    """The section of the report; writes a figure for each treebank with curves. reductions: by treebank and parser."""
    sets = settings.values["curve_sets"]
    shares = [str(share) for share in (*settings.values["curve"], *(() if sets else (WHOLE,)))]
    ours: dict[tuple[str, ...], Row] = {}
    figures = []
    for entry in entries:
        if not _shares(entry, settings):
            continue
        own = reductions[entry.name]
        ours |= {(entry.name, name): points for name, points in own.items()}
        series = {name: [(float(share), value) for share, value in points.items()] for name, points in own.items()}
        title = f"{entry.name}: error reduction of UAS against None"
        chart = line_chart(series, title=title, x_label="% of the training set", y_label="error reduction in %")
        file = f"figure5.4-{entry.name}.svg"
        write_text(folder, file, chart)
        figures.append(f"![{title}]({file})")
    theirs = thesis_rows("5.8", ("treebank", "encoding"), None, {share: share for share in shares})
    columns = {share: f"{share} %" for share in shares}
    how = (
        f"trained on the sets 1, 1 to 2, ... of {SETS} by sentence number, scored on the sets 0 and {SETS - 1}."
        if sets
        else "trained on the first sentences of the training set, by their share of it."
    )
    return [
        "## Table 5.8 and figure 5.4: learning curves",
        "",
        "Error reduction of UAS, in %, against the parser without transforms that is trained on the same sentences; "
        f"{how}",
        "",
        beside(("treebank", "encoding"), columns, ours, theirs, published_names(entries)),
        *figures,
        "",
    ]


def _shares(entry: TreebankEntry, settings: Settings) -> list[int]:
    return settings.values["curve"] if entry.name in settings.values["curve_treebanks"] else []


def _at(name: str, share: int) -> str:
    return f"{name} {share}"


def _sets(entry: TreebankEntry, numbers: Sequence[int]) -> Part:
    return replace(entry.part("train"), folds=SETS, fold=tuple(numbers))


def _held_out(entry: TreebankEntry) -> Part:
    return _sets(entry, (0, SETS - 1))
