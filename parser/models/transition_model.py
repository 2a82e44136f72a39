"""A transition-based parser as a model: its trained stages, symbol tables, labels and transforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from ...transitions.step import Observer
from ..base.errors import CrossarcError
from ..base.parameters import BEAM, TEXT, check_value, whole
from ..base.progress import Advance, nothing
from ..base.shapes import ANY, ListOf, MapOf, Record, check_values, expect, within
from ..search.greedy import DerivedTrees
from ..search.stage import Stage, column_sizes, derive_stages
from ..transforms import invert_all_flat, word_order
from ..treebank.symbols import batches_by_length
from ..treebank.tree import FlatTrees
from .confidence import ConfidenceRecorder
from .info import facts_text
from .model import Content, Floats, ParserModel
from .tables import COMMON, OPTIONAL, READING
from .tagger import tag
from .trained import TrainedParser
from .words import Batch, Words, word_batches

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
        return [stage.features.lines() for stage in self.stages]

    @property
    def batch_size(self) -> int:
        """Number of sentences advanced in lockstep."""
        size = self.config["batch_size" if "batch_size" in self.config else "sentences"]  # the name in old models
        return max(1, int(size) // self.beam)

    @property
    def beam(self) -> int:
        """Number of derivations in the beam; 1 is greedy."""
        return int(self.config.get("search", {"beam": 1})["beam"])

    def with_beam(self, beam: int) -> Self:
        """The model with another beam. Raises CrossarcError for one that is not allowed."""
        check_value(BEAM, beam, "beam")
        return replace(self, config={**self.config, "search": {"beam": beam}})

    def trees(self, words: Words, advance: Advance = nothing, confidences: Floats | None = None) -> FlatTrees:
        if confidences is not None and self.beam > 1:
            raise CrossarcError("confidences are those of greedy decisions; allowed: with a beam of 1 (--beam 1)")
        total = int(words.lengths.sum())
        self.hint_workload(total)
        heads, labels = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
        order = word_order(self.transforms, words.lengths)
        for batch in self.batches(words):
            watching: Sequence[Observer] = ()
            if confidences is not None:
                kept = np.zeros(batch.inside.shape)
                watching = [ConfidenceRecorder(stage.system, stage.learner.confidences, kept) for stage in self.stages]
            derived = self.derive(batch, watching)
            heads[batch.places], labels[batch.places] = derived.heads[batch.inside], derived.deprels[batch.inside]
            if confidences is not None:
                confidences[order[batch.places]] = kept[batch.inside]
            advance(len(batch.places))
        return invert_all_flat(self.transforms, FlatTrees(words.lengths, heads, labels, self.labels))

    def hint_workload(self, words: int) -> None:
        for stage in self.stages:
            stage.loop.hint_workload(2 * words)  # at least so many transitions, with any system

    def batches(self, words: Words) -> Iterator[Batch]:
        """The words, tagged, in batches of sentences of similar length, to be advanced in lockstep."""
        tag(words, self.taggers)
        groups = batches_by_length(words.lengths.tolist(), self.batch_size)
        return word_batches(words, self.transforms, self.tables, self.reads, groups)

    def derive(self, batch: Batch, observers: Sequence[Observer | None] = ()) -> DerivedTrees:
        """The trees of a batch before the inverse transforms. observers: one for each stage, or none."""
        return derive_stages(self.stages, batch.lengths, batch.ids, observers, self.beam)

    def to_json(self) -> dict[str, Any]:
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
        return facts_text(self.to_json())

    def content(self) -> Content:
        arrays = {}
        stages = []
        for number, stage in enumerate(self.stages):
            values, stage_arrays = stage.state()
            stages.append(values)
            arrays.update({f"stage{number}/{name}": array for name, array in stage_arrays.items()})
        return self._content({"stages": stages}, arrays)

    @classmethod
    def from_content(cls, content: Content) -> Self:
        values = content.values
        check_values(values, MODEL)
        sized = {"batch_size", "sentences"} & values["config"].keys()
        expect(bool(sized), "config.batch_size", f"found none; expected {whole(1).words}")
        fields = cls._fields(content)
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
    """The model as a transition-based one. Raises CrossarcError with the text ``refusal`` for others."""
    if not isinstance(model, TransitionModel):
        raise CrossarcError(refusal)
    return model
