"""The work of an extractor as arrays of instructions for the compiled loop."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....features.address import Address
from ....features.extractor import DISTANCE_BINS, MOST_ARITY, Extractor
from ....features.template import Part
from ....transitions.configuration import Ints

FACTORS = 3
"""Number of values of a key that the loop multiplies without a branch; few keys have more values."""


class Node(IntEnum):
    """How an address finds its node: a source, or a function of another address; see :mod:`.address`."""

    STACK = 0  # the first three are numbers of lists
    INPUT = auto()
    OTHER_STACK = auto()
    LOOKAHEAD = auto()
    CONTEXT = auto()
    SWAPPED = auto()
    HEAD = auto()
    LDEP = auto()
    LDEP2 = auto()
    RDEP = auto()
    RDEP2 = auto()
    LSIB = auto()
    RSIB = auto()
    PRED = auto()
    SUCC = auto()


NODES: Mapping[str, Node] = {
    "Stack": Node.STACK,
    "Input": Node.INPUT,
    "Lookahead": Node.LOOKAHEAD,
    "Left": Node.STACK,
    "LeftContext": Node.CONTEXT,
    "Swapped": Node.SWAPPED,
    "OtherStack": Node.OTHER_STACK,
    **{node.name.lower(): node for node in Node if node >= Node.HEAD},
}
"""The sources and functions that compiled loops know."""


class Value(IntEnum):
    """A value that is looked up for a node."""

    COLUMN = 0
    DEPREL = auto()
    DISTANCE = auto()
    ARITY = auto()
    DEPENDENTS = auto()


SIDES: Mapping[str, int] = {"left": 1, "right": 2, "": 3}
VALUES: Mapping[str, Value] = {member.name.lower(): member for member in Value}


class FeaturePlan(NamedTuple):
    """The instructions of an extractor. Arrays are int64.

    addresses: for each address :class:`Node`, the index in the source, and the address that a function is applied to
        ((addresses, 3)). An address precedes the addresses that are functions of it.
    values: for each part :class:`Value`, the address, a second address (distance) or sides (1 left, 2 right, 3 both),
        the index of its first value, and its number of values ((parts, 5)).
    columns: for each part that reads a column, the offset among the packed columns ((parts,)).
    rows: number of values of all parts.
    distances: the value of each distance; the last entry is the value of all greater distances.
    most_arity: maximum value of an arity; higher arities get this value.
    plain: for each column with one value, the address, the offset among the packed columns, and the index of the value
        ((columns, 3)).
    others: the indices of all other parts.
    offsets: the offset of the keys of each slot ((slots,)); slots are numbered as in the extractor.
    factors, radices: indices of the values of each key and their multipliers ((slots, :data:`FACTORS`)); 0 if a key has
        fewer values.
    rest: slot, index of the value and multiplier of all further values of keys ((further values, 3)).
    optional: the slots that are unused if a value is 0, and the index of this value ((optional slots, 2)).
    """

    addresses: Ints
    values: Ints
    columns: Ints
    rows: int
    distances: Ints
    most_arity: int
    plain: Ints
    others: Ints
    offsets: Ints
    factors: Ints
    radices: Ints
    rest: Ints
    optional: Ints


def plan(extractor: Extractor) -> FeaturePlan | None:
    """The plan of an extractor; None if it uses sources or functions that compiled loops do not know."""
    numbers = extractor.addresses
    parts = [part for part, (_, count) in extractor.value_rows.items() if count]
    names = {name for address in numbers for name in (address.source, *address.functions)}
    if not (names <= NODES.keys() and {part.kind for part in parts} <= VALUES.keys()):
        return None
    places = _column_places(extractor)
    values = np.array([_value(part, numbers, *extractor.value_rows[part]) for part in parts], dtype=np.int64)
    columns = np.array([places.get(part.column, 0) for part in parts])
    kinds, address, _, first, counts = values.T
    plain = (kinds == Value.COLUMN) & (counts == 1)
    slots = extractor.slots
    factors, radices = np.zeros((2, len(slots), FACTORS), dtype=np.int64)
    rest = [(slot, *factor) for slot, parts in enumerate(extractor.factors) for factor in parts[FACTORS:]]
    for slot, slot_parts in enumerate(extractor.factors):
        few = np.array(slot_parts[:FACTORS])
        factors[slot, : len(few)], radices[slot, : len(few)] = few.T
    optional = [(slot, row) for slot, row in enumerate(extractor.optional) if row >= 0]
    return FeaturePlan(
        addresses=np.array([_node(address, numbers) for address in numbers], dtype=np.int64).reshape(-1, 3),
        values=values,
        columns=columns,
        rows=sum(count for _, count in extractor.value_rows.values()),
        distances=np.searchsorted(DISTANCE_BINS, np.arange(DISTANCE_BINS[-1] + 1), side="right"),
        most_arity=MOST_ARITY,
        plain=np.stack([address, columns, first], axis=1)[plain],
        others=np.flatnonzero(~plain),
        offsets=np.array([slot.offset for slot in slots]),
        factors=factors,
        radices=radices,
        rest=np.array(rest, dtype=np.int64).reshape(-1, 3),
        optional=np.array(optional, dtype=np.int64).reshape(-1, 2),
    )


def packed_columns(extractor: Extractor, columns: Mapping[str, NDArray[np.integer]]) -> NDArray[np.int32]:
    """The values of each node in all columns, one row per node (int32, (1 + B * width, places)).

    columns: see :meth:`Extractor.keys`.

    Values of sets take several places. "No node" is -1, so it reads the row before node 0 of its sentence: the first
    row, which has zeros, or the unused last row of the previous sentence.
    """
    names = _column_places(extractor)
    if not names:
        return np.zeros((1, 0), dtype=np.int32)
    ids = [np.atleast_3d(columns[name]) for name in names]
    packed = np.zeros((1 + ids[0].shape[0] * ids[0].shape[1], sum(column.shape[2] for column in ids)), dtype=np.int32)
    first = 0
    for column in ids:
        packed[1:, first : first + column.shape[2]] = column.reshape(-1, column.shape[2])
        first += column.shape[2]
    return packed


def _column_places(extractor: Extractor) -> dict[str, int]:
    """Offset of each used column among the packed columns."""
    places: dict[str, int] = {}
    end = 0
    for part, (_, count) in extractor.value_rows.items():
        if part.kind == "column" and count and part.column not in places:
            places[part.column] = end
            end += count
    return places


def _node(address: Address, numbers: Mapping[Address, int]) -> tuple[int, int, int]:
    if not address.functions:
        return NODES[address.source], address.index, 0
    inner = Address(address.source, address.index, address.functions[:-1])
    return NODES[address.functions[-1]], 0, numbers[inner]


def _value(part: Part, numbers: Mapping[Address, int], first: int, count: int) -> tuple[int, int, int, int, int]:
    places = [numbers[address] for address in part.addresses]
    second = places[1] if part.kind == "distance" else SIDES[part.side]
    return VALUES[part.kind], places[0], second, first, count
