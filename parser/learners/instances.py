"""Training instances, with feature keys stored as 32-bit numbers, and the matrices made from them."""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...features.extractor import ABSENT, Slot
from ..base.errors import CrossarcError
from .key_index import NO_ROW, binary_matrix

BLOCK = 2**17
"""Instances that are processed together. Intermediate results stay small compared with the instances, but too large to
leave holes in memory (see :func:`_mapped`).
"""
LARGE = 2**19
"""Minimum size in bytes of an array that gets its own memory mapping."""


@dataclass(frozen=True, slots=True)
class KeyMatrix:
    """The feature keys of instances, in half of the memory that the keys themselves need.

    numbers: int32 (instances, slots), index of each key in ``vocabulary``, -1 for
        :data:`~crossarc.features.extractor.ABSENT`
    vocabulary: int64, the different keys in ascending order
    """

    numbers: NDArray[np.int32]
    vocabulary: NDArray[np.int64]

    @classmethod
    def of(cls, keys: NDArray[np.int64]) -> Self:
        """Make the matrix of ``keys``, int64 (instances, slots)."""
        # slot by slot, in the memory layout of extractors: equal keys are close together, which makes sorting faster
        vocabulary, places = np.unique(keys.T, return_inverse=True)
        absent = int(len(vocabulary) > 0 and vocabulary[0] == ABSENT)
        numbers = np.subtract(places.reshape(keys.T.shape).T, absent, dtype=np.int32, casting="same_kind", order="C")
        return cls(_mapped(numbers), _mapped(vocabulary[absent:]))

    @classmethod
    def none(cls, slots: int) -> Self:
        """Make the matrix of no instances."""
        return cls(np.empty((0, slots), dtype=np.int32), np.empty(0, dtype=np.int64))

    @classmethod
    def joined(cls, parts: list[Self], rows: NDArray[np.integer] | None = None) -> Self:
        """Join the instances of one or more parts under one vocabulary.

        parts: emptied, so that the memory of a part is free after copying it if there are no other references
        rows: indices of the instances to keep, in their new order, each at most once; the indices count through all
            parts
        """
        release_memory()
        vocabulary, places = np.unique(np.concatenate([part.vocabulary for part in parts]), return_inverse=True)
        slots = max(part.numbers.shape[1] for part in parts)
        total = sum(map(len, parts))
        rows = np.arange(total) if rows is None else rows
        wanted = np.full(total, -1)
        wanted[rows] = np.arange(len(rows))
        numbers = np.empty((len(rows), slots), dtype=np.int32)
        done = seen = 0
        while parts:
            part = parts.pop(0)
            joined_ids = with_absent(places[seen : seen + len(part.vocabulary)])
            for block in part.blocks():
                to = wanted[done : done + len(block)]
                numbers[to[to >= 0]] = joined_ids[block[to >= 0]]
                done += len(block)
            seen += len(part.vocabulary)
        return cls(numbers, vocabulary)

    def __len__(self) -> int:
        """The number of instances."""
        return len(self.numbers)

    def part(self, rows: Any) -> KeyMatrix:
        """The instances that a slice or an array of indices selects."""
        return KeyMatrix(self.numbers[rows], self.vocabulary)

    def decoded(self, rows: Any = slice(None)) -> NDArray[np.int64]:
        """int64 (instances, slots): the keys of the instances that ``rows`` selects."""
        ids = self.numbers[rows]
        if not len(self.vocabulary):
            return np.full(ids.shape, ABSENT, dtype=np.int64)
        return np.where(ids < 0, ABSENT, self.vocabulary[ids])

    def counts(self) -> NDArray[np.int64]:
        """int64 (vocabulary,): the number of occurrences of each key."""
        total = np.zeros(len(self.vocabulary) + 1, dtype=np.int64)
        for block in self.blocks():
            total += np.bincount(block.ravel() + 1, minlength=len(total))
        return total[1:]

    def blocks(self) -> Iterator[NDArray[np.int32]]:
        """Yield ``numbers`` in blocks of instances."""
        for start in range(0, max(1, len(self)), BLOCK):
            yield self.numbers[start : start + BLOCK]


class Keys(Protocol):
    """Feature keys of instances, as most learners read them: the number of each key, and the instances in blocks."""

    def __len__(self) -> int: ...

    @property
    def vocabulary(self) -> NDArray[np.int64]: ...

    def counts(self) -> NDArray[np.int64]: ...

    def blocks(self) -> Iterator[NDArray[np.int32]]: ...


def with_absent(numbers: NDArray[np.integer]) -> NDArray[np.int32]:
    """Numbers by index, with -1 at the index -1 of an absent key (int32, (numbers + 1,))."""
    return np.append(numbers, ABSENT).astype(np.int32)


