"""The weights of linear learners: one row of 16-bit integers for each feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import Slot
from ...base.parameters import parameter_values, real, whole
from ...base.shapes import ANY, Array, ListOf, Record, check_table, expect
from ..common import check_instances, seen_classes, sorted_contributions
from ..instances import Instances, known_keys
from ..key_index import NO_ROW, KeyIndex
from ..learner import Contribution, Learner
from .scoring import LARGEST, Parted, SparseWeights, blank, prepare, quantize, rows_at_a_time, score

FEW = 2_000
"""Number of configurations that are scored with the weights as stored in files; preparing pays for more."""


class LinearModel(Learner):
    """Scores are sums of weights, one for each feature and class.

    Learned: ``index_`` (keys to rows), ``quantized_`` int16 (features, n_classes) and ``scale_``, their product being
    the weights; ``bias_`` int32 (n_classes,), which is added to the sums, or (0,). Features that are left with no
    weight are dropped, and the others ordered by how many weights they have: those with many are the frequent ones,
    which stand together so that they stay in the processor's cache. Both are made when they are first asked for, or
    when there is much to score: until then :class:`SparseWeights` do.
    """

    learned: ClassVar[Record] = Record(
        {"n_classes": whole(1), "scale": real(least=0), "slots": ListOf(ListOf(ANY, 3, 3))}
    )
    arrays: ClassVar[Mapping[str, Array]] = {
        "key_steps": Array("i", ("features",), least=0),
        "row_sizes": Array("i", ("features",), least=0, below="classes+1"),
        "classes": Array("i", ("weights",), least=0, below="classes"),
        "weights": Array("i", ("weights",), least=-LARGEST, below=LARGEST + 1),
        "seen": Array("i", ("seen",), least=0, below="classes", rising=True, filled=True),
    }

    slots_: Sequence[Slot]
    n_classes_: int
    classes_: NDArray[np.int32]
    scale_: float
    bias_: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
    _sparse: SparseWeights | None
    _table: tuple[KeyIndex, NDArray[np.int16]] | None
    _rows: NDArray[Any] | None
    _scored: int

    @property
    def index_(self) -> KeyIndex:
        """The rows of the keys of all features."""
        return self._tables()[0]

    @property
    def padded(self) -> NDArray[np.int16]:
        """The weights, ``quantized_`` being a part of them, as compiled loops want them, see
        :func:`.scoring.blank`."""
        return self._tables()[1]

    @property
    def quantized_(self) -> NDArray[np.int16]:
        """int16 (features, n_classes)."""
        return self.padded[:, : self.n_classes_]

    @property
    def sparse(self) -> SparseWeights:
        """The learned values and arrays as files store them."""
        if self._sparse is not None:
            return self._sparse
        return SparseWeights.of(self.index_.keys, self.quantized_, np.arange(self.n_classes_))

    def _tables(self) -> tuple[KeyIndex, NDArray[np.int16]]:
        if self._table is None:
            assert self._sparse is not None
            self._table = self._made_dense(self._sparse)
            self._sparse = None  # these take as much as a sixth of the rows do
        return self._table

    def _take(self, instances: Instances, min_count: int) -> NDArray[np.int64]:
        """Take slots and classes of the instances; the keys of features that occur often enough.

        Raises CrossarcError for invalid parameters.
        """
        self.check()
        check_instances(self.name, instances)
        self.slots_ = instances.slots
        self.n_classes_ = instances.n_classes
        self.classes_ = seen_classes(instances.target)
        return known_keys(instances, min_count)

    def _learn(self, keys: NDArray[np.int64], weights: NDArray[np.floating[Any]] | Parted) -> Self:
        """weights: (features, seen classes)."""
        numbers, self.scale_ = quantize(weights)
        del weights  # as large as all that follows together, and often nobody else's
        return self._set(SparseWeights.of(keys, numbers, self.classes_))

    def _set(self, sparse: SparseWeights) -> Self:
        self._sparse, self._table = sparse, None
        self._rows = None
        self._scored = 0
        return self

    def _made_dense(self, sparse: SparseWeights) -> tuple[KeyIndex, NDArray[np.int16]]:
        """Raises ShapeError for keys that no table can hold, see :class:`..key_index.KeyIndex`."""
        keys, size = sparse.keys, np.diff(sparse.starts)
        order, rank = sparse.ranks()
        index = KeyIndex(keys[order], self.slots_)
        padded = blank(len(keys), self.n_classes_)
        step = rows_at_a_time(self.n_classes_)
        for start in range(0, len(keys), step):
            rows = slice(start, start + step)
            own = slice(sparse.starts[start], sparse.starts[rows.stop if rows.stop < len(keys) else -1])
            padded[np.repeat(rank[rows], size[rows]), sparse.classes[own]] = sparse.weights[own]
        return index, padded

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        if self._rows is None:
            self._scored += len(keys)
            if self._scored > FEW or self._sparse is None:
                self._rows = prepare(self.padded, self.n_classes_)
        if self._rows is None:
            assert self._sparse is not None
            result = self._sparse.sums(keys, self.n_classes_)
        else:
            result = score(self.index_, self._rows, self.n_classes_, keys)
        if len(self.bias_):
            result += self.bias_
        result *= np.float32(self.scale_)
        if len(self.classes_) < self.n_classes_:
            result[:, np.setdiff1d(np.arange(self.n_classes_), self.classes_)] = -np.inf
        return result

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        rows = self.index_.rows(keys[None])[0]
        known = np.flatnonzero(rows != NO_ROW)
        weights = self.quantized_[rows[known]].astype(np.int64)
        difference = (weights[:, winner] - weights[:, rival]) * self.scale_
        return sorted_contributions([(int(slot),) for slot in known], difference)

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values: dict[str, Any] = {
            **parameter_values(self),
            "n_classes": self.n_classes_,
            "scale": self.scale_,
            "slots": [[slot.template, slot.offset, slot.size] for slot in self.slots_],
        }
        sparse = self.sparse
        arrays: dict[str, NDArray[Any]] = {
            "key_steps": np.diff(sparse.keys, prepend=0),
            "row_sizes": np.diff(sparse.starts).astype(np.uint16),
            "classes": sparse.classes,
            "weights": sparse.weights,
            "seen": self.classes_,
        }
        return values, {**arrays, "bias": self.bias_} if len(self.bias_) else arrays

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        learner = cls.with_parameters(values)
        learner.n_classes_ = values["n_classes"]
        learner.scale_ = values["scale"]
        learner.slots_ = tuple(Slot(*slot) for slot in values["slots"])
        learner.classes_ = arrays["seen"].astype(np.int32)
        if "bias" in cls.arrays:
            learner.bias_ = arrays["bias"].astype(np.int32)
        keys = np.cumsum(arrays["key_steps"], dtype=np.int64)
        size = arrays["row_sizes"].astype(np.int64)
        expect((keys[1:] > keys[:-1]).all(), ": array key_steps", "found steps that do not match the keys")
        expect(size.sum() == len(arrays["classes"]), ": array row_sizes", "found sizes that do not match the weights")
        check_table(len(keys), learner.n_classes_, len(arrays["weights"]))
        starts = np.concatenate([[0], np.cumsum(size)])
        return learner._set(SparseWeights(keys, starts, arrays["classes"], arrays["weights"]))
