"""Nilsson (2009), chapter 8: blends of transition-based parsers, and the metrics of chapter 4 on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from .....parser.base.errors import CrossarcError, check_names
from .....parser.evaluate.mcnemar import pairwise, significance_json
from .....parser.evaluate.percent import error_reduction
from .....parser.evaluate.scores import Scores
from .....parser.plugins.drawing.error_figures import KINDS
from .....parser.transforms.registry import parse_transform
from ....harness import Cell, Experiment, ExperimentTreebank, Json, Outputs, Settings, joined, over, parses
from ....harness.parsing import timed
from ..measures.errors import analysis_of, best_of, pre_post_row, verdict

SINGLE, FORWARD, BACKWARD = "single", "left to right", "right to left"
REVERSED, BLEND = "reversed", "blend"


class Blended(NamedTuple):
    """A test set, or several concatenated, parsed and blended.

    outputs: trees of the parsers; of their blends, named by :func:`blend_of`; and of the best parsers again, named
        ``single`` (best of all), ``left to right`` and ``right to left`` (best in a direction, if it has parsers).
    chosen: by treebank, the parsers with these three names.
    seconds: CPU seconds of parsing (``parsing``) and of each blend.
    """

    outputs: Outputs
    chosen: Mapping[str, Mapping[str, str]]
    seconds: Mapping[str, float]

    def row(self, by: str, baseline: str) -> dict[str, Json]:
        """A row of table 8.2: the blend with a weighting, against each treebank's best component and the baseline.

        The thesis prints error reductions relative to the blend's errors. Its section 3.1 and table 8.3 relate them to
        the errors of the single parser, as ``error_reduction`` does.
        """
        blend, outputs = blend_of(by), self.outputs
        names = {by_role[SINGLE] for by_role in self.chosen.values()}
        row: dict[str, Json] = {"single": names.pop() if len(names) == 1 else "each one's best"}
        for key in ("las", "uas"):
            single, first, after = (getattr(outputs.scores[name], key) for name in (SINGLE, baseline, blend))
            printed = error_reduction(after, single)
            row |= {
                f"{key}_single": single,
                key: after,
                f"{key}_reduction": error_reduction(single, after),
                f"{key}_p": verdict(outputs.test(SINGLE, blend, key)),
                f"{key}_baseline_reduction": error_reduction(first, after),
                f"{key}_printed_reduction": None if printed is None else 0.0 - printed,
            }
        row["cost"] = 100.0 * self.seconds[blend] / self.seconds["parsing"] if self.seconds["parsing"] else None
        return row


def blend_of(by: str) -> str:
    """The name of the blend with a weighting."""
    return f"blend {by}"


def components_of(settings: Settings) -> dict[str, list[str]]:
    """The components of blends: all (``single``), and by direction. Parsers in the setting ``apart`` are left out.

    Raises CrossarcError for unknown names in the settings, and if no weighting is given.
    """
    if not settings.values["weights"]:
        raise CrossarcError("weights: found none; allowed: one or more")
    apart, baseline = settings.values["apart"], settings.values["baseline"]
    check_names("apart:", apart, settings.parsers)
    names = [name for name in settings.parsers if name not in apart]
    check_names("baseline:", [baseline], names)
    roles = {SINGLE: names, FORWARD: [], BACKWARD: []}
    for name in names:
        # two reversals restore the order
        reversals = [spec for spec in settings.parsers[name].transforms if parse_transform(spec).name == "reversal"]
        roles[BACKWARD if len(reversals) % 2 else FORWARD].append(name)
    return {role: members for role, members in roles.items() if members}  # a direction may have no parsers


def treebank_blends(treebank: ExperimentTreebank) -> Blended:
    """The test set of a treebank, parsed and blended with all weightings."""
    roles = components_of(treebank.settings)
    names = roles[SINGLE]
    dev, test = (treebank.outputs(treebank.part(split), split, list(treebank.parsers)) for split in ("dev", "test"))
    trees = dict(test.trees)
    seconds = {"parsing": float(sum(treebank[name]["cost"]["parse_cpu"]["test"] for name in names))}
    for weighting in treebank.values["weights"]:
        weights, blend = dev.weights(weighting, names), blend_of(weighting)
        trees[blend], seconds[blend] = timed(test.blended, names, weights, dev.single_root)
    # by scores on the test set: blends are compared with the best component in hindsight
    chosen = {role: best_of(test.scores, candidates) for role, candidates in roles.items()}
    trees |= {role: test.trees[name] for role, name in chosen.items()}
    return Blended(Outputs(test.gold, trees), {treebank.name: chosen}, seconds)


def joined_blends(parts: Sequence[Blended]) -> Blended:
    """The test sets of several treebanks, concatenated."""
    chosen = {treebank: by_role for part in parts for treebank, by_role in part.chosen.items()}
    seconds = {name: sum(part.seconds[name] for part in parts) for name in parts[0].seconds}
    return Blended(joined([part.outputs for part in parts]), chosen, seconds)


def mean_row(rows: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """The unweighted means of those error reductions in rows of table 8.2 that all treebanks have."""
    return {key: value for key, value in over(rows, fmean).items() if key.endswith("_reduction") and value is not None}


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the parsers, each run on development and test set."""
    tests = {split: treebank.part(split) for split in ("dev", "test")}
    return treebank.each(treebank.parsers, parses, treebank.part("train"), tests)