def _mapped(array: NDArray[Any]) -> NDArray[Any]:
    """Copy a large array into its own memory mapping.

    Otherwise, an array between temporary arrays leaves holes in memory that the system does not get back.
    """
    if array.nbytes < LARGE:
        return array
    place = np.frombuffer(mmap.mmap(-1, array.nbytes), array.dtype).reshape(array.shape)
    place[...] = array
    return place


def release_memory() -> None:
    """Return memory that Python has freed to the system, where the C library is glibc.

    glibc keeps freed memory between arrays that are in use: 300 MB in training the level ``accurate`` on English-EWT.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


@dataclass(frozen=True, slots=True)
class Instances:
    """Training instances.

    matrix: feature keys of the instances. Keys of slot s are in the range of ``slots[s]`` or
        :data:`~crossarc.features.extractor.ABSENT`. Ranges of two slots are disjoint, except that all slots of a
        set-valued template share one range.
    target: int32 (instances,), class numbers in 0..n_classes - 1
    moves: int64 (n_classes,), the number of the move of each class, if known
    file: the feature keys of a treebank of millions of words, for learners with ``reads_blocks``; ``matrix`` has none
    """

    matrix: KeyMatrix
    target: NDArray[np.int32]
    slots: tuple[Slot, ...]
    n_classes: int
    moves: NDArray[np.int64] | None = None
    file: Keys | None = None

    @classmethod
    def of(
        cls,
        keys: NDArray[np.int64],
        target: NDArray[np.int32],
        slots: tuple[Slot, ...],
        n_classes: int,
        moves: NDArray[np.int64] | None = None,
    ) -> Self:
        """Make instances from ``keys``, int64 (instances, slots), the exact feature keys."""
        return cls(KeyMatrix.of(keys), target, slots, n_classes, moves)

    @property
    def keys(self) -> NDArray[np.int64]:
        """int64 (instances, slots): the exact feature keys, computed at each call; they take twice the memory of
        ``matrix``.
        """
        assert self.file is None, "the keys are in a file"
        return self.matrix.decoded()

    @property
    def stored(self) -> Keys:
        """The keys, wherever they lie."""
        return self.matrix if self.file is None else self.file

    def part(self, rows: NDArray[Any] | slice) -> Instances:
        """The instances that an array of indices or a slice selects."""
        assert self.file is None, "the keys are in a file"
        return replace(self, matrix=self.matrix.part(rows), target=self.target[rows])


MOST_CLASSES = 32_000
"""Maximum number of transitions: compiled tables number them, and their padding, with 16 bits."""


def check_instances(guide: str, instances: Instances) -> None:
    """Raise CrossarcError for an empty training set, and for more than :data:`MOST_CLASSES` transitions."""
    if not len(instances.target):
        raise CrossarcError(f"guide {guide}: no training instances")
    if instances.n_classes > MOST_CLASSES:
        raise CrossarcError(
            f"guide {guide}: found {instances.n_classes} transitions; allowed: {MOST_CLASSES} at most; "
            "use fewer labels, or encoding=path in pseudo-projective"
        )


def known_keys(instances: Instances, min_count: int) -> NDArray[np.int64]:
    """The keys that occur at least ``min_count`` times in training, the most frequent first, ties by key.

    Rows of frequent keys are adjacent so that they stay in the processor's cache. Raises CrossarcError if there are no
    such keys, since nothing can be learned then.
    """
    matrix = instances.stored
    counts = matrix.counts()
    often = np.flatnonzero(counts >= max(1, min_count))
    if not len(often):
        raise CrossarcError(f"guide.min_count: no feature occurs {min_count} times in training")
    order = np.argsort(-counts[often], kind="stable")  # the vocabulary is in ascending order
    return matrix.vocabulary[often[order]]


def feature_rows(instances: Instances, keys: NDArray[np.int64]) -> Iterator[NDArray[np.int32]]:
    """Yield int32 (instances, slots) for each block of instances: r for ``keys[r]``, :data:`NO_ROW` for other keys.

    keys: int64, different keys of the instances
    """
    matrix = instances.stored
    rows = np.full(len(matrix.vocabulary) + 1, NO_ROW, dtype=np.int32)  # the last place is the row of ABSENT
    rows[np.searchsorted(matrix.vocabulary, keys)] = np.arange(len(keys), dtype=np.int32)
    return (rows[block] for block in matrix.blocks())


def feature_matrix(instances: Instances, keys: NDArray[np.int64], dtype: Any = np.float64) -> scipy.sparse.csr_matrix:
    """CSR (instances, keys): 1 where an instance has the feature ``keys[r]``, see :func:`.key_index.binary_matrix`."""
    return binary_matrix(feature_rows(instances, keys), len(keys), dtype)
