"""The only place that chooses between code compiled by numba and numpy."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from ..errors import CrossarcError, choices

VARIABLE = "CROSSARC_KERNEL"
"""Environment variable that chooses the code: "numpy" never uses compiled code, "numba" always does. Without it,
compiled code is used if it is faster."""
KERNELS = ("numba", "numpy")


def chosen() -> str:
    """Return the value of :data:`VARIABLE`, or "". Raises CrossarcError for an unknown value."""
    found = os.environ.get(VARIABLE, "")
    if found and found not in KERNELS:
        raise CrossarcError(f"{VARIABLE}: {choices(found, KERNELS)}")
    return found


def enabled() -> bool:
    """Return whether compiled code may be used: numba is installed, and the environment does not choose numpy."""
    return chosen() != "numpy" and _installed()


def require(what: str) -> None:
    """Raise CrossarcError if numba is not installed.

    what: name of the feature that needs numba.
    """
    if not _installed():
        raise CrossarcError(f"{what}: needs numba, which is not installed; install it: pip install 'crossarc[fast]'")


@cache
def _installed() -> bool:
    return find_spec("numba") is not None


@cache
def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function, compiled for the types of its arguments at the first call. Compiled code releases the GIL.

    options: options of ``numba.njit``.
    """
    import numba

    from .kept_code import KeptCode

    dispatcher = numba.njit(nogil=True, **options)(function)
    dispatcher._cache = KeptCode(function)  # numba does the same for cache=True
    return dispatcher
