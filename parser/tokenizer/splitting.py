"""Splitting of multiword tokens into words: seen tokens as in training, others by a classifier of characters.

Each character of the token gets an edit, the text that replaces it: :data:`COPY` stands for the character, and
:data:`BREAK` begins a new word. Spanish "damelo" (da, me, lo) is copied, with BREAK after "da" and "me".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from .characters import Characters
from .features import CHARACTER, gap_features
from .linear import HashedClassifier

BREAK, COPY = "\x1f", "\x00"
CHANGE, INSERT_BREAK = 1.5, 0.1
"""Costs of replacing a character and of inserting BREAK; insertions and deletions of characters cost 1."""


def edits_of(form: str, words: Sequence[str]) -> list[str]:
    """The edits with minimal cost that turn a multiword token into its words, one per character.

    >>> [edit.replace(COPY, "=").replace(BREAK, "/") for edit in edits_of("damelo", ["da", "me", "lo"])]
    ['=', '=/', '=', '=/', '=', '=']
    """
    target = BREAK.join(words)
    insertion = [INSERT_BREAK if character == BREAK else 1.0 for character in target]
    costs = [[0.0, *np.cumsum(insertion).tolist()]]
    for row, source in enumerate(form, 1):
        current = [float(row)]
        for column, wanted in enumerate(target, 1):
            replaced = costs[-1][column - 1] + (0 if source.lower() == wanted.lower() else CHANGE)
            current.append(min(costs[-1][column] + 1, current[-1] + insertion[column - 1], replaced))
        costs.append(current)
    edits = [""] * len(form)
    row, column, later = len(form), len(target), ""
    while row:
        equal = column > 0 and form[row - 1].lower() == target[column - 1].lower()
        if column and costs[row][column] == costs[row - 1][column - 1] + (0 if equal else CHANGE):
            row, column = row - 1, column - 1
            edits[row], later = (COPY if equal else target[column]) + later, ""
        elif column and costs[row][column] == costs[row][column - 1] + insertion[column - 1]:
            column -= 1
            later = target[column] + later
        else:
            row -= 1
            edits[row], later = later, ""
    edits[0] = target[:column] + later + edits[0]
    return edits


def edited(form: str, edits: Sequence[str]) -> list[str]:
    """The words that result from the edits."""
    text = "".join(edit.replace(COPY, character) for character, edit in zip(form, edits, strict=True))
    return [word for word in text.split(BREAK) if word]


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits multiword tokens.

    seen: the words of the tokens of the training treebank, by form.
    edits: the edits of characters, by number of their class.
    classifier: decides the edit of each character.
    """

    seen: Mapping[str, tuple[str, ...]]
    edits: tuple[str, ...]
    classifier: HashedClassifier

    @classmethod
    def fit(cls, tokens: Sequence[tuple[str, tuple[str, ...]]]) -> Self:
        """Learn from multiword tokens and their words."""
        counts = Counter(tokens)
        seen: dict[str, tuple[str, ...]] = {}
        for (form, words), _ in counts.most_common():
            seen.setdefault(form, words)
        forms = list(seen)
        needed = [edit for form in forms for edit in edits_of(form, seen[form])]
        edits = tuple(sorted(set(needed)))
        numbers = {edit: number for number, edit in enumerate(edits)}
        text = Characters(" ".join(form.replace(" ", "_") for form in forms) + " ")
        features = gap_features(CHARACTER, text, np.flatnonzero(~text.space))
        classes = np.array([numbers[edit] for edit in needed])
        return cls(seen, edits, HashedClassifier.fit(features, classes, C=0.5))

    def split(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The words of each form; a form that is not split has one word."""
        found: dict[str, tuple[str, ...]] = {}
        unknown = []
        lowered = {form.lower(): words for form, words in reversed(list(self.seen.items()))}
        for form in dict.fromkeys(forms):
            if form in self.seen:
                found[form] = self.seen[form]
            elif form.lower() in lowered:
                found[form] = _in_case_of(form, lowered[form.lower()])
            else:
                unknown.append(form)
        if unknown and len(self.edits) > 1:
            text = Characters(" ".join(form.replace(" ", "_") for form in unknown) + " ")
            scores = self.classifier.scores(gap_features(CHARACTER, text, np.flatnonzero(~text.space)))
            best = (scores[:, 0] > 0).astype(np.int64) if scores.shape[1] == 1 else scores.argmax(axis=1)
            numbers = iter(best.tolist())
            for form in unknown:
                words = edited(form, [self.edits[next(numbers)] for _ in form])
                found[form] = tuple(words) or (form,)
        return {form: found.get(form, (form,)) for form in forms}


def _in_case_of(form: str, words: Sequence[str]) -> tuple[str, ...]:
    lower = [word.lower() for word in words]
    if form.isupper() and len(form) > 1:
        return tuple(word.upper() for word in lower)
    return (lower[0][:1].upper() + lower[0][1:], *lower[1:]) if form[:1].isupper() else tuple(lower)
