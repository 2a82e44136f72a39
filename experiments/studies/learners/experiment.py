"""Comparison of learners: accuracy, cost and size (compare Nilsson 2009, section 7.3)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ....parser.config.config import ParserConfig, oracle_of
from ....parser.evaluate.percent import percentage
from ....parser.models.files import load_model, save_model
from ....parser.models.transition_model import TransitionModel
from ....parser.plugins.analysis.oracle_report import derived_batches
from ....parser.transforms.lifting.projectivize import projectivized
from ....parser.treebank import Sentence
from ....parser.treebank.symbols import encode_columns, feature_columns
from ....parser.treebank.tree import Tree
from ....transitions.step import DerivationStep, Observer
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart
from ...harness.parsing import timed, trained_and_run, transition_based
from ...harness.tables import published_rows


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each learner."""
    return treebank.each_fold(lambda config: measure)


def measure(config: ParserConfig, train_part: TreebankPart, tests: Mapping[str, TreebankPart]) -> Json:
    """Train and run a parser; also count right transitions, and measure its model file.

    The result is that of :func:`~...harness.parsing.parses`, with the number of ``right`` transitions among all
    ``transitions``, the CPU seconds of loading (``load_cpu``), and the size of the model file in ``bytes``.
    """
    learned, result = trained_and_run(config, train_part, tests)
    model = transition_based(learned, config)
    right, total = transition_accuracy(model, list(tests["test"].sentences()))
    with TemporaryDirectory(prefix="crossarc-") as folder:
        file = os.path.join(folder, "model")
        save_model(model, file)
        size = os.path.getsize(file)
        _, load = timed(load_model, file)
    return {**result, "right": right, "transitions": total, "load_cpu": load, "bytes": size}


def transition_accuracy(model: TransitionModel, sentences: Sequence[Sentence]) -> tuple[int, int]:
    """(number of right transitions, number of transitions) in configurations that the static oracle visits.

    A transition is right if the guide, which chooses among permissible transitions, decides like the oracle. Labels
    that did not occur in training are always wrong. Non-projective trees are projectivized for projective systems. If
    the model has several stages, the guide of the first is measured.
    """
    stage, config = model.stages[0], model.config
    oracle_name = oracle_of(stage.system.name, config["oracle"])
    trees = [_training_tree(model, sentence) for sentence in sentences]
    counts = np.zeros(2, dtype=np.int64)

    def judging(rows: Sequence[int], _: object) -> Observer:
        guide = stage.guide(encode_columns([trees[row].columns for row in rows], model.tables))

        def judge(step: DerivationStep) -> None:
            decision = guide.decide(step.c, step.legal)
            right = (decision.moves == step.moves) & (decision.labels == step.labels) & ~step.unguided
            counts[:] += right.sum(), (~step.unguided).sum()

        return judge

    for _ in derived_batches(stage.system, oracle_name, trees, model.labels, stage.fallback, judging):
        pass
    return int(counts[0]), int(counts[1])


def _training_tree(model: TransitionModel, sentence: Sentence) -> Tree:
    """The gold tree, transformed as in training."""
    tree = Tree(sentence.heads(), sentence.deprels(), feature_columns(sentence, model.columns, model.reads))
    for transform in model.transforms:
        tree = transform.apply(tree)
    return projectivized(tree) if model.stages[0].system.projective else tree


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """The rows of each treebank, and in ``published`` the LAS in table 7.1 of Nilsson (2009) for other treebanks."""
    published: dict[str, Json] = {row["parser"]: row["las"] for row in published_rows("nilsson-2009", "7.1")}
    return {**{treebank.name: rows_of(treebank) for treebank in treebanks}, "published": {"table 7.1": published}}


def rows_of(treebank: ExperimentTreebank) -> Json:
    """A row for each learner."""
    rows: dict[str, Json] = {}
    for name, scores in treebank.parsed().scores.items():
        result: Any = treebank[f"{name} 0"]
        rows[name] = {
            "transitions": percentage(result["right"], result["transitions"]),
            **treebank.measured("scores", scores),
            **treebank.cost(name),
            "megabytes": result["bytes"] / 1e6,
            "load": result["load_cpu"],
        }
    return rows


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
