"""A graph-based parser as a model: its weights, symbol tables, labels and transforms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Ints
from ...base.errors import CrossarcError
from ...base.parameters import TEXT
from ...base.progress import Advance, nothing
from ...base.shapes import Record, check_values, expect, within
from ...models.model import Bools
from ...models.steps import Floats, State
from ...models.trained import COMMON, READING, TrainedParser
from ...models.words import Batch, Decisions, Words
from ...search.stage import column_sizes
from ...treebank.tree import FlatTrees
from .factored_parser import LONGEST, FactoredParser, batches_by_cubes
from .features import TAGS, WordColumns

MODEL = Record({**COMMON, "config": Record({"features": TEXT, **READING}), "parser": Record()})
"""The JSON values of a graph-based parser; what scores and decodes says more of its own."""
BATCH = 32
"""Number of sentences that are decoded together.

Larger batches are not faster because their scores exceed the cache.
"""

MOST_WORDS = 4000
"""Maximum number of words of a sentence; the scores of pairs then take about 3 GB."""


@dataclass(frozen=True, kw_only=True, repr=False)
class GraphModel(TrainedParser):
    """A graph-based parser. parser: features, weights and decoder."""

    kind: ClassVar[str] = "graph"

    parser: FactoredParser

    def __repr__(self) -> str:
        order = self.parser.features.order
        return f"<graph-based parser: order {order}, {len(self.labels)} labels, reads {', '.join(self.columns)}>"

    @property
    def single_root(self) -> bool:
        return self.parser.single_root

    def trees(self, words: Words, advance: Advance = nothing, margins: Floats | None = None) -> FlatTrees:
        if (longest := int(words.lengths.max(initial=0))) > MOST_WORDS:
            fault = f"found a sentence of {longest} words, but graph-based parsing scores all pairs of words"
            raise CrossarcError(f"{fault}; allowed: {MOST_WORDS} at most; split it or use a transition-based parser")
        return super().trees(words, advance, margins)

    def groups(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        return batches_by_cubes(lengths, BATCH)

    def batches(self, words: Words) -> Iterator[Batch]:
        for batch in super().batches(words):
            yield batch if words.kept is None or self.transforms else batch._replace(kept=self._kept(words.kept, batch))

    def _kept(self, kept: Decisions, batch: Batch) -> tuple[Ints, Ints]:
        """The arcs to keep of the nodes of a batch, see :meth:`.FactoredParser.trees`."""
        number = {label: place for place, label in enumerate(self.labels)}
        starts = np.cumsum(batch.lengths + 1) - batch.lengths - 1
        heads, labels = np.full((2, int((batch.lengths + 1).sum())), -1)
        nodes = np.delete(np.arange(len(heads)), starts)
        heads_kept = kept.heads[batch.places]
        heads[nodes] = np.where(heads_kept >= 0, heads_kept + np.repeat(starts, batch.lengths), -1)
        labels[nodes] = [number.get(kept.labels[place], -1) for place in batch.places.tolist()]
        return heads, labels

    @property
    def label_places(self) -> tuple[Collection[str], Collection[str]]:
        below, top = (
            [self.labels[number] for number in np.flatnonzero(label_place)] for label_place in self.parser.label_places
        )
        return below, top

    def labelled(self, words: Words, trees: FlatTrees, open: Bools) -> FlatTrees:
        if self.transforms:  # the arcs of which differ from those of the trees
            return trees
        names = list(dict.fromkeys([*trees.names, *self.labels]))
        number = np.array([names.index(label) for label in self.labels])
        labels = trees.labels.copy()
        for batch in self.batches_of(words, np.unique(trees.sentences[open])):
            starts = np.cumsum(batch.lengths + 1) - batch.lengths - 1
            nodes = np.delete(np.arange(int((batch.lengths + 1).sum())), starts)
            heads = np.full(len(nodes) + len(starts), -1)
            heads[nodes] = trees.heads[batch.places] + np.repeat(starts, batch.lengths)
            chosen = open[batch.places]
            labels_of_batch = self.parser.labels(WordColumns(batch.lengths, batch.ids), heads)
            labels[batch.places[chosen]] = number[labels_of_batch[nodes][chosen]]
        return FlatTrees(trees.lengths, trees.heads, labels, names)

    def parse_batch(self, batch: Batch, margins: Floats | None) -> tuple[Ints, Ints]:
        nodes = None if margins is None else np.empty(int(batch.lengths.sum()) + len(batch.lengths))
        heads, labels = self.parser.trees(WordColumns(batch.lengths, batch.ids), nodes, batch.kept)
        words = heads >= 0
        if margins is not None and nodes is not None:
            margins[batch.inside] = nodes[words]
        return heads[words], labels[words]

    @property
    def longest(self) -> int | None:
        return LONGEST if self.parser.features.order == 2 else None

    def to_json(self) -> dict[str, Any]:
        parser = self.parser
        options = {
            "order": parser.features.order,
            "nonprojective": parser.nonprojective,
            "single_root": parser.single_root,
            "table_bits": parser.table_bits,
            "features": parser.features.model.lines(),
        }
        return {**super().to_json(), **options}

    def state(self) -> State:
        values, arrays = self.parser.state()
        return {**self._values(), "parser": values}, arrays

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, MODEL)
        expect(TAGS in values["columns"], f"columns.{TAGS}", "found none; expected the tags that the edge filter reads")
        fields = cls._fields(values)
        tables, labels = fields["tables"], len(fields["labels"])
        sizes = column_sizes(tables, tuple(tables))
        with within("parser"):
            parser = FactoredParser.from_state(values["parser"], arrays, sizes, len(tables[TAGS]), labels)
        return cls(parser=parser, **fields)
