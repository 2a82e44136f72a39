"""Groups of words, such as word classes from raw text, as a tokenizer looks them up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
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

    words: hashes of the words (uint64, ascending).
    groups: by the name of a division, the number of each word's group (int64, (words,)).
    """

    words: Hashes = field(default_factory=lambda: np.empty(0, np.uint64))
    groups: Mapping[str, Ints] = field(default_factory=dict)

    @classmethod
    def among(cls, steps: Iterable[Step]) -> Self | None:
        """The groups that the first step with all of :data:`DIVISIONS` knows; None without such a step."""
        for step in steps:
            if step.word_groups.keys() >= DIVISIONS:
                words, first = np.unique(word_hashes(step.vocabulary), return_index=True)
                return cls(words, {name: numbers[first] for name, numbers in step.word_groups.items()})
        return None

    def of(self, words: Hashes, name: str) -> Hashes:
        """One plus the numbers of the groups of words, by their hashes (uint64, (k,)).

        The number is 0 for unknown words, and beyond the paragraph. name: name of the division.
        """
        if not len(self.words):
            return np.zeros(len(words), np.uint64)
        at = np.searchsorted(self.words, words).clip(max=len(self.words) - 1)
        return np.where(self.words[at] == words, self.groups[name][at] + 1, 0).astype(np.uint64)


def word_hashes(words: Collection[str]) -> Hashes:
    """The hashes of words, as a text has them (uint64, (words,))."""
    if not words:
        return np.empty(0, np.uint64)
    lengths = np.array([len(word) for word in words], np.int64)
    ends = np.cumsum(lengths)
    return Characters("".join(words)).hashes("word", ends - lengths, ends)
