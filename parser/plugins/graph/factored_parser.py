"""A trained graph-based parser of encoded sentences: features, edge filter, weights and decoder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....features.address import FACTOR_NODES
from ....features.extractor import ColumnSize
from ....features.template import FeatureModel, TemplateError, parse_template
from ...base.compiling import warn_if_slow
from ...base.parameters import FLAG, TEXT, one_of, real, whole
from ...base.shapes import Array, ListOf, Record, ShapeError, check_arrays, check_values, expect
from ...treebank.symbols import ROOT_NODE
from .charts import NEVER
from .config import NONPROJECTIVE
from .decode import THRESHOLD, Decoding, decode
from .edges import EdgeFilter, Edges, EdgeScores, Ints, node_offsets
from .features import EDGE, FactorFeatures, NodeKeys, WordColumns
from .scoring import PRUNING_BITS, Pruner, Weights, score, table_size

LONGEST = 200
"""Maximum number of words of a sentence that is parsed with second-order scores. The number of these scores grows with
the cube of the length, and the decoding time with its fourth power."""
LABEL_MARGIN = 1.5
"""Maximum difference between the score of a label and that of the best label of its arc, in margins of a wrong head.
Labels with lower scores are not candidates if there is a pruner."""
MOST_CUBES = 2**21
"""Maximum sum of the cubes of sentence lengths in a batch; it limits the number of second-order scores per label."""
LARGEST = 2**15 - 1
GIVEN = 2**36
"""The score of a given edge: more than all others of a tree together, and less than charts can sum up."""
OPTIONS = {"unit": real(above=0), "table_bits": whole(1), "nonprojective": one_of(*NONPROJECTIVE), "single_root": FLAG}
PRUNING = {"candidates": whole(1), "candidate_unit": real(above=0)}
STATE = Record({"features": ListOf(TEXT, 1, 2**10), **OPTIONS}, PRUNING)
"""The JSON values of a parser's state."""


