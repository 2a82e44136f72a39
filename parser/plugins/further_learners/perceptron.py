"""The averaged perceptron (Collins 2002)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.compiling import enabled
from ...base.parameters import parameter, real, whole
from ...learners.instances import Instances, known_keys
from ...learners.key_index import NO_ROW, rows_of
from ...learners.linear.model import LinearModel
from ...learners.linear.svm import LinearSVM
from ...learners.linear.weights import LARGEST, WeightTable, blank, rows_at_a_time

BLOCK = 32
"""Number of instances that are scored with the same weights when single instances are learned."""
SVM_PENALTY = 0.03
"""The parameter C of the support vector machine whose weights training may begin with."""
LARGEST_STEP = 20
"""Maximum step of a correction, as a multiple of its features: some trees are annotated wrongly."""
LARGEST_START = LARGEST // 2
"""Initial weights are at most this, so that training can increase them without overflow."""


@dataclass(kw_only=True, eq=False)
class Perceptron(LinearModel):
    """Averaged perceptron for structured learning, see :class:`.structured.StructuredPerceptron`.

    Whole derivations correct its weights; :meth:`fit` learns from single instances. During training (:meth:`begin`,
    repeatedly :meth:`correct` and :meth:`count`, :meth:`finish`), weights are whole numbers, so that sums are exact in
    any order. The result is their average over all counts. Training may begin with the weights of a support vector
    machine, so that whole derivations correct only errors that single transitions cannot teach.

    During training, ``_rows`` has the weights of each key of ``keys_``, and a last row of zeros for unknown keys
    (int16, (features + 1, padded classes)); otherwise it is empty.
    """

    name: ClassVar[str] = "perceptron"
    sharpness: ClassVar[float] = 0.1
    of_derivations: ClassVar[bool] = True
    summary: ClassVar[str] = "averaged perceptron, which learns from whole derivations with the beam of `search`"

    epochs: int = parameter(16, whole(1), "number of passes over the treebank")
    min_count: int = parameter(1, whole(1), "minimum number of occurrences of a feature in training")
    seed: int = parameter(1, whole(0), "random seed of the order of sentences")
    margin: float = parameter(
        0.0, real(least=0), "margin between gold and other derivations; 1 is one update of a transition"
    )
    svm_margin: float = parameter(
        0.0,
        real(least=0),
        "begin with weights of a linear SVM, scaled so that a margin of 1 becomes this value; 0: with weights of 0",
    )
    update_cap: int = parameter(
        4, whole(0), "maximum number of repeated errors of a derivation that count in one update; 0: all"
    )

    def __post_init__(self) -> None:
        self._rows = blank(0, 0)

    def fit(self, instances: Instances) -> Self:
        """Learn from the instances. Raises CrossarcError for invalid parameters."""
        self.begin(instances)
        order = np.random.default_rng(self.seed)
        for _ in range(self.epochs):
            shuffled = order.permutation(len(instances.target))
            for start in range(0, len(shuffled), BLOCK):
                chosen = shuffled[start : start + BLOCK]
                keys, target = instances.matrix.decoded(chosen), instances.target[chosen].astype(np.int64)
                predicted = np.argmax(self.scores(keys), axis=1)
                wrong = predicted != target
                amounts = np.repeat([1, -1], np.count_nonzero(wrong))
                classes = np.concatenate([target[wrong], predicted[wrong]])
                self._add(*self._net(np.concatenate([keys[wrong], keys[wrong]]), classes, amounts))
                self.count()
        return self.finish()

    def additive(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The scores times ``sharpness``; structured learning compares their sums."""
        return scores.astype(np.float64) * self.sharpness

    def begin(self, instances: Instances) -> Self:
        """Take the features and classes of the instances, with weights of 0 or of a support vector machine."""
        self.take(instances)
        self.keys_ = keys = np.sort(known_keys(instances, self.min_count))
        self._rows = blank(len(keys) + 1, self.n_classes_)
        if self.svm_margin:
            self._begin_with_svm(instances)
        self._table = WeightTable.over(keys, instances.slots, self._rows[:-1]) if enabled() else None
        self.scale_, self.bias_ = 1.0, np.zeros(self.n_classes_, dtype=np.int32)
        self._totals = np.zeros((len(keys), self.n_classes_), dtype=np.float32)
        self._updates = 1
        return self

    def _begin_with_svm(self, instances: Instances) -> None:
        """Put the weights of a support vector machine into the rows of the keys."""
        learned = LinearSVM(C=SVM_PENALTY, min_count=self.min_count, seed=self.seed).fit(instances)
        keys, starts, classes, weights = learned.sparse
        scaled = np.round(weights * (learned.scale_ * self.svm_margin))
        rows = np.repeat(rows_of(self.keys_, keys), np.diff(starts))
        self._rows[rows, classes] = np.clip(scaled, -LARGEST_START, LARGEST_START)

    def _sums(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        if not len(self._rows) or self._table is not None:
            return super()._sums(keys)
        rows = self._rows[rows_of(self.keys_, keys), : self.n_classes_]
        return rows.sum(axis=1, dtype=np.int32).astype(np.float32)

    def scores_of(self, keys: NDArray[np.int64], classes: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64 (rows,): the score of each row of ``keys`` for its class in ``classes``."""
        weights = self._rows[rows_of(self.keys_, keys), classes[:, None]]
        return weights.sum(axis=1, dtype=np.float64) * self.scale_

    def correct(
        self, keys: NDArray[np.int64], classes: NDArray[np.int64], amounts: NDArray[np.int64], ahead: float
    ) -> bool:
        """Make transitions with amount 1 score higher by ``ahead`` than transitions with amount -1.

        Returns whether a change was needed. The change adds a step times ``amounts[r]`` to the weights of the features
        of row r for class ``classes[r]``; the sum of amounts for a weight is limited by ``update_cap``. The step is the
        smallest sufficient whole number from 1 to :data:`LARGEST_STEP` (PA-I; Crammer, Dekel, Keshet, Shalev-Shwartz &
        Singer 2006). With steps of 1 only, large errors would persist for many epochs. Without the limit, a hundred
        equal transitions, as in Covington's algorithm, would change a weight far too much.
        """
        cells, net = self._net(keys, classes, amounts)
        missing = ahead - float(self._rows.reshape(-1)[cells].astype(np.float64) @ net) * self.scale_
        way = np.clip(net, -self.update_cap, self.update_cap) if self.update_cap else net
        size = float(net @ way)
        if missing < 0 or not size:
            return False
        self._add(cells, way * min(max(math.ceil(missing / size), 1), LARGEST_STEP))
        return True

    def count(self) -> None:
        """Add the current weights to the average once more."""
        self._updates += 1

    def _net(
        self, keys: NDArray[np.int64], classes: NDArray[np.int64], amounts: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(places in the table of weights, ascending; the sum of the amounts of each, nowhere 0)."""
        rows = rows_of(self.keys_, keys)
        known = rows != NO_ROW
        places = (rows.astype(np.int64) * self._rows.shape[1] + classes[:, None])[known]
        cells, cell_of = np.unique(places, return_inverse=True)
        own_amounts = np.broadcast_to(amounts[:, None], rows.shape)[known]
        net = np.bincount(cell_of, weights=own_amounts, minlength=len(cells)).astype(np.int64)
        return cells[net != 0], net[net != 0]

    def _add(self, cells: NDArray[np.int64], amounts: NDArray[np.int64]) -> None:
        weights = self._rows.reshape(-1)
        before = weights[cells].astype(np.int64)
        after = np.clip(before + amounts, -LARGEST, LARGEST)
        weights[cells] = after
        row, column = np.divmod(cells, self._rows.shape[1])
        self._totals[row, column] += ((after - before) * self._updates).astype(np.float32)

    def finish(self) -> Self:
        """Average the weights over all updates."""
        average = self._totals
        rows = rows_at_a_time(self.n_classes_)
        for start in range(0, len(average), rows):
            block = slice(start, start + rows)
            average[block] = self._rows[:-1][block, : self.n_classes_] - average[block] / np.float32(self._updates)
        del self._totals, self._updates
        self._rows = blank(0, 0)
        return self._learn(self.keys_, average[:, self.classes_])
