"""Online large-margin learning of a table of weights, averaged.

Weights are integers; :data:`UNIT` is the margin of one wrong head. Sums are exact in any order, so training gives the
same weights with and without numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...base.progress import Progress, nothing, task
from .decode import decode
from .edges import LABEL_COST, Edges, EdgeScores, Ints, node_offsets
from .factored_parser import FactoredParser
from .features import EDGE, NodeKeys, WordColumns, bins
from .scoring import learn_pruner

UNIT = 2**20
C = 1.0
"""Maximum step of an update, in units."""
BATCH = 4
"""Number of sentences that are decoded before each update of the weights."""
SEED = 1
"""Random seed of the order of sentences."""


class GraphBatch(NamedTuple):
    """Training sentences of similar length, with N nodes in all, node 0 of each sentence included.

    words: values of the words.
    heads: gold heads, sentence after sentence, counted from node 0 of their own sentence; -1 for node 0 (int64, (N,)).
    labels: numbers of the gold labels; -1 for node 0 (int64, (N,)).
    """

    words: WordColumns
    heads: Ints
    labels: Ints


def learn(
    batches: Sequence[GraphBatch], parser: FactoredParser, candidates: int, epochs: int, progress: Progress = nothing
) -> FactoredParser:
    """The parser with weights that are averaged over all updates (batches in all epochs), and a pruner of candidates.

    parser: a parser with weights of 0 (int32) and with :data:`UNIT`; its weights are changed.
    candidates, epochs: as in :class:`~..config.config.GraphOptions`.

    An update is a step of PA-I (Crammer et al. 2006, k = 1) of at most :data:`C` units.

    All sentences of a batch are parsed with the same weights; the parse has the highest sum of score and cost. Then,
    for each sentence, the weights move towards the gold tree and away from the parse. Features that occur only in wrong
    trees get weights, too (Bohnet 2010, section 4).
    """
    from .loops import update

    generator = np.random.default_rng(SEED)
    weights: Any = parser.weights
    late = np.zeros(len(weights), dtype=np.int64)  # each change times the updates before it, for the average
    arcs: list[tuple[Ints, Ints] | None] = [None] * len(batches)
    if candidates:
        parser, arcs = _pruned(batches, parser, candidates, progress)
    shift = np.uint64(64 - parser.table_bits)
    step = 0
    words = sum(int(batch.words.lengths.sum()) for batch in batches)
    total = epochs * sum(len(batch.words.lengths) for batch in batches)
    with task(progress, "training graph", "sentences", total) as advance:
        for epoch in range(1, epochs + 1):
            wrong = 0
            for number in generator.permutation(len(batches)):
                batch = batches[number]
                edges, keys, scores = parser.candidates(batch.words, arcs[number])
                parsed = decode(edges, _with_cost(edges, scores, batch), parser.decoding)
                update(
                    keys, bins(int(batch.words.lengths.max()) + 1), shift, node_offsets(batch.words.lengths),
                    (batch.heads, batch.labels), parsed, weights, late, step, UNIT, C,
                )  # fmt: skip
                step += len(batch.words.lengths)
                wrong += int((parsed[0] != batch.heads).sum())
                advance(len(batch.words.lengths))
            progress(f"epoch {epoch} of {epochs}: {100 * wrong / max(words, 1):.2f} % wrong heads in training")
    return parser.quantized((weights - np.rint(late / max(step, 1)).astype(np.int64)).astype(np.int32))


def _pruned(
    batches: Sequence[GraphBatch], parser: FactoredParser, candidates: int, progress: Progress
) -> tuple[FactoredParser, list[tuple[Ints, Ints] | None]]:
    """The parser with a pruner, and the candidate arcs of each batch."""

    def prepared(number: int) -> tuple[NodeKeys, Ints, Ints, Ints]:
        batch = batches[number]
        offsets = node_offsets(batch.words.lengths)
        gold = batch.heads + np.repeat(offsets[:-1], np.diff(offsets))
        arcs = parser.edge_filter.arcs(offsets, batch.words.tags)
        return parser.features.node_keys(batch.words, 1)[EDGE], *arcs, gold

    pruner = learn_pruner(len(batches), prepared, candidates, SEED)
    kept: list[tuple[Ints, Ints] | None] = []
    reached = words = arcs = 0
    for number, batch in enumerate(batches):
        keys, heads, dependents, gold = prepared(number)
        heads, dependents = pruner.candidates(keys, heads, dependents)
        kept.append((heads, dependents))
        reached += int((heads == gold[dependents]).sum())
        words += int(batch.words.lengths.sum())
        arcs += len(heads)
    recall = f"{arcs / max(words, 1):.1f} per word, {100 * reached / max(words, 1):.2f} % of the right heads"
    progress(f"candidate heads: {recall} in training")
    return replace(parser, pruner=pruner), kept


def _with_cost(edges: Edges, scores: EdgeScores, batch: GraphBatch) -> EdgeScores:
    """The scores plus the cost of every wrong edge."""
    dependent = edges.dependent
    root = np.repeat(edges.offsets[:-1], np.diff(edges.offsets))
    wrong_head = edges.head != (root + batch.heads)[dependent]
    wrong_label = edges.label != batch.labels[dependent]
    cost = np.where(wrong_head, UNIT, np.where(wrong_label, int(UNIT * LABEL_COST), 0))
    return scores._replace(edge=scores.edge + cost)
