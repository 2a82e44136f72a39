"""The words of a sentence as objects, and a sentence as text, CoNLL-U or a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from ..base.errors import CrossarcError, choices
from .formats import Format, format_of


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

    sentence: Views
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


class Views:
    """Words of a sentence, and the sentence in other forms; a base class of :class:`.sentence.Sentence`."""

    __slots__ = ()

    if TYPE_CHECKING:
        format: Format
        columns: tuple[tuple[str, ...], ...]
        comments: tuple[str, ...]
        extras: tuple[tuple[int, str], ...]

        def __len__(self) -> int: ...
        def column(self, name: str) -> tuple[str, ...]: ...
        def heads(self) -> list[int]: ...
        def deprels(self) -> list[str]: ...

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> list[Word]: ...
    def __getitem__(self, index: int | slice) -> Word | list[Word]:
        """The word at an index from 0, as in lists, or the words of a slice. ``sentence[0].id`` is 1."""
        numbers = range(1, len(self) + 1)[index]
        return Word(self, numbers) if isinstance(numbers, int) else [Word(self, own) for own in numbers]

    def __iter__(self) -> Iterator[Word]:
        """The words in their order."""
        return (Word(self, number) for number in range(1, len(self) + 1))

    def comment(self, key: str) -> str | None:
        """The value of the first comment ``# key = value``; None if there is none.

        >>> import crossarc
        >>> [sentence, *_] = crossarc.read_sentences("test.conllu")
        >>> sentence.comment("sent_id") == sentence.id, sentence.comment("generator")
        (True, None)
        """
        pairs = (own[1:].partition("=") for own in self.comments)
        return next((value.strip() for name, equals, value in pairs if equals and name.strip() == key), None)

    @property
    def text(self) -> str:
        """The comment ``text``, or else the forms with spaces, except after words with ``SpaceAfter=No`` in MISC.

        >>> import crossarc
        >>> crossarc.Sentence.from_tokens(["Dogs", "bark", "!"], misc=["_", "SpaceAfter=No", "_"]).text
        'Dogs bark!'
        """
        if (found := self.comment("text")) is not None:
            return found
        miscs = self.column("misc") if "misc" in self.format.index else ("_",) * len(self)
        pieces = dict(enumerate(zip(self.column("form"), miscs, strict=True), 1))
        for before, row in self.extras:
            cells = row.split("\t")
            first, dash, last = cells[0].partition("-")
            if dash:  # a multiword token; its words have no text of their own
                for number in range(int(first), int(last) + 1):
                    pieces.pop(number, None)
                pieces[before + 1] = cells[1], cells[-1]
        parts = [form + " " * ("SpaceAfter=No" not in misc.split("|")) for _, (form, misc) in sorted(pieces.items())]
        return "".join(parts).strip()

    def to_conllu(self) -> str:
        """The sentence in CoNLL-U, with the blank line after it. Columns that it lacks become "_".

        >>> import crossarc
        >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> print(dogs.to_conllu().replace("\\t", " ").rstrip())
        1 Dogs _ _ _ _ 2 nsubj _ _
        2 bark _ _ _ _ 0 root _ _
        """
        names = self.format.names if self.format.name == "conllu" else format_of("conllu").names
        index, empty = self.format.index, ("_",) * len(self)
        columns = [self.column(name) if name in index else empty for name in names]
        rows = list(map("\t".join, zip(*columns, strict=True)))
        for before, row in reversed(self.extras):
            rows.insert(before, row)
        return "\n".join([*self.comments, *rows, "\n"])

    def to_networkx(self) -> Any:
        """The tree as a ``networkx.DiGraph``: nodes 0 to n with columns, arcs from heads to dependents with ``deprel``.

        Raises CrossarcError for a sentence without valid heads, and if networkx is not installed.

        >>> import crossarc
        >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> dogs.to_networkx().edges(data="deprel")
        OutEdgeDataView([(0, 2, 'root'), (2, 1, 'nsubj')])
        """
        try:
            import networkx
        except ImportError:
            raise CrossarcError("to_networkx: needs networkx; install the extra crossarc[networkx]") from None
        heads, deprels = self.heads(), self.deprels()
        graph = networkx.DiGraph()
        graph.add_node(0)
        shown = [name for name in self.format.names if name not in ("id", "head", "deprel", "deps")]
        for word in self:
            graph.add_node(word.id, **{name: getattr(word, name) for name in shown})
        graph.add_edges_from((heads[word.id], word.id, {"deprel": deprels[word.id]}) for word in self)
        return graph
