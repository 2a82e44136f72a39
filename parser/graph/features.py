"""The features of factors: templates over Head, Dependent, Between, Sibling and Grandchild, hashed into a table.

A template looks at the nodes of one factor: one with Sibling belongs to the sibling factor, one with Grandchild to the
inner and the outer grandchild, all others to the edge. The side of the head that the dependent is on is part of every
feature, and so is the label of the edge: a feature has a row of cells, one for each label and one for them all.

The key of a feature is a sum of its values, each times a random odd 64-bit number of its place in its template, modulo
2**64, and the first bits of the sum are the cell where its row begins (multiply-shift hashing of vectors,
Dietzfelbinger 1996): so a key is a sum over the factor's nodes, and what each node adds is computed once a sentence.
Rows may overlap and collide: unlike the keys of transition-based models these are not exact, see ``table_bits`` in
:class:`~...config.graph_options.GraphOptions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...features.address import FACTOR_NODES
from ...features.extractor import DISTANCE_BINS, ColumnSize
from ...features.template import FeatureModel, Part, Template, TemplateError
from .edges import Ints, node_offsets

Keys = NDArray[np.uint64]

TAGS = "upos"
"""The column that the edge filter looks at."""

EDGE, SIBLING, INNER, OUTER = range(4)
"""The factors; a template of grandchildren makes features of both INNER and OUTER, with keys of their own."""

SHIFTS: Mapping[tuple[str, ...], int] = {
    (): 0,
    ("pred",): -1,
    ("succ",): 1,
    ("pred", "pred"): -2,
    ("succ", "succ"): 2,
}
ROLES = {"Head": 0, "Dependent": 1, "Between": 2, "Sibling": 2, "Grandchild": 2}
DISTANCES = ((0, 1), (0, 2), (1, 2))
"""Between which nodes distances are: head and dependent, head and third node, dependent and third node."""


class NodeKeys(NamedTuple):
    """What the nodes of a batch add to the keys of the features of one factor with T slots.

    head, dependent, third: uint64 (N + 1, T) for each node of the batch, the last row for "no node". distances: uint64
    (3, T), what a bin of each of :data:`DISTANCES` is multiplied with. seeds: uint64 (2, T), by the side of the
    dependent. plain: the first so many slots have one feature a factor, the others (of EDGE alone) one for each
    different value of a word between. before: int64 (N + 1, T - plain), the node before with the same value there.
    """

    head: Keys
    dependent: Keys
    third: Keys
    distances: Keys
    seeds: Keys
    plain: int
    before: Ints


class Words(NamedTuple):
    """The values of a batch of sentences: lengths (B,), and the columns as :func:`~...treebank.encode_columns` gives
    them."""

    lengths: Ints
    columns: Mapping[str, NDArray[np.integer]]


def node_words(lengths: Ints, ids: Mapping[str, NDArray[np.integer]]) -> tuple[Words, Ints]:
    """(the words of a batch, the tag of every node), from the value ids of its columns."""
    tags = ids[TAGS]
    return Words(lengths, ids), tags[np.arange(tags.shape[1]) <= lengths[:, None]].astype(np.int64)


class _Slot(NamedTuple):
    """The feature of a template: (role, column, shift, multiplier)s, (distance, multiplier)s, seeds."""

    values: tuple[tuple[int, str, int, int], ...]
    distances: tuple[tuple[int, int], ...]
    seeds: tuple[int, int]
    between: bool


class FactorFeatures:
    """The features of a feature model.

    columns: the size of every column that the templates name. Raises :class:`TemplateError` for a template that factors
    have no values for.
    """

    def __init__(self, model: FeatureModel, columns: Mapping[str, ColumnSize]) -> None:
        self.model = model
        self._slots: dict[int, list[_Slot]] = {EDGE: [], SIBLING: [], INNER: [], OUTER: []}
        for template in model.templates:
            sources = {address.source for part in template.parts for address in part.addresses}
            _check(template, sources, columns)
            factors = [SIBLING] if "Sibling" in sources else [INNER, OUTER] if "Grandchild" in sources else [EDGE]
            for factor in factors:
                self._slots[factor].append(_slot(template, factor))
        for slots in self._slots.values():
            slots.sort(key=lambda slot: slot.between)

    @property
    def order(self) -> int:
        """1 for features of edges alone, 2 for those of pairs of edges."""
        return 2 if any(self._slots[factor] for factor in (SIBLING, INNER, OUTER)) else 1

    def node_keys(self, words: Words, factor: int) -> NodeKeys:
        """What the nodes of a batch add to the keys of a factor's features."""
        slots = self._slots[factor]
        offsets = node_offsets(words.lengths)
        count = int(offsets[-1]) + 1
        sums = np.zeros((3, count, len(slots)), dtype=np.uint64)
        distances = np.zeros((3, len(slots)), dtype=np.uint64)
        values: dict[tuple[str, int], Keys] = {}
        with np.errstate(over="ignore"):
            for number, slot in enumerate(slots):
                for role, column, shift, multiplier in slot.values:
                    if (column, shift) not in values:
                        values[column, shift] = _values(words, column, shift)
                    sums[role, :, number] += values[column, shift] * np.uint64(multiplier)
                for distance, multiplier in slot.distances:
                    distances[distance, number] += np.uint64(multiplier)
        seeds = np.array([slot.seeds for slot in slots], dtype=np.uint64).reshape(len(slots), 2).T
        plain = sum(not slot.between for slot in slots)
        before = _before(sums[2][:, plain:], offsets)
        return NodeKeys(sums[0], sums[1], sums[2], distances, np.ascontiguousarray(seeds), plain, before)


