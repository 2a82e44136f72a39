"""Online large-margin learning of a table of weights, averaged.

Weights are integers; :data:`UNIT` is the margin of one wrong head. Sums are exact in any order, so training gives the
same weights with and without numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.progress import Progress, nothing, task
from ..config.config import GraphOptions
from .decode import Decoding, decode
from .edges import LABEL_COST, EdgeFilter, Edges, Ints, Scores, node_offsets
from .features import EDGE, FactorFeatures, NodeKeys, Words, bins
from .scoring import Pruner, learn_pruner, score_candidates, table_size

UNIT = 2**20
C = 1.0
"""Maximum step of an update, in units."""
BATCH = 4
"""Number of sentences that are decoded before each update of the weights."""
SEED = 1
"""Random seed of the order of sentences."""


class TrainingBatch(NamedTuple):
    """Training sentences of similar length: their words, and the tag, gold head and gold label of every node.

    Heads count from node 0 of their sentence. Node 0 has head and label -1.
    """

    words: Words
    tags: Ints
    heads: Ints
    labels: Ints


def learn(
    batches: Sequence[TrainingBatch],
    features: FactorFeatures,
    edge_filter: EdgeFilter,
    labels: int,
    decoding: Decoding,
    options: GraphOptions,
    progress: Progress = nothing,
) -> tuple[NDArray[np.int32], Pruner | None]:
    """The weights, averaged over all updates (batches in all epochs), and the pruner of candidates.

    An update is a step of PA-I (Crammer et al. 2006, k = 1) of at most :data:`C` units.

    All sentences of a batch are parsed with the same weights; the parse has the highest sum of score and cost. Then,
    for each sentence, the weights move towards the gold tree and away from the parse. Features that occur only in wrong
    trees get weights, too (Bohnet 2010, section 4).
    """
    from .loops import update

    generator = np.random.default_rng(SEED)
    size = table_size(options.table_bits, labels)
    weights = np.zeros(size, dtype=np.int32)
    late = np.zeros(size, dtype=np.int64)
    pruner, arcs = _pruned(batches, features, edge_filter, options, progress)
    shift = np.uint64(64 - options.table_bits)
    step = 0
    words = sum(int(batch.words.lengths.sum()) for batch in batches)
    total = options.epochs * sum(len(batch.words.lengths) for batch in batches)
    with task(progress, "training graph", "sentences", total) as advance:
        for epoch in range(1, options.epochs + 1):
            wrong = 0
            for number in generator.permutation(len(batches)):
                batch = batches[number]
                edges, keys, scores = score_candidates(
                    features, edge_filter, batch.words, batch.tags, weights, options.table_bits, UNIT,
                    pruner, arcs[number],
                )  # fmt: skip
                found = decode(edges, _with_cost(edges, scores, batch), decoding)
                update(
                    keys, bins(int(batch.words.lengths.max()) + 1), shift, node_offsets(batch.words.lengths),
                    (batch.heads, batch.labels), found, weights, late, step, UNIT, C,
                )  # fmt: skip
                step += len(batch.words.lengths)
                wrong += int((found[0] != batch.heads).sum())
                advance(len(batch.words.lengths))
            progress(f"epoch {epoch} of {options.epochs}: {100 * wrong / max(words, 1):.2f} % wrong heads in training")
    return _averaged(weights, late, step), pruner


def _pruned(
    batches: Sequence[TrainingBatch],
    features: FactorFeatures,
    edge_filter: EdgeFilter,
    options: GraphOptions,
    progress: Progress,
) -> tuple[Pruner | None, list[tuple[Ints, Ints] | None]]:
    """The pruner, and the candidate arcs of each batch; None for all arcs."""
    if not options.candidates:
        return None, [None] * len(batches)

    def prepared(number: int) -> tuple[NodeKeys, Ints, Ints, Ints]:
        batch = batches[number]
        offsets = node_offsets(batch.words.lengths)
        gold = batch.heads + np.repeat(offsets[:-1], np.diff(offsets))
        return features.node_keys(batch.words, 1)[EDGE], *edge_filter.arcs(offsets, batch.tags), gold

    pruner = learn_pruner(len(batches), prepared, options.candidates, SEED)
    kept: list[tuple[Ints, Ints] | None] = []
    reached = words = arcs = 0
    for number, batch in enumerate(batches):
        keys, heads, dependents, gold = prepared(number)
        heads, dependents = pruner.pruned(keys, heads, dependents)
        kept.append((heads, dependents))
        reached += int((heads == gold[dependents]).sum())
        words += int(batch.words.lengths.sum())
        arcs += len(heads)
    recall = f"{arcs / max(words, 1):.1f} per word, {100 * reached / max(words, 1):.2f} % of the right heads"
    progress(f"candidate heads: {recall} in training")
    return pruner, kept


def _averaged(weights: NDArray[np.int32], late: Ints, step: int) -> NDArray[np.int32]:
    return (weights - np.rint(late / max(step, 1)).astype(np.int64)).astype(np.int32)


def _with_cost(edges: Edges, scores: Scores, batch: TrainingBatch) -> Scores:
    """The scores plus the cost of every wrong edge."""
    dependent = edges.dependent
    root = np.repeat(edges.offsets[:-1], np.diff(edges.offsets))
    wrong_head = edges.head != (root + batch.heads)[dependent]
    wrong_label = edges.label != batch.labels[dependent]
    cost = np.where(wrong_head, UNIT, np.where(wrong_label, int(UNIT * LABEL_COST), 0))
    return scores._replace(edge=scores.edge + cost)
