"""The cell of chapter 7 of Nilsson (2009): several learners trained once, alone and voting at each transition."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from .....parser.base.errors import CrossarcError
from .....parser.blending.vote_weights import Weights, learn_weights
from .....parser.config.config import Config
from .....parser.evaluate.percent import Json
from .....parser.learners.learner import Instances, Learner
from .....parser.learners.voting import Voting
from .....parser.models.transition_model import TransitionModel
from .....parser.search.stage import Stage
from .....parser.treebank.tree import Tree, trees_of
from ....harness.experiment import Treebank
from ....harness.parsing import Part, pack, trained_on, transition_based
from ....harness.runner import Cell
from ....harness.settings import Settings, check_names

TRANSITION, GRAPH = "TL", "GL"
WEIGHTINGS = ("equal", "accuracy", "deprel")

Keys = NDArray[np.int64]


def level(name: str, combination: str, by: str) -> str:
    """The name of a combination at a level."""
    return f"{name} {combination}, {by}"


def held_out_of(train: Part, folds: int) -> Part:
    """The sentences of a training part that the weights are learned from."""
    return replace(train, folds=folds)


def learners_cell(treebank: Treebank) -> Cell:
    """The cell of :func:`voted_parses`, with every ``folds``-th sentence of the training set held out.

    Raises CrossarcError if the parsers differ in more than their guides.
    """
    parsers, values = treebank.settings.parsers, treebank.values
    combinations = values["combinations"].items()
    numbers = {name: [list(parsers).index(member) for member in members] for name, members in combinations}
    held_out = held_out_of(treebank.part("train"), values["folds"])
    parts = replace(held_out, outside=True), held_out, treebank.part("test")
    how = _voting(parsers), list(parsers), numbers, list(values["weights"])
    return treebank.cell("learners", voted_parses, *how, *parts)


def voted_parses(
    config: Config,
    names: Sequence[str],
    combinations: Mapping[str, Sequence[int]],
    weights: Sequence[str],
    train: Part,
    held_out: Part,
    test: Part,
) -> Json:
    """Train the guides of a voting guide once, and parse with each alone and with votes of some at each transition.

    names: of the guides. combinations: which of them vote. The weights of their votes are the thesis' (section 7.1):
    labelled precision on held-out sentences of the deprel that a transition assigns, or labelled accuracy where it
    assigns none; or labelled accuracy for all; or 1. ``parts`` has the trees of the held-out (``held out`` and a name)
    and the test sentences (``test`` and a name, or that of :func:`level`), ``cost`` what training and parsing the test
    sentences took, in seconds of CPU: guides remember what they were asked before, so that a combination costs less
    than it would by itself.
    """
    start = time.process_time()
    model = transition_based(trained_on(config, train), config)
    cost: dict[str, Json] = {"train_cpu": time.process_time() - start}
    (stage,) = model.stages
    voting = stage.learner
    assert isinstance(voting, Voting)
    remembering = tuple(map(Remembering, voting.guides))
    voting.guides = remembering
    sentences = {"held out": list(held_out.sentences()), "test": list(test.sentences())}
    parts: dict[str, Json] = {}
    votes: list[list[Tree]] = []

    def parse(part: str, system: str, own: Learner) -> list[Tree]:
        before = time.process_time()
        parser = replace(model, stages=(replace(stage, learner=own),))
        trees = trees_of(parser.parse(sentences[part]))
        cost[f"{part} {system}"] = time.process_time() - before
        parts[f"{part} {system}"] = pack(trees)
        return trees

    for name, own in zip(names, remembering, strict=True):
        votes.append(parse("held out", name, own))
        own.forget()
        parse("test", name, own)
    gold = trees_of(sentences["held out"])
    tags = [own.column("upos") for own in sentences["held out"]]
    for by in weights:
        learned = learn_weights(by, gold, votes, tags)
        for combination, numbers in combinations.items():
            matrix = transition_weights(learned, numbers, stage, model)
            parse("test", level(TRANSITION, combination, by), voting.over(numbers, matrix))
    return {"parts": parts, "cost": cost}


class Remembering(Learner):
    """A fitted learner that scores equal keys once: most configurations of a sentence recur in every parse of it."""

    name: ClassVar[str] = "remembering"

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.forget()

    def forget(self) -> None:
        """Start over."""
        self._rows: dict[bytes, int] = {}
        self._scores: list[NDArray[np.float32]] = []

    def fit(self, instances: Instances) -> Self:
        self.forget()
        self.learner.fit(instances)
        return self

    def scores(self, keys: Keys) -> NDArray[np.float32]:
        names = [row.tobytes() for row in np.ascontiguousarray(keys)]
        new = {name: number for number, name in enumerate(names) if name not in self._rows}
        if new:
            scores = self.learner.scores(keys[list(new.values())])
            for name, own in zip(new, scores, strict=True):
                self._rows[name] = len(self._scores)
                self._scores.append(own)
        return np.stack([self._scores[self._rows[name]] for name in names])

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        return self.learner.state()


def check_combinations(settings: Settings) -> None:
    """Raise CrossarcError if a combination, a weighting or the number of folds is none."""
    parsers, combinations = settings.parsers, settings.values["combinations"]
    weights, folds = settings.values["weights"], settings.values["folds"]
    if not combinations or not weights:
        raise CrossarcError("combinations, weights: found none; allowed: one of both or more")
    for name, members in combinations.items():
        if not members:
            raise CrossarcError(f"combinations: {name}: found no parser")
        check_names(f"combinations: {name}:", members, parsers)
    check_names("weights:", weights, WEIGHTINGS)
    if folds < 2:
        raise CrossarcError(f"folds: found {folds}; allowed: 2 or more")


def _voting(parsers: Mapping[str, Config]) -> Config:
    """One config whose guide is made of those of all parsers."""
    first, *others = parsers.values()
    for name, config in parsers.items():
        if replace(config, guide=first.guide) != first:
            raise CrossarcError(f"parser {name}: differs from {next(iter(parsers))} in more than its guide")
    if first.passes:
        raise CrossarcError(f"parser {next(iter(parsers))}: {first.system} has several guides, expected one")
    guides = [dict(config.guide) for config in (first, *others)]
    return replace(first, guide={"learner": Voting.name, "weights": "equal", "guides": guides})


def transition_weights(
    weights: Weights, numbers: Sequence[int], stage: Stage, model: TransitionModel
) -> NDArray[np.float64]:
    """float64 (numbers, classes): what votes for transitions count, from the weights of votes for arcs."""
    labelled = [move.labelled for move in stage.system.moves]
    rows = []
    for number in numbers:
        overall = weights.overall[number]
        special = weights.special[number] if weights.special else {}
        rows.append(
            [
                special.get(model.labels[label], overall) if labelled[move] else overall
                for move, label in stage.inventory.tolist()
            ]
        )
    return np.array(rows)
