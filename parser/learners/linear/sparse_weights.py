"""The weights of a linear learner as files have them: only those that are not 0, by feature key."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

BLOCK = 2**21
"""Weights that are worked on at a time."""


def rows_at_a_time(columns: int) -> int:
    """How many rows of weights are worked on at a time, so that what is made of them takes little memory: with
    thousands of labels a row is long."""
    return max(1, BLOCK // max(1, columns))


class SparseWeights(NamedTuple):
    """Weights that take a fraction of the memory of rows for compiled loops, and no time to be made.

    keys: int64 (features,), ascending. starts: int64 (features + 1,), where the weights of each feature begin, and the
    end of the last. classes: uint16 (weights,), whose they are; no class occurs twice of a feature. weights: int16
    (weights,).
    """

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    classes: NDArray[np.uint16]
    weights: NDArray[np.int16]

    @classmethod
    def of(cls, keys: NDArray[np.int64], rows: NDArray[np.int16], classes: NDArray[np.integer]) -> Self:
        """What is not 0 in rows of weights, int16 (features, seen classes); features without a weight are left out.

        keys: of the features, all different. classes: the numbers of the seen classes, ascending.
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

        Sums of whole numbers, and the same ones as :func:`.scoring.score` gives; for few rows, as it looks keys
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
