"""Vectorised feature extraction: from a batch of configurations to a matrix of exact integer keys."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..transitions.arrays import ranks
from ..transitions.configuration import Configuration, Ints
from ..transitions.valencies import over_trees
from .address import SOURCES, Address, node_function
from .template import FeatureModel, Part, Template, TemplateError

ABSENT = -1
"""The key in an empty slot: an unused place of a set-valued feature."""

DISTANCE_BINS = np.array([0, 1, 2, 3, 4, 5, 7, 10, 15])
"""Lower bounds of the bins of a distance in words; the last bin has no upper bound."""
MOST_ARITY = 6
"""Larger arities count as this one."""
LABEL_SETS: Mapping[str, int] = {"dependents": 6, "valencies": 3}
"""Maximum size of a set of labels; larger sets keep the lowest label ids."""
MOST_KEYS = 2**62
DENSE_ROWS = 32
"""Number of rows from which a sparse matrix combines keys faster than numpy."""
NO_VALUE = -1


@dataclass(frozen=True, slots=True)
class ColumnSize:
    """The size of a column.

    values: largest value id + 1
    most: largest number of values of a word in a set-valued column (0 if no word has any); ``None`` for columns with
        one value per word
    """

    values: int
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """One column of the key matrix: its template, and the half-open range of its keys [offset, offset + size).

    A set-valued template fills several columns, which share one range; a key identifies the value, not its place in the
    set.
    """

    template: str
    offset: int
    size: int


class Extractor:
    """Turns configurations into feature keys.

    model: the templates
    columns: the size of each column that the templates name
    labels: number of dependency labels

    A template's key combines the ids of its parts by mixed radix, so that different values never share a key. Raises
    :class:`TemplateError` for models whose keys do not fit into 62 bits. Templates with few possible keys come first,
    so that small keys are dense and can index a table. Value id 0 stands for "no node" and is a value like any other,
    except in set-valued columns, where it fills unused places.

    Attributes:

    addresses: the number of each address; inner addresses come first
    value_rows: for each part, its first row in the matrix of values, and its number of rows
    slots: the columns of the key matrix
    factors: for each slot, the rows of values that it combines, each with its radix
    optional: for each slot, the row of values that is 0 where the slot is unused, or -1
    """

    def __init__(self, model: FeatureModel, columns: Mapping[str, ColumnSize], labels: int) -> None:
        self.model = model
        self.columns = columns
        self.labels = labels
        self.value_rows: dict[Part, tuple[int, int]] = {}
        parts = dict.fromkeys(part for template in model.templates for part in template.parts)
        rows = 0
        for part in sorted(parts, key=self._plan_order):
            most = self._most(part)
            count = 1 if most is None else most
            self.value_rows[part] = (rows, count)
            rows += count
        self._rows = rows
        self._plan_addresses(list(parts))
        self._plan_values([part for part, (_, count) in self.value_rows.items() if count])
        self._plan_keys(model.templates)

    # --- planning -------------------------------------------------------------------------------------------------

    def _plan_order(self, part: Part) -> tuple[str, str, str]:
        return (part.kind, part.column, part.side)

    def size(self, part: Part) -> int:
        """The number of possible values of a part."""
        if part.kind == "column":
            return self.columns[part.column].values
        if part.kind == "deprel" or part.kind in LABEL_SETS:
            return self.labels + 1
        if part.kind == "distance":
            return len(DISTANCE_BINS) + 1
        return MOST_ARITY + 1

    def _most(self, part: Part) -> int | None:
        """Maximum number of values of a set-valued part at one node; ``None`` for a part with one value."""
        if part.kind in LABEL_SETS:
            return min(LABEL_SETS[part.kind], self.labels)
        return self.columns[part.column].most if part.kind == "column" else None

    def _plan_addresses(self, parts: Sequence[Part]) -> None:
        """Number the addresses so that each function is called once per nesting depth, with all its arguments."""
        wanted: dict[Address, None] = {}
        for part in parts:
            for address in part.addresses:
                for depth in range(len(address.functions) + 1):
                    wanted[Address(address.source, address.index, address.functions[:depth])] = None
        order = sorted(wanted, key=lambda a: (len(a.functions), a.functions[-1:], a.source, a.index, a.functions))
        self.addresses = {address: number for number, address in enumerate(order)}
        self._sources: list[tuple[str, slice, Ints]] = []
        self._functions: list[tuple[str, slice, Ints]] = []
        groups: dict[tuple[int, str], list[Address]] = {}
        for address in order:
            kind = address.functions[-1] if address.functions else address.source
            groups.setdefault((len(address.functions), kind), []).append(address)
        for (depth, kind), group in groups.items():
            places = slice(self.addresses[group[0]], self.addresses[group[0]] + len(group))
            if depth == 0:
                self._sources.append((kind, places, np.array([[address.index] for address in group])))
            else:
                inner = [Address(a.source, a.index, a.functions[:-1]) for a in group]
                self._functions.append((kind, places, np.array([self.addresses[address] for address in inner])))

    def _plan_values(self, parts: Sequence[Part]) -> None:
        """Group the parts that share one lookup: a column, the labels, the distances, or the arities on a side."""
        self._groups: list[tuple[Part, int, list[Ints]]] = []
        groups: dict[tuple[str, str, str], list[Part]] = {}
        for part in parts:
            groups.setdefault(self._plan_order(part), []).append(part)
        for group in groups.values():
            places = [
                np.array([self.addresses[part.addresses[k]] for part in group]) for k in range(len(group[0].addresses))
            ]
            self._groups.append((group[0], self.value_rows[group[0]][0], places))

    def _plan_keys(self, templates: Sequence[Template]) -> None:
        """Lay out the ranges of keys, and the matrix that turns values into keys: one row of radices per slot."""
        sizes = {template: math.prod(self.size(part) for part in template.parts) for template in templates}
        offset = 0
        slots: list[Slot] = []
        self.factors: list[list[tuple[int, int]]] = []
        self.optional: list[int] = []
        for template in sorted(templates, key=lambda template: sizes[template]):
            sets = [part for part in template.parts if self._most(part) is not None]
            if len(sets) > 1:
                raise TemplateError(f"template {str(template)!r}: merges two set-valued columns; allowed: one at most")
            for copy in range(self.value_rows[sets[0]][1] if sets else 1):
                radix = 1
                factors = []
                for part in reversed(template.parts):
                    row = self.value_rows[part][0] + (0 if self._most(part) is None else copy)
                    factors.append((row, radix))
                    radix *= self.size(part)
                slots.append(Slot(str(template), offset, sizes[template]))
                self.factors.append(factors)
                self.optional.append(self.value_rows[sets[0]][0] + copy if sets else NO_VALUE)
            offset += sizes[template]
            if offset > MOST_KEYS:
                raise TemplateError(
                    f"template {str(template)!r}: too many possible keys ({sizes[template]}); "
                    "allowed: 2**62 in all templates; merge fewer columns, or columns with fewer values"
                )
        if not slots:
            raise TemplateError("every column that the feature model reads is empty; use features of other columns")
        self.slots = tuple(slots)
        self._offsets = np.array([slot.offset for slot in slots])[:, None]
        numbers = np.repeat(np.arange(len(slots)), [len(factor) for factor in self.factors])
        rows, radices = np.array([factor for parts in self.factors for factor in parts]).T
        self._factors = numbers, rows, radices
        self._combine: Any = None
        self._optional = np.flatnonzero(np.array(self.optional) != NO_VALUE)
        self._optional_rows = np.array(self.optional)[self._optional]

    # --- extraction -----------------------------------------------------------------------------------------------

    def keys(self, c: Configuration, columns: Mapping[str, NDArray[np.integer]]) -> NDArray[np.int64]:
        """int64 (rows, slots): the keys of each row's features, :data:`ABSENT` in unused places of sets.

        columns: value ids of the original batch, (B, width), or (B, width, most) for set-valued columns. Node 0 and the
            places after the words have ids of their own; the last place of a row is 0.
        """
        values = self._values(c, columns, self._nodes(c))
        keys = self._combined(values)
        keys += self._offsets
        if self._optional.size:
            places = keys[self._optional]
            places[values[self._optional_rows] == 0] = ABSENT
            keys[self._optional] = places
        return keys.T

    def _combined(self, values: Ints) -> Ints:
        """int64 (slots, rows): for each slot, the sum of its values times their radices."""
        numbers, rows, radices = self._factors
        if values.shape[1] < DENSE_ROWS:
            starts = np.flatnonzero(np.diff(numbers, prepend=-1))
            return np.add.reduceat(values[rows] * radices[:, None], starts, axis=0)
        if self._combine is None:
            from scipy.sparse import csr_array  # slow to import; small batches do not need it

            self._combine = csr_array((radices, (numbers, rows)), shape=(len(self.slots), self._rows))
        return self._combine @ values

    def _nodes(self, c: Configuration) -> Ints:
        """int64 (addresses, rows): the node at each address."""
        nodes = np.empty((len(self.addresses), len(c)), dtype=np.int64)
        for source, places, indices in self._sources:
            nodes[places] = SOURCES[source](c, indices)
        for function, places, arguments in self._functions:
            nodes[places] = node_function(function)(c, nodes[arguments])
        return nodes

    def _values(self, c: Configuration, columns: Mapping[str, NDArray[np.integer]], nodes: Ints) -> Ints:
        """int64 (value rows, rows): the value ids of all parts."""
        values = np.empty((self._rows, len(c)), dtype=np.int64)
        origin = c.origin
        for part, first, places in self._groups:
            if part.kind == "valencies":
                places_of_set = self.value_rows[part][1]
                _fill_slots(values[first : first + places_of_set], *np.nonzero(over_trees(c).valencies() >= 0))
                continue
            at = nodes[places[0]]
            count = len(at)
            if part.kind == "column":
                column = columns[part.column]
                most = self.columns[part.column].most
                if most is not None:
                    column_values = column.reshape(-1, most)[origin + at]
                    values[first : first + count * most] = column_values.transpose(0, 2, 1).reshape(
                        count * most, len(c)
                    )
                else:
                    values[first : first + count] = column.ravel()[origin + at]
            elif part.kind == "deprel":
                values[first : first + count] = c.deprel(at) + 1
            elif part.kind == "distance":
                other = nodes[places[1]]
                bins = np.searchsorted(DISTANCE_BINS, np.abs(at - other), side="right")
                values[first : first + count] = np.where((at < 0) | (other < 0), 0, bins)
            elif part.kind == "dependents":
                places_of_set = self.value_rows[part][1]
                slots = np.empty((places_of_set, count * len(c)), dtype=np.int64)
                _fill_slots(slots, *self._labels_of_dependents(c, at, part.side))
                block = values[first : first + count * places_of_set].reshape(count, places_of_set, len(c))
                block[:] = slots.reshape(places_of_set, count, len(c)).swapaxes(0, 1)
            else:
                sides = (part.side,) if part.side else ("left", "right")
                total = sum(c.arity(at, side) for side in sides)
                values[first : first + count] = np.minimum(total, MOST_ARITY)
        return values

    def _labels_of_dependents(self, c: Configuration, nodes: Ints, side: str) -> tuple[Ints, Ints]:
        """(places in ``nodes``, labels), sorted: the set of labels of each node's arcs to one side."""
        words = np.arange(c.width)
        beyond = words > nodes[..., None] if side == "right" else words < nodes[..., None]
        matches = (c.heads_matrix() == nodes[..., None]) & beyond & (nodes >= 0)[..., None]
        place, dependents = np.divmod(np.flatnonzero(matches), c.width)
        labels = c.at(place % len(c)).deprel(dependents) if len(c) else dependents
        coded = np.unique((place * self.labels + labels)[labels >= 0])
        place, labels = np.divmod(coded, self.labels)
        return place, labels


def _fill_slots(slots: Ints, place: Ints, labels: Ints) -> None:
    """Fill ``slots``, (most, places), with the sorted ids (label + 1) of each place's set, and unused slots with 0."""
    slots[:] = 0
    rank = ranks(place)
    kept = rank < len(slots)
    slots[rank[kept], place[kept]] = labels[kept] + 1
