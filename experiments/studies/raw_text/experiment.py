"""Parsers without and with word classes from raw text, on test sets, from raw text and from words."""

from __future__ import annotations

import lzma
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ....parser.evaluate.conll18 import METRICS, Conll18Scores, evaluate_conll18
from ....parser.evaluate.resampling import SentenceCounts, difference, randomization
from ....parser.plugins.raw_text.raw_text import gold_text
from ....parser.plugins.word_classes.learning import learn_classes
from ....parser.plugins.word_classes.step import save_classes
from ....parser.treebank import Sentence, checksum
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart
from ...harness.costs import trained_apart
from ...harness.parsing import split_off, timed

WITHOUT, WITH, OWN = "without", "with", "own"
"""No classes; classes from raw text; classes from the words of the training sentences alone."""
CONDITIONS = ("text", "words")
TAGS = ("lemma", "upos", "xpos", "feats")
LAS = METRICS.index("LAS")


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each level and way."""
    raw = os.path.expandvars(treebank.values["raw"][treebank.name.partition("-")[0]])
    if amounts := treebank.values["amounts"]:
        train, sha256 = treebank.part("train"), checksum(raw)
        return [
            treebank.cell(f"{amount} words, seed {seed}", on_dev, raw, sha256, amount, seed, train, treebank.dev)
            for amount, seed in amounts
        ]
    parts = treebank.part("train"), treebank.dev, treebank.part("test")
    return [
        treebank.cell(f"{level} {way}", measured, level, way, raw, checksum(raw) if way == WITH else "", *parts)
        for level, ways in treebank.values["levels"].items()
        for way in ways
    ]


def measured(
    level: str, way: str, raw: str, sha256: str, train: TreebankPart, dev: TreebankPart | None, test: TreebankPart
) -> Json:
    """Train a parser of a level from raw text, in a separate process, and parse the test set.

    way: see :data:`WITHOUT`.
    raw: file with raw text. sha256: its checksum, on which the result depends.

    The result has by condition F1 by metric (``scores``), the counts of LAS by sentence (``counts``) and words parsed
    per CPU second (``speed``); and the cost of training.
    """
    learned, held_out = split_off(train, dev)
    with TemporaryDirectory(prefix="crossarc-") as folder:
        file = Path(folder, "own.txt")
        file.write_text(gold_text(learned).text, "utf-8")
        texts = {WITHOUT: [], WITH: [f"raw=[{raw}]"], OWN: [f"raw=[{file}]"]}[way]
        model, spent = trained_apart(level, learned, held_out, ["input=text", *texts])
    gold = list(test.sentences())
    model.warm()
    figures: dict[str, Any] = {"scores": {}, "counts": {}, "speed": {}, "cost": dict(spent)}
    for condition in CONDITIONS:
        parsed, seconds = timed(_parsed, model, condition, gold)
        scores: Conll18Scores = evaluate_conll18(gold, parsed)
        figures["scores"][condition] = dict(scores.f1)
        figures["counts"][condition] = [part[:, LAS].tolist() for part in scores.counts]
        figures["speed"][condition] = sum(map(len, gold)) / seconds
    return figures


def on_dev(raw: str, sha256: str, amount: int, seed: int, train: TreebankPart, dev: TreebankPart | None) -> Json:
    """F1 by metric of ``accurate`` from words on a development set, with classes from the first words of a raw text.

    amount: number of words; 0: no classes. seed: of k-means.

    Without a development set, the last third of the training sentences is one.
    """
    learned = list(train.sentences())
    if dev:
        gold = list(dev.sentences())
    else:
        learned, gold = learned[: len(learned) * 2 // 3], learned[len(learned) * 2 // 3 :]
    settings = ["input=words"]
    with TemporaryDirectory(prefix="crossarc-") as folder:
        if amount:
            text = Path(folder, "raw.txt")
            text.write_text("".join(_beginning(raw, amount)), "utf-8")
            save_classes(learn_classes([str(text)], seed=seed, dev=gold)[0], str(Path(folder, "classes")))
            settings.append(f"classes={Path(folder, 'classes')}")
        model, _ = trained_apart("accurate", learned, settings=settings)
    return dict(evaluate_conll18(gold, _parsed(model, "words", gold)).f1)


def _beginning(raw: str, amount: int) -> Iterator[str]:
    """The first lines of a text with a number of words."""
    with lzma.open(raw, "rt", encoding="utf-8") as lines:
        for line in lines:
            if amount <= 0:
                return
            amount -= len(line.split())
            yield line


def _parsed(model: Any, condition: str, gold: Sequence[Sentence]) -> list[Sentence]:
    if condition == "text":
        return list(model(gold_text(gold).text))
    return list(model.parse([sentence.with_columns(dict.fromkeys(TAGS, ("_",) * len(sentence))) for sentence in gold]))


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """By condition, level and treebank: scores of parsers with each kind of word classes, and without them.

    Beside the scores are gains over :data:`WITHOUT`, with intervals and p. The treebank ``all`` has the means over
    treebanks, and p of the sentences of all treebanks together. The condition ``amounts`` has scores on development
    sets, by treebank, amount of raw text and seed.
    """
    values = treebanks[0].values
    if values["amounts"]:
        return {
            treebank.name: {
                f"{amount}, {seed}": treebank[f"{amount} words, seed {seed}"] for amount, seed in values["amounts"]
            }
            for treebank in treebanks
        }
    tables: dict[str, Any] = {}
    for condition in CONDITIONS:
        for level, ways in values["levels"].items():
            rows = {treebank.name: _row(treebank, level, ways, condition) for treebank in treebanks}
            rows["all"] = _together(treebanks, rows, level, ways, condition)
            tables[f"{condition} {level}"] = rows
    return tables


def _row(treebank: ExperimentTreebank, level: str, ways: Sequence[str], condition: str) -> Json:
    results = {way: treebank[f"{level} {way}"] for way in ways}
    row: dict[str, Any] = {way: {**result["scores"][condition], **result["cost"]} for way, result in results.items()}
    for way in ways:
        row[way]["speed"] = results[way]["speed"][condition]
        if way != WITHOUT and WITHOUT in ways:
            one, other = (_counts([results[name]], condition) for name in (WITHOUT, way))
            (low, high), (p,) = difference(one, other).tolist()[0], randomization(one, other).tolist()
            before = results[WITHOUT]
            row[way] |= {
                "gain": row[way]["LAS"] - row[WITHOUT]["LAS"],
                "p": p,
                "interval": f"{low:.2f} to {high:.2f}",
                "time": results[way]["cost"]["cpu"] / before["cost"]["cpu"],
                "larger": results[way]["cost"]["size"] - before["cost"]["size"],
                "faster": results[way]["speed"][condition] / before["speed"][condition],
            }
            row[way] |= {f"{tag} gain": row[way][tag] - row[WITHOUT][tag] for tag in ("UPOS", "UFeats", "Lemmas")}
    return row


def _together(
    treebanks: Sequence[ExperimentTreebank], rows: Mapping[str, Any], level: str, ways: Sequence[str], condition: str
) -> Json:
    figures: dict[str, Any] = {}
    for way in ways:
        numbers = {key for row in rows.values() for key, value in row[way].items() if isinstance(value, float)}
        figures[way] = {key: fmean(row[way][key] for row in rows.values()) for key in sorted(numbers - {"p"})}
        if way != WITHOUT and WITHOUT in ways:
            one, other = (
                _counts([treebank[f"{level} {name}"] for treebank in treebanks], condition) for name in (WITHOUT, way)
            )
            figures[way]["p"] = randomization(one, other).tolist()[0]
    return figures


def _counts(results: Sequence[Mapping[str, Any]], condition: str) -> SentenceCounts:
    """The counts of LAS of the sentences of all results."""
    parts = zip(*(result["counts"][condition] for result in results), strict=True)
    return SentenceCounts(
        *(np.concatenate([np.array(counts, dtype=np.int64) for counts in part])[:, None] for part in parts)
    )


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