def batches_by_cubes(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """The numbers of the sentences in batches of similar length.

    batch_size: maximum number of sentences of a batch; batches of long sentences have fewer.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batch: list[int] = []
    cubes = 0
    for number in order:
        cube = (lengths[number] + 1) ** 3
        long = lengths[number] > LONGEST and batch and lengths[batch[-1]] <= LONGEST
        if batch and (len(batch) == batch_size or cubes + cube > MOST_CUBES or long):
            yield batch
            batch, cubes = [], 0
        batch.append(number)
        cubes += cube
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class FactoredParser:
    """A trained graph-based parser; for further fields see :class:`~.decode.Decoding`.

    weights: int16, int32 in training; ``unit`` in weights is the margin of a wrong head in training.
    table_bits: binary logarithm of the number of rows of the weight table.
    """

    features: FactorFeatures
    edge_filter: EdgeFilter
    weights: Weights
    unit: float
    table_bits: int
    nonprojective: str
    single_root: bool
    pruner: Pruner | None = None

    def quantized(self, weights: NDArray[np.int32]) -> FactoredParser:
        """The parser with these weights, rounded to 16 bits; the largest weight uses the full range."""
        largest = int(np.abs(weights).max(initial=0))
        scale = largest / LARGEST if largest else 1.0
        return replace(self, weights=np.rint(weights / scale).astype(np.int16), unit=self.unit / scale)

    @property
    def decoding(self) -> Decoding:
        """The settings of the decoder."""
        return Decoding(self.nonprojective, round(THRESHOLD * self.unit), self.single_root)

    def candidates(
        self, words: WordColumns, arcs: tuple[Ints, Ints] | None = None
    ) -> tuple[Edges, Sequence[NodeKeys], EdgeScores]:
        """The candidate edges of a batch, the keys of their nodes, and the scores of their factors.

        arcs: the candidate arcs, if they are known.

        Warns that this is slow without numba.
        """
        warn_if_slow("graph-based parsing")
        order = 1 if words.lengths.max(initial=0) > LONGEST else self.features.order
        keys = self.features.node_keys(words, order)
        tags = words.tags
        if arcs is None and self.pruner is not None:
            arcs = self.pruner.candidates(keys[EDGE], *self.edge_filter.arcs(node_offsets(words.lengths), tags))
        edges = self.edge_filter.edges(words.lengths, tags, arcs)
        edge = None
        if self.pruner is not None:
            edge = score(edges, keys[:1], self.weights, self.table_bits).edge
            best = edge[edges.best(edge)]
            kept = np.flatnonzero(edge >= best[edges.arc] - LABEL_MARGIN * self.unit)
            edges, edge = edges.only(kept), edge[kept]
        return edges, keys, score(edges, keys, self.weights, self.table_bits, edge)

    def trees(
        self, words: WordColumns, margins: NDArray[np.float64] | None = None, kept: tuple[Ints, Ints] | None = None
    ) -> tuple[Ints, Ints]:
        """(heads, labels) of the nodes of a batch; -1 at node 0.

        margins: receives by how much the tree scores better than the best one with another edge of the node (float64,
            (nodes,)), in margins of a wrong head in training; infinity if no other edge is possible.
        kept: heads and labels of nodes with given edges, -1 elsewhere and for any label (int64, (nodes,)). Candidate
            edges among them are kept where a tree allows it.
        """
        edges, _, scores = self.candidates(words)
        if kept is not None:
            heads, labels = (values[edges.dependent] for values in kept)
            fixed = (heads == edges.head) & ((labels < 0) | (labels == edges.label))
            scores = scores._replace(edge=scores.edge + GIVEN * fixed)
        gains = None if margins is None else np.full(len(margins), NEVER)
        parsed = decode(edges, scores, self.decoding, gains)
        if margins is not None and gains is not None:
            margins[:] = np.where(gains == NEVER, np.inf, -gains / self.unit)
        return parsed

    @property
    def label_places(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether arcs from words, and arcs from node 0, had each label in training (bool, (labels,))."""
        allowed = self.edge_filter.allowed
        below: NDArray[np.bool_] = np.any(np.delete(allowed, ROOT_NODE, axis=0), axis=(0, 1, 2))
        top: NDArray[np.bool_] = np.any(allowed[ROOT_NODE], axis=(0, 1))
        return below, top

    def labels(self, words: WordColumns, heads: Ints) -> Ints:
        """The label of each node's arc from a given head with the best score of the edge alone; -1 at node 0.

        heads: head of each node; -1 at node 0 (int64, (nodes,)).

        Arcs between tags that training did not have may have any label that arcs from words, or from node 0, had.
        """
        allowed, (below, top) = self.edge_filter.allowed, self.label_places
        of_place = np.where(np.arange(len(allowed))[:, None] == ROOT_NODE, top, below)
        lone = ~allowed.any(axis=3, keepdims=True)
        filled = replace(self.edge_filter, allowed=allowed | (lone & of_place[:, None, None]))
        dependents = np.flatnonzero(heads >= 0)
        edges = filled.edges(words.lengths, words.tags, (heads[dependents], dependents))
        keys = self.features.node_keys(words, 1)
        best = edges.best(score(edges, keys[:1], self.weights, self.table_bits).edge)
        labels = np.full(len(heads), -1)
        labels[edges.dependent[best]] = edges.label[best]
        return labels

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """(JSON values, arrays) for the model file."""
        values: dict[str, Any] = {"features": self.features.model.lines()}
        values |= {name: getattr(self, name) for name in OPTIONS}
        arrays = {"filter/allowed": self.edge_filter.allowed, "filter/fallback": self.edge_filter.fallback}
        if self.pruner:
            values |= {"candidates": self.pruner.most, "candidate_unit": self.pruner.unit}
            arrays["pruner/weights"] = self.pruner.weights
        return values, {"weights": self.weights, **arrays}

    @classmethod
    def from_state(
        cls,
        values: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        sizes: Mapping[str, ColumnSize],
        tags: int,
        labels: int,
    ) -> FactoredParser:
        """The parser from its :meth:`state`. Raises ShapeError for invalid values.

        tags: number of values of the column that the edge filter reads.
        """
        check_values(values, STATE)
        bits = values["table_bits"]
        expect(1 <= bits <= 30, "table_bits", f"found {bits}; expected 1 to 30")
        shapes = {
            "filter/allowed": Array("b", (tags, tags, 2, labels)),
            "filter/fallback": Array("i", (tags,), least=0, below=labels),
            "weights": Array("i", (table_size(bits, labels),)),
        }
        prunes = "candidates" in values
        if prunes:
            check_values(values, Record(PRUNING))
            shapes["pruner/weights"] = Array("i", (2**PRUNING_BITS,))
        check_arrays(arrays, shapes, {})
        for name in ("weights", "pruner/weights")[: 1 + prunes]:
            kind = arrays[name].dtype
            expect(kind == np.int16, f": array {name}", f"found {kind.name}; expected int16")
        try:
            lines = (parse_template(line, "model", sizes, FACTOR_NODES) for line in values["features"])
            model = FeatureModel(tuple(lines))
            model.check_columns(sizes)
            features = FactorFeatures(model, sizes)
        except TemplateError as error:
            raise ShapeError("features", str(error)) from error
        right = values["nonprojective"] != "mst" or features.order == 1
        expect(right, "nonprojective", "found mst; expected features of order 1 for a maximum spanning tree")
        options = {name: values[name] for name in OPTIONS}
        pruner = Pruner(values["candidates"], values["candidate_unit"], arrays["pruner/weights"]) if prunes else None
        edge_filter = EdgeFilter(arrays["filter/allowed"], arrays["filter/fallback"].astype(np.int64))
        return cls(features, edge_filter, arrays["weights"], **options, pruner=pruner)
