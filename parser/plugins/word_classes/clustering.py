"""Word classes from counts of neighbours or from vectors, in a tree of classes.

The counts become positive pointwise mutual information, these a vector of few dimensions per word (truncated singular
value decomposition), and k-means finds the classes. Ward's tree over their centres joins them to fewer, larger classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from .counting import NeighbourCounts

Floats = NDArray[np.float32]

DIMENSIONS = 64
"""Number of dimensions of the vectors made from counts."""
CLASSES = 1000
"""Number of the smallest classes."""
CUTS = (16, 64, 256)
"""Numbers of larger classes, each a cut of the tree."""
ROUNDS = 15
"""Maximum number of rounds of k-means."""
POWER = 0.5
"""Exponent of the singular values in the vectors."""


def vectors_of(counts: NeighbourCounts, seed: int, dimensions: int = DIMENSIONS) -> Floats:
    """A vector of length 1 for each word (float32, (words, dimensions))."""
    from sklearn.utils.extmath import randomized_svd  # slow to import; parsing does without

    matrix = _information(counts.neighbours)
    dimensions = min(dimensions, min(matrix.shape) - 1)
    with threadpool_limits(1):  # the sums of several threads differ in their last digits
        left, values, _ = randomized_svd(matrix, dimensions, n_iter=4, random_state=seed)
    return unit(left.astype(np.float32) * (values.astype(np.float32) ** POWER))


def _information(counts: Any) -> Any:
    """Positive pointwise mutual information, with a discount for rare pairs (Pantel & Lin 2002)."""
    matrix = counts.tocoo()
    rows, columns = np.asarray(counts.sum(axis=1)).ravel(), np.asarray(counts.sum(axis=0)).ravel()
    pair, word, context = matrix.data, rows[matrix.row], columns[matrix.col]
    values = np.log(pair * (rows.sum() / word) / context)
    least = np.minimum(word, context)
    values *= pair / (pair + 1) * (least / (least + 1))
    matrix.data = np.maximum(values, 0).astype(np.float32)
    information = matrix.tocsr()
    information.eliminate_zeros()
    return information


def unit(vectors: Floats) -> Floats:
    """The vectors with length 1; vectors of length 0 stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def classes_of(
    vectors: Floats, seed: int, classes: int = CLASSES, cuts: Sequence[int] = CUTS
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(the class of each word (int32, (words,)); the larger classes of each class (int32, (classes, cuts))).

    vectors: one for each word (float, (words, dimensions)).
    classes: number of classes, the clusters of k-means.
    cuts: numbers of larger classes; each cut joins classes whose centres are nearest to each other (Ward 1963).
    """
    from scipy.cluster.hierarchy import cut_tree, ward
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    classes = min(classes, len(np.unique(vectors, axis=0)))
    with threadpool_limits(1), catch_warnings():
        simplefilter("ignore", ConvergenceWarning)  # a small text may have words whose vectors are all but equal
        means = KMeans(classes, init="k-means++", n_init=1, max_iter=ROUNDS, random_state=seed, algorithm="lloyd")
        numbers = means.fit_predict(vectors).astype(np.int32)
    usable = [min(cut, classes) for cut in cuts]
    if classes < 2:
        return numbers, np.zeros((classes, len(usable)), dtype=np.int32)
    joined = cut_tree(ward(means.cluster_centers_.astype(np.float64)), usable).astype(np.int32)
    joined[:, np.equal(usable, classes)] = np.arange(classes)[:, None]  # scipy leaves all but the first such column 0
    return numbers, joined
