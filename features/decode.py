"""Decoding of feature keys into the values that they combine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .extractor import ABSENT, DISTANCE_BINS, LABEL_SETS, MOST_ARITY, Extractor
from .template import Part, parse_template


@dataclass(frozen=True, slots=True)
class PartValue:
    """A part of a template and the id of its value."""

    part: Part
    value: int


def decode_key(extractor: Extractor, slot: int, key: int) -> tuple[PartValue, ...]:
    """Return the parts of the slot's template with their values; empty for :data:`~crossarc.features.extractor.ABSENT`.

    Inverts the mixed radix of :meth:`~crossarc.features.extractor.Extractor.keys`, in which the last part has radix 1.
    Raises ValueError for a key outside the slot's range.
    """
    if key == ABSENT:
        return ()
    column = extractor.slots[slot]
    rest = key - column.offset
    if not 0 <= rest < column.size:
        raise ValueError(
            f"key {key} of {column.template}, expected {column.offset} to {column.offset + column.size - 1}"
        )
    parts = []
    for part in reversed(parse_template(column.template, "key").parts):
        rest, value = divmod(rest, extractor.size(part))
        parts.append(PartValue(part, value))
    return tuple(reversed(parts))


def value_text(value: PartValue, column_value: Callable[[str, int], str], label: Callable[[int], str]) -> str:
    """The value as text; "-" for no value.

    column_value: function from the name of a column and a value id to text
    label: function from the number of a label to text
    """
    part, number = value.part, value.value
    if part.kind == "column":
        return column_value(part.column, number)
    if part.kind == "deprel" or part.kind in LABEL_SETS:
        return label(number - 1) if number else "-"
    if part.kind == "distance":
        return _bin_text(number)
    return f"{number} or more" if number == MOST_ARITY else str(number)


def _bin_text(number: int) -> str:
    """The range of distances of a bin, in words."""
    if number == 0:
        return "-"
    low = int(DISTANCE_BINS[number - 1])
    if number == len(DISTANCE_BINS):
        return f"{low} or more"
    high = int(DISTANCE_BINS[number]) - 1
    return str(low) if low == high else f"{low} to {high}"
