"""Shares in per cent, and the type of what goes into JSON."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["Json", "percentage"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | None"


def percentage(part: int, whole: int) -> float | None:
    """``100 * part / whole``; None for a share of nothing."""
    return 100.0 * part / whole if whole else None
