"""Choice of a parser for a new treebank: accuracy of candidates, and of the candidate that other treebanks select."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from ....parser.config.config import ParserConfig
from ....parser.evaluate.align import score_sentences
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart
from ...harness.parsing import trained_on


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each parser and each number of training sentences."""
    parsers, train = treebank.parsers, treebank.part("train")
    test = replace(treebank.evaluated, limit=treebank.values["parsed"])
    return [
        treebank.cell(f"{name} {size}", learned, parsers[name], replace(train, limit=size), test)
        for name, size in pairs(treebank)
    ]


def pairs(treebank: ExperimentTreebank) -> list[tuple[str, int]]:
    """All (parser, number of training sentences) of the settings."""
    return [(name, size) for size, names in treebank.values["sizes"].items() for name in names]


def learned(config: ParserConfig, train: TreebankPart, test: TreebankPart) -> Json:
    """The LAS of a parser trained on one part, for another part."""
    gold = list(test.sentences())
    return score_sentences(gold, list(trained_on(config, train).parse(gold))).las


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """By number of training sentences, LAS of all parsers with means, and results of :func:`left_out` (``chosen``)."""
    las: dict[str, dict[str, dict[str, float]]] = {}
    for treebank in treebanks:
        for name, sentences in pairs(treebank):
            las.setdefault(str(sentences), {}).setdefault(name, {})[treebank.name] = treebank[f"{name} {sentences}"]
    chosen: dict[str, Json] = {}
    for size, parsers in las.items():
        tried = {name: parsers[name] for name in treebanks[0].values["candidates"] if name in parsers}
        chosen[size] = {treebank.name: left_out(tried, treebank.name) for treebank in treebanks}
    means: dict[str, Json] = {
        size: {name: {**las_of, "mean": fmean(las_of.values())} for name, las_of in parsers.items()}
        for size, parsers in las.items()
    }
    return {"las": means, "chosen": chosen}


def left_out(tried: Mapping[str, Mapping[str, float]], treebank: str) -> Json:
    """Choose the candidate with the highest mean LAS on all other treebanks.

    The result has the ``parser``, and for this treebank its ``las`` and the ``gain`` over the first candidate.
    """
    means = {name: [las for other, las in las_of.items() if other != treebank] for name, las_of in tried.items()}
    parser = max(tried, key=lambda name: sum(means[name]))
    reached, ready = tried[parser][treebank], next(iter(tried.values()))[treebank]
    return {"parser": parser, "las": reached, "gain": reached - ready}


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
