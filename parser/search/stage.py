"""A stage, which is one greedy pass over a batch: a transition system, its features, and a trained guide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import ABSENT, ColumnSize, Extractor
from ...features.registry import unknown_functions
from ...features.template import FeatureModel, TemplateError, parse_template
from ...transitions.configuration import Bools, Configuration, Ints
from ...transitions.registry import PASSES, SYSTEMS, make_system
from ...transitions.step import Observer
from ...transitions.system import TransitionSystem
from ..base.errors import UnknownPartError, choices
from ..base.parameters import FLAG, TEXT, whole
from ..base.shapes import Array, ListOf, Record, ShapeError, check_arrays, check_values, expect, within
from ..learners.learner import Learner
from ..learners.registry import load_learner
from .compiled.loading import LoadedLoop
from .greedy import DerivedTrees, Fallback, Floats, derive, record_margins
from .learned_guide import LearnedGuide, ValueIds

THRESHOLD = 2.0
"""Logarithm of the factor by which derivations may be less probable than the best one of their sentence. On development
sets of eight treebanks, a beam of 4 gained 1.24 LAS with 2.3 times the time of greedy parsing, 1.29 without a threshold
with 3.2 times, and 0.81 with a threshold of 1 with 1.7 times."""
MOST_TEMPLATES = 2**10
STAGE = Record(
    {
        "system": TEXT,
        "single_root": FLAG,
        "features": ListOf(TEXT, 1, MOST_TEMPLATES),
        "fallback": ListOf(whole(0), 2, 2),
        "guide": Record({"name": TEXT, "state": Record()}),
    },
    {"label_places": ListOf(ListOf(whole(0)), 2, 2)},
)
"""The JSON values of a stage; those of the learner's state it declares itself."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A trained greedy parser of one transition system.

    inventory: int64 (classes, 2), move number and label number of each class
    label_places: the labels that arcs from words, and from node 0, may have, see :class:`~.learned_guide.LearnedGuide`
    loop: the compiled loop, which is used if it is available
    """

    system: TransitionSystem
    extractor: Extractor
    inventory: Ints
    fallback: Fallback
    learner: Learner
    label_places: Bools | None = None
    loop: LoadedLoop = field(default_factory=LoadedLoop, compare=False, repr=False)

    @property
    def features(self) -> FeatureModel:
        """The feature model."""
        return self.extractor.model

    def derive(
        self, c: Configuration, ids: ValueIds, observe: Observer | None = None, margins: Floats | None = None
    ) -> DerivedTrees:
        """Parse a batch.

        c: the initial configurations.
        ids: value ids of the words of the batch.
        observe: receives each step; numpy then parses, since the compiled loop has no steps to show.
        margins: receives the margins of the arcs (float64, (B, width)), unless there is an observer.
        """
        guide = self.guide(ids)
        parse_batch = self.loop.batch_parser(guide, margins) if observe is None else None
        if observe is None and margins is not None:
            observe = partial(record_margins, self.system, margins)
        return derive(self.system, guide, c, self.fallback, observe, parse_batch)

    def derive_best(
        self,
        c: Configuration,
        ids: ValueIds,
        beam: int,
        count: int = 1,
        margins: Floats | None = None,
        complete: bool = False,
    ) -> tuple[list[DerivedTrees], NDArray[np.float64]]:
        """Return the ``count`` best derivations that a beam finds for each sentence of a batch.

        The result has the trees, sorted by rank: first the best of all sentences, then the second best, and so on. The
        scores are float64 (B, count). If a sentence has fewer derivations, its best one is repeated with a score of
        minus infinity. ``margins`` receives the margins of the arcs of the best derivations. ``complete``: whether
        scores of different sentences may be compared, see :func:`.beam.search`.
        """
        from .beam import search  # greedy parsing does not need it

        threshold = THRESHOLD if count == 1 and not self.learner.of_derivations else np.inf
        result = search(
            self.system, self.guide(ids), c, beam, margins is not None, threshold, self.loop.finish, complete
        )
        self.system.finish(result.c, self.fallback.root_label, self.fallback.orphan_label)
        heads, deprels = result.c.heads_matrix(), result.c.deprels_matrix()
        rows, scores = result.ranked()
        if margins is not None:
            margins[:] = result.margins[rows[:, 0]]
        trees = [DerivedTrees(heads[column], deprels[column], result.defaults[column]) for column in rows.T[:count]]
        return trees, scores[:, :count]

    def guide(self, ids: ValueIds) -> LearnedGuide:
        """Make the guide for the batch with these value ids."""
        return LearnedGuide(self.learner, self.extractor, ids, self.inventory, self.system, self.label_places)

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """(values that JSON can carry, arrays), for the model on disk."""
        values, arrays = self.learner.state()
        metadata = {
            "system": self.system.name,
            "single_root": self.system.single_root,
            "features": self.features.lines(),
            "fallback": [self.fallback.root_label, self.fallback.orphan_label],
            "guide": {"name": self.learner.name, "state": values},
        }
        if self.label_places is not None:
            metadata["label_places"] = [np.flatnonzero(place).tolist() for place in self.label_places]
        return metadata, {"inventory": self.inventory, **{f"guide/{name}": array for name, array in arrays.items()}}

    @classmethod
    def from_state(
        cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], sizes: Mapping[str, ColumnSize], labels: int
    ) -> Stage:
        """Restore the stage from its :meth:`state`.

        Raises ShapeError if values or arrays are inconsistent or do not have their shapes, UnknownPartError for a
        system, learner or feature that is not registered.
        """
        check_values(values, STAGE)
        try:
            system = make_system(values["system"], single_root=values["single_root"])
        except ValueError as error:
            known = choices(values["system"], [*SYSTEMS, *PASSES])
            raise UnknownPartError(f"needs a transition system that is not registered: {known}") from error
        extractor = _extractor(values["features"], system, sizes, labels)
        check_arrays(arrays, {"inventory": Array("i", ("classes", 2), filled=True)}, {})
        inventory = arrays["inventory"].astype(np.int64)
        fallback = Fallback(*values["fallback"])
        _check_inventory(inventory, system, fallback, labels)
        guide = values["guide"]
        learned = {name.removeprefix("guide/"): array for name, array in arrays.items() if name != "inventory"}
        with within("guide"):
            learner = load_learner(guide["name"], guide["state"], learned, extractor.slots, len(inventory))
        scores = learner.scores(np.full((1, len(extractor.slots)), ABSENT))
        right = scores.shape == (1, len(inventory)) and not np.isnan(scores).any()
        expect(right, "guide", f"does not score {len(inventory)} transitions")
        places = _label_places(values["label_places"], labels) if "label_places" in values else None
        return cls(system, extractor, inventory, fallback, learner, places)


def _label_places(numbers_at: Sequence[Sequence[int]], labels: int) -> Bools:
    places = np.zeros((2, labels), dtype=np.bool_)
    for place, numbers in zip(places, numbers_at, strict=True):
        expect(max(numbers, default=0) < labels, "label_places", f"found a label number that is not below {labels}")
        place[numbers] = True
    return places


def _extractor(
    lines: Sequence[str], system: TransitionSystem, sizes: Mapping[str, ColumnSize], labels: int
) -> Extractor:
    try:
        features = FeatureModel(tuple(parse_template(line, "model", sizes, system.sources) for line in lines))
        features.check_columns(sizes)
        return Extractor(features, sizes, labels)
    except TemplateError as error:
        if unknown := unknown_functions(lines, sizes):
            raise UnknownPartError(f"needs a feature that is not registered: {', '.join(unknown)}") from error
        raise ShapeError("features", str(error)) from error


def _check_inventory(inventory: Ints, system: TransitionSystem, fallback: Fallback, labels: int) -> None:
    moves, class_labels = inventory.T
    where = ": array inventory"
    expect(0 <= moves.min() <= moves.max() < len(system.moves), where, f"found a move that {system.name} does not have")
    labelled = np.array([move.labelled for move in system.moves])[moves]
    right = (np.where(labelled, class_labels, 0) >= 0).all() and class_labels.max() < labels
    expect(bool(right), where, f"found a label number that is not below {labels}")
    right = max(fallback.root_label, fallback.orphan_label) < labels
    expect(
        right,
        "fallback",
        f"found {fallback.root_label}, {fallback.orphan_label}; expected two label numbers below {labels}",
    )


def column_sizes(tables: Mapping[str, Any], names: Sequence[str]) -> dict[str, ColumnSize]:
    """The sizes of the named columns' symbol tables."""
    return {name: ColumnSize(len(tables[name]), getattr(tables[name], "size", None)) for name in names}
