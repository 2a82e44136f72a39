"""The words of a sentence as objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import choices

if TYPE_CHECKING:
    from .sentence import Sentence


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """A word of a sentence; columns are attributes, such as ``word.form`` and ``word.misc``.

    sentence: the sentence of the word.
    id: number of the word, from 1.

    >>> import crossarc
    >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> dogs[0].form, dogs[0].head, dogs[0].deprel, dogs[1].children
    ('Dogs', 2, 'nsubj', [<Word 1 'Dogs'>])
    """

    sentence: Sentence
    id: int

    def __getattr__(self, name: str) -> str:
        """The value of a column. Raises AttributeError if the sentence has no such column."""
        index = self.sentence.format.index
        if name not in index:
            raise AttributeError(f"the word has no column {choices(name, index)}")
        return self.sentence.columns[index[name]][self.id - 1]

    def __repr__(self) -> str:
        return f"<Word {self.id} {self.form!r}>"

    @property
    def head(self) -> int:
        """The number of the head, 0 for the root. Raises CrossarcError if the sentence has no valid heads."""
        return self.sentence.heads()[self.id]

    @property
    def children(self) -> list[Word]:
        """The dependents of the word, in the order of the sentence."""
        heads = self.sentence.heads()
        return [word for word in self.sentence if heads[word.id] == self.id]

    @property
    def subtree(self) -> list[Word]:
        """The word and everything below it, in the order of the sentence."""
        heads = self.sentence.heads()
        dependents: list[list[int]] = [[] for _ in heads]
        for dependent, head in enumerate(heads[1:], 1):
            dependents[head].append(dependent)
        found, waiting = {self.id}, [self.id]
        while waiting:
            new = set(dependents[waiting.pop()]) - found  # heads that are not checked may contain cycles
            found |= new
            waiting.extend(new)
        return [self.sentence[number - 1] for number in sorted(found)]
