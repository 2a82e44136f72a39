"""Shares in per cent, and the type of what goes into JSON."""

from __future__ import annotations

from typing import TypeAlias

from ..treebank.statistics import percentage

__all__ = ["Json", "error_reduction", "percentage"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | None"


def error_reduction(before: float | None, after: float | None) -> float | None:
    """By how many per cent of the errors the percentage ``after`` improves on ``before`` (Nilsson 2009, section 3.1).

    Negative where it is worse; None where either is undefined or ``before`` is 100.
    """
    if before is None or after is None or before >= 100:
        return None
    return 100.0 * (after - before) / (100.0 - before)
