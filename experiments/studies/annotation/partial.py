"""Training on partial trees: random arcs against whole trees with as many arcs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ....parser.config.config import ParserConfig
from ....parser.evaluate.align import score_sentences
from ....parser.training.train import train
from ....parser.treebank import Sentence
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart, by_treebank
from .experiment import with_arcs

WAYS = ("random", "whole")


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each share and choice of arcs, and one for all arcs."""
    parts, seed = [treebank.part(name) for name in ("train", "dev")], treebank.values["seed"]
    (config,) = treebank.configs.values()
    chosen = [*product(WAYS, treebank.values["shares"]), ("whole", 100)]
    return [treebank.cell(f"{way} {share}", measured, config, *parts, way, share, seed) for way, share in chosen]


def measured(config: ParserConfig, part: TreebankPart, dev: TreebankPart, way: str, share: int, seed: int) -> Json:
    """The LAS on the development set after training on a share of the arcs, in percent."""
    gold = list(dev.sentences())
    model = train(config, sentences=chosen(list(part.sentences()), way, share, seed))
    return score_sentences(gold, model.parse(gold)).las


def chosen(sentences: Sequence[Sentence], way: str, share: int, seed: int) -> list[Sentence]:
    """The sentences with a share of their arcs, in percent: ``random`` arcs, or those of ``whole`` sentences.

    Whole sentences are taken at random until they have enough arcs.
    """
    dice, lengths = np.random.default_rng(seed), np.array(list(map(len, sentences)))
    words = int(lengths.sum())
    enough = round(words * share / 100)
    if way == "random":
        return with_arcs(sentences, dice.permutation(words) < enough)
    order = dice.permutation(len(sentences))
    return [sentences[number] for number in order[: np.searchsorted(np.cumsum(lengths[order]), enough) + 1]]


def figures(treebank: ExperimentTreebank) -> Json:
    """The LAS by choice of arcs and share."""
    shares, all_arcs = treebank.values["shares"], {"100": treebank["whole 100"]}
    return {way: {str(share): treebank[f"{way} {share}"] for share in shares} | all_arcs for way in WAYS}


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
