"""Derivations for training a stage: the oracle derives every tree, in batches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...features.extractor import Extractor
from ...features.template import FeatureModel, TemplateError
from ...oracles.oracle import Gold, Oracle
from ...oracles.registry import make_dynamic_oracle, make_oracle
from ...transitions.configuration import NONE, Bools
from ...transitions.system import TransitionSystem
from ...transitions.trees import Heads
from ..base.errors import CrossarcError
from ..base.progress import Advance, Progress, task
from ..config.config import MINIMAL_COST, Config
from ..search.greedy import Fallback, derive, naming_sentences
from ..search.stage import column_sizes
from ..transforms.lifting.projectivize import lifted_until, projectivize
from ..treebank import SymbolTable, encode_columns
from ..treebank.symbols import BATCH, batches_by_length
from ..treebank.tree import Tree
from .exploration import TrainingBatch
from .instances import InstanceRecorder, Recorded


@dataclass(slots=True)
class TrainingData:
    """The training data of a parser.

    trees: the transformed trees, with their columns
    first: the trees that the first stage derives; they are projective if passes follow it
    names: names of the trees, for messages
    fallback: labels of arcs that no guide labels
    """

    trees: Sequence[Tree]
    first: Sequence[Tree]
    names: Sequence[str]
    labels: tuple[str, ...]
    tables: Mapping[str, SymbolTable]
    fallback: Fallback

    def extractor(self, features: FeatureModel) -> Extractor:
        """Make the extractor of a feature model. Raises CrossarcError for features that cannot be used."""
        try:
            return Extractor(features, column_sizes(self.tables, features.columns), len(self.labels))
        except TemplateError as error:
            raise CrossarcError(str(error)) from error


@dataclass(frozen=True, slots=True)
class DerivedBatch:
    """The derivations of some trees of similar length.

    numbers: indices of the trees in the treebank
    batch: the trees to derive, possibly changed
    recorded: the decisions
    complete: bool (B,), whether the derivation follows the oracle in every step
    """

    numbers: Sequence[int]
    batch: TrainingBatch
    recorded: Recorded
    complete: Bools

    def taught(self) -> Recorded:
        """The instances to learn from, without those of excluded sentences."""
        return self.recorded.without(self.batch.skip)


@dataclass(frozen=True, slots=True)
class Derivations:
    """Derivation of a stage's training trees.

    all_steps: whether steps with default transitions are also kept
    """

    config: Config
    system: TransitionSystem
    extractor: Extractor
    data: TrainingData
    all_steps: bool = False

    def of(self, folds: Sequence[Sequence[int]], size: int, progress: Progress) -> list[list[DerivedBatch]]:
        """Derive the trees of each fold, in batches of ``size`` trees of similar length.

        The config states how to handle trees that the oracle cannot derive. Raises CrossarcError if it refuses them, or
        if nothing is left to learn from.
        """
        heads = [tree.heads for tree in self.data.first]
        lost = self._lost(heads, [number for number, own in enumerate(heads) if min(own[1:], default=0) >= 0])
        if lost:
            self._change(heads, lost, progress)
        skip = set(lost) if self.config.underivable == "skip" else set()
        with task(progress, "deriving", "sentences", len(heads)) as advance:
            return [[self._batch(heads, own, skip, advance) for own in self._similar(fold, size)] for fold in folds]

    def _change(self, heads: list[list[int]], lost: Sequence[int], progress: Progress) -> None:
        """Report the trees that the oracle cannot derive, and replace them by trees that it can derive.

        If a changed tree cannot be derived either, a non-projective system derives the original tree as far as
        possible.
        """
        what = self.config.underivable
        share = f"{len(lost)} of {len(heads)} trees ({100 * len(lost) / len(heads):.1f} %)"
        if what == "refuse":
            first = self.data.names[lost[0]]
            raise CrossarcError(
                f"the {self.system.name} oracle cannot derive {share}, the first is {first}; "
                "set underivable to another value"
            )
        progress(f"the {self.system.name} oracle cannot derive {share}: {what}")
        if what == "skip" and len(lost) == len(heads):
            raise CrossarcError(f"the {self.system.name} oracle cannot derive any tree of the training treebank")
        if what not in ("projectivize", "lift"):
            return
        if self.system.chains:
            progress(
                f"warning: {self.system.name} derives chains only, in which each word depends on the word before it: "
                "from other trees it learns the labels, not the heads"
            )
            return
        for number in lost:
            own = heads[number]
            heads[number] = lifted_until(own, self._derivable) if what == "lift" else projectivize(own)[0]
        if still := self._lost(heads, lost):
            progress(f"{len(still)} of them cannot be derived as projective trees either; derived as far as possible")
            for number in () if self.system.projective else still:
                heads[number] = self.data.first[number].heads

    def _similar(self, numbers: Sequence[int], size: int = BATCH) -> list[list[int]]:
        lengths = [len(self.data.first[number].heads) - 1 for number in numbers]
        return [[numbers[place] for place in places] for places in batches_by_length(lengths, size)]

    def _lost(self, heads: Sequence[Heads], numbers: Sequence[int]) -> list[int]:
        """The numbers of the trees that the oracle cannot derive."""
        lost: list[int] = []
        for own in self._similar(numbers):
            with naming_sentences([self.data.names[number] for number in own]):
                derivable = self._derivable([heads[number] for number in own])
            lost += [number for number, ok in zip(own, derivable, strict=True) if not ok]
        return sorted(lost)

    def _derivable(self, trees: Sequence[Heads]) -> list[bool]:
        """For each tree, whether the oracle can derive it."""
        gold = Gold(trees, [[NONE, *[0] * (len(heads) - 1)] for heads in trees])
        oracle: Oracle = make_oracle(self.system, gold, self.config.oracle_name)
        found = derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback)
        return (found.heads == gold.heads).all(axis=1).tolist()

    def _batch(
        self, heads: Sequence[list[int]], numbers: Sequence[int], skip: Collection[int], advance: Advance
    ) -> DerivedBatch:
        """Derive one batch.

        heads: all trees
        numbers: the trees to derive
        skip: the trees that are excluded from training
        """
        trees = [self.data.first[number]._replace(heads=heads[number]) for number in numbers]
        gold = Gold.of(trees, self.data.labels)
        ids = encode_columns([tree.columns for tree in trees], self.data.tables)
        skipped = np.array([number in skip for number in numbers], dtype=np.bool_)
        batch = TrainingBatch(gold, ids, skipped)
        dynamic = make_dynamic_oracle(self.system, gold) if self.config.underivable == MINIMAL_COST else None
        oracle: Oracle = dynamic or make_oracle(self.system, gold, self.config.oracle_name)
        certain = dynamic.certain if dynamic else None
        recorder = InstanceRecorder(self.extractor, batch.ids, len(numbers), self.all_steps, certain)
        with naming_sentences([self.data.names[number] for number in numbers]):
            derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback, recorder)
        advance(len(numbers))
        return DerivedBatch(numbers, batch, recorder.recorded(), recorder.complete)
