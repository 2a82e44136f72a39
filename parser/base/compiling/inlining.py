"""Tools of compiled functions: inlining, and fetching from memory in advance. Importing this module imports numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])
OPTIONS = {"error_model": "numpy", "_nrt": False}
"""Options of numba: division as in numpy, and no run-time library. Without this library numba does not count references
to arrays, which took half of the time; compiled functions then cannot allocate arrays."""


def inlined(function: Function) -> Function:
    """Decorator for functions that are inlined into their callers."""
    jit: Any = numba.njit
    return cast(Function, jit(forceinline=True, nogil=True, **OPTIONS)(function))


def _fetch(typing: Any, array: Any, place: Any) -> Any:
    """Make the processor prefetch the element of an array at a tuple of indices, which will be read soon."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        tools: Any = cgutils
        kind, number = signature.args[0], ir.IntType(32)
        array = context.make_array(kind)(context, builder, values[0])
        pointer = tools.get_item_pointer(context, builder, kind, array, tools.unpack_tuple(builder, values[1]))
        pointer = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        parts = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = tools.get_or_insert_function(builder.module, parts, "llvm.prefetch.p0")
        builder.call(function, [pointer, number(0), number(3), number(1)])  # for reading, into all caches, data
        return context.get_dummy_value()

    return numba.types.void(array, place), generate


fetch: Any = intrinsic(_fetch)
