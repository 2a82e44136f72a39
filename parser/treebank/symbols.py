"""Conversion of columns to integers: symbol tables, and batches of sentences as integer matrices."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...features.piece import column_and_key, piece_of
from ..base.errors import CrossarcError
from ..base.parameters import TEXT, Allowed
from ..base.shapes import ListOf, MapOf, Record, check_values, expect, within
from .sentence import Sentence
from .tree import Columns

NO_NODE, ROOT_NODE, UNKNOWN, FIRST_KNOWN = range(4)
"""The ids that every table reserves: where there is no node, node 0, a value not seen in training; then the known."""


EMPTY = frozenset({"_", ""})
"""The text of an empty column."""
TAGGED = ("upos", "xpos", "feats", "lemma")
"""Columns that can be predicted, in this order: the taggers of each column read the columns before it."""
DECIDABLE = ("head", "deprel", *TAGGED)
"""Columns of which a person can decide the value of a word, by ``Keep=`` in MISC; Yes stands for all."""
BATCH = 512
"""Number of sentences that are parsed in lockstep."""
MOST_PLACES = 2**17
"""Rows times width of a batch: very long sentences come in smaller batches."""
MOST_ATOMS = Allowed("a whole number from 0 to 1024", lambda value: type(value) is int and 0 <= value <= 1024)
"""Of sets in a model file: each place of the largest set makes a matrix of ids wider."""


STATES = MapOf(Record({"values": ListOf(TEXT)}, {"key": TEXT, "size": MOST_ATOMS}))
"""The JSON form of tables by column name."""


@dataclass(frozen=True, slots=True)
class SymbolTable:
    """The values of a column and their ids: that of ``values[i]`` is ``FIRST_KNOWN + i``.

    values: the values, pieces or atoms, in order of first occurrence.
    key: name of the piece of each value that the table numbers, such as the case in FEATS (see
        :func:`~crossarc.features.piece.piece_of`); "" for whole values.
    size: for a column of sets (FEATS, atoms joined by "|", "_" for the empty set) the number of atoms in the largest
        set in training; None for other columns. Id 0 is "no atom"; ids 1 and 2 are unused.
    """

    values: tuple[str, ...]
    key: str = ""
    size: int | None = None
    _numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {value: number for number, value in enumerate(self.values, FIRST_KNOWN)}
        expect(len(numbers) == len(self.values), "", "a value occurs twice")
        fits = self.size is None or self.size <= len(self)
        expect(fits, "size", f"found {self.size}; expected {len(self)} at most")
        object.__setattr__(self, "_numbers", numbers)

    @classmethod
    def build(cls, name: str, sequences: Iterable[Iterable[str]]) -> Self:
        """The table of a training column: of sets for ``feats``, of pieces for a name with a key.

        sequences: the column of each sentence.
        """
        values, (_, key) = _distinct(sequences), column_and_key(name)
        if name != "feats":
            return cls(_distinct([_pieces(values, key)]), key)
        sets = list(map(_atoms, values))
        return cls(_distinct(sets), size=max(map(len, sets), default=0))

    def __len__(self) -> int:
        """The number of ids: the three reserved ones and the known values. Ids begin at 0."""
        return FIRST_KNOWN + len(self.values)

    @property
    def blank(self) -> bool:
        """Whether the column had no value in training."""
        return self.values in ((), ("_",))

    def lookup(self, values: Sequence[str]) -> NDArray[np.int32]:
        """The ids of values (int32, (values,)), or of the atoms of sets in their order, padded with 0 ((values, size)).

        The id of values that are not in the table is :data:`UNKNOWN`. Atoms that are not in the table, and known atoms
        after the first ``size``, are left out.
        """
        if self.size is None:
            numbers = map(self._numbers.get, _pieces(values, self.key), repeat(UNKNOWN))
            return np.fromiter(numbers, np.int32, len(values))
        distinct = {value: number for number, value in enumerate(dict.fromkeys(values))}
        rows = np.zeros((len(distinct), self.size), np.int32)
        for value, number in distinct.items():
            known = [atom_id for atom in _atoms(value) if (atom_id := self._numbers.get(atom))][: self.size]
            rows[number, : len(known)] = known
        return rows[np.fromiter(map(distinct.__getitem__, values), np.intp, len(values))]


def build_tables(names: Iterable[str], sentences: Sequence[Columns]) -> dict[str, SymbolTable]:
    """The tables of the named columns of training sentences, by name."""
    return {name: SymbolTable.build(name, [sentence[name] for sentence in sentences]) for name in names}


def tables_json(tables: Mapping[str, SymbolTable]) -> dict[str, Any]:
    """The JSON form of tables by column name."""
    states = {
        name: {"values": list(table.values), "key": table.key, "size": table.size} for name, table in tables.items()
    }
    return {
        name: {key: value for key, value in state.items() if value not in ("", None)} for name, state in states.items()
    }


def tables_from_json(states: Any) -> dict[str, SymbolTable]:
    """The tables from their :func:`tables_json`. Raises ShapeError if the form is invalid."""
    check_values(states, STATES, "columns")
    tables = {}
    for name, state in states.items():
        with within(f"columns.{name}"):
            tables[name] = SymbolTable(tuple(state["values"]), state.get("key", ""), state.get("size"))
    return tables


def nfc(text: str) -> str:
    """The text in the normal form of Unicode that features and lemmas see; files keep theirs."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _pieces(values: Sequence[str], key: str) -> Sequence[str]:
    """The piece of each value; the values without a key. Raises CrossarcError if a user's function fails."""
    if not key:
        return list(map(nfc, values))
    try:
        pieces = {value: piece_of(nfc(value), key) for value in dict.fromkeys(values)}
    except ValueError as error:
        raise CrossarcError(str(error)) from error
    return [pieces[value] for value in values]


