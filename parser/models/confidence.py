"""How sure a parser is of each arc: the probability of the transition that made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Bools, Configuration, Ints
from ...transitions.three_step import ValencyPass
from ..config.feature_files import feature_columns
from ..errors import CrossarcError
from ..search.greedy import DerivedTrees, Observer, derive
from ..search.learned_guide import LearnedGuide
from ..search.passes import derive_stages
from ..search.stage import Columns as Ids
from ..search.stage import Stage
from ..treebank import FORMATS, Sentence
from ..treebank.tree import Columns, Tree
from .greedy_parser import GreedyParser, as_batch

__all__ = ["ConfidentParser", "GaugedStage"]

KEY = "Confidence"
CARRIED = "\tconfidence"
"""The column in which transforms carry the confidences along; the tab keeps it apart from columns of files."""


@dataclass(frozen=True, slots=True)
class GaugedStage(Stage):
    """A stage that keeps in ``confidences``, float64 (B, width), how sure the guide was of each word's arc.

    The confidence in an arc is that in the transition that gave the word its head or label: its probability among the
    permissible transitions, as the guide's ``confidences`` tells it from its scores. Arcs that a default transition
    adds, or that complete a tree at the end, are no guide's and have 0.
    """

    confidences: NDArray[np.float64]

    @classmethod
    def of(cls, stage: Stage, confidences: NDArray[np.float64]) -> Self:
        """The stage with a matrix to keep the confidences in; stages in sequence share one."""
        return cls(**{own.name: getattr(stage, own.name) for own in fields(Stage)}, confidences=confidences)

    def derive(self, c: Configuration, columns: Ids, observe: Observer | None = None) -> DerivedTrees:
        """As the stage does."""
        decider = _Recording(LearnedGuide(self.guide, self.extractor, columns, self.inventory, self.system))

        def watch(c: Configuration, moves: Ints, labels: Ints, unguided: Bools) -> None:
            row, word = np.nonzero(self._changed(c, moves, labels))
            self.confidences[c.origin[row] // c.width, word] = np.where(unguided, 0.0, decider.confidence)[row]
            if observe is not None:
                observe(c, moves, labels, unguided)

        return derive(self.system, decider, c, self.fallback, watch)

    def _changed(self, c: Configuration, moves: Ints, labels: Ints) -> Bools:
        """bool (rows, width): which words get another head or label by the transitions."""
        before, after = c.compact(), c.compact()
        self.system.advance(after, moves, labels)
        if isinstance(self.system, ValencyPass):
            before.settle()
            after.settle()
        return (after.heads_matrix() != before.heads_matrix()) | (after.deprels_matrix() != before.deprels_matrix())


class _Recording:
    """Decides as a classifier and keeps how sure it was of what it decided last, float64 (rows,)."""

    def __init__(self, classifier: LearnedGuide) -> None:
        self._classifier = classifier
        self.confidence: NDArray[np.float64] = np.empty(0)

    def decide(self, c: Configuration, legal: Bools) -> tuple[Ints, Ints]:
        classifier = self._classifier
        scores = classifier.scores(c, legal, classifier.extractor.keys(c, classifier.columns))
        best = np.argmax(scores, axis=1)
        self.confidence = classifier.guide.confidences(scores)[np.arange(len(best)), best]
        return classifier.choose(scores)


class ConfidentParser(GreedyParser):
    """A parser that writes the confidence in each word's arc to MISC, ``Confidence=0.93``.

    It stands for the arc that the transitions made, which an inverse transform may have moved.
    """

    def _parse_chunk(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        for sentence in sentences:
            if "misc" not in sentence.format.index:
                name = FORMATS[sentence.format.name]
                where = f"{sentence.source}:{sentence.line}"
                raise CrossarcError(f"{where}: {name} without a column MISC for confidences; allowed: CoNLL-U with it")
        columns = [feature_columns(sentence, self.model.columns) for sentence in sentences]
        trees = self.trees(columns, list(map(len, sentences)))
        return [
            sentence.with_tree(tree.heads, tree.deprels).with_columns({"misc": _annotated(sentence, tree.columns)})
            for sentence, tree in zip(sentences, trees, strict=True)
        ]

    def _parse_batch(self, batch: Sequence[Columns], lengths: NDArray[np.integer]) -> list[Tree]:
        confidences = np.zeros((len(lengths), int(lengths.max(initial=0)) + 2))
        stages = [GaugedStage.of(stage, confidences) for stage in self.model.stages]
        derivation = derive_stages(stages, lengths, as_batch(batch, self.model))
        texts = [tuple(f"{value:.2f}" for value in row) for row in confidences.tolist()]
        carried = [
            {**own, CARRIED: text[1 : n + 1]} for own, text, n in zip(batch, texts, lengths.tolist(), strict=True)
        ]
        return self._inverted(carried, lengths, derivation)


def _annotated(sentence: Sentence, columns: Columns) -> tuple[str, ...]:
    """The column MISC with the confidences, which replace others that are there."""
    result = []
    for misc, confidence in zip(sentence.column("misc"), columns[CARRIED], strict=True):
        kept = [entry for entry in misc.split("|") if entry != "_" and not entry.startswith(f"{KEY}=")]
        result.append("|".join([*kept, f"{KEY}={confidence}"]))
    return tuple(result)