def bins(distances: Ints) -> Keys:
    """The bins of distances in words, as in the features of configurations."""
    return np.searchsorted(DISTANCE_BINS, distances, side="right").astype(np.uint64)


def places(keys: NodeKeys, bits: int, head: Ints, dependent: Ints, third: Ints | None = None) -> Ints:
    """int64 (K, plain): where the rows of the features of K factors begin in a table of 2**bits cells.

    head, dependent, third: (K,), nodes of the batch; third is the row behind the last node where there is none.
    """
    with np.errstate(over="ignore"):
        sums = _sums(keys, head, dependent)
        if third is not None:
            none = third == len(keys.head) - 1
            for number, node in ((1, head), (2, dependent)):
                of_pair = np.where(none, np.uint64(0), bins(np.abs(node - third)))
                sums += keys.distances[number] * of_pair[:, None]
            sums += keys.third[third]
    return _cells(sums[:, : keys.plain], bits)


def between_places(keys: NodeKeys, bits: int, head: Ints, dependent: Ints) -> tuple[Ints, Ints]:
    """(numbers of factors, int64 places): the features of the words between, as many an arc as there are values."""
    count = np.abs(head - dependent) - 1 if keys.before.shape[1] else np.zeros_like(head)
    arc = np.repeat(np.arange(len(head)), count)
    low = np.minimum(head, dependent)[arc]
    word = np.arange(len(arc)) - np.repeat(np.cumsum(count) - count, count) + low + 1
    pair, slot = np.nonzero(keys.before[word] <= low[:, None])
    with np.errstate(over="ignore"):
        sums = _sums(keys, head, dependent)[arc[pair], keys.plain + slot] + keys.third[word[pair], keys.plain + slot]
    return arc[pair], _cells(sums, bits)


def _sums(keys: NodeKeys, head: Ints, dependent: Ints) -> Keys:
    sums: Keys = keys.head[head] + keys.dependent[dependent] + keys.seeds[(head < dependent).astype(np.int64)]
    sums += keys.distances[0] * bins(np.abs(head - dependent))[:, None]
    return sums


