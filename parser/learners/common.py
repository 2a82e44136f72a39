"""Functions that learners share, such as the treatment of classes without training instances."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ..base.errors import CrossarcError
from ..base.shapes import ShapeError, check_table, expect
from .instances import known_keys
from .learner import Contribution, Instances

PARTS = ("data", "indices", "indptr")
WORTH_COUNTING = 2**28
"""Bytes. Below this estimate, exact memory needs are not computed."""


def weights_needed(instances: Instances, min_count: int, each: int) -> int:
    """Estimate the bytes of a table of weights, ``each`` bytes per feature and class; 0 if the table is certainly
    small.
    """
    classes = len(np.unique(instances.target))
    if len(instances.matrix.vocabulary) * classes * each < WORTH_COUNTING:
        return 0
    return len(known_keys(instances, min_count)) * classes * each


def seen_classes(target: NDArray[np.int32]) -> NDArray[np.int32]:
    """The classes that have instances, ascending, int32."""
    return np.unique(target).astype(np.int32)


def spread(scores: NDArray[Any], classes: NDArray[np.int32], n_classes: int) -> NDArray[np.float32]:
    """float32 (rows, n_classes): the scores in the columns of ``classes``, minus infinity in all other columns."""
    result = np.full((len(scores), n_classes), -np.inf, np.float32)
    result[:, classes] = scores
    return result


def frequency_rank(target: NDArray[np.int32], n_classes: int) -> NDArray[np.int32]:
    """int32 (n_classes,): rank of each class by frequency, 0 for the most frequent; ties by class number."""
    counts = np.bincount(target, minlength=n_classes)
    rank = np.empty(n_classes, np.int32)
    rank[np.argsort(-counts, kind="stable")] = np.arange(n_classes)
    return rank


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
    found = [Contribution(own, float(value)) for own, value in zip(slots, values, strict=True) if value]
    return sorted(found, key=lambda contribution: (-abs(contribution.value), contribution.slots))


def share_of_votes(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """float64 (rows, classes): the positive scores of each row, divided by their sum if there are any."""
    votes = np.maximum(scores, 0).astype(np.float64)
    total = votes.sum(axis=1, keepdims=True)
    result: NDArray[np.float64] = votes / np.where(total > 0, total, 1)
    return result


def taken(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with ``prefix``, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def saved_csr(name: str, matrix: Any, starts: type[np.integer] = np.int64) -> dict[str, NDArray[Any]]:
    """The arrays of a sparse matrix, see :func:`.base.shapes.csr_arrays`."""
    own = scipy.sparse.csr_array(matrix)
    parts = own.data, own.indices.astype(np.int32), own.indptr.astype(starts)
    return {f"{name}.{part}": array for part, array in zip(PARTS, parts, strict=True)}


def stored_csr(name: str, arrays: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> scipy.sparse.csr_array:
    """The matrix ``name`` of a file, see :func:`saved_csr`. Raises ShapeError as :func:`loaded_csr` does."""
    return loaded_csr((arrays[f"{name}.{part}"] for part in PARTS), shape)


def loaded_csr(parts: Iterable[NDArray[Any]], shape: tuple[int, ...]) -> scipy.sparse.csr_array:
    """Make a CSR matrix from the data, indices and indptr of a file.

    Raises ShapeError if they do not match one another or the shape; compiled code does not check this.
    """
    data, indices, indptr = parts
    starts = indptr.astype(np.int64)  # scipy checks the differences only if the last start is above 0
    rising = len(starts) > 0 and starts[0] == 0 and (np.diff(starts) >= 0).all() and starts[-1] <= len(data)
    expect(bool(rising), "", "not a sparse matrix: the starts of its rows are not ascending up to the number of values")
    expect(data.dtype != np.float16, "", "not a sparse matrix: found float16, which scipy does not support")
    try:
        matrix = scipy.sparse.csr_array((data, indices, indptr), shape=shape)
        matrix.check_format(full_check=True)
    except ValueError as error:
        raise ShapeError("", f"not a sparse matrix of {' x '.join(map(str, shape))}: {error}") from error
    return matrix


def table_of(matrix: scipy.sparse.csr_array) -> NDArray[Any]:
    """The matrix as an array with its zeros. Raises ShapeError if the zeros would take too much memory."""
    rows, columns = matrix.shape
    check_table(rows, columns, matrix.nnz)
    table: NDArray[Any] = matrix.toarray()
    return table
