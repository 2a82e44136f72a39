"""Training on millions of words: memory, time and model size by number of words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from ....parser.evaluate.align import score_sentences
from ....parser.models.model import ParserModel
from ....parser.treebank import Sentence, checksum
from ....parser.treebank.source import opened
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart, by_treebank
from ...harness.costs import trained_apart

LINES = 1000
"""Number of lines of raw text that are parsed together."""


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each level, input and number of words."""
    values = treebank.values
    raw = os.path.expandvars(values["raw"])
    parts = values["parser"], raw, checksum(raw), treebank.part("train"), treebank.dev
    return [
        treebank.cell(f"{level} {input_kind} {words}", trained_on_text, level, input_kind, words, *parts)
        for level, input_kind, words in grid(values)
    ]


def grid(values: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """Each level with what it parses and numbers of words, up to the largest that is wanted."""
    return [
        (level, input_kind, words)
        for level, largest in values["levels"].items()
        for input_kind, most in largest.items()
        for words in values["words"]
        if words <= most
    ]


def trained_on_text(
    level: str, input_kind: str, words: int, parser: str, raw: str, sha256: str, train: TreebankPart, dev: TreebankPart
) -> Json:
    """The cost of training a parser on automatically parsed text, and its LAS with gold tags on a development set.

    input_kind: what the parser parses, the config key ``input``; LAS is measured where it is gold tags.
    words: number of words of the text.
    parser: level of the parser that parses the text, trained on ``train``.
    raw: file with raw text. sha256: its checksum, on which the result depends.

    The result has ``cpu`` (CPU seconds), ``gigabytes``, ``size`` of the model (MB), ``las``, and ``per million``: CPU
    seconds per million words.
    """
    text = limited(parsed(parser_of_text(parser, train), raw), words)
    larger, spent = trained_apart(level, text, settings=[f"input={input_kind}"])
    gold = list(dev.sentences()) if input_kind == "gold" else []
    cpu, megabytes = spent["cpu"], spent["megabytes"]
    return {
        "cpu": cpu,
        "gigabytes": megabytes and megabytes / 1000,
        "size": spent["size"],
        "las": score_sentences(gold, list(larger.parse(gold))).las if gold else None,
        "per million": cpu and cpu / words * 1e6,
    }


@cache
def parser_of_text(level: str, train: TreebankPart) -> ParserModel:
    """A parser of raw text; cells of one process share it."""
    return trained_apart(level, train.sentences(), settings=["input=text"])[0]


def parsed(model: ParserModel, raw: str) -> Iterator[Sentence]:
    """The sentences of a text, parsed."""
    with opened(raw, raw) as file:
        while lines := list(islice(file, LINES)):
            yield from model(b"".join(lines).decode("utf-8"))


def limited(sentences: Iterable[Sentence], words: int) -> Iterator[Sentence]:
    """The first sentences with at most a number of words in all."""
    for sentence in sentences:
        words -= len(sentence)
        if words < 0:
            return
        yield sentence


def figures(treebank: ExperimentTreebank) -> Json:
    """The costs by level, input and number of words."""
    costs: dict[str, Any] = {}
    for level, input_kind, words in grid(treebank.values):
        costs.setdefault(level, {}).setdefault(input_kind, {})[str(words)] = treebank[f"{level} {input_kind} {words}"]
    return costs


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
