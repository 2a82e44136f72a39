"""Taggers of the same words, whose common features are looked up once for all of them.

Each tagger is a stage of the system ``tagging``. Most of its features do not depend on earlier tags: their weights for
the classes of all taggers are summed together. Each tagger then adds the weights of its other features.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import Extractor
from ....features.template import FeatureModel, Template, TemplateError
from ....transitions.configuration import Configuration, Ints
from ....transitions.step import DerivationStep
from ...base.compiling import enabled
from ...learners.instances import MOST_CLASSES
from ...learners.linear.weights import LARGEST, SparseWeights
from ...search.compiled.loading import LOADING, worth_loading
from ...search.greedy import derive
from ...search.learned_guide import ValueIds
from ...search.stage import Stage
from ...treebank.symbols import BATCH, MOST_PLACES, batches_by_length

if TYPE_CHECKING:
    from ...search.compiled.loop import CompiledLoop

Scores: TypeAlias = NDArray[np.float32]
"""float32 (B, width, classes)."""
MOST_SCORES = 2**25
"""Maximum number of words times classes of a batch in two directions, of which about six arrays of 32 bits exist."""
MOST_SLOTS = 100
"""Maximum number of features of a word: sums stay below 2**22, so that scores in float32 have the same order."""
FIXED = {"pred", "succ"}
"""Functions of addresses that do not depend on arcs."""


def labels_apart(stages: Sequence[Stage], lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Ints]:
    """Yield the labels of a batch by each tagger (int64, (B, width)); each one tags by itself."""
    return (stage.derive(stage.system.initial(lengths), ids).deprels for stage in stages)


def scores_apart(stages: Sequence[Stage], lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Scores]:
    """Yield the scores of the classes at each word of a batch by each tagger; each one tags by itself."""
    return (_observed_scores(stage, lengths, ids) for stage in stages)


def _observed_scores(stage: Stage, lengths: NDArray[np.integer], ids: ValueIds) -> Scores:
    c = stage.system.initial(lengths)
    scores = np.zeros((len(c), c.width, len(stage.inventory)), dtype=np.float32)

    def observe(step: DerivationStep) -> None:
        scores[step.sentences, step.c.buffer(0)] = step.decision.scores

    stage.derive(c, ids, observe)
    return scores


class Directions:
    """The taggers of the pieces of a column.

    stages: one for each piece, from left to right.
    back: the same from right to left; the scores of both are added at each word. Empty: one direction is enough.
    """

    def __init__(self, stages: Sequence[Stage], back: Sequence[Stage]) -> None:
        self._stages, self._back = stages, back
        self._chains, self._back_chains = LoadedChains(stages), LoadedChains(back)

    def hint_workload(self, words: int) -> None:
        """Announce a number of words, see :meth:`.Step.hint_workload`."""
        for chains in (self._chains, self._back_chains):
            chains.hint_workload(words)

    def load(self, words: int, scored: bool = False) -> None:
        """Load compiled code if it saves time. words: number of words to tag now. scored: with scores of labels."""
        # to tag from left to right alone, a single tagger is faster with its own loop, which gives no scores
        least = 1 if self._back or scored else 2
        for chains in (self._chains, self._back_chains):
            chains.load(words, least)

    def batches(self, lengths: NDArray[np.integer], scored: bool = False) -> Iterator[list[int]]:
        """The numbers of the sentences in batches of similar length, whose scores take a bounded amount of memory."""
        places = MOST_PLACES
        if self._back or scored:
            places = min(places, MOST_SCORES // sum(len(stage.inventory) for stage in self._stages))
        return batches_by_length(lengths.tolist(), BATCH, places)

    def labels(self, lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Ints]:
        """Yield the labels of a batch by each tagger (int64, (B, width))."""
        if not self._back:
            return self._chains.labels(lengths, ids)
        pairs = zip(self._stages, self.scores(lengths, ids), strict=True)
        return (stage.inventory[np.argmax(scores, axis=2), 1] for stage, scores in pairs)

    def scores(self, lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Scores]:
        """Yield the scores of the classes at each word by each tagger (float32, (B, width, classes))."""
        if not self._back:
            yield from self._chains.scores(lengths, ids)
            return
        sentences, order = np.arange(len(lengths))[:, None], _reversed_nodes(lengths)
        back_ids = {name: values[sentences, order] for name, values in ids.items()}
        back_scores = self._back_chains.scores(lengths, back_ids)
        for scores, back in zip(self._chains.scores(lengths, ids), back_scores, strict=True):
            yield scores + back[sentences, order]


def _reversed_nodes(lengths: NDArray[np.integer]) -> Ints:
    """The node at each place of a batch whose sentences are reversed (int64, (B, width))."""
    nodes, ends = np.arange(int(lengths.max(initial=0)) + 2), lengths[:, None]
    return np.where((nodes > 0) & (nodes <= ends), ends + 1 - nodes, nodes)


class LoadedChains:
    """Taggers of one direction, which are compiled together when enough words were met.

    Without compiled code each one tags by itself, with its own compiled loop if labels are asked for, and with numpy if
    scores are.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages
        self._met = 0
        self._attempted = False
        self.chains: SharedChains | None = None

    def __reduce__(self) -> tuple[type[LoadedChains], tuple[Sequence[Stage]]]:
        """Reset the state in a new process."""
        return LoadedChains, (self._stages,)

    def hint_workload(self, words: int) -> None:
        """Announce a number of words to the loops of the taggers, unless they are compiled together."""
        for stage in () if self.chains else self._stages:
            stage.loop.hint_workload(2 * words)

    def load(self, words: int, least: int) -> None:
        """Compile the taggers together, once, if the words met so far are enough; else announce them to their loops.

        words: number of words to tag now.
        least: minimum number of taggers; fewer are not compiled together.
        """
        self._met += words * len(self._stages)
        pays = not self._attempted and len(self._stages) >= least and enabled() and worth_loading(self._met)
        if pays and LOADING.acquire(blocking=False):  # otherwise another thread loads them
            try:
                self.chains, self._attempted = shared_chains(self._stages), True
            finally:
                LOADING.release()
        self.hint_workload(words)

    def labels(self, lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Ints]:
        """Yield the labels of a batch by each tagger (int64, (B, width))."""
        return self.chains.labels(lengths, ids) if self.chains else labels_apart(self._stages, lengths, ids)

    def scores(self, lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Scores]:
        """Yield the scores of the classes at each word of a batch by each tagger (float32, (B, width, classes))."""
        return self.chains.scores(lengths, ids) if self.chains else scores_apart(self._stages, lengths, ids)


