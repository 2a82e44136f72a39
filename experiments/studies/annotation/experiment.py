"""Help for annotators: reliability of confidences, and trees after a person has decided some arcs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....parser.evaluate.reliability import reliability
from ....parser.models.model import ParserModel
from ....parser.models.words import SentenceWords
from ....parser.treebank import Sentence
from ....parser.treebank.tree import flat_trees, right_arcs, trees_of
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart
from ...harness.costs import trained_apart
from ...harness.parsing import timed

SEED = 1
REPEATS = 3
"""Number of times that a treebank is parsed to measure costs; the fastest counts."""


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each level."""
    parts = [treebank.part(name) for name in ("train", "dev", "test")]
    kept, shares = replace(parts[-1], limit=treebank.values["kept"]), treebank.values["shares"]
    return treebank.each(treebank.values["levels"], measured, *parts, kept, shares)


def measured(
    config: str, train: TreebankPart, dev: TreebankPart, test: TreebankPart, kept: TreebankPart, shares: Sequence[int]
) -> Json:
    """Train a parser, calibrate it on development sentences, and judge it on test sentences.

    The result has ``las``, the reliability of both probabilities (``arcs``, ``heads``), the cost of scores in percent
    of parsing time (``cost``), and, for shares of words whose gold arcs are kept, chosen at ``random`` or the ``least``
    certain, results of :func:`with_kept` for the first sentences.
    """
    model, _ = trained_apart(config, train.sentences(), dev.sentences())
    model.warm()
    gold = list(test.sentences())
    trees, probabilities = model.scored(SentenceWords(gold))
    right, heads = right_arcs(trees, flat_trees(trees_of(gold)))
    judged = {"arcs": reliability(probabilities[0], right), "heads": reliability(probabilities[1], heads)}
    some = list(kept.sentences())
    words = SentenceWords(some)
    certain = model.scored(words)[1][0]
    orders = {"random": np.random.default_rng(SEED).permutation(len(certain)), "least": np.argsort(certain)}
    return {
        "las": 100 * float(right.mean()),
        "cost": _cost(model, gold),
        **{
            name: {**reliability._asdict(), "bins": [part._asdict() for part in reliability.bins]}
            for name, reliability in judged.items()
        },
        **{
            name: {str(share): with_kept(model, some, order[: len(order) * share // 100]) for share in shares}
            for name, order in orders.items()
        },
    }


def with_kept(model: ParserModel, gold: Sequence[Sentence], chosen: NDArray[np.int64]) -> dict[str, Json]:
    """Parse with the gold arcs of some words. chosen: numbers of the words (int64).

    The result has the LAS of the ``rest`` of the words, and the percentage of all errors that are gone (``removed``):
    those of the words themselves, and those of others (``others``).
    """
    expected = flat_trees(trees_of(gold))
    before, _ = right_arcs(model.annotate(SentenceWords(gold)), expected)
    decided = np.zeros(len(before), dtype=np.bool_)
    decided[chosen] = True
    after, _ = right_arcs(model.annotate(SentenceWords(with_arcs(gold, decided), keep="given")), expected)
    errors = max(int((~before).sum()), 1)
    return {
        "rest": 100 * float(after[~decided].mean()),
        "removed": 100 * (errors - int((~after).sum())) / errors,
        "others": 100 * int((after & ~before & ~decided).sum() - (before & ~after).sum()) / errors,
    }


def with_arcs(sentences: Sequence[Sentence], decided: NDArray[np.bool_]) -> list[Sentence]:
    """The sentences with the arcs of some words only. given: bool (words,)."""
    ends = np.cumsum(list(map(len, sentences)))[:-1]
    return [
        sentence.with_columns(
            {name: tuple(np.where(kept, sentence.column(name), "_").tolist()) for name in ("head", "deprel")}
        )
        for sentence, kept in zip(sentences, np.split(decided, ends), strict=True)
    ]


def _cost(model: ParserModel, sentences: Sequence[Sentence]) -> float:
    """The cost of margins and probabilities in percent of the time without them; reading and writing do not count."""
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for scored in [False, True] * REPEATS:
        run, words = model.scored if scored else model.trees, SentenceWords(sentences)
        seconds[scored].append(timed(run, words)[1])
    return 100 * (min(seconds[True]) / min(seconds[False]) - 1)


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """The results of all cells by level and treebank; those of the first level for the treebanks in charts."""
    first, *_ = levels = treebanks[0].values["levels"]
    drawn = {treebank.name: treebank[first] for treebank in treebanks if treebank.name in treebank.values["drawn"]}
    return {
        **{name: {treebank.name: treebank[name] for treebank in treebanks} for name in levels},
        "by_treebank": drawn,
    }


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
