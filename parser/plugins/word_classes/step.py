"""Word classes as a step of models, and their files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError
from ...base.parameters import TEXT, whole
from ...base.shapes import Array, Record, ShapeError, check_arrays, check_values, expect
from ...models.files import damaged, read_archive, write_archive
from ...models.steps import State, Step, packed_words, unpacked_words
from ...models.words import Words
from .tokens import folded

COLUMN = "wordclass"
"""The column that features read."""
KIND = "word classes"
VALUES = Record({"source": TEXT, "tokens": whole(0, 2**53)})
ARRAYS = {
    "words": Array("i", ("bytes",), least=0, below=256),
    "classes": Array("i", ("words",), least=0, below=2**16),
    "cuts": Array("i", ("classes", "cuts"), least=0, below=2**16, filled=True),
}


@dataclass(frozen=True)
class WordClasses(Step):
    """Gives each word its class and the larger classes that contain it, as the column :data:`COLUMN`.

    Its values look like ``c16=3|c64=12|c256=77|c1000=512``; words without a class have "_".

    words: the words, folded.
    classes: the class of each word (int32, (words,)).
    cuts: the larger classes of each class (int32, (classes, cuts)).
    source: what they were learned from, in words.
    tokens: number of tokens of the raw text; 0 for vectors.
    """

    kind: ClassVar[str] = KIND

    words: Sequence[str]
    classes: NDArray[np.int32]
    cuts: NDArray[np.int32]
    source: str
    tokens: int

    @property
    def vocabulary(self) -> Sequence[str]:
        return self.words

    @property
    def word_groups(self) -> Mapping[str, NDArray[np.int64]]:
        return dict(zip(self._cut_names, self._rows[self.classes].T, strict=True))

    @property
    def _rows(self) -> NDArray[np.int64]:
        """The larger classes of each class, and itself (int64, (classes, cuts + 1))."""
        return np.column_stack([self.cuts, np.arange(len(self.cuts))])

    @cached_property
    def _cut_names(self) -> tuple[str, ...]:
        return cut_names([*(self.cuts.max(axis=0, initial=0) + 1).tolist(), len(self.cuts)])

    @cached_property
    def _class_of(self) -> Mapping[str, int]:
        return dict(zip(self.words, self.classes.tolist(), strict=True))

    @cached_property
    def _texts(self) -> list[str]:
        """The value of each class, and that of words without a class."""
        texts = (map("{}={}".format, self._cut_names, row) for row in self._rows.tolist())
        return [*map("|".join, texts), "_"]

    def numbers_of(self, forms: Sequence[str]) -> NDArray[np.int64]:
        """The class of each form, or the number of classes for a form without one (int64, (forms,))."""
        unknown = len(self.cuts)
        return np.array([self._class_of.get(folded(form), unknown) for form in forms], dtype=np.int64)

    def values_of(self, forms: Sequence[str]) -> tuple[str, ...]:
        """The value of each form."""
        return tuple(self._texts[number] for number in self.numbers_of(forms).tolist())

    def known(self, forms: Sequence[str]) -> float:
        """The share of the forms that have a class."""
        return float((self.numbers_of(forms) < len(self.cuts)).mean()) if len(forms) else 0.0

    def annotate(self, words: Words) -> None:
        numbers, forms = words.values("form")
        words.tagged[COLUMN] = self.numbers_of(forms)[numbers], self._texts

    def state(self) -> State:
        classes, cuts = self.classes.astype(np.uint16), self.cuts.astype(np.uint16)
        arrays: dict[str, NDArray[Any]] = {"words": packed_words(self.words), "classes": classes, "cuts": cuts}
        return {"source": self.source, "tokens": self.tokens}, arrays

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, VALUES)
        check_arrays(arrays, ARRAYS, {})
        classes, cuts = arrays["classes"].astype(np.int32), arrays["cuts"].astype(np.int32)
        words = unpacked_words(arrays["words"], "words", len(classes))
        expect(int(classes.max(initial=0)) < len(cuts), "classes", f"found a class that is not below {len(cuts)}")
        return cls(words, classes, cuts, values["source"], values["tokens"])


def cut_names(sizes: Sequence[int]) -> tuple[str, ...]:
    """The keys of the parts of a value, from the largest classes to the smallest: those that templates name.

    They name the intended numbers of classes, also where a short text has fewer.
    """
    usual = ("c16", "c64", "c256", "c1000")
    return usual if len(sizes) == len(usual) else tuple(f"c{number}" for number, _ in enumerate(sizes, 1))


def save_classes(classes: WordClasses, path: str) -> None:
    """Write a class file, atomically. The same classes give the same bytes."""
    values, arrays = classes.state()
    write_archive(path, {"kind": KIND, **values}, arrays)


def load_classes(path: str | os.PathLike[str]) -> WordClasses:
    """Read a class file. Raises CrossarcError for other files, damaged ones, and those of another version."""
    name = os.fspath(path)
    values, arrays = read_archive(name)
    if values.get("kind") != KIND:
        raise CrossarcError(f"{name}: a model of a parser, expected word classes; crossarc classes makes them")
    try:
        return WordClasses.from_state(values, arrays)
    except ShapeError as error:
        raise damaged(name, error) from error
