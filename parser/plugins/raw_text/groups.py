"""Groups of words, such as word classes from raw text, as a tokenizer looks them up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ....transitions.configuration import Ints
from ...models.steps import Step
from .characters import Characters, Hashes

DIVISIONS = {"c16", "c64", "c256"}
"""The divisions that templates name."""


@dataclass(frozen=True)
class WordGroups:
    """Divisions of known words into groups.

    Forms are looked up in lower case, as the tokenizer has them: those with digits or typographic apostrophes have no
    group, since word classes are those of folded forms.

    step: the step of the model that knows them; None before the model is read.
    """

    step: Step | None = None

    @classmethod
    def among(cls, steps: Iterable[Step]) -> Self | None:
        """The groups of the first step that has all of :data:`DIVISIONS`; None without such a step."""
        return next((cls(step) for step in steps if step.word_groups.keys() >= DIVISIONS), None)

    @cached_property
    def _table(self) -> tuple[Hashes, Mapping[str, Ints]]:
        """Hashes of the words (uint64, ascending), and by division the group of each (int64); for raw text only."""
        if self.step is None:
            return np.empty(0, np.uint64), {}
        words, first = np.unique(word_hashes(self.step.vocabulary), return_index=True)
        return words, {name: numbers[first] for name, numbers in self.step.word_groups.items()}

    def of(self, words: Hashes, name: str) -> Hashes:
        """One plus the numbers of the groups of words, by their hashes (uint64, (k,)).

        The number is 0 for unknown words, and beyond the paragraph. name: name of the division.
        """
        known, groups = self._table
        if not len(known):
            return np.zeros(len(words), np.uint64)
        at = np.searchsorted(known, words).clip(max=len(known) - 1)
        return np.where(known[at] == words, groups[name][at] + 1, 0).astype(np.uint64)


def word_hashes(words: Collection[str]) -> Hashes:
    """The hashes of words, as a text has them (uint64, (words,))."""
    if not words:
        return np.empty(0, np.uint64)
    lengths = np.array([len(word) for word in words], np.int64)
    ends = np.cumsum(lengths)
    return Characters("".join(words)).hashes("word", ends - lengths, ends)
