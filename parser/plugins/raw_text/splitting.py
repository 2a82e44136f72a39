"""Splitting of multiword tokens into words: seen tokens as in training, others by a classifier of characters.

Each character of the token gets an edit, the text that replaces it: :data:`COPY` stands for the character, and
:data:`BREAK` begins a new word. Spanish "damelo" (da, me, lo) is copied, with BREAK after "da" and "me".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ....transitions.configuration import Ints
from .characters import Characters, Hashes, is_space
from .features import CHARACTER, MULTIWORD, gap_features, token_features
from .linear import MIN_COUNT, C, HashedClassifier
from .raw_text import Token

BREAK, COPY = "\x1f", "\x00"
CHARACTER_C = 0.5
"""Parameter of the classifier of characters."""
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


@dataclass(frozen=True)
class Splitter:
    """Finds and splits multiword tokens.

    seen: the words of the multiword tokens of the training treebank, by form.
    edits: the edits of characters, by number of their class.
    tokens: decides whether a token stands for several words.
    characters: decides the edit of each character.
    """

    seen: Mapping[str, tuple[str, ...]]
    edits: tuple[str, ...]
    tokens: HashedClassifier
    characters: HashedClassifier

    @classmethod
    def fit(cls, text: Characters, starts: Ints, ends: Ints, tokens: Sequence[Token]) -> Self | None:
        """Learn from the tokens of a text, and from their places (int64, (tokens,)); None without multiword tokens."""
        several = [(form, words) for form, words, _ in tokens if len(words) > 1]
        if not several:
            return None
        seen = {form: words for (form, words), _ in reversed(Counter(several).most_common())}
        needed = [edit for form, words in seen.items() for edit in edits_of(form, words)]
        edits = {edit: number for number, edit in enumerate(sorted(set(needed)))}
        features = token_features(MULTIWORD, text, starts, ends)
        multiword = np.array([len(token.words) > 1 for token in tokens], dtype=np.int64)
        found = HashedClassifier.fit(features, multiword, C, MIN_COUNT)
        characters = HashedClassifier.fit(_features(seen), np.array([edits[edit] for edit in needed]), CHARACTER_C)
        return cls(seen, tuple(edits), found, characters)

    @cached_property
    def _lowered(self) -> Mapping[str, tuple[str, ...]]:
        return {form.lower(): words for form, words in self.seen.items()}

    def split(self, forms: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The words of each form; a form that is not split has one word."""
        found = {}
        for form in forms:
            words = self.seen.get(form)
            lowered = self._lowered.get(form.lower())
            found[form] = words or (_in_case_of(form, lowered) if lowered else ())
        unknown = [form for form, words in found.items() if not words]
        if unknown:
            scores = self.characters.scores(_features(unknown))
            classes = (scores[:, 0] > 0).astype(np.int64) if scores.shape[1] == 1 else scores.argmax(axis=1)
            numbers = iter(classes.tolist())
            for form in unknown:
                words = tuple(edited(form, [self.edits[next(numbers)] for _ in form]))
                found[form] = words if words and len(self.edits) > 1 else (form,)
        return found


def _features(forms: Iterable[str]) -> Hashes:
    """The features of all characters of the forms."""
    text = Characters(" ".join("".join("_" if is_space(own) else own for own in form) for form in forms))
    return gap_features(CHARACTER, text, np.flatnonzero(~text.space))


def _in_case_of(form: str, words: Sequence[str]) -> tuple[str, ...]:
    lower = [word.lower() for word in words]
    if form.isupper() and len(form) > 1:
        return tuple(word.upper() for word in lower)
    return (lower[0][:1].upper() + lower[0][1:], *lower[1:]) if form[:1].isupper() else tuple(lower)
