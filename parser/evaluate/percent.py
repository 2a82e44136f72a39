"""Shares in per cent, and results that state them and can be written as JSON."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeAlias

from ..treebank.statistics import percentage

__all__ = ["percentage"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | None"


class Share:
    """The percentage that one count of a result is of another, None of nothing; counts are named, with dots inside."""

    def __init__(self, part: str, whole: str) -> None:
        self._counts = attrgetter(part, whole)

    def __get__(self, result: object, kind: type | None = None) -> float | None:
        return percentage(*self._counts(result))


class Result:
    """The base of results, which are dataclasses."""

    __slots__ = ()

    def to_json(self) -> dict[str, Json]:
        """The shares, then the fields, by their names."""
        kinds = reversed(type(self).__mro__)
        shares = [name for kind in kinds for name, own in vars(kind).items() if isinstance(own, Share)]
        names = [*shares, *(field.name for field in fields(self))]  # type: ignore[arg-type]
        return {name: _json(getattr(self, name)) for name in names}


def _json(value: Any) -> Json:
    if isinstance(value, Result):
        return value.to_json()
    if isinstance(value, dict):
        return {key: _json(own) for key, own in value.items()}
    return [_json(own) for own in value] if isinstance(value, tuple) else value


def error_reduction(before: float | None, after: float | None) -> float | None:
    """By how many per cent of the errors the percentage ``after`` improves on ``before`` (Nilsson 2009, section 3.1).

    Negative where it is worse; None where either is undefined or ``before`` is 100.
    """
    if before is None or after is None or before >= 100:
        return None
    return 100.0 * (after - before) / (100.0 - before)
