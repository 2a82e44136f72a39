"""Checks of lists from callers of the Python interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from .errors import CrossarcError
from .parameters import shown

T = TypeVar("T")


def given_list(values: Iterable[T], what: str, count: int | None = None) -> list[T]:
    """Return the values as a list.

    what: name of the argument for messages.
    count: required number of values, if any.

    Raises CrossarcError for a text, for a value that cannot be iterated over, and for another number of values.

    >>> given_list((1, 2), "heads"), given_list([3], "heads", 1)
    ([1, 2], [3])
    """
    try:
        found = list(values)
    except TypeError:
        raise CrossarcError(f"{what}: found {shown(values)}, expected a list") from None
    if isinstance(values, str | bytes):
        raise CrossarcError(f"{what}: found {shown(values)}, expected a list")
    if count is not None and len(found) != count:
        raise CrossarcError(f"{what}: found a list of length {len(found)}, expected {count}")
    return found
