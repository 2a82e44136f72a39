"""Compiled Crammer-Singer solver: its weights equal those of scikit-learn's LIBLINEAR to the last bit."""

import numpy as np
import pytest
from crossarc.parser.learners.key_index import NO_ROW, WIDE, packed_rows
from crossarc.parser.learners.linear import crammer_singer
from crossarc.parser.learners.linear.crammer_singer import FEW, fit_weights
from crossarc.parser.learners.linear.weights import SparseWeights, scale_of
from scipy import sparse
from sklearn.svm import LinearSVC

pytest.importorskip("numba")


def drawn(seed, instances, features, classes):
    """Random instances with noisy classes; some instances have no features, some occur twice."""
    random = np.random.default_rng(seed)
    rows = [np.sort(random.choice(features, random.integers(0, 9), replace=False)) for _ in range(instances)]
    rows += rows[: instances // 4]
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    ones = np.ones(starts[-1])
    matrix = sparse.csr_matrix((ones, np.concatenate(rows).astype(np.int32), starts), shape=(len(rows), features))
    scores = matrix @ random.normal(size=(features, classes)) + random.normal(size=(len(rows), classes))
    return matrix, scores.argmax(axis=1).astype(np.int32)


def packed(matrix, first=0):
    """The instances of a matrix, in two blocks. first: number of the first feature."""
    rows = np.full((matrix.shape[0], 12), NO_ROW, np.int32)
    for row, numbers in enumerate(np.split(matrix.indices, matrix.indptr[1:-1])):
        rows[row, : len(numbers)] = np.random.default_rng(row).permutation(numbers) + first
        rows[row, 11] = rows[row, 0]  # a feature in two slots counts once
    return packed_rows([rows[:100], rows[100:]])


def liblinear(matrix, target, C, tol, seed):
    """Weights of scikit-learn's LinearSVC."""
    theirs = LinearSVC(C=C, tol=tol, multi_class="crammer_singer", fit_intercept=False, random_state=seed)
    return theirs.fit(matrix, target).coef_.T


@pytest.mark.parametrize("classes", [3, 8, 9, 40])
@pytest.mark.parametrize(("C", "tol"), [(0.1, 0.1), (1.0, 0.001), (0.01, 2.0)])
def test_weights_equal_those_of_liblinear(classes, C, tol):
    for seed in range(4):
        matrix, target = drawn(seed, 300, 60, classes)
        expected = liblinear(matrix, target, C, tol, seed)
        assert expected.any()
        for first in (0, WIDE - 30, 2**17):  # numbers of features below and above that of wide ones
            found = fit_weights(packed(matrix, first), target, first + 60, C, tol, seed)
            assert (found.take(np.arange(first, first + 60)) == expected).all()


def test_weights_of_single_precision_are_nearly_the_same(monkeypatch):
    monkeypatch.setattr(crammer_singer, "VERY_LARGE", 100)
    for seed in range(3):
        matrix, target = drawn(seed, 300, 60, 9)
        found = fit_weights(packed(matrix), target, 60, 0.1, 0.001, seed)
        assert found.dense.dtype == found.cells.pool.dtype == np.float32
        np.testing.assert_allclose(found.take(np.arange(60)), liblinear(matrix, target, 0.1, 0.001, seed), atol=0.002)


def test_features_with_many_weights_get_dense_rows():
    matrix, target = drawn(5, 900, 700, 30)
    found = fit_weights(packed(matrix), target, 700, 0.5, 0.01, 5)
    expected = liblinear(matrix, target, 0.5, 0.01, 5)
    assert (found.take(np.arange(700)) == expected).all()
    assert (found.take(np.arange(300, 420)) == expected[300:420]).all()
    sizes = np.count_nonzero(expected, axis=1)
    head = found.cells.head
    assert (head >= 0).any()
    assert (sizes > FEW).any()
    assert (head[sizes > FEW] < 0).all()
    keys, names, scale = np.arange(700)[::-1], np.arange(30), scale_of(expected)
    assert scale_of(found) == scale
    one, other = (SparseWeights.of(keys, own, names, scale) for own in (found, expected))
    assert all((mine == theirs).all() for mine, theirs in zip(one, other, strict=True))


def test_a_feature_of_many_classes_outgrows_its_cells_within_one_visit():
    matrix, target = drawn(2, 2000, 90, 900)
    found = fit_weights(packed(matrix), target, 90, 0.1, 0.5, 3)
    assert (found.take(np.arange(90)) == liblinear(matrix, target, 0.1, 0.5, 3)).all()
