"""Parsers that learn from one treebank, from two joined by hand, and from two told apart, on test sets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from ....parser.evaluate.conll18 import METRICS, evaluate_conll18
from ....parser.evaluate.resampling import SentenceCounts, difference, randomization
from ....parser.treebank import checksum, read_treebank
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart
from ...harness.costs import trained_apart

ALONE, JOINED, SEVERAL = "alone", "joined", "several"
"""The treebank alone; sentences of both as one treebank; both with the config key ``also``."""
TAGS = ("lemma", "upos", "xpos", "feats")
SHOWN = ("UPOS", "UFeats", "LAS")


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each way and number of sentences."""
    also = os.path.expandvars(treebank.values["also"][treebank.name])
    parts = treebank.values["level"], also, checksum(also), treebank.part("train"), treebank.part("test")
    sizes = treebank.values["sizes"].get(treebank.name, ())
    ways = [(way, 0) for way in (ALONE, JOINED, SEVERAL)]
    ways += [(way, size) for size in sizes for way in (ALONE, SEVERAL)]
    return [treebank.cell(f"{way} {size}", measured, way, size, *parts) for way, size in ways]


def measured(way: str, size: int, level: str, also: str, sha256: str, train: TreebankPart, test: TreebankPart) -> Json:
    """Train a parser of a level in a separate process, and parse the words of the test set.

    way: see :data:`ALONE`.
    size: number of training sentences of the treebank itself; 0: all.
    also: file of the other treebank. sha256: its checksum, on which the result depends.

    The result has F1 by metric (``scores``), the counts of LAS by sentence (``counts``) and the cost of training.
    """
    learned = list(train.sentences())[: size or None]
    settings = ["input=words"]
    if way == JOINED:
        learned += read_treebank(also).sentences
    elif way == SEVERAL:
        settings.append(f"also=[{also}]")
    model, spent = trained_apart(level, learned, settings=settings)
    gold = list(test.sentences())
    words = [sentence.with_columns(dict.fromkeys(TAGS, ("_",) * len(sentence))) for sentence in gold]
    scores = evaluate_conll18(gold, list(model.parse(words)))
    counts = [part[:, METRICS.index("LAS")].tolist() for part in scores.counts]
    return {"scores": dict(scores.f1), "counts": counts, "cost": dict(spent)}


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """By treebank and way: scores, and gains over :data:`ALONE` with intervals and p; under ``all`` the means.

    Under ``sizes``, by treebank and number of sentences, LAS alone and with the other treebank.
    """
    rows = {treebank.name: _row(treebank, 0, (ALONE, JOINED, SEVERAL)) for treebank in treebanks}
    every: dict[str, Any] = {
        way: {
            key: fmean(row[way][key] for row in rows.values())
            for key in (*SHOWN, *(("gain",) if way != ALONE else ()), "cpu")
        }
        for way in (ALONE, JOINED, SEVERAL)
    }
    one, other = (_counts([treebank[f"{way} 0"] for treebank in treebanks]) for way in (ALONE, SEVERAL))
    every[SEVERAL]["p"] = randomization(one, other).tolist()[0]
    sizes: dict[str, Any] = {
        treebank.name: {
            str(size): _row(treebank, size, (ALONE, SEVERAL)) for size in treebank.values["sizes"][treebank.name]
        }
        for treebank in treebanks
        if treebank.name in treebank.values["sizes"]
    }
    return {**rows, "all": every, "sizes": sizes}


def _row(treebank: ExperimentTreebank, size: int, ways: Sequence[str]) -> dict[str, Any]:
    results = {way: treebank[f"{way} {size}"] for way in ways}
    row: dict[str, Any] = {
        way: {**{name: result["scores"][name] for name in SHOWN}, **result["cost"]} for way, result in results.items()
    }
    for way in ways[1:]:
        one, other = _counts([results[ALONE]]), _counts([results[way]])
        (low, high), (p,) = difference(one, other).tolist()[0], randomization(one, other).tolist()
        gain = row[way]["LAS"] - row[ALONE]["LAS"]
        row[way] |= {"gain": gain, "p": p, "interval": f"{low:.2f} to {high:.2f}"}
    return row


def _counts(results: Sequence[Any]) -> SentenceCounts:
    """The counts of LAS of the sentences of all results."""
    parts = zip(*(result["counts"] for result in results), strict=True)
    return SentenceCounts(
        *(np.concatenate([np.array(counts, dtype=np.int64) for counts in part])[:, None] for part in parts)
    )


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
