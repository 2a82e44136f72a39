"""Checks of arguments from callers of the Python interface: lists, heads, texts and truth values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

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


def given_heads(heads: Sequence[int], what: str) -> list[int]:
    """Return the heads of words 1..n, after an ignored value for node 0.

    The heads need not form a tree. Raises CrossarcError for heads other than -1..n.
    """
    found: list[Any] = given_list(heads, what)
    if not found:
        raise CrossarcError(f"{what}: found none, expected -1 for node 0 and a head for each word")
    most = len(found) - 1
    for word, head in enumerate(found):
        whole = isinstance(head, int | np.integer) and not isinstance(head, bool)
        if not whole or (word and not -1 <= head <= most):
            raise CrossarcError(f"{what}: word {word} has head {shown(head)}; allowed: 0 to {most}, -1 for none")
    return [int(head) for head in found]


def given_texts(values: Sequence[str], what: str, count: int) -> list[str]:
    """Return a list of ``count`` texts. Raises CrossarcError for anything else."""
    found = given_list(values, what, count)
    for value in found:
        if not isinstance(value, str):
            raise CrossarcError(f"{what}: found {shown(value)}, expected text")
    return found


def given_flags(values: NDArray[np.bool_] | Sequence[bool], what: str) -> NDArray[np.bool_]:
    """Return bool (N,) from truth values or the numbers 0 and 1. Raises CrossarcError for anything else."""
    try:
        found = np.asarray(values)
    except ValueError:  # rows of different lengths
        found = np.asarray(None)
    truths = found.dtype.kind in "biu" and bool(((found == 0) | (found == 1)).all())
    if found.ndim != 1 or (found.size and not truths):
        raise CrossarcError(f"{what}: found {shown(values)}, expected one row of truth values")
    return found.astype(np.bool_)
