"""The guides by name, and how a config names them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ..errors import CrossarcError, choices
from .expanded_svm import ExpandedSVM
from .kernel_svm import KernelSVM
from .knn import KNN
from .learner import Learner
from .linear_svm import LinearSVM
from .maxent import MaxEnt
from .plugin import Plugin
from .voting import Voting

__all__ = ["LEARNERS", "make_learner"]

LEARNERS: Mapping[str, type[Learner]] = {
    guide.name: guide for guide in (LinearSVM, KernelSVM, ExpandedSVM, MaxEnt, KNN, Voting, Plugin)
}
"""The guides by the names that models are saved with."""

_LEARNERS = ("svm", "maxent", "knn", "voting", "plugin")
_KERNELS = ("linear", "poly")


def make_learner(options: Mapping[str, Any]) -> Learner:
    """The guide that the ``guide`` section of a config describes. Raises CrossarcError for unknown keys and values.

    ``learner`` chooses it; for svm also ``kernel`` and, with the polynomial kernel, ``expand``. The other keys are the
    parameters of the guide; voting's ``guides`` is a list of such sections.
    """
    learner = options.get("learner", "svm")
    if learner not in _LEARNERS:
        raise CrossarcError(f"guide.learner: found {choices(learner, _LEARNERS)}")
    choosing = ["learner", "kernel"] if learner == "svm" else ["learner"]
    name = learner
    if learner == "svm":
        kernel = options.get("kernel", "linear")
        if kernel not in _KERNELS:
            raise CrossarcError(f"guide.kernel: found {choices(kernel, _KERNELS)}")
        if kernel == "poly":
            choosing.append("expand")
            expand = options.get("expand", False)
            if not isinstance(expand, bool):
                raise CrossarcError(f"guide.expand: found {choices(expand, ('true', 'false'))}")
            name = ExpandedSVM.name if expand else KernelSVM.name
    elif options.get("kernel") is not None:
        raise CrossarcError(f"guide.kernel: learner {learner} has none; allowed: with learner svm")
    given = {key: value for key, value in options.items() if key not in (*choosing, "kernel")}
    allowed = list(inspect.signature(LEARNERS[name]).parameters)
    for key in given:
        if key not in allowed:
            raise CrossarcError(f"unknown key guide.{choices(key, [*choosing, *allowed])}")
    if name == Voting.name:
        given["guides"] = [make_learner(section) for section in _sections(given.get("guides", []))]
    return LEARNERS[name](**given)


def _sections(found: Any) -> list[Mapping[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(section, Mapping) for section in found):
        raise CrossarcError("guide.guides: allowed: a list of guide sections, each with its learner")
    return found
