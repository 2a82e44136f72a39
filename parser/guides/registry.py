"""The guides by name, and how a config names them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ..errors import CrossarcError, choices
from .guide import Guide
from .linear_svm import LinearSVM

__all__ = ["GUIDES", "make_guide"]

GUIDES: Mapping[str, type[Guide]] = {LinearSVM.name: LinearSVM}


def make_guide(options: Mapping[str, Any]) -> Guide:
    """The guide that the ``guide`` section of a config describes. Raises CrossarcError for unknown keys and values."""
    learner = options.get("learner", "svm")
    if learner not in GUIDES:
        raise CrossarcError(f"guide.learner: found {choices(learner, GUIDES)}")
    given = {key: value for key, value in options.items() if key not in ("learner", "kernel")}
    allowed = inspect.signature(GUIDES[learner].__init__).parameters
    for key in given:
        if key not in allowed:
            raise CrossarcError(f"unknown key guide.{choices(key, [name for name in allowed if name != 'self'])}")
    return GUIDES[learner](**given)
