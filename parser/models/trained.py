"""The base class of parsers trained from one config: transition-based and graph-based ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from ..base.errors import CrossarcError
from ..transforms import Transform, transform_from_json
from ..treebank import FIRST_KNOWN, Table
from ..treebank.symbols import treebank_column
from .model import Content, ParserModel
from .tables import annotation_of, table_from_json, table_json
from .tagger import Tagger, taggers_content, taggers_of


@dataclass(frozen=True, kw_only=True, repr=False)
class TrainedParser(ParserModel):
    """config: what it was trained with. tables: the symbol tables of the columns that features look at. labels: the
    dependency labels, by label number. transforms: in the order of training. reads: the columns that are read in the
    place of others, of which training had no value. taggers: see :class:`ParserModel`."""

    config: Mapping[str, Any]
    tables: Mapping[str, Table]
    labels: tuple[str, ...]
    transforms: tuple[Transform, ...]
    provenance: Mapping[str, Any]
    reads: Mapping[str, str] = field(default_factory=dict)
    taggers: tuple[Tagger, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The treebank columns that the model's features look at."""
        return tuple(self.tables)

    @property
    @abstractmethod
    def single_root(self) -> bool:
        """Whether node 0 gets exactly one dependent."""

    @property
    @abstractmethod
    def templates(self) -> list[list[str]]:
        """The lines of each feature model; one model for each stage."""

    @property
    def looked_at(self) -> dict[str, Table]:
        found: dict[str, Table] = {}
        for name, table in self.tables.items():
            if not table.blank:
                column = treebank_column(name, self.reads)
                found[column] = max(found.get(column, table), table, key=len)
        return found

    @property
    def annotation(self) -> str:
        return annotation_of(self.config)

    def with_provenance(self, **entries: Any) -> Self:
        return replace(self, provenance={**self.provenance, **entries})

    def _facts(self) -> dict[str, Any]:
        """The values of :meth:`to_json` that all parsers share."""
        return {
            "columns": {name: len(table) - FIRST_KNOWN for name, table in self.tables.items()},
            "labels": list(self.labels),
            "transforms": [transform.to_json() for transform in self.transforms],
            "provenance": self.provenance,
            "reads": dict(self.reads),
            "tags": [tagger.column for tagger in self.taggers],
        }

    def _content(self, values: Mapping[str, Any], arrays: Mapping[str, Any]) -> Content:
        """What a kind of parser says of itself, with what all say: :data:`~.tables.COMMON`, the config and taggers."""
        taggers = taggers_content(self.taggers)
        common = {
            "config": self.config,
            "columns": {name: table_json(table) for name, table in self.tables.items()},
            "labels": list(self.labels),
            "transforms": [transform.to_json() for transform in self.transforms],
            "provenance": self.provenance,
            **({"reads": dict(self.reads)} if self.reads else {}),
        }
        return Content({**common, **values, **taggers.values}, {**arrays, **taggers.arrays})

    @staticmethod
    def _fields(content: Content) -> dict[str, Any]:
        """The fields that :meth:`_content` described."""
        values = content.values
        return {
            "config": values["config"],
            "tables": {name: table_from_json(state, name) for name, state in values["columns"].items()},
            "labels": tuple(values["labels"]),
            "transforms": tuple(transform_from_json(state) for state in values["transforms"]),
            "provenance": values["provenance"],
            "reads": values.get("reads", {}),
            "taggers": taggers_of(content),
        }


def with_config(model: ParserModel, refusal: str) -> TrainedParser:
    """The model as a parser trained from one config. Raises CrossarcError with the text ``refusal`` for others."""
    if not isinstance(model, TrainedParser):
        raise CrossarcError(refusal)
    return model
