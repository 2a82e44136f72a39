"""Derivations for training a stage: the oracle derives every tree, in batches; its decisions become instances."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor
from ...features.template import FeatureModel, TemplateError
from ...oracles.oracle import Gold, Oracle
from ...oracles.registry import make_dynamic_oracle, make_oracle
from ...transitions.configuration import NONE, Bools, Configuration, Ints
from ...transitions.step import DerivationStep
from ...transitions.swap import SWAP
from ...transitions.system import TransitionSystem
from ...transitions.trees import Heads, inversions, is_projective, roots
from ..base.data_warnings import warn
from ..base.errors import CrossarcError
from ..base.progress import Advance, Progress, task
from ..config.config import MINIMAL_COST, Config
from ..learners.instances import Instances, KeyMatrix
from ..learners.key_file import KeyFile
from ..search.greedy import Fallback, derive, naming_sentences
from ..search.learned_guide import ValueIds
from ..search.stage import column_sizes
from ..transforms.lifting.projectivize import lifted_until, projectivize
from ..treebank.symbols import BATCH, SymbolTable, batches_by_length, encode_columns
from ..treebank.tree import Tree
from .exploration import TrainingBatch

MOST_SWAPS = 5_000
"""Number of swaps above which a tree counts as one that cannot be derived. The largest one in the treebanks of our
experiments is 1 815; the number grows with the square of the words, and a random tree of 500 words has 60 000."""
Certain = Callable[[Configuration, Bools], Bools]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The decisions in the derivations of a batch, step by step, in the order of the sentences.

    matrix: the features
    decisions: int64 (instances, 2), move number and label of each instance
    step, sentence: int32 (instances,), the step and the sentence of each instance; sentence -1 excludes it from
        training
    """

    matrix: KeyMatrix
    decisions: Ints
    step: NDArray[np.int32]
    sentence: NDArray[np.int32]

    def without(self, sentences: Bools) -> Recorded:
        """The decisions without some sentences of the batch.

        sentences: bool (B,), the sentences to exclude
        """
        return replace(self, sentence=np.where(sentences[self.sentence], np.int32(-1), self.sentence))

    def filed(self, file: KeyFile) -> Recorded:
        """The decisions to learn from, without their features, which go to a file."""
        kept = np.flatnonzero(self.sentence >= 0)
        file.add(self.matrix.part(kept))
        none = KeyMatrix.none(self.matrix.numbers.shape[1])
        return Recorded(none, self.decisions[kept], self.step[kept], self.sentence[kept])


class InstanceRecorder:
    """Observes a derivation and records the features of each configuration and the decision.

    Rows in which a default transition replaces the decision are not recorded, because they teach nothing; with
    ``all_steps`` they are recorded, so that derivations are complete. complete: bool (B,), whether the guide was
    followed in every step. certain: function from configurations and permissible moves to the rows to record.
    """

    def __init__(
        self, extractor: Extractor, ids: ValueIds, batch: int, all_steps: bool = False, certain: Certain | None = None
    ) -> None:
        self.complete = np.ones(batch, dtype=np.bool_)
        self._extractor = extractor
        self._ids = ids
        self._all_steps = all_steps
        self._certain = certain
        self._keys: list[NDArray[np.int64]] = []
        self._decisions: list[Ints] = []
        self._sentences: list[Ints] = []

    def __call__(self, step: DerivationStep) -> None:
        self.complete[step.sentences[step.unguided]] = False
        wanted = np.ones(len(step.moves), dtype=np.bool_) if self._all_steps else ~step.unguided
        if self._certain is not None:
            wanted &= self._certain(step.c, step.legal)
        kept = slice(None) if wanted.all() else np.flatnonzero(wanted)
        self._keys.append(self._extractor.keys(step.c if isinstance(kept, slice) else step.c.at(kept), self._ids))
        self._decisions.append(np.stack([step.moves[kept], step.labels[kept]], axis=1))
        self._sentences.append(step.sentences[kept])

    def recorded(self) -> Recorded:
        """Return the instances, and release their keys."""
        sizes = list(map(len, self._sentences))
        keys = self._keys or [np.empty((0, len(self._extractor.slots)), dtype=np.int64)]
        result = Recorded(
            KeyMatrix.of(np.concatenate(keys)),
            np.concatenate(self._decisions or [np.empty((0, 2), dtype=np.int64)]),
            np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
            np.concatenate(self._sentences or [np.empty(0, dtype=np.int64)]).astype(np.int32),
        )
        self._keys.clear()
        return result


def merge_instances(
    batches: Sequence[Recorded], extractor: Extractor, by_sentence: bool = False, file: KeyFile | None = None
) -> tuple[Instances, Ints, list[Ints]]:
    """Return (instances of all batches, inventory, sentences).

    by_sentence: whether instances are ordered by sentence; otherwise by step
    file: the features of the instances in this order, if they are not in the batches

    The inventory of decisions is in ascending order, int64 (classes, 2). The last result has, for each batch, the
    sentences of its instances in their order.
    """
    batch = np.repeat(np.arange(len(batches)), [len(batch.sentence) for batch in batches])
    step, sentence = (np.concatenate([getattr(batch, name) for batch in batches]) for name in ("step", "sentence"))
    rows = np.lexsort((step, sentence, batch) if by_sentence else (sentence, step, batch))
    rows = rows[sentence[rows] >= 0]
    inventory, target = np.unique(
        np.concatenate([batch.decisions for batch in batches])[rows], axis=0, return_inverse=True
    )
    slots = tuple(extractor.slots)
    matrix = (
        KeyMatrix.none(len(slots)) if file is not None else KeyMatrix.joined([batch.matrix for batch in batches], rows)
    )
    instances = Instances(matrix, target.ravel().astype(np.int32), slots, len(inventory), inventory[:, 0], file)
    ends = np.searchsorted(batch[rows], np.arange(1, len(batches)))
    return instances, inventory, np.split(sentence[rows], ends)


