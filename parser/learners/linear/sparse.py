"""The weights of a linear learner without zeros, as in model files; numpy scores with them."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import NDArray

BLOCK = 2**21
"""Number of weights that are processed together."""


def rows_at_a_time(columns: int) -> int:
    """Number of rows of weights that are processed together, so that intermediate results stay small: with
    thousands of labels a row is long."""
    return max(1, BLOCK // max(1, columns))


MOST_DIRECT = 2**22
"""Keys below this number may be looked up in a table of row numbers (4 bytes each)."""
SHARE = 8
"""A feature with weights for more than one in so many classes is frequent."""


class Frequent(NamedTuple):
    """What makes sums of many configurations faster.

    direct: the feature of each key below its length, -1 for none (int32)
    place: the row of each feature with many weights, -1 for others (int32, (features,))
    rows: their weights (float32, (such features, classes))
    """

    direct: NDArray[np.int32]
    place: NDArray[np.int32]
    rows: NDArray[np.float32]


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

    def find(
        self, keys: NDArray[np.int64], frequent: Frequent | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.integer]]:
        """(places of the known ones among ``keys``, (n,), and their features)."""
        large: Any = slice(None)
        features: NDArray[Any] = np.empty(len(keys), dtype=np.int64)
        if frequent is not None:
            features = frequent.direct[np.minimum(keys, len(frequent.direct) - 1)]
            large = np.flatnonzero(keys >= len(frequent.direct) - 1)
        places = np.searchsorted(self.keys[:-1], keys[large])
        features[large] = np.where(self.keys[places] == keys[large], places, -1) if len(self.keys) else -1
        known = np.flatnonzero(features >= 0)
        return known, features[known]

    def frequent(self, classes: int) -> Frequent:
        """Make the rows of features that have weights for more than one in :data:`SHARE` classes."""
        sizes = np.diff(self.starts)
        chosen = SHARE * sizes > classes
        place = np.where(chosen, np.cumsum(chosen) - 1, -1).astype(np.int32)
        rows = np.zeros((int(np.count_nonzero(chosen)), classes), dtype=np.float32)
        own = np.repeat(chosen, sizes)
        rows[np.repeat(place[chosen], sizes[chosen]), self.classes[own]] = self.weights[own]
        small = min(MOST_DIRECT, int(self.keys[-1]) + 1 if len(self.keys) else 0)
        direct = np.full(small + 1, -1, dtype=np.int32)  # the last place is that of all larger keys, and of ABSENT
        count = int(np.searchsorted(self.keys, small))
        direct[self.keys[:count]] = np.arange(count)
        return Frequent(direct, place, rows)

    def sums(self, keys: NDArray[np.int64], classes: int, frequent: Frequent | None = None) -> NDArray[np.float32]:
        """float32 (rows, classes): for each row of a key matrix the sum of the weights of its known keys.

        frequent: rows of frequent features, which pay for many configurations

        The sums are whole numbers, equal to those of :func:`.lookups.sums`.
        """
        step = rows_at_a_time(keys.shape[1] * classes)
        starts = range(0, max(1, len(keys)), step)
        parts = [self._sums(keys[start : start + step], classes, frequent) for start in starts]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _sums(self, keys: NDArray[np.int64], classes: int, frequent: Frequent | None) -> NDArray[np.float32]:
        known, features = self.find(keys.ravel(), frequent)
        rows = known // keys.shape[1]
        result = np.zeros((len(keys), classes), dtype=np.float32)
        if frequent is not None:
            place = frequent.place[features]
            own = place >= 0
            starts = np.append(0, np.cumsum(np.bincount(rows[own], minlength=len(keys))))
            known_ones = np.ones(int(starts[-1]), np.float32), place[own], starts
            result += scipy.sparse.csr_array(known_ones, shape=(len(keys), len(frequent.rows))) @ frequent.rows
            rows, features = rows[~own], features[~own]
        counts = self.starts[features + 1] - self.starts[features]
        first = np.cumsum(counts) - counts  # where the weights of each known key begin among those of all
        places = np.arange(int(counts.sum())) + np.repeat(self.starts[features] - first, counts)
        cells = np.repeat(rows * classes, counts) + self.classes[places]
        result += np.bincount(cells, self.weights[places], result.size).reshape(result.shape)
        return result
