"""Loops compiled by numba, for where it is installed (the extra ``crossarc[fast]``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["compiler"]


def compiler() -> Callable[[Callable[..., Any]], Any] | None:
    """What compiles a function when it is first called, and lets other threads run meanwhile; None without numba.

    The code is kept for later processes where numba finds a place for it: beside the source, in the folder for the
    user's cached files, or in the one that NUMBA_CACHE_DIR names. Where it finds none, as in an installation that is
    read-only for a user who has no home, every process compiles for itself.
    """
    try:
        import numba
    except ImportError:
        return None
    keeping, alone = numba.njit(cache=True, nogil=True), numba.njit(nogil=True)

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return keeping(function)
        except RuntimeError:  # "no locator available"
            return alone(function)

    return compiled
