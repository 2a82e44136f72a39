"""Loops compiled by numba, for where it is installed (the extra ``crossarc[fast]``)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

__all__ = ["compiler"]


def compiler() -> Callable[[Callable[..., Any]], Any] | None:
    """What compiles a function when it is first called, and lets other threads run meanwhile; None without numba.

    The code is kept for later processes where numba finds a place for it: beside the source, in the folder for the
    user's cached files, or in the one that NUMBA_CACHE_DIR names. Where it finds none, as in an installation that is
    read-only for a user who has no home, or the disk is full, every process compiles for itself.
    """
    try:
        import numba
    except ImportError:
        return None
    keeping, alone = numba.njit(cache=True, nogil=True), numba.njit(nogil=True)

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            found = keeping(function)
        except RuntimeError:  # "no locator available"
            return alone(function)
        _make_optional(found)
        return found

    return compiled


def _make_optional(function: Any) -> None:
    """Let code that cannot be written to its place be compiled again; numba has its caller stop there."""
    save = function._cache.save_overload

    def save_if_possible(signature: Any, code: Any) -> None:
        with suppress(OSError):
            save(signature, code)

    function._cache.save_overload = save_if_possible
