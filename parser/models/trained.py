"""The base class of parsers trained from one config, transition-based or graph-based, and their descriptions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...transitions.configuration import Ints
from ..annotation.calibration import Calibration
from ..base.parameters import TEXT, one_of, real, whole
from ..base.progress import Advance, nothing
from ..base.shapes import ListOf, MapOf, Record, Shape
from ..tokenizer import Tokenizer
from ..transforms import Transform, invert_all_flat, transform_from_json, word_order
from ..treebank import COLUMN_CHOICES, FIRST_KNOWN, SymbolTable
from ..treebank.symbols import tables_from_json, tables_json, treebank_column
from ..treebank.tree import FlatTrees
from .model import Content, Floats, ParserModel
from .taggers import LABELS, Tagger, tag, taggers_content, taggers_of
from .words import Batch, Words, word_batches

WIDTH = 100
"""Maximum number of characters of the list of labels in a description."""
PROVENANCE = Record(
    {
        "train": Record({"sha256": TEXT, "sentences": whole(0), "words": whole(0)}),
        **dict.fromkeys(("crossarc", "python", "numpy", "scipy", "scikit-learn"), TEXT),
    },
    {"dev": Record({"sha256": TEXT, "las": real(), "uas": real()}), "tags": MapOf(real()), "tagged_by": TEXT},
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
    taggers, tokenizer, calibration: see :class:`ParserModel`.
    """

    config: Mapping[str, Any]
    tables: Mapping[str, SymbolTable]
    labels: tuple[str, ...]
    transforms: tuple[Transform, ...]
    provenance: Mapping[str, Any]
    reads: Mapping[str, str] = field(default_factory=dict)
    taggers: tuple[Tagger, ...] = ()
    tokenizer: Tokenizer | None = None
    calibration: Calibration | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The treebank columns that the model's features read."""
        return tuple(self.tables)

    @property
    @abstractmethod
    def single_root(self) -> bool:
        """Whether node 0 gets exactly one dependent."""

    @property
    @abstractmethod
    def templates(self) -> list[list[str]]:
        """The lines of each feature model; each stage has one model."""

    @abstractmethod
    def _groups(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        """Groups of sentences, by number, that are parsed together. lengths: number of words of each sentence."""

    @abstractmethod
    def _parsed(self, batch: Batch, margins: Floats | None) -> tuple[Ints, Ints]:
        """(heads, labels) of the words of a batch. margins: as in :meth:`trees`, (B, width)."""

    def batches(self, words: Words) -> Iterator[Batch]:
        """The words with their tags, in batches of sentences of similar length."""
        tag(words, self.taggers)
        groups = self._groups(words.lengths.tolist())
        return word_batches(words, self.transforms, self.tables, self.reads, groups)

    def trees(self, words: Words, advance: Advance = nothing, margins: Floats | None = None) -> FlatTrees:
        heads, labels = np.empty((2, int(words.lengths.sum())), dtype=np.int64)
        order = word_order(self.transforms, words.lengths)
        for batch in self.batches(words):
            own = None if margins is None else np.zeros(batch.inside.shape)
            heads[batch.places], labels[batch.places] = self._parsed(batch, own)
            if margins is not None and own is not None:
                margins[order[batch.places]] = own[batch.inside]
            advance(len(batch.places))
        return invert_all_flat(self.transforms, FlatTrees(words.lengths, heads, labels, self.labels))

    @property
    def looked_at(self) -> dict[str, SymbolTable]:
        found: dict[str, SymbolTable] = {}
        for name, table in self.tables.items():
            if not table.blank:
                column = treebank_column(name, self.reads)
                found[column] = max(found.get(column, table), table, key=len)
        return found

    @property
    def annotation(self) -> str:
        return str(self.config["treebank"]["columns"])

    def _facts(self) -> dict[str, Any]:
        """The values of :meth:`to_json` that all parsers share."""
        columns = {name: len(table) - FIRST_KNOWN for name, table in self.tables.items()}
        tags = [tagger.column for tagger in self.taggers]
        return {"columns": columns, **self._common(), "reads": dict(self.reads), "tags": tags}

    def _common(self) -> dict[str, Any]:
        transforms = [transform.to_json() for transform in self.transforms]
        return {"labels": list(self.labels), "transforms": transforms, "provenance": self.provenance}

    def _content(self, values: Mapping[str, Any], arrays: Mapping[str, Any]) -> Content:
        """The content of a model: the given values and arrays, and those that all parsers have, see :data:`COMMON`."""
        taggers = taggers_content(self.taggers)
        common = {
            "config": self.config,
            "columns": tables_json(self.tables),
            **self._common(),
            "reads": dict(self.reads),
        }
        return Content({**common, **values, **taggers.values}, {**arrays, **taggers.arrays})

    @staticmethod
    def _fields(content: Content) -> dict[str, Any]:
        """The constructor arguments of the model that :meth:`_content` described."""
        values = content.values
        return {
            "config": values["config"],
            "tables": tables_from_json(values["columns"]),
            "labels": tuple(values["labels"]),
            "transforms": tuple(transform_from_json(state) for state in values["transforms"]),
            "provenance": values["provenance"],
            "reads": values["reads"],
            "taggers": taggers_of(content),
        }


def facts_lines(rows: Sequence[tuple[str, str]]) -> str:
    """Pairs of a name and a description as text, one pair per line."""
    return "\n".join(f"{name:<12} {value}" for name, value in rows)


def common_facts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and descriptions of the properties of all parsers: columns, labels, transforms and provenance."""
    provenance, labels = facts["provenance"], facts["labels"]
    columns = ", ".join(f"{name} ({values})" for name, values in facts["columns"].items())
    rows = [
        ("columns", f"{columns}: name (values in training)"),
        ("input", f"values as given; of CoNLL-2009 the {facts['config']['treebank']['columns']} columns"),
        *tag_facts(facts),
        *((name, f"empty in training: {other} is read in its place") for name, other in facts["reads"].items()),
        ("labels", f"{len(labels)}: {_shortened(' '.join(labels))}"),
        ("transforms", ", ".join(transform["name"] for transform in facts["transforms"]) or "none"),
    ]
    train, dev = provenance["train"], provenance.get("dev")
    rows.append(("trained on", f"{train['sentences']} sentences, {train['words']} words, sha256 {train['sha256']}"))
    if dev is not None:
        rows.append(("scores", f"LAS {dev['las']:.2f}, UAS {dev['uas']:.2f} on sha256 {dev['sha256']}"))
    versions = (f"{name} {provenance[name]}" for name in ("crossarc", "python", "numpy", "scipy", "scikit-learn"))
    rows.append(("made with", ", ".join(versions)))
    return rows


def tag_facts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The predicted columns, each with its training accuracy in percent."""
    right = ", ".join(f"{name.upper()} {share:.2f}" for name, share in facts["provenance"].get("tags", {}).items())
    return [("tags", f"predicted where the input has none: {right} % right in training")] if right else []


def _shortened(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[:WIDTH].rpartition(' ')[0]} ..."