def encode_columns(sentences: Sequence[Columns], tables: Mapping[str, SymbolTable]) -> dict[str, NDArray[np.integer]]:
    """The columns of a batch of B sentences as int32 matrices (B, width), or (B, width, K) for a set table.

    sentences: the columns of each sentence.

    Position 0 is node 0 (:data:`ROOT_NODE`; no atoms). Positions 1..n are the words, all others :data:`NO_NODE` (0).
    The width is the length of the longest sentence + 2. The last column, and therefore the index -1, is always "no
    node".
    """
    lengths = np.array([len(sentence[name]) for sentence in sentences for name in [*tables][:1]], dtype=np.int64)
    nodes = node_places(lengths, np.cumsum(lengths) - lengths)
    return {
        name: node_ids(table.lookup([value for sentence in sentences for value in sentence[name]]))[nodes]
        for name, table in tables.items()
    }


def node_ids(values: NDArray[np.integer]) -> NDArray[np.integer]:
    """The value ids of "no node", of node 0 and of the words: (2 + words,), or (2 + words, K).

    values: ids of the words.
    """
    before = np.full((2, *values.shape[1:]), NO_NODE, values.dtype)
    if values.ndim == 1:
        before[1] = ROOT_NODE
    return np.concatenate([before, values])


def node_places(lengths: NDArray[np.int64], begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """The row in :func:`node_ids` of each node of a batch (int64, (sentences, width)).

    begins: number of words before each sentence.

    The width is that of :func:`encode_columns`.
    """
    position = np.arange(int(lengths.max(initial=0)) + 2)
    places = np.where(position <= lengths[:, None], begins[:, None] + position + 1, 0)
    places[:, 0] = 1
    return places


def batches_by_length(lengths: Sequence[int], batch: int = BATCH, places: int = MOST_PLACES) -> Iterator[list[int]]:
    """The numbers of the sentences in batches of similar length.

    batch: maximum number of sentences of a batch.
    places: maximum number of sentences times width, if a batch has several.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    start = 0
    while start < len(order):
        end = min(start + batch, len(order))
        while end > start + 1 and (end - start) * (lengths[order[end - 1]] + 2) > places:
            end -= 1
        yield order[start:end]
        start = end


def _distinct(sequences: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The values of all sequences, in order of first occurrence."""
    return tuple(dict.fromkeys(chain.from_iterable(sequences)))


def _atoms(value: str) -> list[str]:
    return [] if value == "_" else [atom for atom in dict.fromkeys(value.split("|")) if atom]


def changed_columns(before: Sentence, parsed: Sentence) -> dict[str, tuple[str, ...]]:
    """The columns besides HEAD and DEPREL whose values differ from those before parsing: tags, lemmas, DEPS, MISC."""
    names = [name for name in (*TAGGED, "deps", "misc") if name in parsed.format.index]
    return {name: parsed.column(name) for name in names if parsed.column(name) != before.column(name)}


AS_NAMED: Mapping[str, str] = MappingProxyType({})
"""No fallback columns."""
DERIVED = {"morph": "feats"}
"""Columns that features may name besides those of the treebank: ``morph`` is FEATS as one value, not as a set."""
NOT_FOR_FEATURES = frozenset({"id", "head", "deprel", "phead", "pdeprel", "deps"})


def nameable_columns(names: Collection[str]) -> list[str]:
    """The columns that features may name in a treebank with the columns ``names``: all but ID, HEAD and DEPREL."""
    usable = [name for name in names if name not in NOT_FOR_FEATURES]
    return usable + [derived for derived, column in DERIVED.items() if column in usable]


def treebank_column(name: str, reads: Mapping[str, str] = AS_NAMED) -> str:
    """The treebank column that features read under a name.

    reads: replacements of columns, by name.
    """
    column, _ = column_and_key(name)
    return reads.get(column, DERIVED.get(column, column))


def feature_columns(
    sentence: Sentence, names: Collection[str], reads: Mapping[str, str] = AS_NAMED
) -> dict[str, tuple[str, ...]]:
    """The columns of a sentence that features name. Raises CrossarcError if the sentence lacks one.

    reads: replacements of columns, by name.
    """
    return {name: sentence.column(treebank_column(name, reads)) for name in names}
