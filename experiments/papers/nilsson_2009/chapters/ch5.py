"""Nilsson (2009), chapter 5: pseudo-projective transforms, parsers with them, and learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from .....parser.base.errors import CrossarcError
from .....parser.config.config import ParserConfig
from .....parser.evaluate.mcnemar import McNemar, mcnemar, significance_json
from .....parser.evaluate.percent import error_reduction
from .....parser.transforms.lifting.pseudo_projective import PseudoProjective
from .....parser.transforms.registry import parse_transform
from ....harness import Cell, Experiment, ExperimentTreebank, Json, Settings, TreebankPart, count_part, over, parses
from ....harness.parsing import lost_by
from ....harness.tables import lift_shares
from ..measures.transforms import NONE, check_parsers, inverted, parser_cells
from ..measures.words import class_scores, marked_in


def counts(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells that count the training set and measure the loss that transforms cause."""
    train = treebank.part("train")
    transformed = {name: config.transforms for name, config in treebank.parsers.items() if config.transforms}
    lost = [treebank.cell(f"{name} distortion", lost_by, transform, train) for name, transform in transformed.items()]
    return [treebank.cell("statistics", count_part, train), *lost]


def parsers(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the parsers, with complete training sets and with shares of them."""
    return parser_cells(treebank, treebank.parsers) + curve_cells(treebank)


def figures(treebank: ExperimentTreebank) -> dict[str, Json]:
    """Tables 5.2 to 5.8 of a treebank, and tests between parsers. Tables 5.6 to 5.8 leave out punctuation."""
    names, split = list(treebank.parsers), treebank.values["split"]
    outputs = inverted(treebank, names, split)
    comparisons, scores = outputs.comparisons, outputs.scores
    lifted = outputs.lifted != comparisons[NONE].gold.heads  # a lifted word never gets its own head again
    marked = {
        name: marked_in(treebank.trees(name, f"{split} uninverted")) if marks(config) else lifted & False
        for name, config in treebank.parsers.items()
    }
    counted = {
        name: comparison.head_right[lifted & ~comparison.punctuation] for name, comparison in comparisons.items()
    }
    tests = outputs.tests(("las", "uas"))
    recalled: dict[tuple[str, str], McNemar] = {pair: mcnemar(*map(counted.__getitem__, pair)) for pair in tests["uas"]}
    lost: dict[str, Any] = {name: treebank[f"{name} distortion"] for name in names if treebank.parsers[name].transforms}
    curve = curves_of(treebank)
    return {
        "statistics": treebank["statistics"],
        "distortion": lost,
        "lifts": lifts_row(lost),
        "performance": {name: score.to_json() for name, score in scores.items()},
        "lifted": {
            name: class_scores(comparison, marked[name], lifted).to_json() for name, comparison in comparisons.items()
        },
        "curve": {name: dict(by_share) for name, by_share in curve.items()},
        "error_reduction": {
            name: {share: error_reduction(curve[NONE][share], uas) for share, uas in by_share.items()}
            for name, by_share in curve.items()
            if name != NONE
        },
        "significance": significance_json({**tests, "recall of lifted arcs": recalled}),
    }


def marks(config: ParserConfig) -> bool:
    """Whether the last transform of a parser marks the labels of lifted words."""
    last = parse_transform(config.transforms[-1]) if config.transforms else None
    return isinstance(last, PseudoProjective) and last.encoding != "baseline"


def lifts_row(lost: Mapping[str, Mapping[str, Any]]) -> dict[str, Json]:
    """Table 5.4, from the first transform: encodings with the same order of lifting make the same lifts."""
    lifts: Mapping[str, int] = next(iter(lost.values()))["lifts"] if lost else {}
    return lift_shares(lifts, sum(number for steps, number in lifts.items() if steps != "0"))


def together(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """The figures of all treebanks, and in ``average`` the means of table 5.6."""
    document: dict[str, Any] = {treebank.name: figures(treebank) for treebank in treebanks}
    means = over([row["performance"] for row in document.values()], fmean)
    average = {score: {name: row["no_punct"][score.lower()] for name, row in means.items()} for score in ("UAS", "LAS")}
    return {**document, "average": average}


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


def curve_cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the parsers trained on shares of the training set."""
    test = {"held out": sets_of(treebank, (0, 9))}
    return [
        treebank.cell(curve_cell(name, share), parses, config, sets_of(treebank, range(1, share // 10 + 1)), test)
        for share in shares_of(treebank)
        for name, config in treebank.parsers.items()
    ]


def curves_of(treebank: ExperimentTreebank) -> dict[str, dict[str, float | None]]:
    """UAS of each parser without punctuation, by share in per cent; no points for treebanks without curves."""
    held_out, shares = sets_of(treebank, (0, 9)), shares_of(treebank)
    cells = [curve_cell(name, share) for name in treebank.parsers for share in shares]
    scores = treebank.outputs(held_out, "held out", cells).scores if cells else {}
    return {
        name: {str(share): scores[curve_cell(name, share)].no_punct.uas for share in shares}
        for name in treebank.parsers
    }


def curve_cell(parser: str, share: int) -> str:
    """The name of the cell of a parser trained on a share."""
    return f"{parser} {share} sets"


def shares_of(treebank: ExperimentTreebank) -> list[int]:
    """The shares of the training set in per cent; none for treebanks without curves."""
    return treebank.values["curve"] if treebank.name in treebank.values["curve_treebanks"] else []


def sets_of(treebank: ExperimentTreebank, numbers: Sequence[int]) -> TreebankPart:
    """The sentences in some of the ten sets of the training set, by the numbers of the sets."""
    return replace(treebank.part("train"), folds=SETS, fold=tuple(numbers))


EXPERIMENT = Experiment(cells=(counts, parsers), figures=together, check=check_curves)
