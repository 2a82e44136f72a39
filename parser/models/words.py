"""The words that parsers read, as value ids, from sentences or from blocks (bytes without objects for words)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Bools, Ints
from ..base.errors import CrossarcError, check_names
from ..base.lazy import Lazy
from ..transforms.transform import Transform, word_order
from ..treebank import EMPTY, FORMATS, Block, Format, Piece, Sentence, SymbolTable, sentences_in
from ..treebank.sentence import without_scores
from ..treebank.symbols import node_ids, node_places, treebank_column
from ..treebank.tree import FlatTrees, numbered, trees_in

MOST_TOKENS, MOST_BYTES = 2**18, 2**24
"""Maximum number of different tokens, and of their bytes, that are cached between blocks."""
FEATS, MISC = "feats", "misc"
Values: TypeAlias = tuple[Ints, Sequence[str]]
"""A column of words: indices into the values (int64, (words,)), and the values."""


class Decisions(ABC):
    """Values of words that a person has decided, and that parsing keeps.

    heads: heads, numbered within the sentence, -1 for words without a decided head (int64, (words,)).
    labels: deprels, "_" for any.
    tags: by column, the words with a decided tag or lemma (bool, (words,)).
    """

    heads: NDArray[np.int64]
    labels: Sequence[str]
    tags: Mapping[str, Bools]

    @property
    @abstractmethod
    def labelled(self) -> Bools:
        """bool (words,): whether the label of each word is decided."""

    @abstractmethod
    def check(self, single_root: bool) -> None:
        """Raise CrossarcError, with the words, for arcs that no tree has together."""

    @abstractmethod
    def fixed(self, trees: FlatTrees, single_root: bool) -> FlatTrees:
        """The trees with the decided heads and labels, and with as many of their other arcs as possible."""

    @abstractmethod
    def warn_of(self, misplaced: Bools) -> None:
        """Warn of decided labels that training never has where they are. misplaced: their words (bool, (words,))."""


KEEPERS: Mapping[str, Callable[[Sequence[Sentence]], Decisions]] = Lazy(__package__, {}, "KEEPERS")
"""Functions that read the decisions in sentences, by the value of the option ``keep``; plugins declare them."""


class Candidates(NamedTuple):
    """Second best values of words whose first one is uncertain.

    words: positions of the words, ascending (int64, (candidates,)).
    values: indices into the names of the column in :attr:`Words.tagged` (int64, (candidates,)).
    gaps: logarithms of the probabilities of the best values minus those of these (float64, (candidates,)).
    """

    words: Ints
    values: Ints
    gaps: NDArray[np.float64]


class Words(ABC):
    """The words of some sentences.

    lengths: number of words of each sentence (int64, (sentences,)).
    formats: the formats of the sentences, or of a block.
    retag: whether taggers replace existing values.
    keep_deps: whether columns that describe the replaced tree keep their values.
    tagged: the columns that taggers have filled.
    candidates: by column that a tagger has filled, other values that trees may choose.
    kept: arcs that parsing keeps.
    """

    kept: Decisions | None = None

    def __init__(self, lengths: Ints, formats: Sequence[Format], retag: bool, keep_deps: bool) -> None:
        self.lengths = lengths
        self._formats = formats
        self.retag = retag
        self.keep_deps = keep_deps
        self.tagged: dict[str, Values] = {}
        self.candidates: dict[str, Candidates] = {}

    @property
    def sentences_of_words(self) -> Ints:
        """The number of the sentence of each word (int64, (words,))."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def node_ids(self, table: SymbolTable, column: str) -> NDArray[np.integer]:
        """The value ids of the words in a treebank column, as :func:`~..treebank.symbols.node_ids` gives them.

        Raises CrossarcError if the column is missing.
        """
        return _node_ids(table, self.tagged[column]) if column in self.tagged else self._given_ids(table, column)

    def values(self, column: str) -> Values:
        """The values of the words in a column. Raises CrossarcError if the column is missing."""
        return self.tagged[column] if column in self.tagged else self._given(column)

    def to_tag(self, column: str) -> Bools:
        """Whether each word needs a value from a tagger (bool, (words,)).

        With ``retag`` all do, but for those with a decided value.

        A word without features does not need any if other words of the sentence have features.
        """
        if self.retag or not self.has(column):
            decided = None if self.kept is None else self.kept.tags[column]
            return np.ones(int(self.lengths.sum()), dtype=np.bool_) if decided is None else ~decided
        numbers, names = self._given(column)
        empty: Bools = np.array([name in EMPTY for name in names], dtype=np.bool_)[numbers]
        if column == FEATS and len(empty):
            empty = np.repeat(np.logical_and.reduceat(empty, np.cumsum(self.lengths) - self.lengths), self.lengths)
        return empty

    def without(self, columns: Iterable[str]) -> Bools:
        """Whether each sentence has no value in these columns, of which it has at least one (bool, (sentences,))."""
        empty: Bools | None = None
        for numbers, names in (self._given(column) for column in columns if self.has(column)):
            blank: Bools = np.array([name in EMPTY for name in names], dtype=np.bool_)[numbers]
            empty = blank if empty is None else empty & blank
        if empty is None or not len(empty):
            return np.zeros(len(self.lengths), dtype=np.bool_)
        return np.logical_and.reduceat(empty, np.cumsum(self.lengths) - self.lengths)

    def fill(self, column: str, words: Bools, predicted: Values) -> None:
        """Store predicted values for some words.

        words: the words to fill (bool, (words,)).
        predicted: the predicted values of all words.
        """
        numbers, names = predicted
        if not words.all():
            ids, others = self._given(column)
            numbers = np.where(words, numbers, ids + len(names))
            names = [*names, *others]
        self.tagged[column] = numbers, names

    def replace(self, column: str, places: Ints, values: Values) -> None:
        """Replace the values of some words in a column that taggers have filled. values: those of these words."""
        numbers, names = self.tagged[column]
        changed = numbers.copy()
        changed[places] = values[0] + len(names)
        self.tagged[column] = changed, [*names, *values[1]]

    def require_misc(self) -> None:
        """Raise CrossarcError for sentences without the column MISC."""
        if lacking := next((row_format for row_format in self._formats if MISC not in row_format.index), None):
            name = FORMATS[lacking.name]
            raise CrossarcError(f"{name} has no column MISC for scores; use CoNLL-U with all columns, or -o FILE.tsv")

    def note(self, probabilities: NDArray[np.float64]) -> None:
        """Write probabilities to MISC, which replace earlier ones.

        probabilities: that head and label of each word are right, and that its head is right (float64, (2, words)).
        """
        numbers, names = self._given(MISC)
        arcs, heads = np.rint(100 * probabilities).astype(np.int64)
        codes = (numbers * 101 + arcs) * 101 + heads
        distinct, ids = np.unique(codes, return_inverse=True)
        kept = [value if value != "_" else "" for value in map(self._undescribed, names)]
        texts = []
        for code in distinct.tolist():
            (number, arc), head = divmod(code // 101, 101), code % 101
            before = f"{kept[number]}|" if kept[number] else ""
            texts.append(f"{before}Conf={arc / 100:.2f}|ConfHead={head / 100:.2f}")
        self.tagged[MISC] = ids, texts

    def forget(self) -> None:
        """Remove what MISC says of the trees and the decisions that parsing replaces, unless they are kept."""
        if not self.keep_deps and self.has(MISC) and self._described():
            numbers, names = self._given(MISC)
            self.tagged[MISC] = numbers, list(map(self._undescribed, names))

    def _undescribed(self, misc: str) -> str:
        return without_scores(misc, "" if self.kept else "Keep")

    @abstractmethod
    def _described(self) -> bool:
        """Whether MISC may have probabilities or marks of decisions."""

    @abstractmethod
    def _given_ids(self, table: SymbolTable, column: str) -> NDArray[np.integer]: ...

    @abstractmethod
    def _given(self, column: str) -> Values: ...

    def has(self, column: str) -> bool:
        """Whether a sentence has a column, possibly without values."""
        return any(column in row_format.index for row_format in self._formats)


class SentenceWords(Words):
    """The words of sentences. keep: the arcs to keep, as in :meth:`~.model.ParserModel.parse`.

    Values are numbered once per column, since taggers and parser look up the same column in many tables.
    """

    def __init__(
        self, sentences: Iterable[Sentence], retag: bool = False, keep_deps: bool = False, keep: str | None = None
    ) -> None:
        self.sentences = list(sentences)
        self._known: dict[str, Values] = {}
        if keep is not None:
            check_names("keep: found", [keep], KEEPERS)
            self.kept = KEEPERS[keep](self.sentences)
        formats = [sentence.format for sentence in self.sentences]
        super().__init__(np.array(list(map(len, self.sentences)), dtype=np.int64), formats, retag, keep_deps)

    def _given_ids(self, table: SymbolTable, column: str) -> NDArray[np.integer]:
        if lacking := next((sentence for sentence in self.sentences if column not in sentence.format.index), None):
            lacking.column(column)  # raises the error
        return _node_ids(table, self._given(column))

    def _given(self, column: str) -> Values:
        """The values of a column, "_" in sentences without it. Raises CrossarcError if all sentences lack it."""
        if column not in self._known:
            some = self.has(column)
            texts: list[str] = []
            for sentence in self.sentences:
                lacking = some and column not in sentence.format.index
                texts += ("_",) * len(sentence) if lacking else sentence.column(column)
            self._known[column] = numbered(texts)
        return self._known[column]

    def _described(self) -> bool:
        having = (sentence.column(MISC) for sentence in self.sentences if MISC in sentence.format.index)
        return any("Conf" in value or "Keep" in value for values in having for value in values)

    def with_tags(self) -> list[Sentence]:
        """The sentences with the values that taggers predicted, in columns that the format has."""
        return self._filled(self.sentences)

    def with_supplied(self) -> list[Sentence]:
        """The sentences with the columns that steps have filled and that the format lacks, behind their own columns."""
        supplied = {name: values for name, values in self.tagged.items() if not self.has(name)}
        formats = {
            row_format: replace(row_format, names=(*row_format.names, *supplied)) for row_format in self._formats
        }
        texts = [np.array([*names, None], dtype=object)[numbers] for numbers, names in supplied.values()]
        sentences, end = [], 0
        for sentence in self.sentences:
            start, end = end, end + len(sentence)
            columns = (*sentence.columns, *(tuple(text[start:end].tolist()) for text in texts))
            sentences.append(replace(sentence, format=formats[sentence.format], columns=columns))
        return sentences

    def with_trees(self, trees: FlatTrees) -> list[Sentence]:
        """The sentences with these trees, and with the columns that taggers have filled."""
        pairs = zip(self.sentences, trees_in(trees), strict=True)
        return self._filled([sentence.with_tree(tree.heads, tree.deprels, self.keep_deps) for sentence, tree in pairs])

    def _filled(self, sentences: list[Sentence]) -> list[Sentence]:
        if not self.tagged:
            return sentences
        filled = []
        written = {name: values for name, values in self.tagged.items() if self.has(name)}
        texts = {
            name: np.array([*texts_of_column, None], dtype=object)[at].tolist()
            for name, (at, texts_of_column) in written.items()
        }
        end = 0
        for sentence in sentences:
            start, end = end, end + len(sentence)
            there = sentence.format.one_per_place(texts)
            filled.append(sentence.with_columns({name: tuple(texts[name][start:end]) for name in there}))
        return filled


class RepeatedWords(Words):
    """The words of some sentences of others, possibly several times, with the columns that taggers have filled.

    words: the other words.
    sentences: numbers of their sentences (int64, (sentences,)).
    places: positions of the words among the others (int64, (words,)).
    """

    def __init__(self, words: Words, sentences: Ints) -> None:
        super().__init__(words.lengths[sentences], words._formats, words.retag, keep_deps=True)
        begins = np.cumsum(words.lengths) - words.lengths
        starts = np.cumsum(self.lengths) - self.lengths
        self.places = np.repeat(begins[sentences] - starts, self.lengths) + np.arange(int(self.lengths.sum()))
        self._words = words
        self.tagged = {column: (numbers[self.places], names) for column, (numbers, names) in words.tagged.items()}

    def to_tag(self, column: str) -> Bools:
        return self._words.to_tag(column)[self.places]

    def _given_ids(self, table: SymbolTable, column: str) -> NDArray[np.integer]:
        return self._words._given_ids(table, column)[np.concatenate([[0, 1], self.places + 2])]

    def _given(self, column: str) -> Values:
        numbers, names = self._words._given(column)
        return numbers[self.places], names

    def _described(self) -> bool:
        return False


class BlockWords(Words):
    """The words of a block with the columns HEAD and DEPREL.

    piece: the piece of the block.
    memory: the tokens of earlier blocks.
    """

    def __init__(
        self, block: Block, piece: Piece, memory: TokenMemory, retag: bool = False, keep_deps: bool = False
    ) -> None:
        super().__init__(block.lengths, [block.format], retag, keep_deps)
        self.block = block
        self._piece = piece
        self._tokens = memory
        self._last = block.place("head") - 1
        self._numbers = memory.numbers(block.format.names[: self._last + 1], block.values(1, self._last))

    def _given_ids(self, table: SymbolTable, column: str) -> NDArray[np.integer]:
        place = self.block.format.index.get(column, 0)
        if not 0 < place <= self._last:
            return SentenceWords(sentences_in(self._piece)).node_ids(table, column)
        return self._tokens.column(table, place).ids[np.concatenate([[0, 1], self._numbers + 2])]

    def _given(self, column: str) -> Values:
        place = self.block.format.index.get(column, 0)
        if place > self._last:
            texts = _Numbers()
            return texts.lookup(self.block.values(place, place)), [text.decode() for text in texts]
        if not place:
            return SentenceWords(sentences_in(self._piece)).values(column)
        ids_of_column = self._tokens.column(None, place)
        return ids_of_column.ids[self._numbers + 2].astype(np.int64), list(ids_of_column.numbers)

    def _described(self) -> bool:
        return b"Conf" in self.block.data or b"Keep=" in self.block.data

    def with_tags(self) -> bytes:
        """The bytes of the block with the columns that taggers have filled."""
        return self.block.with_columns(self._tags())

    def with_trees(self, trees: FlatTrees) -> bytes:
        """The bytes of the block with these trees, and with the columns that taggers have filled."""
        return self.block.with_trees(trees.heads, trees.labels, trees.names, self._tags(), self.keep_deps)

    def _tags(self) -> dict[str, Values]:
        return {name: self.tagged[name] for name in self.block.format.one_per_place(self.tagged)}


class TokenMemory:
    """The tokens of blocks (bytes of rows between ID and HEAD), numbered in order of occurrence, with their value ids.

    The tokens stay for the next block, unless its columns before HEAD differ.
    """

    def __init__(self) -> None:
        self._forget(())

    def _forget(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._numbers = _Numbers()
        self._bytes = 0
        self._columns: list[_Column] = []
        self._known: dict[tuple[int, int], tuple[SymbolTable | None, _Column]] = {}

    def numbers(self, names: tuple[str, ...], tokens: Sequence[bytes]) -> Ints:
        """The number of each token (int64, (tokens,)). names: the columns before HEAD."""
        if names != self._names or len(self._numbers) > MOST_TOKENS or self._bytes > MOST_BYTES:
            self._forget(names)
        known = len(self._numbers)
        places = self._numbers.lookup(tokens)
        if fresh := list(self._numbers)[known:]:
            self._bytes += sum(map(len, fresh))
            rows = _rows(fresh)
            for column in self._columns:
                column.add(rows)
        return places

    def column(self, table: SymbolTable | None, place: int) -> _Column:
        """The values of all tokens in a column: ids from the table, or, without one, numbers in order of occurrence.

        place: index of the column in the rows of the file, where ID has 0.
        """
        key = id(table), place
        if key not in self._known:
            same = (column for column in self._columns if column.place == place and column.table == table)
            column = next(same, None) or _Column(table, place, _rows(self._numbers))
            if column not in self._columns:
                self._columns.append(column)
            self._known[key] = table, column
        return self._known[key][1]


class _Column:
    """The values of each token in one column.

    ids: value ids of the tokens, see :func:`~..treebank.symbols.node_ids`.
    """

    def __init__(self, table: SymbolTable | None, place: int, rows: Sequence[Sequence[str]]) -> None:
        self.table = table
        self.place = place
        self.numbers = _Numbers()
        self.ids = node_ids(self._found(rows))

    def add(self, rows: Sequence[Sequence[str]]) -> None:
        """Add new tokens. rows: the columns of each token, from the second column of the file on."""
        self.ids = np.concatenate([self.ids, self._found(rows)])

    def _found(self, rows: Sequence[Sequence[str]]) -> NDArray[np.integer]:
        return (self.table or self.numbers).lookup([row[self.place - 1] for row in rows])


def _node_ids(table: SymbolTable, values: Values) -> NDArray[np.integer]:
    numbers, names = values
    return node_ids(table.lookup(names))[np.concatenate([[0, 1], numbers + 2])]


def _rows(tokens: Iterable[bytes]) -> list[list[str]]:
    return [token.decode().split("\t") for token in tokens]


class _Numbers(dict[Any, int]):
    """The numbers of values, in the order of their first lookup."""

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self)
        return number

    def lookup(self, values: Sequence[Any]) -> Ints:
        """The number of each value (int64, (values,))."""
        return np.fromiter(map(self.__getitem__, values), np.int64, len(values))


class Batch(NamedTuple):
    """Sentences that are parsed together, with their words in the order that transforms give.

    numbers: numbers of the sentences.
    lengths: number of words of each sentence (int64, (B,)).
    ids: by table, value ids (int64, (B, width), or (B, width, K) for sets).
    places: positions of the words among all words in that order (int64, (words,)); ``word_order`` of the transforms has
        their positions in the input.
    inside: whether a position of the matrix is a word (bool, (B, width)).
    kept: heads and labels to keep, -1 for none or any (int64, (nodes,) each). Nodes are node 0 and the words of each
        sentence, one sentence after the other; heads are numbers of nodes in this sequence.
    """

    numbers: list[int]
    lengths: Ints
    ids: Mapping[str, Ints]
    places: Ints
    inside: Bools
    kept: tuple[Ints, Ints] | None = None


def word_batches(
    words: Words,
    transforms: Sequence[Transform],
    tables: Mapping[str, SymbolTable],
    reads: Mapping[str, str],
    groups: Iterable[list[int]],
) -> Iterator[Batch]:
    """The batches of the sentences in ``groups``. reads: replacement columns, by name."""
    order = np.concatenate([[0, 1], word_order(transforms, words.lengths) + 2])
    ids = {name: words.node_ids(table, treebank_column(name, reads))[order] for name, table in tables.items()}
    begins = np.cumsum(words.lengths) - words.lengths
    for numbers in groups:
        lengths = words.lengths[numbers]
        nodes = node_places(lengths, begins[numbers])
        inside = nodes > 1
        ids_of_batch = {name: every[nodes].astype(np.int64) for name, every in ids.items()}
        yield Batch(numbers, lengths, ids_of_batch, nodes[inside] - 2, inside)
