"""Errors by the validator of Universal Dependencies in parsed trees, without and with constraints."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from ....parser.base.errors import CrossarcError
from ....parser.evaluate.align import score_sentences
from ....parser.treebank import Sentence, write_sentences
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart
from ...harness.costs import trained_apart
from ...harness.parsing import split_off

TOO_MANY = "too-many-"
"""Prefix of the tests for several subjects or objects of a word."""


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each parser."""
    parts = treebank.part("train"), treebank.dev, treebank.part("test")
    language = treebank.values["languages"][treebank.name.partition("-")[0]]
    return [treebank.cell(name, measured, name, language, *parts) for name in treebank.values["levels"]]


def measured(level: str, language: str, train: TreebankPart, dev: TreebankPart | None, test: TreebankPart) -> Json:
    """Train a parser, and validate its trees of the test set.

    The result has, for ``gold`` trees and those of the parser without (``free``) and with constraints (``learned``),
    the ``las``, the number of ``errors`` in trees, and of those for several subjects or objects (``several``).
    """
    model, _ = trained_apart(level, *split_off(train, dev), ["constraints=learned"])
    gold = list(test.sentences())
    free, learned = (
        list(variant.parse(gold))
        for variant in (replace(model, steps=tuple(step for step in model.steps if not step.revises)), model)
    )
    parsed = {"gold": gold, "free": free, "learned": learned}
    return {
        name: {"las": score_sentences(gold, sentences).las, **errors(sentences, language)}
        for name, sentences in parsed.items()
    }


def errors(sentences: Sequence[Sentence], language: str) -> dict[str, int]:
    """The number of errors of the class SYNTAX that udtools finds, and of those for several subjects or objects.

    language: ISO code. Raises CrossarcError if udtools is not installed.
    """
    try:
        from udtools.incident import IncidentType, TestClass
        from udtools.validator import Validator
    except ImportError as error:
        raise CrossarcError("the experiment needs udtools; install it: pip install udtools") from error
    with TemporaryDirectory(prefix="crossarc-") as folder:
        file = str(Path(folder, "parsed.conllu"))
        write_sentences(sentences, file)
        state = Validator(lang=language, level=5, output=io.StringIO()).validate_files([file])
    messages = [
        incident.testid
        for incident in state.error_tracker
        if incident.get_type() == IncidentType.ERROR and incident.testclass == TestClass.SYNTAX
    ]
    return {"errors": len(messages), "several": sum(message.startswith(TOO_MANY) for message in messages)}


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """The results by parser and treebank, with the gain in LAS (``gain``), and sums and mean gain as ``all``."""
    levels: dict[str, Any] = {}
    for level in treebanks[0].values["levels"]:
        rows: dict[str, Any] = {}
        for treebank in treebanks:
            result = treebank[level]
            rows[treebank.name] = {**result, "gain": result["learned"]["las"] - result["free"]["las"]}
        sums = {
            name: {key: sum(row[name][key] for row in rows.values()) for key in ("errors", "several")}
            for name in ("gold", "free", "learned")
        }
        levels[level] = {**rows, "all": {**sums, "gain": fmean(row["gain"] for row in rows.values())}}
    first = treebanks[0].values["levels"][0]
    several = {
        treebank.name: {name: treebank[first][name]["several"] for name in ("free", "learned")}
        for treebank in treebanks
    }
    return {**levels, "by_treebank": several}


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
