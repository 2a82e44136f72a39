"""The weights of linear learners, as files have them and as rows, and scoring: feature keys to rows, rows to scores.

numpy and scipy always work; where numba is installed (the extra ``crossarc[fast]``) the same loops run compiled.
Weights are whole numbers of 16 bits, so that rows are short and sums exact in any order: both ways give equal scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import Slot
from ...base.compiling import compiled, enabled
from ...base.parameters import parameter_values, real, whole
from ...base.shapes import ANY, Array, ListOf, Record, check_table, expect
from ..common import check_instances, seen_classes, sorted_contributions
from ..instances import Instances, known_keys
from ..key_index import MULTIPLIER, NO_ROW, KeyIndex
from ..learner import Contribution, Learner
from .split_weights import SplitWeights, known_features

LARGEST = 2**15 - 1
"""Weights are whole numbers from minus this to this."""
LANES = 32
"""Rows are padded to whole multiples of this many classes (64 bytes) for the compiled loops."""
BLOCK = 2**21
"""Number of weights that are processed together."""
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
    _split: SplitWeights | None = None
    _scored: int

    @property
    def is_linear(self) -> bool:
        return True

    @property
    def index_(self) -> KeyIndex:
        """The rows of the keys of all features."""
        return self._tables()[0]

    @property
    def padded(self) -> NDArray[np.int16]:
        """The weights, ``quantized_`` being a part of them, as compiled loops want them, see
        :func:`blank`."""
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
        self._rows = self._split = None
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
        if self._rows is None and self._split is None:
            self._scored += len(keys)
            if self._sparse is None or (self._scored > FEW and enabled()):
                self._rows = prepare(self.padded, self.n_classes_)
            elif self._scored > FEW:
                order, _ = self._sparse.ranks()
                self._split = SplitWeights.of(*self._sparse, order, self.slots_, self.n_classes_)
        if self._rows is not None:
            result = score(self.index_, self._rows, self.n_classes_, keys)
        elif self._split is not None:
            result = self._split.sums(keys)
        else:
            assert self._sparse is not None
            result = self._sparse.sums(keys, self.n_classes_)
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


def rows_at_a_time(columns: int) -> int:
    """Number of rows of weights that are processed together, so that intermediate results stay small: with
    thousands of labels a row is long."""
    return max(1, BLOCK // max(1, columns))


class SparseWeights(NamedTuple):
    """Weights in the form of model files, which need little memory and no preparation.

    keys: int64 (features,), ascending. starts: int64 (features + 1,), where the weights of each feature begin, and the
    end of the last. classes: uint16 (weights,), their classes; a class occurs once for a feature. weights: int16
    (weights,).
    """

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    classes: NDArray[np.uint16]
    weights: NDArray[np.int16]

    @classmethod
    def of(cls, keys: NDArray[np.int64], rows: NDArray[np.int16], classes: NDArray[np.integer]) -> Self:
        """The weights other than 0 in ``rows``; features without such weights are left out.

        keys: keys of the features, all different.
        rows: rows of weights (int16, (features, seen classes)).
        classes: numbers of the seen classes, ascending.
        """
        order = np.argsort(keys)
        found = []
        step = rows_at_a_time(rows.shape[1])
        for start in range(0, len(order), step):
            own = rows[order[start : start + step]]
            row, column = np.nonzero(own)
            found.append((np.count_nonzero(own, axis=1), classes[column].astype(np.uint16), own[row, column]))
        empty = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint16), np.empty(0, dtype=np.int16)
        sizes, names, weights = (np.concatenate(parts) for parts in zip(empty, *found, strict=True))
        starts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
        return cls(keys[order][sizes > 0], starts, names, weights)

    def ranks(self) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """(features by how many weights they have, the most first, ties by key; int32 (features,), the place of each in
        that order). Those with many are the frequent ones, whose rows stand together, so that they stay in the
        processor's cache."""
        sizes = np.diff(self.starts)
        order = np.argsort((sizes.max(initial=0) - sizes).astype(np.uint16), kind="stable")  # 16 bits sort fastest
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        return order, rank

    def sums(self, keys: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
        """float32 (rows, classes): for each row of a key matrix the sum of the weights of its known keys.

        Sums of whole numbers, and the same ones as :func:`score` gives; for few rows, as it looks keys
        up by bisection.
        """
        step = rows_at_a_time(keys.shape[1] * classes)
        parts = [self._sums(keys[start : start + step], classes) for start in range(0, max(1, len(keys)), step)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _sums(self, keys: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
        wanted = keys.ravel()
        features = np.searchsorted(self.keys, wanted)
        known = np.flatnonzero(features < len(self.keys))
        known = known[self.keys[features[known]] == wanted[known]]
        features = features[known]
        counts = self.starts[features + 1] - self.starts[features]
        own = np.cumsum(counts) - counts  # where the weights of each known key begin among those of all
        places = np.arange(int(counts.sum())) + np.repeat(self.starts[features] - own, counts)
        cells = np.repeat(known // keys.shape[1] * classes, counts) + self.classes[places]
        sums = np.bincount(cells, self.weights[places], len(keys) * classes)
        return sums.reshape(len(keys), classes).astype(np.float32)


class Parted(Protocol):
    """Weights in several arrays: the shape (features, classes), and a method for a range of features."""

    @property
    def shape(self) -> tuple[int, int]: ...

    def part(self, start: int, end: int) -> NDArray[np.floating[Any]]: ...


def quantize(weights: NDArray[np.floating[Any]] | Parted) -> tuple[NDArray[np.int16], float]:
    """(weights as whole numbers, scale): ``weights`` is about the numbers times the scale, the largest one exactly.

    Works through the rows in blocks: the weights of a large treebank fill most of what memory there is.
    """
    largest = max((float(np.abs(block).max(initial=0.0)) for _, block in _blocks(weights)), default=0.0)
    scale = largest / LARGEST if largest else 1.0
    numbers = np.empty(weights.shape, dtype=np.int16)
    for start, block in _blocks(weights):
        numbers[start : start + len(block)] = np.round(block / scale)
    return numbers, scale


def _blocks(weights: NDArray[np.floating[Any]] | Parted) -> Iterator[tuple[int, NDArray[np.floating[Any]]]]:
    features, classes = weights.shape
    rows = rows_at_a_time(classes)
    for start in range(0, features, rows):
        end = start + rows
        yield start, weights[start:end] if isinstance(weights, np.ndarray) else weights.part(start, end)


def blank(features: int, classes: int) -> NDArray[np.int16]:
    """Weight rows of 0 for compiled loops, padded to a multiple of :data:`LANES` classes; rows begin at cache lines."""
    width = classes + -classes % LANES
    places = np.zeros(features * width + LANES, dtype=np.int16)
    first = -(places.ctypes.data // places.itemsize) % LANES
    return places[first : first + features * width].reshape(features, width)


def prepare(padded: NDArray[np.int16], classes: int) -> NDArray[np.int16] | NDArray[np.float32]:
    """The weight rows for :func:`score`: ``padded`` itself with numba, float32 (features, classes) without numba.

    padded: rows with the layout of :func:`blank`.
    """
    return padded if enabled() else padded[:, :classes].astype(np.float32)


def score(
    index: KeyIndex, weights: NDArray[np.int16] | NDArray[np.float32], classes: int, keys: NDArray[np.int64]
) -> NDArray[np.float32]:
    """float32 (rows, classes): for each row of ``keys`` the sum of the weight rows of its known keys.

    weights: what :func:`prepare` made of int16 (features, classes), row r for the key of row r of ``index``.
    Raises ValueError for keys outside the ranges of their slots (:meth:`.key_index.KeyIndex.check`).
    """
    if weights.dtype != np.int16:
        product: NDArray[np.float32] = known_features(index.rows(keys), len(weights)) @ weights
        return product
    index.check(keys)
    sums = np.zeros((len(keys), weights.shape[1]), dtype=np.int32)
    compiled(_add_rows)(
        np.ascontiguousarray(keys),
        index.direct,
        index.direct_slots,
        index.table_keys,
        index.table_rows,
        index.shift,
        weights,
        sums,
    )
    return sums[:, :classes].astype(np.float32)


def _add_rows(
    keys: NDArray[np.int64],
    direct: NDArray[np.int32],
    direct_slots: int,
    table_keys: NDArray[np.int64],
    table_rows: NDArray[np.int32],
    shift: np.uint64,
    weights: NDArray[np.int16],
    sums: NDArray[np.int32],
) -> None:
    """Add the weights of the known keys of each row to its sums; compiled."""
    slots = keys.shape[1]
    classes = weights.shape[1]
    mask = table_keys.shape[0] - 1
    found = np.empty(slots, dtype=np.int64)
    for b in range(keys.shape[0]):
        # all rows are found before any is read: the processor can then fetch several of them at once
        count = 0
        for s in range(slots):
            key = keys[b, s]
            if key < 0:
                continue
            row = -1
            if s < direct_slots:
                row = direct[key]
            else:
                place = np.int64((np.uint64(key) * MULTIPLIER) >> shift)
                while table_keys[place] != key and table_keys[place] >= 0:
                    place = (place + 1) & mask
                if table_keys[place] == key:
                    row = table_rows[place]
            if row >= 0:
                found[count] = row
                count += 1
        out = sums[b]
        for k in range(count):
            weight = weights[found[k]]
            for j in range(classes):
                out[j] += weight[j]
