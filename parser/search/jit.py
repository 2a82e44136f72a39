"""How loops are compiled: decorators, and what numba has no word for. Importing this module imports numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numba.extending
from llvmlite import ir
from numba.core import cgutils

__all__ = ["compiled", "entry", "fetch_place", "fetch_row"]

Function = TypeVar("Function", bound=Callable[..., Any])
NJIT: Any = numba.njit
OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Without numba's run-time all arrays come from outside, and nobody counts references to them: that took most time."""


def compiled(function: Function) -> Function:
    """A function that becomes a part of those that call it."""
    return cast(Function, NJIT(forceinline=True, **OPTIONS)(function))


def entry(function: Function) -> Function:
    """A function that is called from outside; what was compiled is kept beside this file."""
    return cast(Function, NJIT(cache=True, **OPTIONS)(function))


def _fetching(arguments: int) -> Any:
    """A function that has the processor fetch the place of an array that will be read soon."""

    tools: Any = cgutils

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, values[0])
        place = tools.get_item_pointer(context, builder, kind, array, values[1:])
        byte, number = ir.PointerType(ir.IntType(8)), ir.IntType(32)
        kinds = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = tools.get_or_insert_function(builder.module, kinds, "llvm.prefetch.p0")
        builder.call(function, [builder.bitcast(place, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    if arguments == 1:
        return numba.extending.intrinsic(lambda typing, array, k: (numba.types.void(array, k), generate))
    return numba.extending.intrinsic(lambda typing, array, k, j: (numba.types.void(array, k, j), generate))


fetch_place, fetch_row = _fetching(1), _fetching(2)
