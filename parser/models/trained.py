"""The base class of parsers trained from one config, transition-based or graph-based."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...transitions.configuration import Ints
from ..base.parameters import TEXT, Allowed, one_of, real, whole
from ..base.progress import Advance, nothing
from ..base.shapes import ListOf, MapOf, Record, Shape
from ..config.config import FACTS
from ..config.feature_files import SUPPLIED
from ..transforms.registry import transform_from_json
from ..transforms.transform import Transform, invert_all_flat, word_order
from ..treebank.formats import COLUMN_CHOICES
from ..treebank.overlap import MOST_KEPT
from ..treebank.symbols import FIRST_KNOWN, SymbolTable, tables_from_json, tables_json, treebank_column
from ..treebank.tree import FlatTrees
from .model import ParserModel
from .steps import Floats
from .words import Batch, Words, word_batches

LABELS = ListOf(
    Allowed(
        "text without tabs and ends of lines",
        lambda value: isinstance(value, str) and not any(sign in value for sign in "\t\n\r"),
    ),
    least=1,
)
PROVENANCE = Record(
    {
        "train": Record(
            {"sha256": TEXT, "sentences": whole(0), "words": whole(0)},
            {"sample": ListOf(whole(0, 2**32), most=MOST_KEPT)},
        ),
        **dict.fromkeys(("crossarc", "python", "numpy", "scipy", "scikit-learn"), TEXT),
    },
    {
        "dev": Record(
            {"sha256": TEXT, "las": real(), "uas": real(), "las_interval": ListOf(real(), 2, 2)},
            {"from_text": MapOf(real())},
        ),
        "tags": MapOf(real()),
        "tagged_by": TEXT,
        **dict.fromkeys(FACTS, TEXT),
        "classes": MapOf(real()),
        "treebanks": ListOf(TEXT),
    },
)
COMMON: Mapping[str, Shape] = {
    "columns": MapOf(Record()),
    "labels": LABELS,
    "transforms": ListOf(Record({"name": TEXT})),
    "provenance": PROVENANCE,
    "reads": MapOf(one_of("upos", "xpos")),
}
"""The JSON values of every parser; tables and transforms add their own values."""
READING: Mapping[str, Shape] = {"treebank": Record({"columns": one_of(*COLUMN_CHOICES)})}
"""The part of a model's config that controls the reading of the training treebank."""


@dataclass(frozen=True, kw_only=True, repr=False)
class TrainedParser(ParserModel):
    """A parser trained from one config.

    config: the config.
    tables: symbol tables of the columns that features read.
    labels: the dependency labels, by label number.
    transforms: the transforms, in the order of training.
    reads: replacement columns, by the name of a column that was empty in training.
    """

    config: Mapping[str, Any]
    tables: Mapping[str, SymbolTable]
    labels: tuple[str, ...]
    transforms: tuple[Transform, ...]
    reads: Mapping[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """The treebank columns that the model's features read."""
        return tuple(self.tables)

    @abstractmethod
    def groups(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        """Groups of sentences, by number, that are parsed together. lengths: number of words of each sentence."""

    @abstractmethod
    def parse_batch(self, batch: Batch, margins: Floats | None) -> tuple[Ints, Ints]:
        """(heads, labels) of the words of a batch. margins: as in :meth:`trees`, (B, width)."""

    def batches(self, words: Words) -> Iterator[Batch]:
        """The words with their tags, in batches of sentences of similar length."""
        self.fill(words)
        groups = self.groups(words.lengths.tolist())
        return word_batches(words, self.transforms, self.tables, self.reads, groups)

    def batches_of(self, words: Words, sentences: Ints) -> Iterator[Batch]:
        """The words of some sentences, whose tags are known, in batches. sentences: their numbers, ascending."""
        groups = (
            [int(sentences[place]) for place in group] for group in self.groups(words.lengths[sentences].tolist())
        )
        return word_batches(words, self.transforms, self.tables, self.reads, groups)

    def trees(self, words: Words, advance: Advance = nothing, margins: Floats | None = None) -> FlatTrees:
        heads, labels = np.empty((2, int(words.lengths.sum())), dtype=np.int64)
        self.hint_workload(len(heads))
        order = word_order(self.transforms, words.lengths)
        for batch in self.batches(words):
            margins_of_batch = None if margins is None else np.zeros(batch.inside.shape)
            heads[batch.places], labels[batch.places] = self.parse_batch(batch, margins_of_batch)
            if margins is not None and margins_of_batch is not None:
                margins[order[batch.places]] = margins_of_batch[batch.inside]
            advance(len(batch.places))
        return invert_all_flat(self.transforms, FlatTrees(words.lengths, heads, labels, self.labels))

    @property
    def looked_at(self) -> dict[str, SymbolTable]:
        tables: dict[str, SymbolTable] = {}
        for name, table in self.tables.items():
            column = treebank_column(name, self.reads)
            if not table.blank and column not in SUPPLIED:
                tables[column] = max(tables.get(column, table), table, key=len)
        return tables

    @property
    def annotation(self) -> str:
        return str(self.config["treebank"]["columns"])

    def to_json(self) -> dict[str, Any]:
        columns = {name: len(table) - FIRST_KNOWN for name, table in self.tables.items()}
        return {**self._values(), "columns": columns, "tags": self.filled}

    def _values(self) -> dict[str, Any]:
        """The JSON values in the model file that all parsers have, see :data:`COMMON`."""
        transforms = [transform.to_json() for transform in self.transforms]
        common = {"labels": list(self.labels), "transforms": transforms, "provenance": self.provenance}
        return {"config": self.config, "columns": tables_json(self.tables), **common, "reads": dict(self.reads)}

    @staticmethod
    def _fields(values: Mapping[str, Any]) -> dict[str, Any]:
        """The constructor arguments from :meth:`_values`."""
        return {
            "config": values["config"],
            "tables": tables_from_json(values["columns"]),
            "labels": tuple(values["labels"]),
            "transforms": tuple(transform_from_json(state) for state in values["transforms"]),
            "provenance": values["provenance"],
            "reads": values["reads"],
        }
