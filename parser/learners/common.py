"""Functions that learners share, such as the treatment of classes without training instances."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .learner import Contribution


def spread(scores: NDArray[Any], classes: NDArray[np.int32], n_classes: int) -> NDArray[np.float32]:
    """float32 (rows, n_classes): the scores in the columns of ``classes``, minus infinity in all other columns."""
    result = np.full((len(scores), n_classes), -np.inf, np.float32)
    result[:, classes] = scores
    return result


def rounded_weights(
    weights: NDArray[Any], scale: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16]]:
    """(rows, columns, values), each (weights,), of those that are not 0 when divided by ``scale`` and rounded.

    weights: floats (rows, columns). scale: above 0, so large that the results fit into int16.
    """
    whole = np.round(weights / scale).astype(np.int16)
    rows, columns = np.nonzero(whole)
    return rows, columns, whole[rows, columns]


def frequency_rank(counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """int32 (n_classes,): rank of each class by frequency, 0 for the most frequent; ties by class number."""
    rank = np.empty(len(counts), np.int32)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return rank


def fitted(classifier: Any, features: Any, target: NDArray[np.int32]) -> Any:
    """The classifier of scikit-learn, fitted; whether it has converged is not reported."""
    from sklearn.exceptions import ConvergenceWarning  # slow to import; parsing does not need it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return classifier.fit(features, target)


def sorted_contributions(slots: Sequence[tuple[int, ...]], values: NDArray[np.floating[Any]]) -> list[Contribution]:
    """The contributions other than 0, the largest first, ties by slot.

    slots: the slots of each feature's keys
    """
    contributions = [Contribution(slot, float(value)) for slot, value in zip(slots, values, strict=True) if value]
    return sorted(contributions, key=lambda contribution: (-abs(contribution.value), contribution.slots))


def share_of_votes(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """float64 (rows, classes): the positive scores of each row, divided by their sum.

    In rows without positive scores the shares are those of the exponentials of the scores, so that no row in which a
    class is possible is without a share.
    """
    votes = np.maximum(scores, 0).astype(np.float64)
    without = ~(votes > 0).any(axis=1)
    votes[without] = np.exp(scores[without].astype(np.float64))
    total = votes.sum(axis=1, keepdims=True)
    return votes / np.where(total > 0, total, 1)


def taken(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with ``prefix``, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
