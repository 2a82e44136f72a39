"""The tokenizer as a step of models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Bools
from ...base.shapes import expect
from ...models.steps import Segmenter, State, Step
from ...treebank import Sentence
from .gaps import UnspacedGaps
from .groups import WordGroups
from .raw_text import gold_text
from .reading import conllu_of, sentences_of
from .tokenizer import Tokenizer


@dataclass(frozen=True)
class TokenizerStep(Segmenter):
    """A step that splits raw text with a tokenizer."""

    kind: ClassVar[str] = "tokenizer"

    tokenizer: Tokenizer

    @property
    def words_touch(self) -> bool:
        return isinstance(self.tokenizer.gaps, UnspacedGaps)

    def conllu(
        self, blocks: Iterable[str], document: str, *, at_once: bool = False, lines: bool = False, ranges: bool = False
    ) -> Iterator[str]:
        return conllu_of(sentences_of(self.tokenizer, blocks, at_once, lines), document, ranges)

    def source_text(self, sentences: Sequence[Sentence]) -> str:
        return gold_text(sentences).text

    def sentence_ends(self, text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Bools:
        return self.tokenizer.sentence_ends(text, starts, ends)

    def beside(self, steps: Sequence[Step]) -> Self:
        if self.tokenizer.groups is None:
            return self
        groups = WordGroups.among(steps)
        expect(groups is not None, "grouped", "found no step with groups of words")
        return replace(self, tokenizer=replace(self.tokenizer, groups=groups))

    def state(self) -> State:
        return self.tokenizer.content()

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        return cls(Tokenizer.from_content(values, arrays))
