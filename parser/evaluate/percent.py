"""Percentages, and results that contain them and can be written as JSON."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeAlias

from ..treebank.statistics import percentage as percentage

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | None"


class Share:
    """A property of a result: one count as a percentage of another; None if the other is 0.

    part, whole: names of the counts, possibly with dots.
    """

    def __init__(self, part: str, whole: str) -> None:
        self._counts = attrgetter(part, whole)

    def __get__(self, result: object, kind: type | None = None) -> float | None:
        return percentage(*self._counts(result))


class Result:
    """Base class of results, which are dataclasses."""

    __slots__ = ()

    def to_json(self) -> dict[str, Json]:
        """Return the shares, then the fields, by name."""
        kinds = reversed(type(self).__mro__)
        shares = [name for kind in kinds for name, attribute in vars(kind).items() if isinstance(attribute, Share)]
        names = [*shares, *(field.name for field in fields(self))]  # type: ignore[arg-type]
        return {name: _json(getattr(self, name)) for name in names}


def _json(value: Any) -> Json:
    if isinstance(value, Result):
        return value.to_json()
    if isinstance(value, dict):
        return {key: _json(inner) for key, inner in value.items()}
    return [_json(inner) for inner in value] if isinstance(value, tuple) else value


def error_reduction(before: float | None, after: float | None) -> float | None:
    """Return the percentage of errors removed from ``before`` to ``after``, two accuracies (Nilsson 2009, section 3.1).

    The result is negative if ``after`` is worse, and None if either is undefined or ``before`` is 100.
    """
    if before is None or after is None or before >= 100:
        return None
    return 100.0 * (after - before) / (100.0 - before)
