"""Nilsson (2009), chapter 8: combining transition-based parsers; and the metrics of chapter 4 on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from .....parser.base.errors import CrossarcError, choices
from .....parser.evaluate.comparison import Comparison
from .....parser.evaluate.error_figures import error_figure
from .....parser.evaluate.mcnemar import pairwise, significance_json
from .....parser.evaluate.metrics import score_comparison
from .....parser.evaluate.percent import Json, error_reduction
from .....parser.evaluate.scores import Scores
from .....parser.transforms import parse_transform
from ....harness.experiment import Experiment, Treebank
from ....harness.parsing import parses
from ....harness.runner import Cell
from ....harness.settings import Settings
from ..measures.errors import analysis_of, pre_post_row
from ..measures.outputs import Outputs, best_of, blended, joined, summary, verdict

SINGLE, FORWARD, BACKWARD = "single", "left to right", "right to left"
REVERSED, BLEND = "reversed", "blend"


@dataclass(frozen=True, slots=True)
class Blended:
    """A test set, or several one after another, parsed and blended.

    outputs: the trees of the parsers, and of their blends as :func:`blend_of` names them; of one treebank or more.
    chosen: for each of them the parsers that are best with it: of all, from left to right, from right to left (where
    there are some). comparisons, scores: of all of these. seconds: what parsing cost, and each blend.
    """

    outputs: tuple[Outputs, ...]
    chosen: Mapping[str, Mapping[str, str]]
    comparisons: Mapping[str, Comparison]
    scores: Mapping[str, Scores]
    seconds: Mapping[str, float]

    def row(self, by: str, baseline: str) -> dict[str, Json]:
        """A row of table 8.2: the best component of each treebank, and the blend weighted so."""
        blend = blend_of(by)
        names = {own[SINGLE] for own in self.chosen.values()}
        row: dict[str, Json] = {"single": names.pop() if len(names) == 1 else "each one's best"}
        for key in ("las", "uas"):
            single, first, after = (getattr(self.scores[name], key) for name in (SINGLE, baseline, blend))
            row |= {
                f"{key}_single": single,
                key: after,
                f"{key}_reduction": error_reduction(single, after),
                f"{key}_p": verdict(self.comparisons[SINGLE], self.comparisons[blend], key),
                f"{key}_baseline_reduction": error_reduction(first, after),
                f"{key}_printed_reduction": printed_reduction(single, after),
            }
        row["cost"] = 100.0 * self.seconds[blend] / self.seconds["parsing"] if self.seconds["parsing"] else None
        return row


def printed_reduction(single: float | None, blend: float | None) -> float | None:
    """The error reduction as table 8.2 of the thesis has it: a share of the blend's errors, not of the single parser's.

    Section 3.1 defines it as :func:`~crossarc.parser.evaluate.error_reduction` does, and table 8.3 goes by that.
    """
    if single is None or blend is None or blend >= 100:
        return None
    return 100.0 * (blend - single) / (100.0 - blend)


def blend_of(by: str) -> str:
    """The name of the blend under a weighting."""
    return f"blend {by}"


def components_of(settings: Settings) -> dict[str, list[str]]:
    """The parsers of the settings but those ``apart``: all, and by direction. Raises CrossarcError for a wrong name."""
    if not settings.values["weights"]:
        raise CrossarcError("weights: found none; allowed: one or more")
    apart, baseline = settings.values["apart"], settings.values["baseline"]
    for name in apart:
        if name not in settings.parsers:
            raise CrossarcError(f"apart: {choices(name, list(settings.parsers))}")
    names = [name for name in settings.parsers if name not in apart]
    if baseline not in names:
        raise CrossarcError(f"baseline: {choices(baseline, names)}")
    reversals = {
        name: sum(parse_transform(spec).name == "reversal" for spec in settings.parsers[name].transforms)
        for name in names
    }
    roles = {SINGLE: names, FORWARD: [], BACKWARD: []}
    for name, number in reversals.items():
        roles[BACKWARD if number % 2 else FORWARD].append(name)
    return {role: own for role, own in roles.items() if own}


def treebank_blends(treebank: Treebank) -> Blended:
    """The test set of a treebank: the parsers, and the blends under all weightings."""
    roles = components_of(treebank.settings)
    dev, test = (
        Outputs(
            treebank.name,
            treebank.gold(treebank.part(split)),
            {name: treebank.trees(name, split) for name in treebank.settings.parsers},
        )
        for split in ("dev", "test")
    )
    trees = dict(test.trees)
    seconds = {"parsing": float(sum(treebank[name]["cost"]["parse_cpu"]["test"] for name in roles[SINGLE]))}
    for by in treebank.values["weights"]:
        trees[blend_of(by)], seconds[blend_of(by)] = blended(by, roles[SINGLE], dev, test)
    test = Outputs(treebank.name, test.gold, trees)
    comparisons = {name: test.comparison(name) for name in trees}
    scores = {name: score_comparison(comparison) for name, comparison in comparisons.items()}
    chosen = {role: best_of(scores, own) for role, own in roles.items()}
    for role, name in chosen.items():
        comparisons[role], scores[role] = comparisons[name], scores[name]
    return Blended((test,), {treebank.name: chosen}, comparisons, scores, seconds)


def joined_blends(parts: Sequence[Blended]) -> Blended:
    """The test sets of several treebanks one after another."""
    outputs = tuple(output for part in parts for output in part.outputs)
    chosen = {treebank: own for part in parts for treebank, own in part.chosen.items()}
    comparisons = {name: joined(outputs, name) for name in outputs[0].trees}
    for role in next(iter(chosen.values())):
        comparisons[role] = joined(outputs, {treebank: own[role] for treebank, own in chosen.items()})
    scores = {name: score_comparison(comparison) for name, comparison in comparisons.items()}
    seconds = {name: sum(part.seconds[name] for part in parts) for name in parts[0].seconds}
    return Blended(outputs, chosen, comparisons, scores, seconds)


def mean_row(rows: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """The plain means of the error reductions of several treebanks."""
    mean: dict[str, Json] = {}
    for key in rows[0]:
        values = [value for row in rows if isinstance(value := row[key], float)]
        if key.endswith("_reduction") and len(values) == len(rows):
            mean[key] = sum(values) / len(values)
    return mean


def cells(treebank: Treebank) -> list[Cell]:
    """The parsers, each run on development and test set."""
    tests = {split: treebank.part(split) for split in ("dev", "test")}
    return [
        treebank.cell(name, parses, own, treebank.part("train"), tests)
        for name, own in treebank.settings.parsers.items()
    ]


def blends_of(treebanks: Sequence[Treebank]) -> dict[str, Blended]:
    """The blends of each treebank."""
    return {treebank.name: treebank.once("blends", partial(treebank_blends, treebank)) for treebank in treebanks}


def analysed(every: Blended, weights: Sequence[str]) -> dict[str, Scores]:
    """The systems of the error analysis: the single parsers, those from right to left, and the blend."""
    names = {SINGLE: SINGLE, REVERSED: BACKWARD, BLEND: blend_of(weights[0])}
    return {name: every.scores[key] for name, key in names.items() if key in every.scores}


def figures(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """Tables 8.1 to 8.4 and those of chapter 4: by treebank, together, and the error analysis."""
    settings, weights = treebanks[0].settings, treebanks[0].values["weights"]
    own, baseline = blends_of(treebanks), settings.values["baseline"]
    every = joined_blends(list(own.values()))
    rows = {by: {name: part.row(by, baseline) for name, part in own.items()} for by in weights}
    systems = {name: every.scores[name] for name in settings.parsers}
    return {
        "treebanks": {
            name: {
                "chosen": dict(part.chosen[name]),
                "blends": {by: table[name] for by, table in rows.items()},
                "scores": {system: summary(scores) for system, scores in part.scores.items()},
            }
            for name, part in own.items()
        },
        "together": {
            "blends": {by: every.row(by, baseline) for by in weights},
            "means": {by: mean_row(list(table.values())) for by, table in rows.items()},
            "scores": {system: summary(scores, full=True) for system, scores in every.scores.items()},
            "significance": significance_json(pairwise({name: every.comparisons[name] for name in systems}, ("las",))),
        },
        "analysis": analysis_of({**analysed(every, weights), **systems}),
        "uas": {
            name: dict(pre_post_row(scores, None if name == SINGLE else every.scores[SINGLE], "uas"))
            for name, scores in analysed(every, weights).items()
        },
    }


def charts(treebanks: Sequence[Treebank], _: Mapping[str, Any]) -> dict[str, str]:
    """Figures 4.1 and 8.2 to 8.4."""
    weights, every = treebanks[0].values["weights"], joined_blends(list(blends_of(treebanks).values()))
    systems = analysed(every, weights)
    by_direction = {name: every.scores[name] for name in (FORWARD, BACKWARD) if name in every.scores}
    # a chart has eight lines at most, and the blend is the last one
    shown = {name: every.scores[name] for name in [*treebanks[0].settings.parsers, blend_of(weights[0])][-8:]}
    return {
        "figure4.1.svg": error_figure("error-clustering", shown, "Normalised error clustering"),
        "figure8.2.svg": error_figure("error-clustering", systems, "Normalised error clustering"),
        "figure8.3.svg": error_figure("position", by_direction, "Normalised error rate by position"),
        "figure8.4-depth.svg": error_figure("depth", systems, "Labelled precision by depth"),
        "figure8.4-length.svg": error_figure("arc-length", systems, "Labelled precision by arc length"),
    }


EXPERIMENT = Experiment(
    title="Nilsson (2009), chapter 8: combining transition-based parsers",
    note="The components are trained on the training sets and weighted by how they parse the development sets; all "
    "figures are of the test sets, punctuation included. Blended trees have a single root where all trees of the "
    "development set have. Together: the outputs for all treebanks one after another, as in the thesis. Single: the "
    "component that is best on the test set of a treebank, by LAS; reversed: the best one from right to left; blend in "
    "the error analysis: weighted as first in {weights}.",
    cells=(cells,),
    figures=figures,
    charts=charts,
    check=components_of,
)
