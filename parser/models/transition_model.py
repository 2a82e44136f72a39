"""A transition-based parser as a model: its trained stages, symbol tables, labels and transforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...transitions.step import Observer
from ..base.errors import CrossarcError
from ..base.parameters import BEAM, TEXT, check_value, whole
from ..base.progress import Advance, nothing
from ..base.shapes import ANY, ListOf, MapOf, Record, check_values, expect, within
from ..search.greedy import DerivedTrees
from ..search.learned_guide import ValueIds
from ..search.passes import derive_stages
from ..search.stage import Stage, column_sizes
from ..transforms import Transform, invert_all, prepare_all, transform_from_json
from ..treebank import FIRST_KNOWN, Sentence, Table, encode_columns
from ..treebank.batches import batches_by_length
from ..treebank.symbols import feature_columns
from ..treebank.tree import Columns, Tree
from .confidence import ConfidenceRecorder, annotated, carried, check_annotatable
from .info import facts_text
from .model import Content, ParserModel
from .tables import COMMON, OPTIONAL, READING, annotation_of, common_values, filled_columns, table_from_json

__all__ = ["TransitionModel"]


CONFIG = Record(
    {"system": TEXT, "oracle": TEXT, "features": TEXT, "guide": MapOf(ANY)},
    {
        **READING,
        "batch_size": whole(1),
        "sentences": whole(1),
        "search": Record({"beam": BEAM}),
        "training": Record({"explore": Record({"rounds": whole(0), "folds": whole(2), "seed": whole(0)})}),
    },
)
MODEL = Record({**COMMON, "config": CONFIG, "stages": ListOf(Record(), least=1)}, OPTIONAL)
"""The JSON values of a transition-based parser; stages say more of theirs."""


@dataclass(frozen=True, slots=True, repr=False)
class TransitionModel(ParserModel):
    """A transition-based parser.

    config: what it was trained with. stages: the greedy passes, one but for the three-step system. tables: the symbol
    tables of the columns that features look at. labels: the dependency labels, by label number. transforms: in the
    order of training. reads: the columns that are read in the place of others, of which training had no value.
    """

    kind: ClassVar[str] = "transitions"

    config: Mapping[str, Any]
    stages: tuple[Stage, ...]
    tables: Mapping[str, Table]
    labels: tuple[str, ...]
    transforms: tuple[Transform, ...]
    provenance: Mapping[str, Any]
    reads: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        learner, columns = self.stages[0].learner.name, ", ".join(self.columns)
        return f"<{self.config['system']} parser: {learner}, {len(self.labels)} labels, looks at {columns}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The treebank columns that the model's features look at."""
        return tuple(self.tables)

    @property
    def single_root(self) -> bool:
        """Whether node 0 gets exactly one dependent."""
        return all(stage.system.single_root for stage in self.stages)

    @property
    def batch_size(self) -> int:
        """How many sentences are advanced in lockstep."""
        size = self.config["batch_size" if "batch_size" in self.config else "sentences"]  # as old models call it
        return max(1, int(size) // self.beam)

    @property
    def beam(self) -> int:
        """How many derivations of a sentence are followed at a time; 1 is greedy."""
        return int(self.config.get("search", {"beam": 1})["beam"])

    def with_beam(self, beam: int) -> Self:
        """The model with another beam. Raises CrossarcError for one that is not allowed."""
        check_value(BEAM, beam, "beam")
        return replace(self, config={**self.config, "search": {"beam": beam}})

    def parse_chunk(
        self, sentences: Sequence[Sentence], confidences: bool = False, advance: Advance = nothing
    ) -> list[Sentence]:
        """See :meth:`ParserModel.parse_chunk`."""
        if confidences:
            if self.beam > 1:
                raise CrossarcError("confidences are those of greedy decisions; allowed: with a beam of 1 (--beam 1)")
            check_annotatable(sentences)
        columns = [feature_columns(sentence, self.columns, self.reads) for sentence in sentences]
        trees = self.trees(columns, list(map(len, sentences)), confidences, advance)
        parsed = [sentence.with_tree(tree.heads, tree.deprels) for sentence, tree in zip(sentences, trees, strict=True)]
        return list(map(annotated, parsed, trees)) if confidences else parsed

    def trees(
        self,
        columns: Sequence[Columns],
        lengths: Sequence[int],
        confidences: bool = False,
        advance: Advance = nothing,
    ) -> list[Tree]:
        """The trees of sentences given by the columns that the model looks at, after the inverse transforms.

        lengths: the numbers of words; a model may look at no column at all. confidences: whether the trees carry the
        confidences in their arcs (:mod:`.confidence`). advance: is told how many words more are parsed.
        """
        self.expect(sum(lengths))
        prepared = [prepare_all(self.transforms, own) for own in columns] if self.transforms else columns
        trees: dict[int, Tree] = {}
        for numbers in batches_by_length(lengths, self.batch_size):
            batch = [prepared[number] for number in numbers]
            words = np.array([lengths[number] for number in numbers])
            trees.update(zip(numbers, self._parse_batch(batch, words, confidences), strict=True))
            advance(int(words.sum()))
        return [trees[number] for number in range(len(columns))]

    def expect(self, words: int) -> None:
        """So many words are about to be parsed: what is worth loading for them may be loaded."""
        for stage in self.stages:
            stage.loop.expect(2 * words)  # at least so many transitions, with any system

    def value_ids(self, batch: Sequence[Columns]) -> ValueIds:
        """The value ids of the columns of a batch, as transforms prepared them, that the model looks at."""
        by_name = {name: [own[name] for own in batch] for name in self.columns}
        return {name: ids.astype(np.int64) for name, ids in encode_columns(by_name, self.tables).items()}

    def derive(
        self, batch: Sequence[Columns], lengths: NDArray[np.integer], observers: Sequence[Observer | None] = ()
    ) -> DerivedTrees:
        """The trees of a batch before the inverse transforms. observers: one for each stage, or none."""
        return derive_stages(self.stages, lengths, self.value_ids(batch), observers, self.beam)

    def _parse_batch(self, batch: Sequence[Columns], lengths: NDArray[np.integer], confidences: bool) -> list[Tree]:
        if confidences:
            kept = np.zeros((len(lengths), int(lengths.max(initial=0)) + 2))
            watching = [ConfidenceRecorder(stage.system, stage.learner, kept) for stage in self.stages]
            derived = self.derive(batch, lengths, watching)
            batch = [carried(own, row[1 : n + 1]) for own, row, n in zip(batch, kept, lengths.tolist(), strict=True)]
        else:
            derived = self.derive(batch, lengths)
        return self.inverted(batch, lengths, derived)

    def inverted(self, batch: Sequence[Columns], lengths: NDArray[np.integer], derived: DerivedTrees) -> list[Tree]:
        """The trees of a batch with their columns, after the inverse transforms."""
        names = np.array([*self.labels, ""], dtype=object)
        rows = zip(batch, lengths.tolist(), derived.heads.tolist(), names[derived.deprels].tolist(), strict=True)
        trees = [Tree(heads[: n + 1], deprels[: n + 1], own) for own, n, heads, deprels in rows]
        return [invert_all(self.transforms, tree) for tree in trees] if self.transforms else trees

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
        return {
            "config": self.config,
            "stages": [
                {
                    "system": stage.system.name,
                    "single_root": stage.system.single_root,
                    "guide": stage.learner.name,
                    "transitions": len(stage.inventory),
                    "features": stage.features.lines(),
                    "root_label": self.labels[stage.fallback.root_label],
                }
                for stage in self.stages
            ],
            "columns": {name: len(table) - FIRST_KNOWN for name, table in self.tables.items()},
            "labels": list(self.labels),
            "transforms": [transform.to_json() for transform in self.transforms],
            "provenance": self.provenance,
            "reads": dict(self.reads),
        }

    def to_text(self) -> str:
        """See :meth:`ParserModel.to_text`."""
        return facts_text(self.to_json())

    def content(self) -> Content:
        """See :meth:`ParserModel.content`."""
        arrays = {}
        stages = []
        for number, stage in enumerate(self.stages):
            values, stage_arrays = stage.state()
            stages.append(values)
            arrays.update({f"stage{number}/{name}": array for name, array in stage_arrays.items()})
        return Content({**common_values(self), "stages": stages}, arrays)

    @classmethod
    def from_content(cls, content: Content) -> Self:
        """See :meth:`ParserModel.from_content`."""
        values = content.values
        check_values(values, MODEL)
        sized = {"batch_size", "sentences"} & values["config"].keys()
        expect(bool(sized), "config.batch_size", f"found none; expected {whole(1).words}")
        tables = {name: table_from_json(state, name) for name, state in values["columns"].items()}
        labels, sizes = tuple(values["labels"]), column_sizes(tables, tuple(tables))
        stages = []
        for number, own in enumerate(values["stages"]):
            part = content.part(f"stage{number}/", own)
            with within(f"stages[{number}]"):
                stages.append(Stage.from_state(part.values, part.arrays, sizes, len(labels)))
                right = stages[-1].system.revises == bool(number)
                expect(right, "system", "only the first stage, and it alone, can parse without a tree")
        transforms = tuple(transform_from_json(state) for state in values["transforms"])
        reads = values.get("reads", {})
        return cls(values["config"], tuple(stages), tables, labels, transforms, values["provenance"], reads)
