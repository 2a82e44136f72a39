"""A transition-based parser as a model: its stages, tables, labels and transforms; its k best trees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...oracles.oracle import Gold
from ...oracles.registry import ORACLES, make_oracle
from ...transitions.configuration import Ints
from ...transitions.step import Observer
from ...transitions.three_step import as_pass
from ..base.errors import CrossarcError
from ..base.parameters import BEAM, TEXT, check_value, whole
from ..base.shapes import ANY, ListOf, MapOf, Record, check_values, expect, within
from ..learners.common import taken
from ..search.greedy import DerivedTrees, derive
from ..search.labelling import LabellingGuide
from ..search.stage import Stage, column_sizes
from ..transforms.lifting.projectivize import projectivize
from ..transforms.lifting.pseudo_projective import PseudoProjective
from ..transforms.transform import invert_all_flat
from ..treebank import Sentence, conll_text
from ..treebank.symbols import BATCH, batches_by_length, treebank_column
from ..treebank.tree import FlatTrees, Tree, trees_in
from .model import Bools, joined
from .steps import Calibrator, Floats, State
from .trained import COMMON, READING, TrainedParser
from .words import Batch, SentenceWords, Words

CONFIG = Record(
    {"system": TEXT, "oracle": TEXT, "features": TEXT, "guide": MapOf(ANY), **READING},
    {"beam": BEAM, "explore": whole(0)},
)

MODEL = Record({**COMMON, "config": CONFIG, "stages": ListOf(Record(), least=1)})
"""The JSON values of a transition-based parser; stages add their own values."""


@dataclass(frozen=True, kw_only=True, repr=False)
class TransitionModel(TrainedParser):
    """A transition-based parser. stages: the greedy passes; only the three-step system has more than one."""

    kind: ClassVar[str] = "transitions"

    stages: tuple[Stage, ...]

    def __repr__(self) -> str:
        learner, columns = self.stages[0].learner.name, ", ".join(self.columns)
        return f"<{self.config['system']} parser: {learner}, {len(self.labels)} labels, reads {columns}>"

    @property
    def single_root(self) -> bool:
        return all(stage.system.single_root for stage in self.stages)

    @property
    def beam(self) -> int:
        """Number of derivations in the beam; 1 is greedy."""
        return int(self.config.get("beam", 1))

    def with_beam(self, beam: int) -> Self:
        """The model with another beam, and without calibration. Raises CrossarcError for one that is not allowed."""
        check_value(BEAM, beam, "beam")
        if beam == self.beam:
            return self
        steps = tuple(step for step in self.steps if not isinstance(step, Calibrator))
        return replace(self, config={**self.config, "beam": beam}, steps=steps)

    def groups(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        return batches_by_length(lengths, max(1, BATCH // self.beam))

    def tree_scores(self, words: Words) -> Floats | None:
        stage = self.stages[0]
        needed = {treebank_column(name, self.reads) for name in self.tables}
        if stage.learner.of_derivations or not all(name in words.tagged or words.has(name) for name in needed):
            return None
        stage.loop.hint_workload(4 * int(words.lengths.sum()) * max(2, self.beam))
        scores = np.zeros(len(words.lengths))
        for batch in self.batches_of(words, np.arange(len(words.lengths))):
            initial = stage.system.initial(batch.lengths)
            scores[batch.numbers] = stage.derive_best(initial, batch.ids, max(2, self.beam), complete=True)[1][:, 0]
        return scores

    def hint_workload(self, words: int) -> None:
        super().hint_workload(words)
        for stage in self.stages:
            # every system needs at least two transitions per word; with a beam numpy takes twice as long for each
            stage.loop.hint_workload(2 * words * (2 * self.beam if self.beam > 1 else 1))

    def parse_batch(
        self, batch: Batch, margins: Floats | None = None, observers: Sequence[Observer | None] = ()
    ) -> tuple[Ints, Ints]:
        """(heads, labels) of the words of a batch: the first stage builds a tree, later passes change it.

        margins: receives the margins of the arcs, which are those of the first stage
        observers: one for each stage, or none; only greedy derivations can be observed
        """
        (first, watch), *passes = zip(self.stages, observers or [None] * len(self.stages), strict=True)
        initial = first.system.initial(batch.lengths)
        if self.beam == 1:
            derived = first.derive(initial, batch.ids, watch, margins)
        else:
            derived = first.derive_best(initial, batch.ids, self.beam, margins=margins)[0][0]
        anchors = derived.heads, derived.deprels
        for stage, observe in passes:
            trees = derived.heads, derived.deprels
            c = as_pass(stage.system).over(batch.lengths, anchors, trees, stage.extractor.labels)
            derived = stage.derive(c, batch.ids, observe)
        return derived.heads[batch.inside], derived.deprels[batch.inside]

    @property
    def label_places(self) -> tuple[Collection[str], Collection[str]]:
        places = self.stages[0].label_places
        every = np.ones((2, len(self.labels)), np.bool_) if places is None else places
        below, top = ([self.labels[number] for number in np.flatnonzero(marked)] for marked in every)
        return below, top

    def labelled(self, words: Words, trees: FlatTrees, open: Bools) -> FlatTrees:
        """See :meth:`.model.ParserModel.labelled`; the first stage derives the trees again, guided by an oracle.

        Arcs that the system cannot derive get the labels of arcs to which they are lifted; failing that, words keep
        their labels, or get those that the parser gives to words without a head.
        """
        stage = self.stages[0]
        places = np.ones((2, len(self.labels)), np.bool_) if stage.label_places is None else stage.label_places
        places = places & [not any(transform.changes(label) for transform in self.transforms) for label in self.labels]
        names = list(dict.fromkeys([*trees.names, *self.labels]))
        number = np.array([names.index(label) for label in self.labels])
        labels = trees.labels.copy()
        in_place = np.zeros((2, len(names)), np.bool_)
        in_place[:, number] = places
        usual = number[[stage.fallback.orphan_label, stage.fallback.root_label]]
        at_root = (trees.heads == 0).astype(np.int64)
        lost = open & ~in_place[at_root, labels]
        labels[lost] = usual[at_root[lost]]
        if stage.system.name in ORACLES and all(
            isinstance(transform, PseudoProjective) for transform in self.transforms
        ):
            for batch in self.batches_of(words, np.unique(trees.sentences[open])):
                derived = _labelled(replace(stage, label_places=places), batch, trees)
                heads, parsed_labels = derived.heads[batch.inside], derived.deprels[batch.inside]
                same = (heads == 0) == (trees.heads[batch.places] == 0)
                chosen = open[batch.places] & same & places[(heads == 0).astype(np.int64), parsed_labels]
                labels[batch.places[chosen]] = number[parsed_labels[chosen]]
        return FlatTrees(trees.lengths, trees.heads, labels, names)

    def to_json(self) -> dict[str, Any]:
        stages = [
            {
                "system": stage.system.name,
                "single_root": stage.system.single_root,
                "guide": stage.learner.name,
                "transitions": len(stage.inventory),
                "features": stage.features.lines(),
                "root_label": self.labels[stage.fallback.root_label],
            }
            for stage in self.stages
        ]
        return {**super().to_json(), "stages": stages}

    def state(self) -> State:
        states = [stage.state() for stage in self.stages]
        arrays = joined({f"stage{number}": arrays_of_stage for number, (_, arrays_of_stage) in enumerate(states)})
        return {**self._values(), "stages": [values for values, _ in states]}, arrays

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, MODEL)
        fields = cls._fields(values)
        sizes = column_sizes(fields["tables"], tuple(fields["tables"]))
        stages = []
        for number, state in enumerate(values["stages"]):
            with within(f"stages[{number}]"):
                stage = Stage.from_state(state, taken(arrays, f"stage{number}/"), sizes, len(fields["labels"]))
                fault = "found a system for another stage; the first stage builds a tree, later stages change it"
                expect(stage.system.revises == bool(number), "system", fault)
            stages.append(stage)
        return cls(stages=tuple(stages), **fields)


def _labelled(stage: Stage, batch: Batch, trees: FlatTrees) -> DerivedTrees:
    """The derivation of the trees of a batch, with labels that the stage's learner prefers."""
    ends = np.cumsum(trees.lengths)
    heads = [
        [-1, *trees.heads[ends[number] - trees.lengths[number] : ends[number]].tolist()] for number in batch.numbers
    ]
    if stage.system.projective:
        heads = [projectivize(head)[0] for head in heads]
    gold = Gold(heads, [[-1] * len(head) for head in heads])
    guide = LabellingGuide(make_oracle(stage.system, gold), stage.guide(batch.ids))
    return derive(stage.system, guide, stage.system.initial(batch.lengths), stage.fallback)


