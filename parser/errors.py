"""The one error that a user can cause, and the phrasing of its alternatives."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["CrossarcError", "UnknownPartError", "choices"]


class CrossarcError(Exception):
    """A mistake in the input, the config or the command line, told in one line without a traceback."""


class UnknownPartError(CrossarcError):
    """A model needs a part that is not registered here: one of another version, or of somebody's own."""


def choices(found: object, allowed: Iterable[object]) -> str:
    """The tail of an error message: the nearest allowed value, if any is near, and all of them.

    >>> choices("arc-stanard", ["arc-eager", "arc-standard"])
    "'arc-stanard' (did you mean 'arc-standard'?); allowed: arc-eager, arc-standard"
    """
    names = [str(value) for value in allowed]
    near = get_close_matches(str(found), names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"{str(found)!r}{hint}; allowed: {', '.join(names) if names else 'none'}"
