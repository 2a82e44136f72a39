"""How loops are compiled: decorators, and what numba has no word for. Importing this module imports numba."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import llvmlite.binding as llvm
import numba
import numba.extending
from llvmlite import ir
from numba.core import cgutils

from .tables import PLACES

__all__ = ["compiled", "fetch_place", "fetch_row", "machine_code", "row_in_bucket"]

Function = TypeVar("Function", bound=Callable[..., Any])
NUMBA: Any = numba
OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Without numba's run-time all arrays come from outside, and nobody counts references to them: that took most time."""


def compiled(function: Function) -> Function:
    """A function that becomes a part of those that call it."""
    return cast(Function, NUMBA.njit(forceinline=True, **OPTIONS)(function))


def machine_code(function: Any, symbol: str, arguments: Sequence[Any]) -> bytes:
    """An object file for this processor with a function of three arguments that returns nothing.

    symbol: its name there. arguments: of the types that it is compiled for; it takes the places where they stand, laid
    out as numba does, see :func:`.machine_code.laid_out`.
    """
    kinds = [NUMBA.types.CPointer(NUMBA.typeof(argument)) for argument in arguments]

    def at(one: Any, two: Any, three: Any) -> None:
        function(one[0], two[0], three[0])

    compiled_at = NUMBA.cfunc(NUMBA.types.void(*kinds), **OPTIONS)(at)
    module = llvm.parse_assembly(compiled_at.inspect_llvm())
    module.get_function(compiled_at.native_name).name = symbol
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        codemodel="jitdefault",
        jit=True,
    )
    return bytes(machine.emit_object(module))


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


def _matching(places: int) -> Any:
    """A function of a table, the number of a row of it, and a key: the row has so many keys and then as many numbers,
    and what is returned is the number of the key, or -1. All keys are compared at once: branches would be mispredicted.
    """
    tools: Any = cgutils

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, values[0])
        number = ir.IntType(64)
        vector = ir.VectorType(number, places)
        begin = tools.get_item_pointer(context, builder, kind, array, [values[1], number(0)])
        keys, numbers = (
            builder.load(builder.bitcast(builder.gep(begin, [number(first)]), ir.PointerType(vector)), align=8)
            for first in (0, places)
        )
        wanted = builder.insert_element(ir.Constant(vector, ir.Undefined), values[2], ir.IntType(32)(0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), places), [0] * places)
        wanted = builder.shuffle_vector(wanted, ir.Constant(vector, ir.Undefined), everywhere)
        none = ir.Constant(vector, [-1] * places)
        found = builder.select(builder.icmp_signed("==", keys, wanted), numbers, none)
        largest = tools.get_or_insert_function(
            builder.module, ir.FunctionType(number, [vector]), f"llvm.vector.reduce.smax.v{places}i64"
        )
        return builder.call(largest, [found])

    return numba.extending.intrinsic(
        lambda typing, table, row, key: (numba.types.int64(table, numba.types.int64, numba.types.int64), generate)
    )


row_in_bucket = _matching(PLACES)