def with_best_trees(
    model: TransitionModel, sentences: Sequence[Sentence], count: int, retag: bool = False, keep_deps: bool = False
) -> list[Sentence]:
    """Each sentence up to ``count`` times, with its best trees, all different, the most probable first.

    Two comments give rank and probability of each tree: ``# k_best = 1``, ``# probability = 0.8312``. The softmax of
    the scores of the final derivations in the beam gives probabilities of derivations; the probability of a tree is the
    sum over its derivations. The probabilities of all trees in the beam sum to 1, but only the best ``count`` are
    written. The beam is at least as wide as ``count``. Raises CrossarcError for a parser of several passes.
    """
    words = SentenceWords(sentences, retag, keep_deps)
    words.forget()
    model.fill(words)  # with its own beam, which may choose tags
    model = model.with_beam(max(count, model.beam))
    if len(model.stages) > 1:
        raise CrossarcError("k-best trees need a parser of one pass; scores of several passes cannot be compared")
    best_trees: dict[int, list[tuple[Tree, float]]] = {}
    for batch in model.batches(words):
        best_trees.update(zip(batch.numbers, _best(model, batch, count), strict=True))
    results = []
    for number, sentence in enumerate(words.with_tags()):
        for rank, (tree, probability) in enumerate(best_trees[number], 1):
            parsed = sentence.with_tree(tree.heads, tree.deprels, keep_deps)
            comments = *parsed.comments, f"# k_best = {rank}", f"# probability = {probability:.4f}"
            results.append(replace(parsed, comments=comments))
    return results


