"""A graph-based parser as a model: its weights, symbol tables, labels and transforms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ..base.errors import CrossarcError
from ..base.parameters import TEXT
from ..base.progress import Advance, nothing
from ..base.shapes import Record, check_values, expect, within
from ..graph.encoding import TAGS, encode_words
from ..graph.factored_parser import FactoredParser, batches_by_cubes
from ..graph.scoring import LONGEST
from ..search.stage import column_sizes
from ..transforms import invert_all, prepare_all
from ..treebank import Sentence
from ..treebank.tree import Columns, Tree
from .info import common_facts, facts_lines
from .model import Content
from .tables import COMMON, OPTIONAL, READING
from .trained import TrainedParser

__all__ = ["GraphModel"]

MODEL = Record({**COMMON, "config": Record({"features": TEXT}, READING), "parser": Record()}, OPTIONAL)
"""The JSON values of a graph-based parser; what scores and decodes says more of its own."""
BATCH = 32
"""Sentences that are decoded together: more gain nothing, and their scores fill the cache."""


@dataclass(frozen=True, kw_only=True, repr=False)
class GraphModel(TrainedParser):
    """A graph-based parser. parser: features, weights and how to decode."""

    kind: ClassVar[str] = "graph"

    parser: FactoredParser

    def __repr__(self) -> str:
        order = self.parser.features.order
        return f"<graph-based parser: order {order}, {len(self.labels)} labels, looks at {', '.join(self.columns)}>"

    @property
    def single_root(self) -> bool:
        """Whether node 0 gets exactly one dependent."""
        return self.parser.single_root

    @property
    def templates(self) -> list[list[str]]:
        """See :attr:`TrainedParser.templates`."""
        return [self.parser.model.lines()]

    def parse_chunk(
        self, sentences: Sequence[Sentence], confidences: bool = False, advance: Advance = nothing
    ) -> list[Sentence]:
        """See :meth:`ParserModel.parse_chunk`; a graph-based parser has no confidences."""
        if confidences:
            raise CrossarcError(f"{self!r} has no confidences; parse with a transition-based parser")
        return super().parse_chunk(sentences, advance=advance)

    def trees(self, columns: Sequence[Columns], lengths: Sequence[int], advance: Advance = nothing) -> list[Tree]:
        """See :meth:`TrainedParser.trees`."""
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
            **self._facts(),
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
        return Content({**self._values(), "parser": state}, arrays)

    @classmethod
    def from_content(cls, content: Content) -> Self:
        """See :meth:`ParserModel.from_content`."""
        values = content.values
        check_values(values, MODEL)
        expect(TAGS in values["columns"], f"columns.{TAGS}", "found none; expected the tags that edges are filtered by")
        fields = cls._fields(values)
        tables, labels = fields["tables"], len(fields["labels"])
        sizes = column_sizes(tables, tuple(tables))
        with within("parser"):
            parser = FactoredParser.from_state(values["parser"], content.arrays, sizes, len(tables[TAGS]), labels)
        return cls(parser=parser, **fields)
