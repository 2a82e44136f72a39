"""Nilsson (2009), chapter 7: learners combined at each transition and after parsing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from .....parser.base.errors import CrossarcError, check_names
from .....parser.config.config import Config, ParserConfig
from .....parser.learners.learner import Instances, Learner
from .....parser.models.transition_model import TransitionModel
from .....parser.plugins.blending.vote_weights import Weights, learn_weights
from .....parser.plugins.further_learners.voting import Voting
from .....parser.search.stage import Stage
from .....parser.treebank.tree import Tree, trees_of
from ....harness import Cell, Experiment, ExperimentTreebank, Json, Outputs, Settings, TreebankPart, joined
from ....harness.parsing import pack, trained_on, transition_based
from ..measures.errors import analysis_of, best_of

BEST_TRANSITION, BEST_GRAPH = "best TL", "best GL"


def outputs_of(treebank: ExperimentTreebank) -> Outputs:
    """The test set, parsed by all parsers and by their combinations at both levels."""
    parsers, values = list(treebank.parsers), treebank.values
    parts = {"held out": held_out_of(treebank), "test": treebank.part("test")}
    systems = {"held out": parsers, "test": [*parsers, *levels(TRANSITION, treebank.settings)]}
    held_out, test = (
        Outputs(treebank.gold(part), {name: treebank.trees("learners", f"{split} {name}") for name in systems[split]})
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


def analysed(every: Outputs, settings: Settings) -> dict[str, str]:
    """The systems of the error analysis, from the outputs for all treebanks concatenated.

    These are the best parser, under its own name, and the best combination at each level, as ``best TL`` and
    ``best GL``. Best means most words right in all treebanks together.
    """
    parser = best_of(every.scores, list(settings.parsers))
    combined = {BEST_TRANSITION: levels(TRANSITION, settings), BEST_GRAPH: levels(GRAPH, settings)}
    return {parser: parser, **{name: best_of(every.scores, parsers_of) for name, parsers_of in combined.items()}}


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """Scores of each treebank and of all together, tests against the best combination after parsing, error analysis."""
    outputs = {treebank.name: outputs_of(treebank) for treebank in treebanks}
    settings, every = treebanks[0].settings, joined(list(outputs.values()))
    best = analysed(every, settings)
    return {
        "treebanks": {name: {"scores": treebanks[0].rows("scores", output.scores)} for name, output in outputs.items()},
        "together": {
            "scores": treebanks[0].rows("scores", every.scores),
            "best": dict(best),
            "significance": {name: every.test(name, best[BEST_GRAPH]).to_json() for name in every.trees},
        },
        "analysis": analysis_of({name: every.scores[system] for name, system in best.items()}, settings.measures),
    }


TRANSITION, GRAPH = "TL", "GL"
WEIGHTINGS = ("equal", "accuracy", "deprel")


def level(name: str, combination: str, by: str) -> str:
    """The name of a combination at a level (``TL`` or ``GL``) with a weighting of votes."""
    return f"{name} {combination}, {by}"


def held_out_of(treebank: ExperimentTreebank) -> TreebankPart:
    """The held-out sentences of the training set, on which weights are learned: every ``folds``-th sentence."""
    return replace(treebank.part("train"), folds=treebank.values["folds"])


def learners_cells(treebank: ExperimentTreebank) -> list[Cell]:
    """The cell of :func:`voted_parses`."""
    parts = replace(held_out_of(treebank), outside=True), held_out_of(treebank), treebank.part("test")
    how = treebank.parsers, treebank.values["combinations"], treebank.values["weights"]
    return [treebank.cell("learners", voted_parses, *how, *parts)]


def voted_parses(
    parsers: Mapping[str, ParserConfig],
    combinations: Mapping[str, Sequence[str]],
    weights: Sequence[str],
    train: TreebankPart,
    held_out: TreebankPart,
    test: TreebankPart,
) -> Json:
    """Train the guides of all parsers once; parse with each guide alone, and with combinations that vote.

    combinations: by name, the parsers whose guides vote.
    weights: weightings of votes (section 7.1): ``deprel`` is the labelled precision, on held-out sentences, of the
        deprel that a transition assigns, or the labelled accuracy if it assigns none; ``accuracy`` is the labelled
        accuracy; ``equal`` is 1.

    The result has ``parts``, the trees of the held-out sentences (``held out NAME``) and of the test sentences
    (``test NAME``), where NAME is a parser's or that of :func:`level`.
    """
    config = voting_config(parsers)
    model = transition_based(trained_on(config, train), config)
    (stage,) = model.stages
    voting = stage.learner
    assert isinstance(voting, Voting)
    guides = [Remembering(guide) for guide in voting.guides]
    voting.guides = tuple(guides)
    sentences = {"held out": list(held_out.sentences()), "test": list(test.sentences())}
    parts: dict[str, Json] = {}

    def parse(part: str, system: str, guide: Learner) -> list[Tree]:
        trees = trees_of(replace(model, stages=(replace(stage, learner=guide),)).parse(sentences[part]))
        parts[f"{part} {system}"] = pack(trees)
        return trees

    votes = [parse("held out", name, guide) for name, guide in zip(parsers, guides, strict=True)]
    for name, learner in zip(parsers, guides, strict=True):
        learner.known.clear()
        parse("test", name, learner)
    tags = [sentence.column("upos") for sentence in sentences["held out"]]
    for by in weights:
        learned = learn_weights(by, trees_of(sentences["held out"]), votes, tags)
        for combination, members in combinations.items():
            numbers = [list(parsers).index(member) for member in members]
            matrix = transition_weights(learned, numbers, stage, model)
            parse("test", level(TRANSITION, combination, by), voting.over(numbers, matrix))
    return {"parts": parts}


class Remembering(Learner):
    """A fitted learner that computes the scores of equal keys once.

    Different guides visit mostly the same configurations of a sentence, so keys recur.
    """

    name: ClassVar[str] = "remembering"

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.known: dict[bytes, NDArray[np.float32]] = {}

    def fit(self, instances: Instances) -> Self:
        raise NotImplementedError

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        names = [row.tobytes() for row in np.ascontiguousarray(keys)]
        new = {name: number for number, name in enumerate(names) if name not in self.known}
        if new:
            self.known.update(zip(new, self.learner.scores(keys[list(new.values())]), strict=True))
        return np.stack([self.known[name] for name in names])


def check_combinations(settings: Settings) -> None:
    """Raise CrossarcError for invalid combinations and weightings, and for parsers that cannot vote."""
    combinations, weights = settings.values["combinations"], settings.values["weights"]
    if not weights or not combinations or not all(combinations.values()):
        raise CrossarcError("combinations, weights: found none; give one or more of each, with one parser or more")
    for name, members in combinations.items():
        check_names(f"combinations: {name}:", members, settings.parsers)
    check_names("weights:", weights, WEIGHTINGS)
    voting_config(settings.parsers)


def voting_config(parsers: Mapping[str, ParserConfig]) -> Config:
    """A config in which the guides of all parsers vote. Raises CrossarcError if they differ in more than guides."""
    members: list[Config] = []
    for name, config in parsers.items():
        refused = CrossarcError(f"parser {name}: parsers may differ only in their guides, and have one guide each")
        if not isinstance(config, Config) or config.projectivizes:
            raise refused
        members.append(config)
        if replace(config, guide=members[0].guide) != members[0]:
            raise refused
    guides = [dict(config.guide) for config in members]
    return replace(members[0], guide={"learner": Voting.name, "guides": guides})


def transition_weights(
    weights: Weights, numbers: Sequence[int], stage: Stage, model: TransitionModel
) -> NDArray[np.float64]:
    """The weights of votes for transitions, from the weights of votes for arcs (float64, (numbers, classes))."""
    labelled = [move.labelled for move in stage.system.moves]
    matrix = np.repeat(np.array(weights.overall)[list(numbers), None], len(stage.inventory), axis=1)
    for row, number in zip(matrix, numbers, strict=True):
        for place, (move, label) in enumerate(stage.inventory.tolist()):
            if weights.special and labelled[move]:
                row[place] = weights.special[number].get(model.labels[label], row[place])
    return matrix


EXPERIMENT = Experiment(cells=(learners_cells,), figures=figures, check=check_combinations)
