"""The only place that chooses between code compiled by numba and numpy."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..errors import check_names

KERNEL_VARIABLE = "CROSSARC_KERNEL"
"""Environment variable that chooses the code: "numba" always uses compiled code; "numpy" never does where there is
numpy code; "python" never does, and runs loops without numpy code as plain Python. Without it, compiled code is used if
it is faster."""
KERNELS = ("numba", "numpy", "python")


def chosen() -> str:
    """Return the value of :data:`KERNEL_VARIABLE`, or "". Raises CrossarcError for an unknown value."""
    kernel = os.environ.get(KERNEL_VARIABLE, "")
    check_names(f"{KERNEL_VARIABLE}:", [kernel] if kernel else [], KERNELS)
    return kernel


def enabled() -> bool:
    """Return whether compiled code may be used: numba is installed, and the environment does not choose numpy."""
    return chosen() in ("", "numba") and _installed()


def loaded() -> bool:
    """Return whether compiled code may be used at once, because numba is imported already or the environment wants it.

    Importing numba takes half a CPU second.
    """
    return enabled() and ("numba" in sys.modules or chosen() == "numba")


def warn_if_slow(what: str) -> None:
    """Warn if numba is not installed. what: name of a feature whose loops are slow without it."""
    if not _installed():
        warnings.warn(
            f'{what} is more than 100 times slower without numba; install it: pip install "crossarc[fast]"',
            stacklevel=2,
        )


@cache
def _installed() -> bool:
    return find_spec("numba") is not None


@cache
def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function, compiled for the types of its arguments at the first call. Compiled code releases the GIL.

    options: options of ``numba.njit``.

    Without numba, or if the environment wants plain Python, this is the function itself, whose integers wrap around as
    in compiled code.
    """
    if not _installed() or chosen() == "python":
        return np.errstate(over="ignore")(function)
    import numba

    from .kept_code import KeptCode

    dispatcher = numba.njit(nogil=True, **options)(function)
    dispatcher._cache = KeptCode(function)  # numba does the same for cache=True
    return dispatcher
