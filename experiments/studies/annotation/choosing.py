"""Which sentences to annotate next: rules of ``crossarc choose`` against random choice, as gold trees annotate."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from statistics import mean
from typing import Any

import numpy as np

from ....parser.config.config import ParserConfig
from ....parser.evaluate.resampling import SentenceCounts, difference, randomization
from ....parser.plugins.annotation.choose import choose
from ....parser.training.scoring import calibrated
from ....parser.training.train import train
from ....parser.treebank import Sentence
from ....parser.treebank.tree import flat_trees, right_arcs, trees_of
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart

BASE = "random"
"""The rule with which the others are compared."""


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each rule and draw."""
    parts, values = [treebank.part(name) for name in ("train", "dev")], treebank.values
    (config,) = treebank.configs.values()
    sizes = {name: values[name] for name in ("pool", "start", "batch", "rounds", "calibration")}
    runs = product(values["rules"], range(1, values["draws"] + 1))
    return [treebank.cell(f"{rule} {draw}", measured, config, *parts, rule, draw, sizes) for rule, draw in runs]


def measured(
    config: ParserConfig, part: TreebankPart, dev: TreebankPart, rule: str, draw: int, sizes: dict[str, int]
) -> Json:
    """Annotate in rounds. Each round trains on what is annotated, parses the rest and chooses the next batch of it.

    draw: random seed of the pool, of the first sentences and of the choice.
    sizes: numbers of sentences of the ``pool`` and to ``start`` with, of words of a ``batch``, of ``rounds``, and of
        annotated sentences on which scores are calibrated.

    The result has, after each round, the annotated ``words``, the ``corrections`` (words of the batches that the parser
    had wrong) and the ``las`` on development sentences; and, after the last, the number of ``right`` arcs in each.
    """
    dice = random.Random(draw)
    treebank = list(part.sentences())
    drawn = dice.sample(treebank, min(sizes["pool"], len(treebank)))
    annotated, rest = drawn[: sizes["start"]], drawn[sizes["start"] :]
    gold = list(dev.sentences())
    expected = flat_trees(trees_of(gold))
    rounds: list[dict[str, Any]] = []
    corrections = 0
    while True:
        model = train(config, sentences=annotated)
        right, _ = right_arcs(flat_trees(trees_of(model.parse(gold, retag=True))), expected)
        words = sum(map(len, annotated))
        rounds.append({"words": words, "corrections": corrections, "las": 100 * float(right.mean())})
        if len(rounds) > sizes["rounds"]:
            break
        model, _ = calibrated(model, dice.sample(annotated, sizes["calibration"]))
        parsed = list(model.parse(rest, scores=True, retag=True))
        places = {id(sentence): number for number, sentence in enumerate(parsed)}
        batch = [places[id(sentence)] for sentence in choose(parsed, sizes["batch"], rule, annotated, draw)]
        corrections += sum(_wrong(parsed[number], rest[number]) for number in batch)
        annotated = [*annotated, *(rest[number] for number in batch)]
        chosen = set(batch)
        rest = [sentence for number, sentence in enumerate(rest) if number not in chosen]
    by_sentence = np.add.reduceat(right.astype(np.int64), np.cumsum(expected.lengths) - expected.lengths)
    return {"rounds": rounds, "right": by_sentence.tolist()}


def _wrong(parsed: Sentence, gold: Sentence) -> int:
    """The number of words whose head or label a person must correct."""
    columns = parsed.heads(), gold.heads(), parsed.deprels(), gold.deprels()
    return sum(a != b or c != d for a, b, c, d in zip(*columns, strict=True))


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """For each treebank and rule: means over draws after each round, and the difference from random choice in the end.

    ``equal`` is the LAS at the number of corrections that random choice needs, by interpolation between rounds.
    ``p`` is that of the randomization test over development sentences, all draws together, which tables correct;
    ``low`` and ``high`` are the ends of the 95 % interval of the difference.
    """
    values = treebanks[0].values
    draws = range(1, values["draws"] + 1)
    curves: dict[str, dict[str, Any]] = {}
    for treebank in treebanks:
        lengths = np.array([len(tree.heads) - 1 for tree in treebank.gold(treebank.part("dev"))])
        words = len(draws) * lengths[lengths > 0][:, None]
        counts = {}
        curves[treebank.name] = {}
        for rule in values["rules"]:
            runs = [treebank[f"{rule} {draw}"] for draw in draws]
            right = np.sum([run["right"] for run in runs], axis=0)[:, None]
            counts[rule] = SentenceCounts(words, words, right)
            rounds = [
                {key: mean(run["rounds"][n][key] for run in runs) for key in runs[0]["rounds"][n]}
                for n in range(values["rounds"] + 1)
            ]
            curves[treebank.name][rule] = {"rounds": {str(n): row for n, row in enumerate(rounds)}, **rounds[-1]}
            corrections, las = ([row[key] for row in rounds] for key in ("corrections", "las"))
            equal = float(np.interp(curves[treebank.name][BASE]["corrections"], corrections, las))
            curves[treebank.name][rule]["equal"] = equal
            if rule != BASE:
                low, high = difference(counts[BASE], counts[rule])[0].tolist()
                gain = rounds[-1]["las"] - curves[treebank.name][BASE]["las"]
                p = float(randomization(counts[BASE], counts[rule])[0])
                curves[treebank.name][rule] |= {"gain": gain, "low": low, "high": high, "p": p}
    return {**curves, "mean": _means(curves, values["rules"])}


def _means(curves: dict[str, dict[str, Any]], rules: Sequence[str]) -> dict[str, Json]:
    """The mean over treebanks of the figures of each rule."""
    keys = ("words", "corrections", "las", "gain", "equal")
    return {
        rule: {
            key: mean(by_rule[rule][key] for by_rule in curves.values())
            for key in keys
            if key in next(iter(curves.values()))[rule]
        }
        for rule in rules
    }


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
