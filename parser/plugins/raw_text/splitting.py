"""Splitting of multiword tokens into words: seen tokens as in training, others by a classifier of characters.

Each character of the token gets an edit, the text that replaces it: :data:`COPY` stands for the character, and
:data:`BREAK` begins a new word. Spanish "damelo" (da, me, lo) is copied, with BREAK after "da" and "me".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Ints
from ...base.parameters import TEXT
from ...base.shapes import ListOf, MapOf, Shape
from ...models.steps import State
from .characters import Characters, Hashes, is_space
from .features import CHARACTER, MULTIWORD, gap_features, token_features
from .linear import MIN_COUNT, C, HashedClassifier
from .raw_text import Token

Words: TypeAlias = tuple[str, ...]
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
    return list(_edits(form, BREAK.join(words)))


@lru_cache(maxsize=1 << 16)  # most tokens occur several times, and in several parts of a treebank
def _edits(form: str, target: str) -> tuple[str, ...]:
    """The edits that turn a multiword token into its words, which are joined by :data:`BREAK`."""
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
    return tuple(edits)


def edited(form: str, edits: Sequence[str]) -> list[str]:
    """The words that result from the edits."""
    text = "".join(edit.replace(COPY, character) for character, edit in zip(form, edits, strict=True))
    return [word for word in text.split(BREAK) if word]


@dataclass(frozen=True)
class EditClassifier:
    """Splits tokens by deciding the edit of each character.

    edits: the edits, by number of their class.
    classifier: decides among them.
    """

    edits: tuple[str, ...]
    classifier: HashedClassifier

    @classmethod
    def fit(cls, seen: Mapping[str, Words]) -> Self:
        """Learn from multiword tokens. seen: their words, by form."""
        needed = [edit for form, words in seen.items() for edit in edits_of(form, words)]
        edits = {edit: number for number, edit in enumerate(sorted(set(needed)))}
        classes = np.array([edits[edit] for edit in needed], dtype=np.int64)
        return cls(tuple(edits), HashedClassifier.fit(_features(seen), classes, CHARACTER_C))

    def split(self, forms: Sequence[str]) -> list[Words]:
        """The words of each form; a form that is not split has one word."""
        if len(self.edits) < 2 or not forms:
            return [(form,) for form in forms]
        scores = self.classifier.scores(_features(forms))
        classes = (scores[:, 0] > 0).astype(np.int64) if scores.shape[1] == 1 else scores.argmax(axis=1)
        numbers = iter(classes.tolist())
        return [tuple(edited(form, [self.edits[next(numbers)] for _ in form])) or (form,) for form in forms]

    def content(self) -> State:
        """(JSON values, arrays) for the model file."""
        return {"edits": list(self.edits)}, self.classifier.content("characters")

    @classmethod
    def from_content(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The classifier of its :meth:`content`. Raises ShapeError for invalid arrays."""
        columns = 1 if len(values["edits"]) <= 2 else len(values["edits"])
        return cls(tuple(values["edits"]), HashedClassifier.from_content(arrays, "characters", columns))


@dataclass(frozen=True)
class Splitter:
    """Finds and splits multiword tokens of which most forms were seen in training.

    seen: the words of the multiword tokens of the training treebank, by form.
    tokens: decides whether a token stands for several words.
    characters: splits tokens that were not seen.
    """

    VALUES: ClassVar[Mapping[str, Shape]] = {"seen": MapOf(ListOf(TEXT, least=2)), "edits": ListOf(TEXT, least=1)}

    seen: Mapping[str, Words]
    tokens: HashedClassifier
    characters: EditClassifier

    @classmethod
    def fit(cls, text: Characters, starts: Ints, ends: Ints, tokens: Sequence[Token]) -> Self:
        """Learn from the tokens of a text, of which some stand for several words, and from their places (int64)."""
        several = [(form, words) for form, words, _ in tokens if len(words) > 1]
        seen = most_frequent(Counter(several))
        multiword = np.array([len(token.words) > 1 for token in tokens], dtype=np.int64)
        decided = HashedClassifier.fit(token_features(MULTIWORD, text, starts, ends), multiword, C, MIN_COUNT)
        return cls(seen, decided, EditClassifier.fit(seen))

    @cached_property
    def _lowered(self) -> Mapping[str, Words]:
        return {form.lower(): words for form, words in self.seen.items()}

    def margins(self, text: Characters, starts: Ints, ends: Ints) -> tuple[NDArray[np.float32], Mapping[int, Words]]:
        """How clearly each token stands for several words, which it does above 0 (float32, (tokens,)).

        starts, ends: places of the tokens (int64, (tokens,)). The words do not depend on the context: none are told.
        """
        return self.tokens.scores(token_features(MULTIWORD, text, starts, ends))[:, 0], {}

    def multiwords(self, text: Characters, starts: Ints, ends: Ints) -> dict[int, Words]:
        """The words of the multiword tokens, by number of the token. See :meth:`margins`."""
        numbers = np.flatnonzero(self.margins(text, starts, ends)[0] > 0)
        return dict(zip(numbers.tolist(), self.split(text.forms(starts[numbers], ends[numbers])), strict=True))

    def split(self, forms: Sequence[str]) -> list[Words]:
        """The words of each form; a form that is not split has one word."""
        words = []
        for form in forms:
            lowered = self._lowered.get(form.lower())
            words.append(self.seen.get(form) or (_in_case_of(form, lowered) if lowered else ()))
        unknown = [number for number, known in enumerate(words) if not known]
        for number, split in zip(unknown, self.characters.split([forms[place] for place in unknown]), strict=True):
            words[number] = split
        return words

    def shifted(self, amount: float) -> Self:
        """The splitter that finds more multiword tokens."""
        return replace(self, tokens=self.tokens.shifted(amount))

    def content(self) -> State:
        """(JSON values, arrays) for the model file."""
        values, arrays = self.characters.content()
        seen = {form: list(words) for form, words in self.seen.items()}
        return {"seen": seen, **values}, {**self.tokens.content("multiwords"), **arrays}

    @classmethod
    def from_content(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The splitter of its :meth:`content`. Raises ShapeError for invalid arrays."""
        seen = {form: tuple(words) for form, words in values["seen"].items()}
        characters = EditClassifier.from_content(values, arrays)
        return cls(seen, HashedClassifier.from_content(arrays, "multiwords"), characters)


def most_frequent(counts: Counter[tuple[str, Words]]) -> dict[str, Words]:
    """The most frequent words of each form, the first one of equal ones."""
    return {form: words for (form, words), _ in reversed(counts.most_common())}


def _features(forms: Iterable[str]) -> Hashes:
    """The features of all characters of the forms."""
    text = Characters(
        " ".join("".join("_" if is_space(character) else character for character in form) for form in forms)
    )
    return gap_features(CHARACTER, text, np.flatnonzero(~text.space))


def _in_case_of(form: str, words: Sequence[str]) -> tuple[str, ...]:
    lower = [word.lower() for word in words]
    if form.isupper() and len(form) > 1:
        return tuple(word.upper() for word in lower)
    return (lower[0][:1].upper() + lower[0][1:], *lower[1:]) if form[:1].isupper() else tuple(lower)
