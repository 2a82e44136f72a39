"""The compiled solver gives the weights of scikit-learn's LIBLINEAR, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from crossarc.features.extractor import Slot
from crossarc.parser.learners.crammer_singer import compiled_solver, fit_weights
from crossarc.parser.learners.instances import Instances
from crossarc.parser.learners.linear_svm import LinearSVM
from scipy import sparse
from sklearn.svm import LinearSVC

pytest.importorskip("numba")


def drawn(seed: int, instances: int, features: int, classes: int) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Instances of features whose weights are drawn, some instances without any, some drawn twice."""
    random = np.random.default_rng(seed)
    rows = [np.sort(random.choice(features, random.integers(0, 9), replace=False)) for _ in range(instances)]
    rows += rows[: instances // 4]
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    matrix = sparse.csr_matrix(
        (np.ones(starts[-1]), np.concatenate(rows).astype(np.int32), starts), shape=(len(rows), features)
    )
    scores = matrix @ random.normal(size=(features, classes)) + random.normal(size=(len(rows), classes))
    return matrix, scores.argmax(axis=1).astype(np.int32)


@pytest.mark.parametrize("classes", [3, 8, 9, 40])
@pytest.mark.parametrize(("C", "tol"), [(0.1, 0.1), (1.0, 0.001), (0.01, 2.0)])
def test_weights_are_those_of_liblinear(classes: int, C: float, tol: float) -> None:
    solver = compiled_solver()
    if solver is None:
        pytest.skip("CROSSARC_KERNEL=numpy")
    for seed in range(4):
        matrix, target = drawn(seed, 300, 60, classes)
        found = fit_weights(matrix.indices, matrix.indptr, target, 60, C, tol, seed, solver)
        theirs = LinearSVC(C=C, tol=tol, multi_class="crammer_singer", fit_intercept=False, random_state=seed)
        expected = theirs.fit(matrix, target).coef_.T
        assert (found == expected).all()
        assert found.any()


@pytest.mark.parametrize("classes", [2, 5])
def test_models_are_the_same_without_numba(monkeypatch: pytest.MonkeyPatch, classes: int) -> None:
    random = np.random.default_rng(classes)
    keys = random.integers(0, 6, (400, 5)) + 6 * np.arange(5)
    target = ((keys[:, 0] + keys[:, 1]) % classes).astype(np.int32)
    data = Instances.of(keys, target, tuple(Slot(str(slot), 6 * slot, 6) for slot in range(5)), classes)
    states = []
    for kernel in ("", "numpy"):
        monkeypatch.setenv("CROSSARC_KERNEL", kernel)
        compiled_solver.cache_clear()
        assert kernel or compiled_solver() is not None
        states.append(LinearSVM(min_count=1).fit(data).state())
    compiled_solver.cache_clear()
    (values, arrays), (same, others) = states
    assert values == same
    for name, array in arrays.items():
        assert array.tobytes() == others[name].tobytes()