def best_texts(
    model: TransitionModel, count: int, retag: bool, keep_deps: bool, sentences: Sequence[Sentence]
) -> Iterable[str]:
    """The text of :func:`with_best_trees`."""
    return map(conll_text, with_best_trees(model, sentences, count, retag, keep_deps))


def _best(model: TransitionModel, batch: Batch, count: int) -> list[list[tuple[Tree, float]]]:
    (stage,) = model.stages
    ranks, scores = stage.derive_best(stage.system.initial(batch.lengths), batch.ids, model.beam, model.beam)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities = weights / weights.sum(axis=1, keepdims=True)
    best: list[dict[tuple[tuple[int, ...], tuple[str, ...]], tuple[Tree, float]]] = [{} for _ in batch.numbers]
    for rank, derived in enumerate(ranks):
        heads, labels = derived.heads[batch.inside], derived.deprels[batch.inside]
        trees = invert_all_flat(model.transforms, FlatTrees(batch.lengths, heads, labels, model.labels))
        for number, tree in enumerate(trees_in(trees)):
            same = tuple(tree.heads), tuple(tree.deprels)
            first, before = best[number].get(same, (tree, 0.0))
            best[number][same] = first, before + float(probabilities[number, rank])
    return [sorted(by_label.values(), key=lambda scored: -scored[1])[:count] for by_label in best]
