"""Memory-based learning in batches: the algorithm IB1, which the papers use with TiMBL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.parameters import parameter, whole
from ...base.shapes import Array, Record, Sizes, csr_arrays, expect, within
from ..common import check_instances, frequency_rank, loaded_csr, saved_csr, share_of_votes, stored_csr, table_of
from ..learner import Example, Instances, Learner
from .metrics import EXACT, QUERIES, Neighbours, SlotMetric, class_counts, fit_slot, nearest, prepare, tally

_TIE = 1e-7
"""Difference in score between two classes with equal shares and consecutive ranks; smaller than that of any votes."""


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

    learned: ClassVar[Record] = Record({"width_": whole(1)})
    arrays: ClassVar[Mapping[str, Array]] = {
        "codes": Array("i", ("instances", "slots"), least=0, filled=True),
        "rank": Array("i", ("classes",), least=0, below="classes"),
        "seen": Array("b", ("classes",), filled=True),
    }

    def fit(self, instances: Instances) -> Self:
        self.check()
        check_instances(self.name, instances)
        self.slots_, codes = [], []
        for slot in range(len(instances.slots)):
            values, number = np.unique(instances.matrix.decoded((slice(None), slot)), return_inverse=True)
            counts = class_counts(number, instances.target, instances.n_classes)
            self.slots_.append(fit_slot(values, counts, _unit(len(instances.slots)), self.threshold))
            codes.append(self.slots_[-1].codes[number])
        self.codes_, stored = np.unique(np.stack(codes, axis=1), axis=0, return_inverse=True)
        shape = (len(self.codes_), instances.n_classes)
        ones = np.ones(len(stored), np.int32)
        self.counts_ = scipy.sparse.csr_array((ones, (stored.reshape(-1), instances.target)), shape=shape)
        self.counts_.sum_duplicates()
        self.rank_ = frequency_rank(instances.target, instances.n_classes)
        self.seen_ = np.bincount(instances.target, minlength=instances.n_classes) > 0
        return self._prepare()

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        blocks = [self._block(keys[start : start + QUERIES]) for start in range(0, len(keys), QUERIES)]
        return np.concatenate([np.empty((0, len(self.rank_)), np.float32), *blocks])

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """The share of the vote of the best class in each row; 0 if no permissible class has a vote."""
        return share_of_votes(scores)

    def neighbours(self, keys: NDArray[np.int64]) -> Neighbours:
        """The neighbours that vote, as rows of ``codes_`` and ``counts_``, with their distances, 0 or more."""
        codes = np.stack([slot.codes_of(column) for slot, column in zip(self.slots_, keys.T, strict=True)], axis=1)
        n, queries = len(self.codes_), len(keys)
        tables = []
        for slot, column in zip(self.slots_, codes.T, strict=True):
            distinct, number = np.unique(column, return_inverse=True)
            tables.append(slot.distances(distinct)[number.reshape(-1)].T)
        table = np.ascontiguousarray(np.concatenate(tables))
        found = nearest(lambda part: self._one_hot[part] @ table, n, queries, self.k)
        return Neighbours(found.query, found.instance, found.distance / _unit(self.width_))

    def examples(self, keys: NDArray[np.int64], count: int) -> list[Example]:
        found = self.neighbours(keys[None])
        nearest = np.lexsort((found.instance, found.distance))[:count]
        counts = [self.counts_[[instance]].tocoo() for instance in found.instance[nearest]]
        of_class = [dict(zip(own.col.tolist(), own.data.tolist(), strict=True)) for own in counts]
        return list(map(Example, found.distance[nearest].tolist(), of_class))

    @property
    def width_(self) -> int:
        """The number of slots."""
        return len(self.slots_)

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values, arrays = super().state()
        arrays["codes"] = self.codes_.astype(np.uint16 if self.codes_.max(initial=0) < 1 << 16 else np.int32)
        arrays |= saved_csr("counts", self.counts_, np.int32)
        for number, slot in enumerate(self.slots_):
            arrays |= {f"{number}.values": slot.values, f"{number}.codes": slot.codes}
            arrays |= saved_csr(f"{number}.shares", slot.shares, np.int32)
        return values, arrays

    @classmethod
    def arrays_shape(cls, values: Mapping[str, Any]) -> Mapping[str, Array]:
        shapes = {**cls.arrays, **csr_arrays("counts", "instances", "classes", least=1)}
        for number in range(values["width_"]):
            length = f"{number}.values"
            shapes[f"{number}.values"] = Array("i", (length,), rising=True, filled=True)
            shapes[f"{number}.codes"] = Array("i", (length,), least=0, below=length)
            shapes |= csr_arrays(f"{number}.shares", None, "classes", least=0)
        return shapes

    @classmethod
    def check_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], sizes: Sizes) -> None:
        super().check_state(values, arrays, sizes)
        found = values["width_"]
        expect(found == sizes["slots"], "width_", f"found {found}; expected {sizes['slots']}, the number of slots")

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.codes_ = self.codes_.astype(np.int32)
        expect(self.seen_.any(), ": array seen", "found no class that was seen in training")
        with within(": array counts"):
            self.counts_ = stored_csr("counts", arrays, (len(self.codes_), len(self.rank_)))
        self.slots_ = [self._loaded_slot(arrays, number, values["width_"]) for number in range(values["width_"])]
        n_codes = np.array([slot.n_codes for slot in self.slots_])
        expect((self.codes_.max(axis=0) < n_codes).all(), ": array codes", "found codes that their slots do not have")
        self._prepare()

    def _loaded_slot(self, arrays: Mapping[str, NDArray[Any]], number: int, width: int) -> SlotMetric:
        name = f"{number}.shares"
        rows = len(arrays[f"{name}.indptr"]) - 1
        expect(rows <= len(arrays[f"{number}.codes"]), f": array {name}.indptr", "found more rows than values")
        with within(f": array {name}"):
            shares = table_of(stored_csr(name, arrays, (rows, len(self.rank_))))
        expect((shares <= 1).all(), f": array {name}.data", "found shares above 1")
        return prepare(arrays[f"{number}.values"], arrays[f"{number}.codes"], shares, _unit(width))

    def _prepare(self) -> Self:
        offsets = np.cumsum([0] + [slot.n_codes for slot in self.slots_])
        columns = (self.codes_ + offsets[:-1]).astype(np.int32).reshape(-1)
        indptr = np.arange(len(self.codes_) + 1, dtype=np.int32) * np.int32(len(self.slots_))
        shape = (len(self.codes_), int(offsets[-1]))
        self._one_hot = loaded_csr((np.ones(len(columns), np.float32), columns, indptr), shape)
        return self

    def _block(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        shares = tally(self.neighbours(keys), self.counts_, len(keys))
        scores = np.where(shares > 0, shares - _TIE * self.rank_, -(self.rank_ + 1.0) / len(self.rank_))
        return np.where(self.seen_, scores, -np.inf).astype(np.float32)


def _unit(slots: int) -> int:
    """The whole number that represents distance 1, so that sums over the slots stay exact in float32."""
    return (EXACT - slots) // slots