def shared_chains(stages: Sequence[Stage]) -> SharedChains | None:
    """Return taggers compiled together; None if their templates differ, or if compiled loops do not support them."""
    first = stages[0]
    known = {template: depends_on_tags(template) for template in first.features.templates}
    alike = all(
        (stage.features, stage.extractor.columns, stage.label_places) == (first.features, first.extractor.columns, None)
        and (learner := stage.guide({}).linear) is not None
        and np.abs(learner.bias_).max(initial=0) <= LARGEST
        for stage in stages
    )
    few = sum(len(stage.inventory) for stage in stages) <= MOST_CLASSES and len(first.extractor.slots) <= MOST_SLOTS
    if not alike or not few or all(known.values()):
        return None
    common, rest = (
        FeatureModel(tuple(template for template in known if known[template] == flag)) for flag in (False, True)
    )
    try:
        chains = SharedChains(stages, common, rest)
    except TemplateError:  # all columns of some templates are empty
        return None
    return chains if all(chains.loops) else None


def depends_on_tags(template: Template) -> bool:
    """Whether the value of a template changes with the tags that a tagger has given so far.

    Columns of words, and their distances, are known before tagging; labels and other arcs of the chain are its tags.
    """
    return any(
        part.kind not in ("column", "distance")
        or any(not FIXED.issuperset(address.functions) for address in part.addresses)
        for part in template.parts
    )