@dataclass
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

    def value_ids(self, numbers: Sequence[int]) -> dict[str, NDArray[np.integer]]:
        """The value ids of some trees, by table, see :func:`~..treebank.symbols.encode_columns`."""
        return encode_columns([self.first[number].columns for number in numbers], self.tables)


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
        """The batches of :meth:`each`, by fold."""
        derived: list[list[DerivedBatch]] = [[] for _ in folds]
        for fold, batch in self.each(folds, size, progress):
            derived[fold].append(batch)
        return derived

    def each(self, folds: Sequence[Sequence[int]], size: int, progress: Progress) -> Iterator[tuple[int, DerivedBatch]]:
        """Derive the trees of each fold, in batches of ``size`` trees of similar length; yield (fold, batch).

        The config states how to handle trees that the oracle cannot derive. Raises CrossarcError if it refuses them, or
        if nothing is left to learn from.
        """
        heads = [tree.heads for tree in self.data.first]
        lost = self._lost(heads, [number for number, tree in enumerate(heads) if min(tree[1:], default=0) >= 0])
        if lost:
            self._change(heads, lost, progress)
        skip = set(lost) if self.config.underivable == "skip" else set()
        with task(progress, "deriving", "sentences", len(heads)) as advance:
            for number, fold in enumerate(folds):
                for alike in self._similar(fold, size):
                    yield number, self._batch(heads, alike, skip, advance)

    def _change(self, heads: list[list[int]], lost: Sequence[int], progress: Progress) -> None:
        """Report the trees that the oracle cannot derive, and replace them by trees that it can derive.

        If a changed tree cannot be derived either, a non-projective system derives the original tree as far as
        possible.
        """
        what = self.config.underivable
        share = f"{len(lost)} of {len(heads)} trees ({100 * len(lost) / len(heads):.1f} %)"
        share += f" within {MOST_SWAPS} swaps" if any(self._needs_many_swaps(heads[number]) for number in lost) else ""
        if what == "refuse":
            first = self.data.names[lost[0]]
            raise CrossarcError(
                f"the {self.system.name} oracle cannot derive {share}, the first is {first}; "
                "set underivable to another value"
            )
        (warn if what == "skip" else progress)(f"the {self.system.name} oracle cannot derive {share}: {what}")
        if what == "skip" and len(lost) == len(heads):
            raise CrossarcError(f"the {self.system.name} oracle cannot derive any tree of the training treebank")
        if what not in ("projectivize", "lift"):
            return
        if self.system.chains:
            warn(
                f"{self.system.name} derives chains only, in which each word depends on the word before it: "
                "from other trees it learns the labels, not the heads"
            )
            return
        for number in lost:
            tree = heads[number]
            heads[number] = lifted_until(tree, self._derivable) if what == "lift" else projectivize(tree)[0]
        if still := self._lost(heads, lost):
            progress(f"{len(still)} of them cannot be derived as projective trees either; derived as far as possible")
            for number in () if self.system.projective else still:
                heads[number] = self.data.first[number].heads

    def _similar(self, numbers: Sequence[int], size: int = BATCH) -> list[list[int]]:
        lengths = [len(self.data.first[number].heads) - 1 for number in numbers]
        return [[numbers[place] for place in places] for places in batches_by_length(lengths, size)]

    def _lost(self, heads: Sequence[Heads], numbers: Sequence[int]) -> list[int]:
        """The numbers of the trees that the oracle cannot derive."""
        if self.system.derives_all:  # but for a second root, and for swaps without end
            single = self.system.single_root
            return [
                number
                for number in numbers
                if (single and len(roots(heads[number])) > 1) or self._needs_many_swaps(heads[number])
            ]
        lost: list[int] = []
        for alike in self._similar(numbers):
            with naming_sentences([self.data.names[number] for number in alike]):
                derivable = self._derivable([heads[number] for number in alike])
            lost += [number for number, ok in zip(alike, derivable, strict=True) if not ok]
        return sorted(lost)

    def _needs_many_swaps(self, heads: Heads) -> bool:
        """Whether a tree may take more swaps than allowed."""
        return SWAP in self.system.moves and not is_projective(heads) and inversions(heads) > MOST_SWAPS

    def _derivable(self, trees: Sequence[Heads]) -> list[bool]:
        """For each tree, whether the oracle can derive it."""
        gold = Gold(trees, [[NONE, *[0] * (len(heads) - 1)] for heads in trees])
        oracle: Oracle = make_oracle(self.system, gold, self.config.oracle_name)
        derived = derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback)
        return (derived.heads == gold.heads).all(axis=1).tolist()

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
        ids = self.data.value_ids(numbers)
        skipped = np.array([number in skip for number in numbers], dtype=np.bool_)
        batch = TrainingBatch(gold, ids, skipped)
        by_cost = self.config.underivable == MINIMAL_COST or gold.partial.any()
        dynamic = make_dynamic_oracle(self.system, gold) if by_cost else None
        oracle: Oracle = dynamic or make_oracle(self.system, gold, self.config.oracle_name)
        certain = dynamic.certain if dynamic else None
        recorder = InstanceRecorder(self.extractor, batch.ids, len(numbers), self.all_steps, certain)
        with naming_sentences([self.data.names[number] for number in numbers]):
            derive(self.system, oracle, self.system.initial(gold.lengths), self.data.fallback, recorder)
        advance(len(numbers))
        return DerivedBatch(numbers, batch, recorder.recorded(), recorder.complete)
