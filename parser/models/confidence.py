"""The confidence in each arc: the probability of the transition that made it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Bools
from ...transitions.step import Step
from ...transitions.system import TransitionSystem
from ..base.errors import CrossarcError
from ..treebank import FORMATS, Sentence

KEY = "Confidence"
Confidence: TypeAlias = Callable[[NDArray[np.float32]], NDArray[np.float64]]


class ConfidenceRecorder:
    """An observer that keeps in ``confidences``, float64 (B, width), how sure a learner was of each word's arc.

    The confidence in an arc is that in the transition that gave the word its head or label: its probability among the
    permissible transitions, as ``sure``, the learner's ``confidences``, tells it from its scores. Arcs that a default
    transition adds, or that complete a tree at the end, are no learner's and have 0. Stages in sequence share a matrix.
    """

    def __init__(self, system: TransitionSystem, sure: Confidence, confidences: NDArray[np.float64]) -> None:
        self._system = system
        self._sure = sure
        self.confidences = confidences

    def __call__(self, step: Step) -> None:
        scores = step.decision.scores
        assert scores is not None
        best = np.argmax(scores, axis=1)
        sure = self._sure(scores)[np.arange(len(best)), best]
        row, word = np.nonzero(self._changed(step))
        self.confidences[step.sentences[row], word] = np.where(step.unguided, 0.0, sure)[row]

    def _changed(self, step: Step) -> Bools:
        """bool (rows, width): which words get another head or label by the transitions."""
        before, after = step.c.compact(), step.c.compact()
        self._system.advance(after, step.moves, step.labels)
        self._system.settle(before)
        self._system.settle(after)
        return (after.heads_matrix() != before.heads_matrix()) | (after.deprels_matrix() != before.deprels_matrix())


def annotated(sentences: Sequence[Sentence], confidences: NDArray[np.float64]) -> list[Sentence]:
    """The sentences with the confidences, float64 (words,), in MISC, where they replace others.

    They stand for the arcs that the transitions made, which an inverse transform may have moved. Raises CrossarcError
    for a sentence without a column for them.
    """
    values = iter([f"{value:.2f}" for value in confidences])
    return [_annotated(sentence, values) for sentence in sentences]


def _annotated(sentence: Sentence, values: Iterator[str]) -> Sentence:
    if "misc" not in sentence.format.index:
        name = FORMATS[sentence.format.name]
        where = f"{sentence.source}:{sentence.line}"
        raise CrossarcError(f"{where}: {name} without a column MISC for confidences; allowed: CoNLL-U with it")
    result = []
    for misc in sentence.column("misc"):
        kept = [entry for entry in misc.split("|") if entry != "_" and not entry.startswith(f"{KEY}=")]
        result.append("|".join([*kept, f"{KEY}={next(values)}"]))
    return sentence.with_columns({"misc": tuple(result)})
