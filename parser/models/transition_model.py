"""A transition-based parser as a model: its trained stages, symbol tables, labels and transforms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from ..transforms import invert_all, prepare_all
from ..treebank import Sentence, encode_columns
from ..treebank.batches import batches_by_length
from ..treebank.tree import Columns, Tree
from .confidence import ConfidenceRecorder, annotated, carried, check_annotatable
from .info import facts_text
from .model import Content, ParserModel
from .tables import COMMON, OPTIONAL, READING
from .trained import TrainedParser

__all__ = ["TransitionModel", "with_derivations"]


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


@dataclass(frozen=True, kw_only=True, repr=False)
class TransitionModel(TrainedParser):
    """A transition-based parser. stages: the greedy passes, one but for the three-step system."""

    kind: ClassVar[str] = "transitions"

    stages: tuple[Stage, ...]

    def __repr__(self) -> str:
        learner, columns = self.stages[0].learner.name, ", ".join(self.columns)
        return f"<{self.config['system']} parser: {learner}, {len(self.labels)} labels, looks at {columns}>"

    @property
    def single_root(self) -> bool:
        """Whether node 0 gets exactly one dependent."""
        return all(stage.system.single_root for stage in self.stages)

    @property
    def templates(self) -> list[list[str]]:
        """See :attr:`TrainedParser.templates`."""
        return [stage.features.lines() for stage in self.stages]

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
        if not confidences:
            return super().parse_chunk(sentences, advance=advance)
        if self.beam > 1:
            raise CrossarcError("confidences are those of greedy decisions; allowed: with a beam of 1 (--beam 1)")
        check_annotatable(sentences)
        trees = self.trees(self.columns_of(sentences), list(map(len, sentences)), advance, confidences)
        parsed = (sentence.with_tree(tree.heads, tree.deprels) for sentence, tree in zip(sentences, trees, strict=True))
        return list(map(annotated, parsed, trees))

    def trees(
        self,
        columns: Sequence[Columns],
        lengths: Sequence[int],
        advance: Advance = nothing,
        confidences: bool = False,
    ) -> list[Tree]:
        """See :meth:`TrainedParser.trees`. confidences: whether the trees carry the confidences in their arcs
        (:mod:`.confidence`)."""
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
            watching = [ConfidenceRecorder(stage.system, stage.learner.confidences, kept) for stage in self.stages]
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
            **self._facts(),
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
        return Content({**self._values(), "stages": stages}, arrays)

    @classmethod
    def from_content(cls, content: Content) -> Self:
        """See :meth:`ParserModel.from_content`."""
        values = content.values
        check_values(values, MODEL)
        sized = {"batch_size", "sentences"} & values["config"].keys()
        expect(bool(sized), "config.batch_size", f"found none; expected {whole(1).words}")
        fields = cls._fields(values)
        sizes = column_sizes(fields["tables"], tuple(fields["tables"]))
        stages = []
        for number, own in enumerate(values["stages"]):
            part = content.part(f"stage{number}/", own)
            with within(f"stages[{number}]"):
                stages.append(Stage.from_state(part.values, part.arrays, sizes, len(fields["labels"])))
                right = stages[-1].system.revises == bool(number)
                expect(right, "system", "only the first stage, and it alone, can parse without a tree")
        return cls(stages=tuple(stages), **fields)


def with_derivations(model: ParserModel, refusal: str) -> TransitionModel:
    """A model that takes transitions, as what it is; raises CrossarcError, which says ``refusal``, for others."""
    if not isinstance(model, TransitionModel):
        raise CrossarcError(refusal)
    return model
