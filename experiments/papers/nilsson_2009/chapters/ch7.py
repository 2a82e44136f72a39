"""Nilsson (2009), chapter 7: learners combined at each transition and after parsing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....harness import Experiment, Json, Outputs, Settings, Treebank, joined
from ..measures.errors import analysis_of, best_of, summary
from ..measures.learners import GRAPH, TRANSITION, check_combinations, held_out_of, learners_cells, level

CELL = "learners"
BEST_TRANSITION, BEST_GRAPH = "best TL", "best GL"


def outputs_of(treebank: Treebank) -> Outputs:
    """The test set, parsed by all parsers and by their combinations at both levels."""
    parsers, values = list(treebank.parsers), treebank.values
    parts = {"held out": held_out_of(treebank), "test": treebank.part("test")}
    systems = {"held out": parsers, "test": [*parsers, *levels(TRANSITION, treebank.settings)]}
    held_out, test = (
        Outputs(treebank.gold(part), {name: treebank.trees(CELL, f"{split} {name}") for name in systems[split]})
        for split, part in parts.items()
    )
    blends = {
        level(GRAPH, name, by): test.blended(members, held_out.weights(by, members), held_out.single_root)
        for name, members in values["combinations"].items()
        for by in values["weights"]
    }
    return Outputs(test.gold, {**test.trees, **blends})


def levels(key: str, settings: Settings) -> list[str]:
    """The names of all combinations at a level. key: ``TL`` or ``GL``."""
    return [level(key, name, by) for name in settings.values["combinations"] for by in settings.values["weights"]]


def together(treebanks: Sequence[Treebank]) -> tuple[Outputs, dict[str, str]]:
    """The outputs for all treebanks concatenated, and the systems of the error analysis.

    These are the best parser, under its own name, and the best combination at each level, as ``best TL`` and
    ``best GL``. Best means most words right in all treebanks together.
    """
    settings = treebanks[0].settings
    every = joined(outputs_by_treebank(treebanks))
    parser = best_of(every.scores, list(settings.parsers))
    combined = {BEST_TRANSITION: levels(TRANSITION, settings), BEST_GRAPH: levels(GRAPH, settings)}
    return every, {parser: parser, **{name: best_of(every.scores, own) for name, own in combined.items()}}


def outputs_by_treebank(treebanks: Sequence[Treebank]) -> list[Outputs]:
    """The outputs for each treebank, computed once."""
    return [treebank.once("outputs", partial(outputs_of, treebank)) for treebank in treebanks]


def figures(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """Scores of each treebank and of all together, tests against the best combination after parsing, error analysis."""
    every, best = together(treebanks)
    return {
        "treebanks": {
            treebank.name: {"scores": {name: summary(scores) for name, scores in own.scores.items()}}
            for treebank, own in zip(treebanks, outputs_by_treebank(treebanks), strict=True)
        },
        "together": {
            "scores": {name: summary(own, full=True) for name, own in every.scores.items()},
            "best": dict(best),
            "significance": {name: every.test(name, best[BEST_GRAPH]).to_json() for name in every.trees},
        },
        "analysis": analysis_of(
            {name: every.scores[system] for name, system in best.items()}, treebanks[0].settings.measures
        ),
    }


EXPERIMENT = Experiment(cells=(learners_cells,), figures=figures, check=check_combinations)