def _cells(sums: Keys, bits: int) -> Ints:
    return (sums >> np.uint64(64 - bits)).astype(np.int64)


def _check(template: Template, sources: set[str], columns: Mapping[str, ColumnSize]) -> None:
    allowed = ", ".join(FACTOR_NODES)
    if not sources <= set(FACTOR_NODES):
        raise TemplateError(
            f"template {str(template)!r}: found {sorted(sources - set(FACTOR_NODES))[0]}; allowed: {allowed}"
        )
    if len(sources & {"Between", "Sibling", "Grandchild"}) > 1:
        raise TemplateError(f"template {str(template)!r}: Between, Sibling and Grandchild; allowed: one of them")
    for part in template.parts:
        if part.kind not in ("column", "distance"):
            raise TemplateError(f"template {str(template)!r}: {part.kind} of a factor; allowed: columns and distance")
        if part.kind == "column" and columns[part.column].most is not None:
            raise TemplateError(
                f"template {str(template)!r}: {part.column} is a set of values; allowed: columns of one value, morph"
            )
        for address in part.addresses:
            if address.functions not in SHIFTS:
                raise TemplateError(
                    f"template {str(template)!r}: {address} is no node of a factor; "
                    "allowed: one or two of pred, or of succ"
                )
        if part.kind == "distance":
            _distance(part, template)


def _distance(part: Part, template: Template) -> int:
    """Which of :data:`DISTANCES` a part is."""
    pair = tuple(sorted(ROLES[address.source] for address in part.addresses))
    nodes = any(address.functions or address.source == "Between" for address in part.addresses)
    if nodes or pair not in DISTANCES:
        raise TemplateError(
            f"template {str(template)!r}: {part}; "
            "allowed: distances between two of Head, Dependent, Sibling, Grandchild"
        )
    return DISTANCES.index((pair[0], pair[1]))


def _slot(template: Template, factor: int) -> _Slot:
    values, distances = [], []
    for number, part in enumerate(template.parts):
        multiplier = _number(f"{template} {factor} {number}") | 1
        if part.kind == "distance":
            distances.append((_distance(part, template), multiplier))
        else:
            address = part.addresses[0]
            values.append((ROLES[address.source], part.column, SHIFTS[address.functions], multiplier))
    seeds = _number(f"{template} {factor} left"), _number(f"{template} {factor} right")
    between = any(address.source == "Between" for part in template.parts for address in part.addresses)
    return _Slot(tuple(values), tuple(distances), seeds, between)


def _number(text: str) -> int:
    """A random 64-bit number that is always the same for a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _values(words: Words, column: str, shift: int) -> Keys:
    """uint64 (N + 1,): a column's values at the nodes of a batch, or at those before or after them; 0 for no node."""
    own = np.asarray(words.columns[column])
    result = np.zeros_like(own)
    width = own.shape[1]
    if shift == 0:
        result = own
    elif shift > 0:
        result[:, 1 : width - shift] = own[:, 1 + shift :]
    else:
        result[:, 1 - shift :] = own[:, 1 : width + shift]
    nodes = np.arange(width) <= words.lengths[:, None]
    return np.append(result[nodes], 0).astype(np.uint64)


def _before(values: Keys, offsets: Ints) -> Ints:
    """int64 like ``values``: for each node the one before it in its sentence with the same value, -1 for none."""
    result = np.full(values.shape, -1, dtype=np.int64)
    sentence = np.repeat(np.arange(len(offsets)), np.append(np.diff(offsets), 1))
    is_word = np.ones(len(values), dtype=np.bool_)
    is_word[offsets] = False
    for slot in range(values.shape[1]):
        order = np.lexsort((np.arange(len(values)), values[:, slot], sentence))
        same = (values[order[1:], slot] == values[order[:-1], slot]) & (sentence[order[1:]] == sentence[order[:-1]])
        same &= is_word[order[:-1]]
        result[order[1:][same], slot] = order[:-1][same]
    return result
