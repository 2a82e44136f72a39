"""Nilsson (2009), chapter 7: combining classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from .....parser.evaluate.error_figures import error_figure
from .....parser.evaluate.mcnemar import significance
from .....parser.evaluate.percent import Json
from ....harness.experiment import Experiment, Treebank
from ....harness.outputs import Outputs, joined
from ....harness.settings import Settings
from ..measures.errors import analysis_of, best_of, summary
from ..measures.learners import GRAPH, TRANSITION, check_combinations, held_out_of, learners_cell, level

CELL = "learners"
BEST_TRANSITION, BEST_GRAPH = "best TL", "best GL"


def outputs_of(treebank: Treebank) -> Outputs:
    """The test sentences with the trees of the parsers and of the combinations at both levels."""
    parsers, values = list(treebank.settings.parsers), treebank.values
    held_out = treebank.outputs(
        held_out_of(treebank.part("train"), values["folds"]), {name: (CELL, f"held out {name}") for name in parsers}
    )
    systems = [*parsers, *levels(TRANSITION, treebank.settings)]
    test = treebank.outputs(treebank.part("test"), {name: (CELL, f"test {name}") for name in systems})
    blends = {
        level(GRAPH, name, by): test.blended(members, held_out.weights(by, members), held_out.single_root)
        for name, members in values["combinations"].items()
        for by in values["weights"]
    }
    return Outputs(test.gold, {**test.trees, **blends})


def levels(key: str, settings: Settings) -> list[str]:
    """The names of all combinations at a level."""
    return [level(key, name, by) for name in settings.values["combinations"] for by in settings.values["weights"]]


def together(treebanks: Sequence[Treebank]) -> tuple[Outputs, dict[str, str]]:
    """All treebanks one after another; and the systems of the error analysis, by what they are: the best parser by its
    own name, and the best combination at each level, by the words right on all treebanks."""
    settings = treebanks[0].settings
    every = joined(outputs_by_treebank(treebanks))
    parser = best_of(every.scores, list(settings.parsers))
    combined = {BEST_TRANSITION: levels(TRANSITION, settings), BEST_GRAPH: levels(GRAPH, settings)}
    return every, {parser: parser, **{name: best_of(every.scores, own) for name, own in combined.items()}}


def outputs_by_treebank(treebanks: Sequence[Treebank]) -> list[Outputs]:
    """The outputs of each treebank."""
    return [treebank.once("outputs", partial(outputs_of, treebank)) for treebank in treebanks]


def figures(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """The scores by treebank and together, tests against the best combination after parsing, and the error analysis."""
    every, best = together(treebanks)
    combined = every.comparisons[best[BEST_GRAPH]]
    return {
        "treebanks": {
            treebank.name: {
                "scores": {name: summary(scores) for name, scores in own.scores.items()},
                "cost": treebank[CELL]["cost"],
            }
            for treebank, own in zip(treebanks, outputs_by_treebank(treebanks), strict=True)
        },
        "together": {
            "scores": {name: summary(own, full=True) for name, own in every.scores.items()},
            "best": dict(best),
            "significance": {
                name: significance(own, combined, "las").to_json() for name, own in every.comparisons.items()
            },
        },
        "analysis": analysis_of({name: every.scores[system] for name, system in best.items()}),
    }


def charts(treebanks: Sequence[Treebank], _: Mapping[str, Any]) -> dict[str, str]:
    """Figures 7.2 and 7.3."""
    every, best = together(treebanks)
    graph = {name: every.scores[system] for name, system in best.items() if name != BEST_TRANSITION}
    return {
        "figure7.2.svg": error_figure("error-clustering", graph, "Normalised error clustering"),
        "figure7.3-depth.svg": error_figure("depth", graph, "Labelled precision by depth"),
        "figure7.3-length.svg": error_figure("arc-length", graph, "Labelled precision by arc length"),
    }


EXPERIMENT = Experiment(
    title="Nilsson (2009), chapter 7: combining classifiers",
    note="As in the thesis, all learners see the same features and one of {folds} training sentences is held out, on "
    "which the weights of both levels are learned: of the transition level (TL, votes at each transition) and of the "
    "graph level (GL, votes for arcs after parsing). All figures are of the test sets, punctuation included; together: "
    "the outputs for all treebanks one after another.",
    splits=lambda values: ("train", "test"),
    cells=(lambda treebank: [learners_cell(treebank)],),
    figures=figures,
    charts=charts,
    check=check_combinations,
)
