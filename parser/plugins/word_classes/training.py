"""Word classes in training: from the config keys ``raw`` and ``classes`` to a step, and a column of the sentences."""

from __future__ import annotations

from typing import ClassVar

from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...models.steps import Segmenter
from ...training.prepare import Preparation, StepTrainer
from .learning import learn_classes
from .step import COLUMN, WordClasses, load_classes

FEW = 0.5
"""Share of the words of a treebank with a class below which the raw text is probably of another language."""


class ClassesTrainer(StepTrainer):
    """Takes the classes of a file that ``crossarc classes`` has written."""

    supplies: ClassVar[tuple[str, ...]] = (COLUMN,)

    def train(self, data: Preparation) -> None:
        _add(data, load_classes(self.value), self.value)


class RawTrainer(StepTrainer):
    """Learns classes from raw texts.

    A simple rule finds their tokens, since a tokenizer takes six times as long, unless words touch in the language.
    """

    supplies: ClassVar[tuple[str, ...]] = (COLUMN,)

    def train(self, data: Preparation) -> None:
        segmenters = (step for step in data.steps if isinstance(step, Segmenter) and step.words_touch)
        segmenter, dev = next(segmenters, None), data.dev.sentences
        classes, left_out = learn_classes(self.value, segmenter=segmenter, dev=dev, progress=data.progress)
        if dev:
            data.progress(f"raw text: {left_out} sentences stand in the development file; left out of the counts")
        _add(data, classes, ", ".join(self.value))


def _add(data: Preparation, classes: WordClasses, name: str) -> None:
    """Append the step, and give the training sentences the column that it supplies."""
    known = classes.known(data.spelled_forms())
    if not known:
        raise CrossarcError(f"{name}: no word of the training treebank has a class; use raw text of its language")
    said = f"{100 * known:.1f} % of the words of the training treebank have a class"
    if known < FEW:
        warn(f"{name}: only {said}; is the raw text of the same language?")
    data.progress(f"word classes: {len(classes.cuts)} of {len(classes.words)} words; {said}")
    data.provenance["classes"] = {"tokens": classes.tokens, "words": len(classes.words), "known": round(known, 4)}
    data.supply(classes)