def analysed(scores: Mapping[str, Scores], weights: Sequence[str]) -> dict[str, Scores]:
    """Scores of the systems of the error analysis: best single parser, best parser from right to left, first blend."""
    names = {SINGLE: SINGLE, REVERSED: BACKWARD, BLEND: blend_of(weights[0])}
    return {name: scores[key] for name, key in names.items() if key in scores}


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """Tables 8.1 to 8.4 and those of chapter 4: by treebank, of all treebanks together, and the error analysis."""
    settings = treebanks[0].settings
    weights, baseline = settings.values["weights"], settings.values["baseline"]
    blends = {treebank.name: treebank_blends(treebank) for treebank in treebanks}
    every = joined_blends(list(blends.values()))
    rows = {by: {name: part.row(by, baseline) for name, part in blends.items()} for by in weights}
    scores, comparisons = every.outputs.scores, every.outputs.comparisons
    systems = analysed(scores, weights)
    shown = [*settings.parsers, blend_of(weights[0])][-8:]  # a chart shows eight lines at most; the blend is the last
    return {
        "treebanks": {
            name: {
                "chosen": dict(part.chosen[name]),
                "blends": {by: table[name] for by, table in rows.items()},
                "scores": treebanks[0].rows("scores", part.outputs.scores),
            }
            for name, part in blends.items()
        },
        "together": {
            "blends": {by: every.row(by, baseline) for by in weights},
            "means": {by: mean_row(list(table.values())) for by, table in rows.items()},
            "scores": treebanks[0].rows("scores", scores),
            "significance": significance_json(
                pairwise({name: comparisons[name] for name in settings.parsers}, ("las",))
            ),
        },
        "analysis": analysis_of({**systems, **{name: scores[name] for name in settings.parsers}}, settings.measures),
        "uas": {name: pre_post_row(blends, scores[SINGLE], "uas") for name, blends in systems.items()},
        "by_figure": {
            "4.1": points("error-clustering", {name: scores[name] for name in shown}),
            "8.4-length": points("arc-length", systems),
        },
    }


def points(kind: str, systems: Mapping[str, Scores]) -> Json:
    """The points of a kind of error figure for each system."""
    return {name: {str(x): y for x, y in KINDS[kind].points(scores)} for name, scores in systems.items()}


EXPERIMENT = Experiment(cells=(cells,), figures=figures, check=components_of)
