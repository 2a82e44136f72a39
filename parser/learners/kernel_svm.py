"""The quadratic-kernel support vector machine of the papers, with their data splitting, fast in batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy import sparse
from sklearn.svm import SVC

from ..errors import CrossarcError, choices
from .binary import binary_matrix, feature_rows, kept_keys, present_features
from .common import (
    check_instances,
    check_positive,
    frequency_rank,
    loaded_csr,
    seen_classes,
    sorted_contributions,
    taken,
)
from .kernel_votes import KernelVotes
from .learner import Contribution, Instances, Learner

__all__ = ["KernelSVM", "fit_svc"]

_PARAMETERS = ("C", "gamma", "coef0", "tol", "split", "split_threshold", "min_count", "n_jobs")


def fit_svc(
    features: sparse.csr_array, target: NDArray[np.int32], C: float, gamma: float, coef0: float, tol: float
) -> SVC:
    """LIBSVM's C-SVC with K(x, z) = (gamma x·z + coef0)², as scikit-learn runs it on sparse float64."""
    svc = SVC(kernel="poly", degree=2, C=C, gamma=gamma, coef0=coef0, tol=tol, cache_size=500)
    matrix = sparse.csr_matrix((features.data, features.indices, features.indptr), shape=features.shape)
    return svc.fit(matrix, target)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One classifier: its classes (ascending) and, unless there is one class alone, its votes."""

    classes: NDArray[np.int32]
    votes: KernelVotes | None

    def scores(self, features: sparse.csr_array, others: NDArray[np.float32]) -> NDArray[np.float32]:
        result = np.tile(others, (features.shape[0], 1))
        votes = np.ones((features.shape[0], 1)) if self.votes is None else self.votes.votes(features)
        result[:, self.classes] = votes - np.arange(len(self.classes)) / (2 * len(self.classes))
        return result


def _fit_part(
    features: sparse.csr_array, target: NDArray[np.int32], C: float, gamma: float, coef0: float, tol: float
) -> _Part:
    classes = seen_classes(target)
    if len(classes) == 1:
        return _Part(classes, None)
    return _Part(classes, KernelVotes.from_svc(fit_svc(features, target, C, gamma, coef0, tol), features.shape[1]))


class KernelSVM(Learner):
    """LIBSVM's one-against-one SVM with K(x, z) = (gamma x·z + coef0)² over binary features.

    The parameters bear LIBSVM's names and MaltParser's defaults (Hall, Nivre and Nilsson 2006). ``split`` names a
    template: each of its values with at least ``split_threshold`` instances gets a classifier of its own, the others
    share one, which also serves values never seen (without rare values the largest classifier does). Classifiers are
    trained by ``n_jobs`` processes. Keys seen fewer than ``min_count`` times are dropped.

    Scores are the votes of the one-against-one classifiers, less at most a half that grows with the class number, so
    that the best class is the one SVC predicts, ties included; classes seen in training, but not by the classifier
    asked, follow below zero by their frequency.
    """

    name: ClassVar[str] = "svm-poly"

    def __init__(
        self,
        *,
        C: float = 1.0,
        gamma: float = 0.2,
        coef0: float = 0.0,
        tol: float = 0.001,
        split: str | None = None,
        split_threshold: int = 1000,
        min_count: int = 1,
        n_jobs: int = 1,
    ) -> None:
        self.C = C
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.split = split
        self.split_threshold = split_threshold
        self.min_count = min_count
        self.n_jobs = n_jobs

    def fit(self, instances: Instances) -> Self:
        check_instances(self.name, instances)
        check_positive(self.name, {"C": self.C, "gamma": self.gamma, "tol": self.tol, "min_count": self.min_count})
        keys, target = instances.keys, instances.target
        self.slot_ = self._split_slot(instances)
        self.kept_ = kept_keys(keys, self.min_count)
        features = binary_matrix(feature_rows(keys, self.kept_), len(self.kept_))
        self.values_, part_of = self._partition(keys)
        order = np.argsort(part_of, kind="stable")
        ends = np.cumsum(np.bincount(part_of))
        groups = [group for group in np.split(order, ends[:-1]) if len(group)]
        self.parts_: list[_Part] = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_part)(features[group], target[group], self.C, self.gamma, self.coef0, self.tol)
            for group in groups
        )
        sizes = [len(group) for group in groups]
        self.rest_ = len(self.values_) if len(groups) > len(self.values_) else int(np.argmax(sizes))
        rank = frequency_rank(target, instances.n_classes)
        self.others_ = np.full(instances.n_classes, -np.inf, np.float32)
        seen = seen_classes(target)
        self.others_[seen] = -1 - rank[seen] / instances.n_classes
        return self

    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        features = binary_matrix(feature_rows(keys, self.kept_), len(self.kept_))
        result = np.empty((len(keys), len(self.others_)), np.float32)
        part_of = self._part_of(keys)
        for part in np.unique(part_of):
            rows = np.flatnonzero(part_of == part)
            result[rows] = self.parts_[part].scores(features[rows], self.others_)
        return result

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        """Those to the decision of the one classifier between the two classes: a square of a sum of features is a sum
        over features and pairs of them."""
        part = self.parts_[self._part_of(keys[None])[0]]
        if part.votes is None or not {winner, rival} <= set(part.classes.tolist()):
            return []
        first, second = np.searchsorted(part.classes, [winner, rival])
        slots, rows = present_features(keys, self.kept_)
        shared = part.votes.pair_weights(int(first), int(second), rows)
        one, two = np.triu_indices(len(rows))
        values = shared[one, two] * np.where(one == two, 1.0, 2.0)
        names = [(int(slots[a]),) if a == b else (int(slots[a]), int(slots[b])) for a, b in zip(one, two, strict=True)]
        return sorted_contributions(names, values)

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        values: dict[str, Any] = {name: getattr(self, name) for name in _PARAMETERS}
        values |= {"slot_": self.slot_, "rest_": self.rest_, "parts_": len(self.parts_)}
        arrays: dict[str, NDArray[Any]] = {"kept": self.kept_, "values": self.values_, "others": self.others_}
        for number, part in enumerate(self.parts_):
            arrays[f"{number}.classes"] = part.classes
            if part.votes is not None:
                votes = part.votes
                duals = sparse.csr_array(votes.duals)
                arrays |= {
                    f"{number}.vectors.indptr": votes.indptr,
                    f"{number}.vectors.indices": votes.indices,
                    f"{number}.starts": votes.starts,
                    f"{number}.duals.data": duals.data,
                    f"{number}.duals.indices": duals.indices.astype(np.int32),
                    f"{number}.duals.indptr": duals.indptr.astype(np.int64),
                    f"{number}.rho": votes.rho,
                }
        return values, arrays

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        guide = cls(**{name: values[name] for name in _PARAMETERS})
        guide.slot_, guide.rest_ = values["slot_"], values["rest_"]
        guide.kept_, guide.values_, guide.others_ = arrays["kept"], arrays["values"], arrays["others"]
        guide.parts_ = [guide._loaded(taken(arrays, f"{number}.")) for number in range(values["parts_"])]
        return guide

    def _loaded(self, arrays: Mapping[str, NDArray[Any]]) -> _Part:
        if "rho" not in arrays:
            return _Part(arrays["classes"], None)
        indptr = arrays["vectors.indptr"]
        shape = (len(arrays["starts"]) - 2, len(indptr) - 1)
        duals = loaded_csr((arrays[f"duals.{part}"] for part in ("data", "indices", "indptr")), shape).toarray()
        indices = arrays["vectors.indices"]
        loaded_csr((np.ones(len(indices)), indices, indptr), (len(indptr) - 1, len(self.kept_)))
        votes = KernelVotes.from_arrays(
            indptr,
            indices,
            arrays["starts"],
            duals,
            arrays["rho"],
            self.gamma,
            self.coef0,
            len(self.kept_),
        )
        return _Part(arrays["classes"], votes)

    def _split_slot(self, instances: Instances) -> int:
        if self.split is None:
            return -1
        templates = [slot.template for slot in instances.slots]
        if self.split not in templates:
            raise CrossarcError(f"guide {self.name}: split: {choices(self.split, dict.fromkeys(templates))}")
        return templates.index(self.split)

    def _partition(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self.slot_ < 0:
            return np.empty(0, np.int64), np.zeros(len(keys), np.int64)
        values, counts = np.unique(keys[:, self.slot_], return_counts=True)
        self.values_ = values[counts >= self.split_threshold]
        self.rest_ = len(self.values_)
        return self.values_, self._part_of(keys)

    def _part_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        if not len(self.values_):
            return np.zeros(len(keys), np.int64)
        column = keys[:, self.slot_]
        place = np.minimum(np.searchsorted(self.values_, column), len(self.values_) - 1)
        return np.where(self.values_[place] == column, place, self.rest_)
