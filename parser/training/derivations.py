"""The derivations that a stage is trained on: the oracle derives every tree once, in batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...features.extractor import Extractor
from ...oracles.oracle import Gold, Oracle
from ...oracles.registry import make_dynamic_oracle, make_oracle
from ...transitions.configuration import NONE, Bools
from ...transitions.system import TransitionSystem
from ...transitions.trees import Heads
from ..base.errors import CrossarcError
from ..base.progress import Advance, Progress, nothing, task
from ..config.config import MINIMAL_COST, Config
from ..search.greedy import Fallback, derive
from ..transforms.lifting.projectivize import lifted_until, projectivize
from ..treebank import Table, encode_columns
from ..treebank.symbols import batches_by_length
from ..treebank.tree import Tree
from .exploration import TrainingBatch
from .instances import InstanceRecorder, Recorded


@dataclass(slots=True)
class TrainingData:
    """The training data of a parser.

    trees: as transformed, with their columns. first: those that the first stage derives, projective ones if passes
    follow it. names: of the trees, for messages. fallback: labels of arcs that no guide labels.
    """

    trees: Sequence[Tree]
    first: Sequence[Tree]
    names: Sequence[str]
    labels: tuple[str, ...]
    tables: Mapping[str, Table]
    fallback: Fallback


@dataclass(frozen=True, slots=True)
class DerivedBatch:
    """The derivations of some trees of similar length.

    numbers: of the trees in the treebank. batch: the trees as they were to be derived. recorded: what was decided, in
    one part or more. reached: bool (B,), which trees came out. complete: bool (B,), where the oracle was followed all
    the way.
    """

    numbers: Sequence[int]
    batch: TrainingBatch
    recorded: Sequence[Recorded]
    reached: Bools
    complete: Bools

    def skipping(self, sentences: Bools) -> DerivedBatch:
        """The same without some sentences, bool (B,)."""
        return replace(self, batch=replace(self.batch, skip=sentences))

    def taught(self) -> list[Recorded]:
        """The instances to learn from, without those of sentences that are left out."""
        return [part.without(self.batch.skip) for part in self.recorded]


@dataclass(frozen=True, slots=True)
class Derivations:
    """Derivation of a stage's training trees. all_steps: keep steps with default transitions, too."""

    config: Config
    system: TransitionSystem
    extractor: Extractor
    data: TrainingData
    all_steps: bool = False

    def of(self, folds: Sequence[Sequence[int]], size: int, progress: Progress) -> list[list[DerivedBatch]]:
        """The derivations of the trees of each fold, in batches of ``size`` trees of similar length.

        The config decides about trees that the oracle cannot derive. Raises CrossarcError where that
        leaves nothing to learn from, or is to refuse them.
        """
        heads = [tree.heads for tree in self.data.first]
        with task(progress, "deriving", "sentences", len(heads)) as advance:
            derived = [[self._batch(heads, own, advance) for own in self._similar(fold, size)] for fold in folds]
        lost = sorted(number for fold in derived for own in fold for number in _lost(own))
        if not lost:
            return derived
        what = self.config.underivable
        share = f"{len(lost)} of {len(heads)} trees ({100 * len(lost) / len(heads):.1f} %)"
        if what == "refuse":
            first = self.data.names[lost[0]]
            raise CrossarcError(f"the {self.system.name} oracle cannot derive {share}, the first is {first}")
        progress(f"the {self.system.name} oracle cannot derive {share}: {what}")
        if what == "skip":
            if len(lost) == len(heads):
                raise CrossarcError(f"the {self.system.name} oracle cannot derive any tree of the training treebank")
            return [[own.skipping(~own.reached) for own in fold] for fold in derived]
        if self.system.chains and what in ("projectivize", "lift"):
            progress(
                f"warning: {self.system.name} derives chains only, in which each word depends on the word before it: "
                "from other trees it learns the labels, not the heads"
            )
            return derived
        if what == "projectivize":
            return self._rederived(derived, lambda heads: projectivize(heads)[0], progress)
        if what == "lift":
            return self._rederived(derived, lambda heads: lifted_until(heads, self._derivable), progress)
        return derived

    def _similar(self, numbers: Sequence[int], size: int) -> list[list[int]]:
        lengths = [len(self.data.first[number].heads) - 1 for number in numbers]
        return [[numbers[place] for place in places] for places in batches_by_length(lengths, size)]

    def _derivable(self, trees: Sequence[Heads]) -> list[bool]:
        """The trees that the oracle can derive."""
        gold = Gold(trees, [[NONE, *[0] * (len(heads) - 1)] for heads in trees])
        oracle: Oracle = make_oracle(self.system, gold, self.config.oracle_name)
        found = derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback)
        return (found.heads == gold.heads).all(axis=1).tolist()

    def _rederived(
        self, derived: list[list[DerivedBatch]], change: Callable[[Heads], list[int]], progress: Progress
    ) -> list[list[DerivedBatch]]:
        """The trees that did not come out, and only they, changed and derived anew; where that does not help a system
        that is not projective, as they were."""
        heads = [tree.heads for tree in self.data.first]
        for number in (number for fold in derived for own in fold for number in _lost(own)):
            heads[number] = change(heads[number])
        again = [[self._batch(heads, _lost(own)) if _lost(own) else None for own in fold] for fold in derived]
        still = sum(int((~own.reached).sum()) for fold in again for own in fold if own)
        if still:
            progress(f"{still} of them cannot be derived as projective trees either; derived as far as possible")
        return [
            [own if new is None else self._replaced(own, new) for own, new in zip(fold, anew, strict=True)]
            for fold, anew in zip(derived, again, strict=True)
        ]

    def _replaced(self, own: DerivedBatch, new: DerivedBatch) -> DerivedBatch:
        used = new.reached | self.system.projective
        places = np.flatnonzero(~own.reached)
        gone = np.zeros(len(own.reached), dtype=np.bool_)
        gone[places[used]] = True
        recorded = [part.without(gone) for part in own.recorded]
        recorded += [part.renumbered(np.where(used, places, -1)) for part in new.recorded]
        gold_heads, complete = own.batch.gold.heads.copy(), own.complete.copy()
        gold_heads[places[used], : new.batch.gold.heads.shape[1]] = new.batch.gold.heads[used]
        complete[places[used]] = new.complete[used]
        rows = zip(gold_heads.tolist(), own.batch.gold.lengths.tolist(), strict=True)
        gold = self._gold([heads[: n + 1] for heads, n in rows], own.numbers)
        return replace(own, batch=replace(own.batch, gold=gold), recorded=recorded, complete=complete)

    def _batch(self, heads: Sequence[list[int]], numbers: Sequence[int], advance: Advance = nothing) -> DerivedBatch:
        """heads: of all trees. numbers: of those to derive. advance: receives the number of derived trees."""
        gold = self._gold([heads[number] for number in numbers], numbers)
        by_name = {name: [self.data.first[number].columns[name] for number in numbers] for name in self.data.tables}
        batch = TrainingBatch(gold, encode_columns(by_name, self.data.tables), np.zeros(len(numbers), dtype=np.bool_))
        recorder = InstanceRecorder(self.extractor, batch.ids, len(numbers), self.all_steps)
        oracle: Oracle = make_oracle(self.system, gold, self.config.oracle_name)
        if (
            self.config.underivable == MINIMAL_COST
        ):  # another oracle than the one that reports which trees it can derive
            found = derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback)
            oracle = make_dynamic_oracle(self.system, gold)
            derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback, recorder)
        else:
            found = derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback, recorder)
        reached = (found.heads == gold.heads).all(axis=1)
        advance(len(numbers))
        return DerivedBatch(numbers, batch, [recorder.recorded()], reached, recorder.complete)

    def _gold(self, heads: Sequence[list[int]], numbers: Sequence[int]) -> Gold:
        trees = [self.data.first[number]._replace(heads=own) for number, own in zip(numbers, heads, strict=True)]
        return Gold.of(trees, self.data.labels)


def _lost(own: DerivedBatch) -> list[int]:
    return [number for number, ok in zip(own.numbers, own.reached.tolist(), strict=True) if not ok]
