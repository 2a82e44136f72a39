"""Memory-based learning in batches: the algorithm IB1, which the papers use with TiMBL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ....features.extractor import ABSENT
from ...base.parameters import LARGEST_INTEGER, parameter, whole
from ...base.shapes import Array, check_table
from ..common import frequency_rank, share_of_votes, spread
from ..learner import Instances, Learner
from .metrics import EXACT, QUERIES, Neighbours, fit_slot, nearest, tally

_TIE = 1e-7
"""Share of its score by which a class is behind another one with as many votes and the rank before."""


@dataclass(kw_only=True, eq=False)
class KNN(Learner):
    """IB1 with symbolic slots (Aha, Kibler and Albert 1991; Daelemans and van den Bosch 2005).

    Values are compared by the modified value difference metric, rare ones by overlap. ``k`` counts different distances,
    as in TiMBL: all instances at the k-th distance are neighbours. The vote of a neighbour at distance d weighs
    1 / (d + 1e-6). Equal training instances are stored once with their counts. The search is exact. Distances are whole
    multiples of 2^-24 of the largest possible distance, so sums do not depend on their order.

    Scores are shares of the vote. Of equal shares the class that is more frequent in training is better. Classes
    without a vote have scores below zero, ordered by frequency.
    """

    name: ClassVar[str] = "knn"
    features: ClassVar[str] = "plain"
    summary: ClassVar[str] = "memory-based learning as in TiMBL"

    k: int = parameter(5, whole(1), "number of nearest distances whose instances decide")
    threshold: int = parameter(
        3, whole(1), "minimum number of occurrences of a value; rarer values are compared by overlap"
    )

    arrays: ClassVar[Mapping[str, Array]] = {
        "vocabulary": Array("i", ("vocabulary",), least=0, rising=True),
        "numbers": Array("i", ("instances", "slots"), least=-1, below="vocabulary", filled=True),
        "target": Array("i", ("instances",), least=0, below="classes"),
        "counts": Array("i", ("instances",), least=1, below=LARGEST_INTEGER),
    }

    def fit(self, instances: Instances) -> Self:
        self.take(instances)
        self.vocabulary_ = instances.matrix.vocabulary
        rows = np.column_stack([instances.matrix.numbers, instances.target])
        rows, self.counts_ = np.unique(rows, axis=0, return_counts=True)
        self.numbers_, self.target_ = rows[:, :-1], rows[:, -1]
        return self._prepare()

    def _prepare(self) -> Self:
        """Compute the metrics of the slots from the stored instances, and store instances with equal codes once."""
        check_table(len(self.numbers_), self.n_classes_, self.numbers_.size)
        keys, width = np.append(np.int64(ABSENT), self.vocabulary_), len(self.slots_)
        self._metrics, columns = [], []
        for number in self.numbers_.T.astype(np.int64) + 1:
            seen = np.bincount(number, minlength=len(keys)) > 0
            place = (np.cumsum(seen) - 1)[number]
            cells = place * self.n_classes_ + self.target_
            counts = np.bincount(cells, self.counts_, int(seen.sum()) * self.n_classes_).reshape(-1, self.n_classes_)
            self._metrics.append(fit_slot(keys[seen], counts.astype(np.int64), _unit(width), self.threshold))
            columns.append(self._metrics[-1].codes[place])
        self._codes, place = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        shape = len(self._codes), self.n_classes_
        self._votes = scipy.sparse.csr_array((self.counts_, (place.reshape(-1), self.target_)), shape=shape)
        total = np.bincount(self.target_, self.counts_, self.n_classes_)
        self._rank, self.classes_ = frequency_rank(total), np.flatnonzero(total).astype(np.int32)
        offsets = np.cumsum([0] + [metric.n_codes for metric in self._metrics])
        one_hot = np.ones(self._codes.size, np.float32), (self._codes + offsets[:-1]).astype(np.int32).reshape(-1)
        starts = np.arange(len(self._codes) + 1, dtype=np.int32) * np.int32(width)
        self._one_hot = scipy.sparse.csr_array((*one_hot, starts), shape=(len(self._codes), int(offsets[-1])))
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        blocks = [self._block(keys[start : start + QUERIES]) for start in range(0, len(keys), QUERIES)]
        return np.concatenate([np.empty((0, self.n_classes_), np.float32), *blocks])

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The share of each class of the votes, see :func:`..common.share_of_votes`."""
        return share_of_votes(scores)

    def neighbours(self, keys: NDArray[np.int64]) -> Neighbours:
        """The stored instances that vote on each configuration, by their rows in ``_codes``, with their distances.

        keys: int64 (configurations, slots).
        """
        tables = []
        for metric, column in zip(self._metrics, keys.T, strict=True):
            distinct, number = np.unique(metric.codes_of(column), return_inverse=True)
            tables.append(metric.distances(distinct)[number.reshape(-1)].T)
        table = np.ascontiguousarray(np.concatenate(tables))
        closest = nearest(lambda part: self._one_hot[part] @ table, len(self._codes), len(keys), self.k)
        return Neighbours(closest.query, closest.instance, closest.distance / _unit(len(self.slots_)))

    def examples(self, keys: NDArray[np.int64], count: int) -> list[tuple[float, Mapping[int, int]]]:
        neighbours = self.neighbours(keys[None])
        nearest = np.lexsort((neighbours.instance, neighbours.distance))[:count]
        counts = [self._votes[[instance]].tocoo() for instance in neighbours.instance[nearest]]
        of_class = [dict(zip(count.col.tolist(), count.data.tolist(), strict=True)) for count in counts]
        return list(zip(neighbours.distance[nearest].tolist(), of_class, strict=True))

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        self._prepare()

    def _block(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        shares = tally(self.neighbours(keys), self._votes, len(keys))
        scores = np.where(shares > 0, shares * (1 - _TIE * self._rank), -(self._rank + 1.0) / len(self._rank))
        return spread(scores[:, self.classes_], self.classes_, self.n_classes_)


def _unit(slots: int) -> int:
    """The whole number that represents distance 1, so that sums over the slots stay exact in float32."""
    return (EXACT - slots) // slots
