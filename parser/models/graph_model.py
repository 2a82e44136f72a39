"""A graph-based parser as a model: its weights, symbol tables, labels and transforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from ..base.errors import CrossarcError
from ..base.parameters import TEXT
from ..base.progress import Advance, nothing
from ..base.shapes import Record, check_values, expect, within
from ..graph.encoding import TAGS, encode_words
from ..graph.factored_parser import FactoredParser, batches_by_cubes
from ..graph.scoring import LONGEST
from ..search.stage import column_sizes
from ..transforms import Transform, invert_all, prepare_all, transform_from_json
from ..treebank import FIRST_KNOWN, Sentence, Table
from ..treebank.symbols import feature_columns
from ..treebank.tree import Columns, Tree
from .info import common_facts, facts_lines
from .model import Content, ParserModel
from .tables import COMMON, OPTIONAL, READING, annotation_of, common_values, filled_columns, table_from_json

__all__ = ["GraphModel"]

MODEL = Record({**COMMON, "config": Record({"features": TEXT}, READING), "parser": Record()}, OPTIONAL)
"""The JSON values of a graph-based parser; what scores and decodes says more of its own."""
BATCH = 32
"""Sentences that are decoded together: more gain nothing, and their scores fill the cache."""


@dataclass(frozen=True, slots=True, repr=False)
class GraphModel(ParserModel):
    """A graph-based parser.

    config: what it was trained with. parser: features, weights and how to decode. tables: the symbol tables of the
    columns that it looks at. labels: the dependency labels, by label number. transforms: in the
    order of training. reads: the columns that are read in the place of others, of which training had no value.
    """

    kind: ClassVar[str] = "graph"

    config: Mapping[str, Any]
    parser: FactoredParser
    tables: Mapping[str, Table]
    labels: tuple[str, ...]
    transforms: tuple[Transform, ...]
    provenance: Mapping[str, Any]
    reads: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        order = self.parser.features.order
        return f"<graph-based parser: order {order}, {len(self.labels)} labels, looks at {', '.join(self.columns)}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The treebank columns that the model looks at."""
        return tuple(self.tables)

    @property
    def single_root(self) -> bool:
        """Whether node 0 gets exactly one dependent."""
        return self.parser.single_root

    def parse_chunk(
        self, sentences: Sequence[Sentence], confidences: bool = False, advance: Advance = nothing
    ) -> list[Sentence]:
        """See :meth:`ParserModel.parse_chunk`; a graph-based parser has no confidences."""
        if confidences:
            raise CrossarcError(f"{self!r} has no confidences; parse with a transition-based parser")
        columns = [feature_columns(sentence, self.columns, self.reads) for sentence in sentences]
        trees = self.trees(columns, list(map(len, sentences)), advance)
        return [sentence.with_tree(tree.heads, tree.deprels) for sentence, tree in zip(sentences, trees, strict=True)]

    def trees(self, columns: Sequence[Columns], lengths: Sequence[int], advance: Advance = nothing) -> list[Tree]:
        """The trees of sentences given by the columns that the model looks at, after the inverse transforms.

        advance: is told how many words more are parsed.
        """
        prepared = [prepare_all(self.transforms, own) for own in columns] if self.transforms else columns
        trees: dict[int, Tree] = {}
        for numbers in batches_by_cubes(lengths, BATCH):
            batch = [prepared[number] for number in numbers]
            words, tags = encode_words(batch, [lengths[number] for number in numbers], self.tables)
            for number, own, (heads, labels) in zip(numbers, batch, self.parser.trees(words, tags), strict=True):
                deprels = ["", *(self.labels[label] for label in labels[1:].tolist())]
                tree = Tree(heads.tolist(), deprels, own)
                trees[number] = invert_all(self.transforms, tree) if self.transforms else tree
            advance(sum(lengths[number] for number in numbers))
        return [trees[number] for number in range(len(columns))]

    @property
    def longest(self) -> int | None:
        """See :attr:`ParserModel.longest`."""
        return LONGEST if self.parser.features.order == 2 else None

    @property
    def looked_at(self) -> dict[str, Table]:
        """See :attr:`ParserModel.looked_at`."""
        return filled_columns(self.tables, self.reads)

    @property
    def annotation(self) -> str:
        """See :attr:`ParserModel.annotation`."""
        return annotation_of(self.config)

    def with_provenance(self, **entries: Any) -> Self:
        """See :meth:`ParserModel.with_provenance`."""
        return replace(self, provenance={**self.provenance, **entries})

    def to_json(self) -> dict[str, Any]:
        """See :meth:`ParserModel.to_json`."""
        parser = self.parser
        return {
            "config": self.config,
            "order": parser.features.order,
            "labelled": parser.labelled,
            "nonprojective": parser.nonprojective,
            "threshold": parser.threshold,
            "single_root": parser.single_root,
            "table_bits": parser.table_bits,
            "features": parser.model.lines(),
            "columns": {name: len(table) - FIRST_KNOWN for name, table in self.tables.items()},
            "labels": list(self.labels),
            "transforms": [transform.to_json() for transform in self.transforms],
            "provenance": self.provenance,
            "reads": dict(self.reads),
        }

    def to_text(self) -> str:
        """See :meth:`ParserModel.to_text`."""
        parser, facts = self.parser, self.to_json()
        crossing = f"{parser.nonprojective}, threshold {parser.threshold:g}"
        roots = "one root" if parser.single_root else "any number of roots"
        rows = [
            ("system", f"graph of order {facts['order']}, {roots}"),
            ("crossing", crossing if parser.nonprojective == "npa" else parser.nonprojective),
            ("features", f"{len(facts['features'])} templates ({self.config['features']})"),
            ("weights", f"2**{parser.table_bits}"),
        ]
        return facts_lines([*rows, *common_facts(facts)])

    def content(self) -> Content:
        """See :meth:`ParserModel.content`."""
        state, arrays = self.parser.state()
        return Content({**common_values(self), "parser": state}, arrays)

    @classmethod
    def from_content(cls, content: Content) -> Self:
        """See :meth:`ParserModel.from_content`."""
        values = content.values
        check_values(values, MODEL)
        expect(TAGS in values["columns"], f"columns.{TAGS}", "found none; expected the tags that edges are filtered by")
        tables = {name: table_from_json(state, name) for name, state in values["columns"].items()}
        labels, sizes = tuple(values["labels"]), column_sizes(tables, tuple(tables))
        with within("parser"):
            parser = FactoredParser.from_state(values["parser"], content.arrays, sizes, len(tables[TAGS]), len(labels))
        transforms = tuple(transform_from_json(state) for state in values["transforms"])
        return cls(values["config"], parser, tables, labels, transforms, values["provenance"], values.get("reads", {}))
