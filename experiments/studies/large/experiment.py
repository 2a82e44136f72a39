"""Training on millions of words: memory, time and model size by number of words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ....parser.evaluate.align import score_sentences
from ....parser.models.model import ParserModel
from ....parser.treebank import Sentence, checksum
from ....parser.treebank.source import opened
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart, by_treebank
from ...harness.costs import Spec, cost, found_version, make_tool, missing, trained_apart, write_training

GOLD = "gold"
"""Input with gold tags."""
LINES = 1000
"""Number of lines of raw text that are parsed together."""


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each level, input and number of words, and for each other parser that is installed."""
    values = treebank.values
    raw = os.path.expandvars(values["raw"])
    text = values["parser"], raw, checksum(raw), treebank.part("train")
    ours = [
        treebank.cell(f"{level} {input_kind} {words}", trained_on_text, level, input_kind, words, *text, treebank.dev)
        for level, input_kind, words in grid(values)
    ]
    return ours + [
        treebank.cell(
            f"{name} {GOLD} {words}",
            other_trained_on_text,
            {key: value for key, value in values["tools"][name].items() if key != "words"},
            found_version(values["tools"][name]),
            words,
            *text,
            treebank.dev,
        )
        for name, words in others(values)
    ]


def grid(values: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """Each level with what it parses and numbers of words, up to the largest that is wanted."""
    return [
        (level, input_kind, words)
        for level, largest in values["levels"].items()
        for input_kind, most in largest.items()
        for words in values["words"][input_kind]
        if words <= most
    ]


def others(values: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Each other parser that is installed, with numbers of words."""
    return [(name, words) for name, tool in values["tools"].items() if not missing(tool) for words in tool["words"]]


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
    gold = list(dev.sentences()) if input_kind == GOLD else []
    cpu, megabytes = spent["cpu"], spent["megabytes"]
    return {
        "cpu": cpu,
        "gigabytes": megabytes and megabytes / 1000,
        "size": spent["size"],
        "las": score_sentences(gold, list(larger.parse(gold))).las if gold else None,
        "per million": cpu and cpu / words * 1e6,
    }


def other_trained_on_text(
    tool: Spec, version: str, words: int, parser: str, raw: str, sha256: str, train: TreebankPart, dev: TreebankPart
) -> Json:
    """The cost of training another parser with gold tags on automatically parsed text, see :func:`trained_on_text`.

    tool: entry of the setting ``tools``. version: of its program, on which the result depends.
    """
    with TemporaryDirectory(prefix="crossarc-") as folder, TemporaryDirectory(prefix="crossarc-") as home:
        treebank, held_out = Path(folder, "train"), Path(folder, "dev")
        write_training(GOLD, limited(parsed(parser_of_text(parser, train), raw), words), treebank)
        write_training(GOLD, dev.sentences(), held_out)
        spent = cost(make_tool(tool, GOLD, "").train(treebank, Path(home, "model"), held_out))
        size = sum(file.stat().st_size for file in Path(home).rglob("*") if file.is_file())
        return {"cpu": spent.cpu, "gigabytes": spent.memory / 1000, "size": size / 1e6}


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
    """The costs by level or other parser, input and number of words."""
    costs: dict[str, Any] = {}
    rows = grid(treebank.values) + [(name, GOLD, words) for name, words in others(treebank.values)]
    for level, input_kind, words in rows:
        costs.setdefault(level, {}).setdefault(input_kind, {})[str(words)] = treebank[f"{level} {input_kind} {words}"]
    return costs


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