class SharedChains:
    """Compiled taggers with the same templates, see :func:`shared_chains`.

    common: templates that do not depend on earlier tags.
    rest: all other templates, possibly none.

    ``loops`` has the compiled loop of the common features and those of the taggers, None for what is not supported.
    """

    def __init__(self, stages: Sequence[Stage], common: FeatureModel, rest: FeatureModel) -> None:
        columns = stages[0].extractor.columns
        extractor = Extractor(common, columns, 1)
        ends = np.cumsum([0, *(len(stage.inventory) for stage in stages)])
        weights = _joined([_moved(stage, extractor) for stage in stages], ends)
        self._stages, self._ends, self._alone = stages, ends.tolist(), not rest.templates
        self.loops = [_loop(stages[0], extractor, weights, np.zeros((self._ends[-1], 2), dtype=np.int64))]
        for stage in () if self._alone else stages:
            rest_extractor = Extractor(rest, columns, stage.extractor.labels)
            self.loops.append(_loop(stage, rest_extractor, _moved(stage, rest_extractor), stage.inventory))

    def labels(self, lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Ints]:
        """Yield the labels of a batch by each tagger (int64, (B, width)), those of :meth:`.Stage.derive`."""
        for stage, sums, deprels in self._derived(lengths, ids):
            if deprels is None:
                yield stage.inventory[_best(stage.learner, sums), 1].reshape(len(lengths), -1)
            else:
                yield deprels

    def scores(self, lengths: NDArray[np.integer], ids: ValueIds) -> Iterator[Scores]:
        """Yield the scores of the classes at each word by each tagger, those of :func:`scores_apart`."""
        for stage, sums, _ in self._derived(lengths, ids):
            learner: Any = stage.learner
            yield learner.scores_of_sums(sums).reshape(len(lengths), -1, learner.n_classes_)

    def _derived(
        self, lengths: NDArray[np.integer], ids: ValueIds
    ) -> Iterator[tuple[Stage, NDArray[np.int32], Ints | None]]:
        """Yield each tagger with the sums of its classes at each word (int32, (B * width, classes)), and its labels.

        No labels (None) are derived if no feature depends on them.
        """
        initial = self._stages[0].system.initial
        c = initial(lengths)
        sums = np.zeros((len(c) * c.width, self._ends[-1]), dtype=np.int32)
        first, *others = self.loops
        first.run(c, ids, np.zeros(len(c), dtype=np.int64), shared=sums, first=-1)
        for number, (stage, (begin, end)) in enumerate(zip(self._stages, pairwise(self._ends), strict=True)):
            deprels = None
            if not self._alone:
                run = partial(_run, others[number], ids, sums, begin)
                deprels = derive(stage.system, stage.guide(ids), initial(lengths), stage.fallback, None, run).deprels
            yield stage, sums[:, begin:end], deprels


def _run(loop: CompiledLoop, ids: ValueIds, sums: NDArray[np.int32], first: int, c: Configuration, taken: Ints) -> bool:
    loop.run(c, ids, taken, shared=sums, first=first)
    return True


def _best(learner: Any, sums: NDArray[np.int32]) -> Ints:
    """The class with the highest score in each row of sums, the first of equal ones."""
    sums = sums + learner.bias_ if learner.bias_.any() else sums
    if len(learner.classes_) < learner.n_classes_:
        return learner.classes_[np.argmax(sums[:, learner.classes_], axis=1)]
    return np.argmax(sums, axis=1)


def _loop(stage: Stage, extractor: Extractor, weights: SparseWeights, inventory: Ints) -> Any:
    """The compiled loop of a tagger with other features, weights and classes; None if it is not supported."""
    from ...search.compiled.loop import compiled_loop  # parsing without taggers does not need it

    learner: Any = copy(stage.learner)
    learner.slots_ = extractor.slots
    if len(inventory) != learner.n_classes_:
        learner.n_classes_, learner.classes_ = len(inventory), np.arange(len(inventory), dtype=np.int32)
        learner.bias_ = np.zeros(len(inventory), dtype=np.int32)
    learner.with_weights(weights)
    return compiled_loop(replace(stage, extractor=extractor, learner=learner, inventory=inventory).guide({}))


def _moved(stage: Stage, extractor: Extractor) -> SparseWeights:
    """The weights of the features that an extractor has, by its keys."""
    learner: Any = stage.learner
    keys, starts, classes, weights = learner.sparse
    offsets = {slot.template: slot.offset for slot in extractor.slots}
    known = sorted({(slot.offset, slot.template) for slot in stage.extractor.slots})
    begins = np.array([begin for begin, _ in known])
    targets = np.array([offsets.get(template, -1) for _, template in known])
    slot = np.searchsorted(begins, keys, side="right") - 1
    used = np.flatnonzero(targets[slot] >= 0)
    moved = keys[used] - begins[slot[used]] + targets[slot[used]]
    used, moved = used[order := np.argsort(moved)], moved[order]
    sizes = np.diff(starts)[used]
    ends = np.cumsum(sizes)
    places = np.arange(int(sizes.sum())) + np.repeat(starts[used] - (ends - sizes), sizes)
    return SparseWeights(moved, np.concatenate([[0], ends]), classes[places], weights[places])


def _joined(parts: Sequence[SparseWeights], ends: Ints) -> SparseWeights:
    """The weights of several learners as those of one. ends: number of the first class of each."""
    keys = np.concatenate([np.repeat(part.keys, np.diff(part.starts)) for part in parts])
    classes = np.concatenate([part.classes + first for part, first in zip(parts, ends, strict=False)])
    order = np.argsort(keys, kind="stable")  # the classes of a feature ascend already
    different, starts = np.unique(keys[order], return_index=True)
    weights = np.concatenate([part.weights for part in parts])[order]
    return SparseWeights(different, np.append(starts, len(keys)), classes[order].astype(np.uint16), weights)
