"""Declared shapes of JSON values and arrays in files. Files are checked against them before use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .errors import CrossarcError
from .parameters import Allowed, shown

SMALL_TABLE = 2**26
PER_NUMBER = 2**10
"""Maximum number of cells of a small table, and maximum number of cells per stored number of a larger one."""


class ShapeError(CrossarcError):
    """A value or an array of a file does not have its declared shape.

    place: place of the value in the file.
    """

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"{place}: {fault}" if place else fault)
        self.place = place
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with the ``needed`` keys, and possibly the ``optional`` keys. Other keys are not checked."""

    needed: Mapping[str, Shape] = field(default_factory=dict)
    optional: Mapping[str, Shape] = field(default_factory=dict)

    @property
    def words(self) -> str:
        return f"a mapping with {', '.join(self.needed)}" if self.needed else "a mapping"


@dataclass(frozen=True, slots=True)
class MapOf:
    """A mapping with any keys, whose values all have one shape."""

    each: Shape

    @property
    def words(self) -> str:
        return f"a mapping of names, each to {self.each.words}"


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values of one shape.

    least, most: minimum and maximum length.
    """

    each: Shape
    least: int = 0
    most: int | None = None

    @property
    def words(self) -> str:
        if self.least == self.most:
            return f"a list of {self.least}, each {self.each.words}"
        least = f" of {self.least} or more" if self.least else ""
        most = "" if self.most is None else f" of {self.least} to {self.most}"
        return f"a list{most or least}, each {self.each.words}"


Shape: TypeAlias = Allowed | Record | MapOf | ListOf
"""The shape of a JSON value. :class:`~.parameters.Allowed` describes single values, as it does for parameters."""

ANY = Allowed("anything", lambda value: True)

Size: TypeAlias = int | str | None
"""A length or a bound: a number, a name, or None for any length. A bound may be one more: ``"classes+1"``. The first
array that uses an unknown name determines its length."""
Sizes: TypeAlias = Mapping[str, int]

KINDS = {"i": "whole numbers", "f": "numbers", "b": "flags"}


@dataclass(frozen=True, slots=True)
class Array:
    """The shape of an array.

    kind: ``i`` whole numbers that int64 can hold, ``f`` floats or whole numbers, ``b`` flags.
    dims: lengths of the dimensions.
    least, below: bounds of the values; ``below`` is exclusive. NaN is out of bounds.
    rising: whether each value must be greater than the one before it.
    filled: whether the array must have at least one value.
    """

    kind: str
    dims: tuple[Size, ...]
    least: float | None = None
    below: Size | float = None
    rising: bool = False
    filled: bool = False

    @property
    def words(self) -> str:
        dims = " x ".join("any" if size is None else str(size) for size in self.dims)
        bounds = f", from {self.least}" if self.least is not None else ""
        bounds += f", below {self.below}" if self.below is not None else ""
        some = f"{', rising' if self.rising else ''}{', one at least' if self.filled else ''}"
        return f"{KINDS[self.kind]} of shape ({dims}){bounds}{some}"


@contextmanager
def within(place: str) -> Iterator[None]:
    """Prefix the places of shape errors inside the block with ``place``."""
    try:
        yield
    except ShapeError as error:
        inner = error.place if not error.place or error.place.startswith(("[", ":")) else f".{error.place}"
        raise ShapeError(f"{place}{inner}", error.fault) from error


def expect(holds: bool | np.bool_, place: str, fault: str) -> None:
    """Raise ShapeError unless a condition holds that shapes cannot express."""
    if not holds:
        raise ShapeError(place, fault)


def check_values(value: Any, shape: Shape, place: str = "") -> None:
    """Raise ShapeError for the first JSON value that does not have its declared shape.

    >>> check_values({"fallback": None}, Record({"fallback": ListOf(ANY, 2, 2)}), "stages[0]")
    Traceback (most recent call last):
    crossarc.parser.base.shapes.ShapeError: stages[0].fallback: found None; expected a list of 2, each anything
    """
    match shape:
        case Allowed(_, holds) if holds(value):
            return
        case Record(needed, optional) if isinstance(value, dict):
            for name, needed_shape in needed.items():
                if name not in value:
                    raise ShapeError(_inside(place, name), f"found none; expected {needed_shape.words}")
            shapes = {**needed, **optional}
            parts = [(_inside(place, name), value[name], shape) for name, shape in shapes.items() if name in value]
        case MapOf(each) if isinstance(value, dict):
            parts = [(_inside(place, shown(name)[1:-1]), inner, each) for name, inner in value.items()]
        case ListOf(each, least, most) if isinstance(value, list) and least <= len(value) <= (most or len(value)):
            if isinstance(each, Allowed) and all(map(each.holds, value)):  # fast path for long lists
                return
            parts = [(f"{place}[{number}]", inner, each) for number, inner in enumerate(value)]
        case _:
            raise ShapeError(place, f"found {_found(value)}; expected {shape.words}")
    for where, needed_shape, each in parts:
        check_values(needed_shape, each, where)


def check_file(value: Any, shape: Shape, where: str) -> None:
    """Raise CrossarcError, which names the file, for JSON values as :func:`check_values` does."""
    try:
        check_values(value, shape)
    except ShapeError as error:
        raise CrossarcError(f"{where}: {error}") from None


def check_arrays(arrays: Mapping[str, NDArray[Any]], shapes: Mapping[str, Array], sizes: Sizes) -> dict[str, int]:
    """Check arrays and return the named lengths, including those in ``sizes``.

    Raises ShapeError for the first array that is missing or does not have its declared shape.
    """
    known = dict(sizes)
    for name, shape in shapes.items():
        if name not in arrays:
            raise ShapeError(f": array {name}", f"found none; expected {shape.words}")
        array = arrays[name]
        if not _fits(array, shape, known):
            description = f"{array.dtype.name} of shape ({' x '.join(map(str, array.shape))})"
            named = {size.removesuffix("+1") for size in (*shape.dims, shape.below) if isinstance(size, str)}
            where = ", ".join(f"{size} {known[size]}" for size in sorted(named & known.keys()))
            expected = shape.words + (f"; {where}" if where else "")
            raise ShapeError(f": array {name}", f"found {description}{_range(array)}; expected {expected}")
    return known


def check_table(rows: int, columns: int, stored: int) -> None:
    """Raise ShapeError for a table that is too large for its stored numbers to come from training."""
    if rows * columns > max(SMALL_TABLE, PER_NUMBER * stored):
        raise ShapeError("", f"found {stored} stored numbers, too few for a table of {rows} x {columns}")


def _inside(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _found(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"a mapping of {len(value)}"
    return shown(value)


def _fits(array: NDArray[Any], shape: Array, known: dict[str, int]) -> bool:
    if not _is_kind(array, shape.kind) or array.ndim != len(shape.dims) or (shape.filled and not array.size):
        return False
    for size, length in zip(shape.dims, array.shape, strict=True):
        if size is not None and length != (known.setdefault(size, length) if isinstance(size, str) else size):
            return False
    if not array.size:
        return True
    if shape.least is not None and not array.min() >= shape.least:
        return False
    if shape.below is not None and not array.max() < _number(shape.below, known):
        return False
    return not shape.rising or bool((array[1:] > array[:-1]).all())


def _is_kind(array: NDArray[Any], kind: str) -> bool:
    whole = array.dtype.kind in "iu" and np.can_cast(array.dtype, np.int64)
    return whole or (kind == "f" and array.dtype.kind == "f") if kind in "if" else array.dtype.kind == kind


def _number(size: str | float, known: Sizes) -> float:
    if isinstance(size, str):
        return known[size.removesuffix("+1")] + size.endswith("+1")
    return size


def _range(array: NDArray[Any]) -> str:
    return f", {array.min()} to {array.max()}" if array.size and array.dtype.kind in "iuf" else ""
