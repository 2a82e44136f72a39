"""Nilsson (2009), chapter 7: combining classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from .....parser.evaluate.comparison import Comparison
from .....parser.evaluate.error_figures import error_figure
from .....parser.evaluate.mcnemar import significance
from .....parser.evaluate.metrics import score_comparison
from .....parser.evaluate.percent import Json
from .....parser.evaluate.scores import Scores
from ....harness.experiment import Experiment, Treebank
from ....harness.settings import Settings
from ..measures.errors import analysis_of
from ..measures.learners import GRAPH, TRANSITION, check_combinations, held_out_of, learners_cell, level
from ..measures.outputs import Outputs, best_of, blended, joined, summary

CELL = "learners"
BEST_TRANSITION, BEST_GRAPH = "best TL", "best GL"


class Together(NamedTuple):
    """All systems on all treebanks, one after another; best: the systems of the error analysis, by what they are."""

    comparisons: Mapping[str, Comparison]
    scores: Mapping[str, Scores]
    best: Mapping[str, str]

    def analysed(self) -> dict[str, Scores]:
        """The scores of the systems of the error analysis."""
        return {name: self.scores[system] for name, system in self.best.items()}


def outputs_of(treebank: Treebank) -> Outputs:
    """The test sentences with the trees of the parsers and of the combinations at both levels."""
    held_out = treebank.gold(held_out_of(treebank.part("train"), treebank.values["folds"]))
    before = {name: treebank.trees(CELL, f"held out {name}") for name in treebank.settings.parsers}
    names = (*treebank.settings.parsers, *levels(TRANSITION, treebank.settings))
    test = Outputs(
        treebank.name,
        treebank.gold(treebank.part("test")),
        {name: treebank.trees(CELL, f"test {name}") for name in names},
    )
    blends = {
        level(GRAPH, name, by): blended(by, members, Outputs(treebank.name, held_out, before), test)[0]
        for name, members in treebank.values["combinations"].items()
        for by in treebank.values["weights"]
    }
    return Outputs(treebank.name, test.gold, {**test.trees, **blends})


def levels(key: str, settings: Settings) -> list[str]:
    """The names of all combinations at a level."""
    return [level(key, name, by) for name in settings.values["combinations"] for by in settings.values["weights"]]


def together(treebanks: Sequence[Treebank]) -> tuple[list[Outputs], Together]:
    """The best parser by its own name, and the best combination at each level, by the words right on all treebanks."""
    settings = treebanks[0].settings
    outputs = [treebank.once("outputs", partial(outputs_of, treebank)) for treebank in treebanks]
    every = {name: joined(outputs, name) for name in outputs[0].trees}
    scores = {name: score_comparison(comparison) for name, comparison in every.items()}
    parser = best_of(scores, list(settings.parsers))
    combined = {BEST_TRANSITION: levels(TRANSITION, settings), BEST_GRAPH: levels(GRAPH, settings)}
    return outputs, Together(
        every, scores, {parser: parser, **{name: best_of(scores, own) for name, own in combined.items()}}
    )


def figures(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """The scores by treebank and together, tests against the best combination after parsing, and the error analysis."""
    outputs, every = together(treebanks)
    tests = {
        name: significance(own, every.comparisons[every.best[BEST_GRAPH]], "las")
        for name, own in every.comparisons.items()
    }
    return {
        "treebanks": {
            treebank.name: {
                "scores": {name: summary(score_comparison(own.comparison(name))) for name in own.trees},
                "cost": treebank[CELL]["cost"],
            }
            for treebank, own in zip(treebanks, outputs, strict=True)
        },
        "together": {
            "scores": {name: summary(own, full=True) for name, own in every.scores.items()},
            "best": dict(every.best),
            "significance": {name: test.to_json() for name, test in tests.items()},
        },
        "analysis": analysis_of(every.analysed()),
    }


def charts(treebanks: Sequence[Treebank], _: Mapping[str, Any]) -> dict[str, str]:
    """Figures 7.2 and 7.3."""
    analysed = together(treebanks)[1].analysed()
    graph = {name: own for name, own in analysed.items() if name != BEST_TRANSITION}
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
