"""Distances between the values of a slot, as TiMBL defines them, in whole numbers so that sums are exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EXACT = 1 << 24
"""Whole numbers up to this, and so their sums in any order, are exact in float32."""

_TABLE_LIMIT = 1 << 22


def class_counts(codes: NDArray[np.int64], target: NDArray[np.int32], n_classes: int) -> NDArray[np.int64]:
    """int64 (codes, n_classes): how often each value came with each class."""
    n_codes = int(codes.max(initial=-1)) + 1
    flat = np.bincount(codes * n_classes + target, minlength=n_codes * n_classes)
    return flat.reshape(n_codes, n_classes)


def weigh(counts: NDArray[np.int64], weighting: str) -> float:
    """The weight of a slot: 1 (``none``), its information gain in bits, or that divided by the entropy of its values.

    Source: Quinlan (1993) as used by TiMBL; a slot of one value weighs nothing.
    """
    if weighting == "none":
        return 1.0
    from scipy.stats import entropy  # slow to import, and the default does not need it

    total = counts.sum()
    per_value = counts.sum(axis=1)
    within = entropy(counts, base=2, axis=1)
    gain = float(entropy(counts.sum(axis=0), base=2)) - float(per_value @ within) / float(total)
    if weighting == "information-gain":
        return max(gain, 0.0)
    split = float(entropy(per_value, base=2))
    return max(gain, 0.0) / split if split > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SlotMetric:
    """The distances of one slot.

    values: int64, ascending, the keys seen; codes: int32 (values,), their codes. Values with equal distributions over
    the classes share a code: the codes below ``len(shares)`` stand for rows of ``shares``, float64 (distributions,
    classes); each other code is one value that only equals itself. unit: the whole number that stands for distance 1.
    table: float32 (distributions, distributions), or empty where it would be too large to keep.
    """

    values: NDArray[np.int64]
    codes: NDArray[np.int32]
    shares: NDArray[np.float64]
    unit: int
    table: NDArray[np.float32]

    @property
    def n_codes(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    def codes_of(self, keys: NDArray[np.int64]) -> NDArray[np.int32]:
        """The codes of keys, -1 for values never seen."""
        place = np.minimum(np.searchsorted(self.values, keys), len(self.values) - 1)
        return np.where(self.values[place] == keys, self.codes[place], np.int32(-1))

    def distances(self, codes: NDArray[np.int32]) -> NDArray[np.float32]:
        """float32 (codes, n_codes): whole numbers from 0 to ``unit``, the distance to each code of the slot."""
        result = np.full((len(codes), self.n_codes), self.unit, np.float32)
        known = np.flatnonzero(codes >= 0)
        result[known, codes[known]] = 0
        shared = np.flatnonzero((codes >= 0) & (codes < len(self.shares)))
        if len(self.table):
            result[shared, : len(self.shares)] = self.table[codes[shared]]
        else:
            for row in shared:
                result[row, : len(self.shares)] = _differences(self.shares, self.shares[codes[row]], self.unit)
        return result


def _differences(shares: NDArray[np.float64], share: NDArray[np.float64], unit: int) -> NDArray[np.float64]:
    """Half the sum of the absolute differences, which is 1 less the sum of the minima."""
    support = np.flatnonzero(share)
    alike = np.minimum(shares[:, support], share[support]).sum(axis=1)
    result: NDArray[np.float64] = np.rint(unit * (1 - alike))
    return result


def prepare(values: NDArray[np.int64], codes: NDArray[np.int32], shares: NDArray[np.float64], unit: int) -> SlotMetric:
    """The metric with its table of distances, where that is small enough."""
    n = len(shares)
    table = np.empty((0, 0), np.float32)
    if 0 < n * n <= _TABLE_LIMIT:
        table = np.stack([_differences(shares, share, unit) for share in shares]).astype(np.float32)
    return SlotMetric(values, codes, shares, unit, table)


def smoothed_slot(values: NDArray[np.int64], counts: NDArray[np.int64], unit: int, smoothing: float) -> SlotMetric:
    """The slot for an embedding: P(class | value) as if ``smoothing`` more instances had the classes of the average.

    A rare value then stands near the mean: its own instances alone say little, and in training give themselves away.
    """
    rows, number = np.unique(counts, axis=0, return_inverse=True)
    average = counts.sum(axis=0) / counts.sum()
    shares = (rows + smoothing * average) / (rows.sum(axis=1, keepdims=True) + smoothing)
    return SlotMetric(values, number.reshape(-1).astype(np.int32), shares, unit, np.empty((0, 0), np.float32))


def fit_slot(values: NDArray[np.int64], counts: NDArray[np.int64], unit: int, threshold: int | None) -> SlotMetric:
    """The metric of a slot from its values and their class counts.

    threshold: the modified value difference metric (Cost and Salzberg 1993), halved so that 1 is the largest distance,
    between values seen at least so many times, overlap where one is rarer, as TiMBL's -L; None: overlap throughout.
    """
    often = counts.sum(axis=1) >= threshold if threshold is not None else np.zeros(len(values), bool)
    codes = np.empty(len(values), np.int32)
    shares = np.empty((0, counts.shape[1]))
    if often.any():
        frequent = counts[often]
        reduced = frequent // np.gcd.reduce(frequent, axis=1)[:, None]
        rows, number = np.unique(reduced, axis=0, return_inverse=True)
        codes[often] = number.reshape(-1)
        shares = rows / rows.sum(axis=1, keepdims=True)
    codes[~often] = len(shares) + np.arange(np.count_nonzero(~often))
    return prepare(values, codes, shares, unit)
