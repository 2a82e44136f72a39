"""The papers' support vector machine with a quadratic kernel and data splitting; fast for batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...base.parameters import TEXT, Allowed, optional, parameter, real, whole
from ...base.shapes import Array, Record, Sizes, check_arrays, csr_arrays, expect, within
from ..common import (
    check_instances,
    loaded_csr,
    saved_csr,
    seen_classes,
    sorted_contributions,
    stored_csr,
    table_of,
    taken,
)
from ..instances import Instances, feature_matrix, known_keys
from ..learner import Contribution, Indexed
from ..split import Splitting
from .kernel_votes import KernelVotes

if TYPE_CHECKING:
    from sklearn.svm import SVC

PROCESSES = Allowed(
    "a whole number other than 0; -1: all processors",
    lambda value: isinstance(value, int) and not isinstance(value, bool) and 0 < abs(value) < 2**15,
)


def fit_svc(
    features: scipy.sparse.csr_matrix, target: NDArray[np.int32], C: float, gamma: float, coef0: float, tol: float
) -> SVC:
    """Train LIBSVM's C-SVC with K(x, z) = (gamma x·z + coef0)²; scikit-learn passes it sparse float64 vectors."""
    from sklearn.svm import SVC  # slow to import, and parsing does not need it

    svc = SVC(kernel="poly", degree=2, C=C, gamma=gamma, coef0=coef0, tol=tol, cache_size=500)
    return svc.fit(features, target)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One classifier. classes: its classes in ascending order. votes: its SVC; None if there is only one class."""

    classes: NDArray[np.int32]
    votes: KernelVotes | None

    def scores(self, features: scipy.sparse.csr_matrix, others: NDArray[np.float32]) -> NDArray[np.float32]:
        result = np.tile(others, (features.shape[0], 1))
        votes = np.ones((features.shape[0], 1)) if self.votes is None else self.votes.votes(features)
        result[:, self.classes] = votes - np.arange(len(self.classes)) / (2 * len(self.classes))
        return result


def _fit_part(
    features: scipy.sparse.csr_matrix, target: NDArray[np.int32], C: float, gamma: float, coef0: float, tol: float
) -> _Part:
    classes = seen_classes(target)
    if len(classes) == 1:
        return _Part(classes, None)
    return _Part(classes, KernelVotes.from_svc(fit_svc(features, target, C, gamma, coef0, tol), features.shape[1]))


def _part_arrays(name: str, votes: bool) -> dict[str, Array]:
    """The shapes of the arrays of one classifier.

    name: prefix of their names
    votes: whether the classifier has an SVC
    """
    shapes = {f"{name}classes": Array("i", ("own",), least=0, below="classes", rising=True, filled=True)}
    if votes:
        shapes |= {
            f"{name}vectors.indptr": Array("i", ("vectors+1",), least=0, filled=True),
            f"{name}vectors.indices": Array("i", ("entries",), least=0, below="features"),
            f"{name}starts": Array("i", ("own+1",), least=0, below="vectors+1"),
            f"{name}rho": Array("f", ("pairs",)),
            **csr_arrays(f"{name}duals", None, "vectors"),
        }
    return shapes


@dataclass(kw_only=True, eq=False)
class KernelSVM(Splitting, Indexed):
    """LIBSVM's one-against-one SVM with K(x, z) = (gamma x·z + coef0)² over binary features.

    The parameters have LIBSVM's names and MaltParser's defaults (Hall, Nivre and Nilsson 2006). Each part of the
    instances has its own classifier, see :class:`..split.Splitting`.

    The score of a class is its number of votes minus a number below 1/2 that grows with the class number. The best
    class is therefore the one that SVC predicts, ties included. Classes that the classifier of this part has not seen
    have scores below zero, ordered by frequency in training.
    """

    name: ClassVar[str] = "svm-poly"
    section: ClassVar[Mapping[str, Any]] = {"learner": "svm", "kernel": "poly"}
    features: ClassVar[str] = "plain"
    summary: ClassVar[str] = "SVM with a quadratic kernel, one-against-one"

    C: float = parameter(1.0, real(above=0), "penalty of errors")
    gamma: float = parameter(0.2, real(above=0), "factor of the kernel")
    coef0: float = parameter(0.0, real(), "constant of the kernel")
    tol: float = parameter(0.001, real(above=0), "stopping tolerance of LIBSVM")
    split: str | None = parameter(
        None, optional(TEXT), "template of the feature model; each of its frequent values gets a classifier"
    )
    split_threshold: int = parameter(1000, whole(1), "minimum number of instances of a frequent value of `split`")
    min_count: int = parameter(1, whole(1), "minimum number of occurrences of a feature in training")
    n_jobs: int = parameter(1, PROCESSES, "number of processes that train the classifiers")

    learned: ClassVar[Record] = Record({"slot_": whole(-1), "rest_": whole(0), "parts_": whole(1)})
    arrays: ClassVar[Mapping[str, Array]] = {
        "kept": Array("i", ("features",), least=0, rising=True),
        **Splitting.arrays,
    }

    def fit(self, instances: Instances) -> Self:
        self.check()
        check_instances(self.name, instances)
        target = instances.target
        groups = self._groups(instances)
        self.kept_ = np.sort(known_keys(instances, self.min_count))
        features = feature_matrix(instances, self.index_.keys)
        from joblib import Parallel, delayed  # slow to import, and parsing does not need it

        self.kernels: list[_Part] = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_part)(features[group], target[group], self.C, self.gamma, self.coef0, self.tol)
            for group in groups
        )
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        features = self.index_.features(keys)
        result = np.empty((len(keys), len(self.others_)), np.float32)
        part_of = self._part_of(keys[:, self.slot_])
        for part in np.unique(part_of):
            rows = np.flatnonzero(part_of == part)
            result[rows] = self.kernels[part].scores(features[rows], self.others_)
        return result

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        """Contributions of features and pairs of features to the one-against-one decision between two classes.

        The square of a sum over features is a sum over features and pairs of features.
        """
        part = self.kernels[self._part_of(keys[self.slot_, None])[0]]
        if part.votes is None or not {winner, rival} <= set(part.classes.tolist()):
            return []
        first, second = np.searchsorted(part.classes, [winner, rival])
        slots, rows = self.index_.present(keys)
        shared = part.votes.pair_weights(int(first), int(second), rows)
        one, two = np.triu_indices(len(rows))
        values = shared[one, two] * np.where(one == two, 1.0, 2.0)
        names = [(int(slots[a]),) if a == b else (int(slots[a]), int(slots[b])) for a, b in zip(one, two, strict=True)]
        return sorted_contributions(names, values)

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values, arrays = super().state()
        for number, part in enumerate(self.kernels):
            arrays[f"{number}.classes"] = part.classes
            if part.votes is not None:
                votes = part.votes
                arrays |= saved_csr(f"{number}.duals", votes.duals) | {
                    f"{number}.vectors.indptr": votes.indptr,
                    f"{number}.vectors.indices": votes.indices,
                    f"{number}.starts": votes.starts,
                    f"{number}.rho": votes.rho,
                }
        return values, arrays

    @classmethod
    def check_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], sizes: Sizes) -> None:
        super().check_state(values, arrays, sizes)
        features = {**sizes, "features": len(arrays["kept"])}
        for number in range(values["parts_"]):
            check_arrays(arrays, _part_arrays(f"{number}.", f"{number}.rho" in arrays), features)

    @property
    def parts_(self) -> int:
        """The number of classifiers."""
        return len(self.kernels)

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.kernels = [self._loaded(taken(arrays, f"{number}."), number) for number in range(values["parts_"])]

    def _loaded(self, arrays: Mapping[str, NDArray[Any]], number: int) -> _Part:
        if "rho" not in arrays:
            expect(
                len(arrays["classes"]) == 1,
                f": array {number}.rho",
                "found none; expected thresholds, since there are several classes",
            )
            return _Part(arrays["classes"], None)
        starts, indptr, indices = arrays["starts"], arrays["vectors.indptr"], arrays["vectors.indices"]
        classes, vectors = len(starts) - 1, len(indptr) - 1
        rising = starts[0] == 0 and starts[-1] == vectors and (np.diff(starts) >= 0).all()
        expect(bool(rising), f": array {number}.starts", f"expected ascending numbers from 0 to {vectors}")
        pairs = classes * (classes - 1) // 2
        found = len(arrays["rho"])
        expect(
            classes > 1 and found == pairs,
            f": array {number}.rho",
            f"found {found} thresholds; expected {pairs}, one per pair of classes",
        )
        with within(f": arrays {number}"):
            duals = table_of(stored_csr("duals", arrays, (classes - 1, vectors)))
            loaded_csr((np.ones(len(indices)), indices, indptr), (vectors, len(self.index_)))
        votes = KernelVotes(indptr, indices, starts, duals, arrays["rho"], self.gamma, self.coef0, len(self.index_))
        expect(
            np.isfinite(votes.slack), f": array {number}.duals.data", "found numbers that are not finite or too large"
        )
        return _Part(arrays["classes"], votes)
