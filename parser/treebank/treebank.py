"""Treebanks in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .formats import Format
from .sentence import Sentence, drawn


@dataclass(frozen=True, slots=True)
class Treebank:
    """The sentences of one file.

    format: format of the first sentence.
    path: file name for messages.

    >>> import crossarc
    >>> treebank = crossarc.read_treebank("test.conllu")
    >>> isinstance(treebank, crossarc.Treebank), sum(map(len, treebank)) == treebank.words
    (True, True)
    """

    sentences: list[Sentence]
    format: Format
    path: str

    @property
    def words(self) -> int:
        """The number of words of all sentences."""
        return sum(map(len, self.sentences))

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def _repr_html_(self) -> str | None:
        """Drawings of the first trees, for notebooks."""
        return drawn("treebank_html", self)
