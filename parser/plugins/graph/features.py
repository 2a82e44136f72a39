"""The features of factors: templates over Head, Dependent, Between, Sibling and Grandchild, hashed into a table.

A template reads the nodes of one factor. Templates with Sibling belong to the sibling factor, templates with Grandchild
to the inner and the outer grandchild, all others to the edge. Every feature includes the side of the head on which the
dependent is, and the label of the edge: a feature has a row of cells, one for each label and one for all labels.

The key of a feature is the sum of its values, each times a random odd 64-bit number of its position in the template,
modulo 2**64. The first bits of the sum are the cell where the row begins (multiply-shift hashing of vectors,
Dietzfelbinger 1996). A key is therefore a sum over the nodes of the factor, and the summand of each node is computed
once per sentence. Rows may overlap and collide; unlike the keys of transition-based models these are not exact. See
``table_bits`` in :class:`~...config.config.GraphOptions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import DISTANCE_BINS, ColumnSize
from ....features.template import FeatureModel, Part, Template, TemplateError
from ...base.compiling import compiled
from .edges import Ints, node_offsets

Keys = NDArray[np.uint64]

TAGS = "upos"
"""The column that the edge filter reads."""

FACTORS = EDGE, SIBLING, INNER, OUTER = range(4)
"""The factors; a template of grandchildren makes features of both INNER and OUTER, with keys of their own."""

SHIFTS: Mapping[tuple[str, ...], int] = {(): 0, ("pred",): -1, ("succ",): 1, ("pred", "pred"): -2, ("succ", "succ"): 2}
ROLES = {"Head": 0, "Dependent": 1, "Between": 2, "Sibling": 2, "Grandchild": 2}
DISTANCES = ((0, 1), (0, 2), (1, 2))
"""The pairs of nodes that have distances: head and dependent, head and third node, dependent and third node."""


class NodeKeys(NamedTuple):
    """The summands of the nodes of a batch in the keys of the features of one factor with T slots.

    head, dependent, third: summands of each node (uint64, (N + 1, T)); the last row is for "no node".
    distances: multipliers of the bins of each of :data:`DISTANCES` (uint64, (3, T)).
    seeds: summands of the side of the dependent (uint64, (2, T)).
    plain: number of the first slots that have one feature per factor. The other slots, of EDGE only, have one feature
        for each different value of a word between the two nodes.
    before: the previous node with the same value in such a slot (int64, (N + 1, T - plain)).
    """

    head: Keys
    dependent: Keys
    third: Keys
    distances: Keys
    seeds: Keys
    plain: int
    before: Ints


class WordColumns(NamedTuple):
    """The values of a batch of sentences.

    lengths: number of words of each sentence ((B,)).
    columns: the columns as :func:`~...treebank.encode_columns` gives them.
    """

    lengths: Ints
    columns: Mapping[str, NDArray[np.integer]]

    @property
    def tags(self) -> Ints:
        """The tag of every node, including node 0 ((N,))."""
        tags = self.columns[TAGS]
        return tags[np.arange(tags.shape[1]) <= self.lengths[:, None]].astype(np.int64)


class FactorFeatures:
    """The features of a feature model.

    columns: the size of every column that the templates name.

    Raises :class:`TemplateError` for a template whose values factors do not have.
    """

    def __init__(self, model: FeatureModel, columns: Mapping[str, ColumnSize]) -> None:
        self.model = model
        by_factor: dict[int, list[Template]] = {factor: [] for factor in FACTORS}
        for template in model.templates:
            sources = _sources(template)
            _check(template, sources, columns)
            factors = [SIBLING] if "Sibling" in sources else [INNER, OUTER] if "Grandchild" in sources else [EDGE]
            for factor in factors:
                by_factor[factor].append(template)
        by_factor[EDGE].sort(key=lambda template: "Between" in _sources(template))
        self.order = 2 if by_factor[SIBLING] or by_factor[INNER] else 1
        """1 if features use single edges only, 2 if they also use pairs of edges."""
        self._columns = model.columns
        self._tables = [self._table(templates, factor) for factor, templates in by_factor.items()]

    def node_keys(self, words: WordColumns, order: int) -> tuple[NodeKeys, ...]:
        """The summands of the nodes of a batch in the keys of each factor of the order, EDGE first."""
        offsets = node_offsets(words.lengths)
        width = next(iter(words.columns.values())).shape[1]
        nodes = np.arange(width) <= words.lengths[:, None]
        values = np.zeros((len(self._columns), int(offsets[-1]) + 1), dtype=np.uint64)
        for number, column in enumerate(self._columns):
            values[number, :-1] = words.columns[column][nodes]
        return tuple(self._node_keys(offsets, values, factor) for factor in FACTORS[: 1 if order == 1 else None])

    def _node_keys(self, offsets: Ints, values: Keys, factor: int) -> NodeKeys:
        parts, multipliers, distances, seeds, plain = self._tables[factor]
        sums = np.zeros((3, values.shape[1], len(seeds[0])), dtype=np.uint64)
        before = np.full((values.shape[1], len(seeds[0]) - plain), -1, dtype=np.int64)
        compiled(_add_values)(offsets, values, parts, multipliers, sums, plain, before)
        return NodeKeys(sums[0], sums[1], sums[2], distances, seeds, plain, before)

    def _table(self, templates: Sequence[Template], factor: int) -> tuple[Ints, Keys, Keys, Keys, int]:
        """What the keys of a factor are computed from; its slots are the templates.

        The key in a slot is the seed of the dependent's side, plus each value times its multiplier.

        Returned in turn: for each part of a template its slot, role (head, dependent or third node), column, and shift
        from that node to a neighbour; the multiplier of each part; those of :data:`DISTANCES` by slot, 0 where there is
        none; the seeds, for a dependent on the left and on the right; the number of slots that do not use the words in
        between.
        """
        distances = np.zeros((3, len(templates)), dtype=np.uint64)
        seeds = [[_number(f"{template} {factor} {side}") for template in templates] for side in ("left", "right")]
        parts, multipliers = [], []
        for slot, template in enumerate(templates):
            for number, part in enumerate(template.parts):
                multiplier = np.uint64(_number(f"{template} {factor} {number}") | 1)
                if part.kind == "distance":
                    with np.errstate(over="ignore"):
                        distances[_distance(part, template), slot] += multiplier
                else:
                    role, shift = ROLES[part.addresses[0].source], SHIFTS[part.addresses[0].functions]
                    parts.append((slot, role, self._columns.index(part.column), shift))
                    multipliers.append(multiplier)
        plain = sum("Between" not in _sources(template) for template in templates)
        table = np.array(parts, dtype=np.int64).reshape(-1, 4), np.array(multipliers, dtype=np.uint64)
        return *table, distances, np.array(seeds, dtype=np.uint64), plain


@cache
def bins(width: int) -> Keys:
    """The bins of distances from 0 to a number of words, the same as for features of configurations."""
    return np.searchsorted(DISTANCE_BINS, np.arange(width + 1), side="right").astype(np.uint64)


def _check(template: Template, sources: set[str], columns: Mapping[str, ColumnSize]) -> None:
    if len(sources & {"Between", "Sibling", "Grandchild"}) > 1:
        raise _fault(template, "found several of Between, Sibling and Grandchild; allowed: one of them")
    for part in template.parts:
        if part.kind not in ("column", "distance"):
            raise _fault(
                template, f"found {part.kind}; allowed in features of graph-based parsers: columns and distance"
            )
        if part.kind == "column" and columns[part.column].most is not None:
            raise _fault(template, f"found {part.column}, a set of values; allowed: columns with one value, morph")
        for address in part.addresses:
            if address.functions not in SHIFTS:
                raise _fault(template, f"found {address}; allowed functions: pred or succ, once or twice")
        if part.kind == "distance":
            _distance(part, template)


def _distance(part: Part, template: Template) -> int:
    """The index in :data:`DISTANCES` of the distance of a part."""
    pair = tuple(sorted(ROLES[address.source] for address in part.addresses))
    nodes = any(address.functions or address.source == "Between" for address in part.addresses)
    if nodes or pair not in DISTANCES:
        raise _fault(template, f"found {part}; allowed: distances between two of Head, Dependent, Sibling, Grandchild")
    return DISTANCES.index((pair[0], pair[1]))


def _fault(template: Template, fault: str) -> TemplateError:
    return TemplateError(f"template {str(template)!r}: {fault}")


def _sources(template: Template) -> set[str]:
    return {address.source for part in template.parts for address in part.addresses}


def _number(text: str) -> int:
    """A pseudo-random 64-bit number that depends only on the text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _add_values(
    offsets: Ints, values: Keys, parts: Ints, multipliers: Keys, sums: Keys, plain: int, before: Ints
) -> None:
    """Add the summands of the nodes to keys, and find for each node the previous one with the same sum. Compiled.

    values: value ids ((columns, N + 1)).
    parts: slot, role, column and shift of each multiplier ((P, 4)).
    sums: changed ((3, N + 1, T)).
    before: changed.

    A word can use values of words before or after it, node 0 only its own. The value is 0 if there is no such word.
    """
    for sentence in range(len(offsets) - 1):
        root, end = offsets[sentence], offsets[sentence + 1]
        for node in range(root, end):
            for number in range(len(parts)):
                slot, role, column, shift = parts[number]
                if shift == 0 or (node > root and root < node + shift < end):
                    sums[role, node, slot] += values[column, node + shift] * multipliers[number]
        for slot in range(before.shape[1]):
            for node in range(root + 2, end):
                word = node - 1
                while word > root and sums[2, word, plain + slot] != sums[2, node, plain + slot]:
                    word -= 1
                before[node, slot] = word if word > root else -1
