"""Online large-margin learning of a table of weights, averaged.

Weights are whole numbers, :data:`UNIT` of them the margin that one wrong head asks for: sums are exact in any order, so
that training gives the same weights with numba and without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.progress import Progress, nothing, task
from ..config.graph_options import GraphOptions
from .decode import Decoding, decode
from .edges import EdgeFilter, Edges, Ints
from .factors import Scores, Third, third_nodes
from .features import EDGE, INNER, OUTER, SIBLING, FactorFeatures, NodeKeys, Words, between_places, places
from .scoring import LONGEST, score_candidates, table_size

UNIT = 2**20
LABEL_COST = 0.5
"""What a wrong label on the right head costs; a wrong head costs 1 (Bohnet 2010)."""


class TrainingBatch(NamedTuple):
    """Sentences of similar length: their words, the tag of every node, and the gold trees: heads and labels, (n + 1,)
    each, -1 at node 0."""

    words: Words
    tags: Ints
    heads: Sequence[Ints]
    labels: Sequence[Ints]


def learn(
    batches: Sequence[TrainingBatch],
    features: FactorFeatures,
    edge_filter: EdgeFilter,
    labels: int,
    decoding: Decoding,
    options: GraphOptions,
    progress: Progress = nothing,
) -> NDArray[np.int32]:
    """int32: the weights, averaged over all updates (of the batches in all epochs).

    Updates are those of PA-I (Crammer et al. 2006, k = 1), of at most ``C`` times the unit, or steps of AdaGrad along
    the gradient of the structured hinge loss.

    The tree with the best sum of score and cost is found for each sentence of a batch, with the same weights; then the
    weights move towards the gold tree and away from the found one, sentence by sentence. Features that occur in wrong
    trees only get weights, too (Bohnet 2010, section 4).
    """
    generator = np.random.default_rng(options.seed)
    size = table_size(options.table_bits, labels)
    weights = np.zeros(size, dtype=np.int32)
    late = np.zeros(size, dtype=np.int64)
    squares = np.zeros(size if options.algorithm == "adagrad" else 0, dtype=np.float32)
    gold = [_gold_factors(batch, features.order) for batch in batches]
    step = 0
    total = options.epochs * sum(len(batch.heads) for batch in batches)
    with task(progress, "training graph", "sentences", total) as advance:
        for epoch in range(1, options.epochs + 1):
            wrong = words = 0
            for number in generator.permutation(len(batches)):
                batch = batches[number]
                edges, keys, scores = score_candidates(
                    features, edge_filter, batch.words, batch.tags, weights, options.table_bits, options.labelled
                )
                found = decode(edges, _with_cost(edges, scores, batch), decoding)
                factors = [tree_factors(*tree, scores.order) for tree in found]
                differences = _differences(keys, edges.offsets, gold[number], factors, options.table_bits)
                for (cells, counts), cost in zip(differences, _costs(batch, found), strict=True):
                    step += 1
                    if not cost:
                        continue
                    if options.algorithm == "adagrad":
                        change = _adagrad(squares, cells, counts, options.rate)
                    else:
                        change = _passive_aggressive(weights, cells, counts, cost, options.C)
                    weights[cells] += change
                    late[cells] += change.astype(np.int64) * step
                wrong += sum(int((own != heads).sum()) for (own, _), heads in zip(found, batch.heads, strict=True))
                words += int(batch.words.lengths.sum())
                advance(len(batch.heads))
            progress(f"epoch {epoch} of {options.epochs}: {100 * wrong / max(words, 1):.2f} % wrong heads in training")
    return _averaged(weights, late, step)


def _averaged(weights: NDArray[np.int32], late: Ints, step: int) -> NDArray[np.int32]:
    return (weights - np.rint(late / max(step, 1)).astype(np.int64)).astype(np.int32)


def _gold_factors(batch: TrainingBatch, order: int) -> list[Ints]:
    order = 1 if batch.words.lengths.max(initial=0) > LONGEST else order
    return [tree_factors(heads, labels, order) for heads, labels in zip(batch.heads, batch.labels, strict=True)]


def _with_cost(edges: Edges, scores: Scores, batch: TrainingBatch) -> Scores:
    """The scores with the cost of every wrong edge added."""
    base = edges.offsets[:-1]
    gold_heads = np.concatenate([heads + start for heads, start in zip(batch.heads, base, strict=True)])
    gold_labels = np.concatenate(batch.labels)
    dependent = edges.dependent
    wrong_head = edges.head != gold_heads[dependent]
    wrong_label = edges.label != gold_labels[dependent]
    cost = np.where(wrong_head, UNIT, np.where(wrong_label, int(UNIT * LABEL_COST), 0))
    return scores._replace(edge=scores.edge + cost)


def _costs(batch: TrainingBatch, found: Sequence[tuple[Ints, Ints]]) -> list[float]:
    costs = []
    for heads, labels, (own_heads, own_labels) in zip(batch.heads, batch.labels, found, strict=True):
        wrong = heads != own_heads
        costs.append(float(wrong.sum() + LABEL_COST * (~wrong & (labels != own_labels)).sum()))
    return costs


def _differences(
    keys: Mapping[int, NodeKeys], offsets: Ints, gold: Sequence[Ints], found: Sequence[Ints], bits: int
) -> Iterator[tuple[Ints, Ints]]:
    """For each sentence (cells, counts): how much more often a cell is in the gold tree than in the found one.

    gold, found: the factors of each tree (:func:`tree_factors`). Only the features of words with other factors in the
    one than in the other are looked at.
    """
    rows, bases, sentences, signs = [], [], [], []
    for number, trees in enumerate(zip(gold, found, strict=True)):
        different = (trees[0] != trees[1]).any(axis=0)
        for tree, sign in zip(trees, (1, -1), strict=True):
            rows.append(tree[:, different])
            count = rows[-1].shape[1]
            bases += [int(offsets[number])] * count
            sentences += [number] * count
            signs += [sign] * count
    owner, cells = feature_cells(keys, bits, np.array(bases, dtype=np.int64), np.concatenate(rows, axis=1))
    most = int(cells.max(initial=0)) + 1
    every, place = np.unique(np.array(sentences, dtype=np.int64)[owner] * most + cells, return_inverse=True)
    counts = np.bincount(place, np.array(signs, dtype=np.int64)[owner], len(every)).astype(np.int64)
    every, counts = every[counts != 0], counts[counts != 0]
    bounds = np.searchsorted(every, np.arange(len(gold) + 1) * most)
    for number, (first, end) in enumerate(pairwise(bounds.tolist())):
        yield every[first:end] - number * most, counts[first:end]


def tree_factors(heads: Ints, labels: Ints, order: int) -> Ints:
    """(6, n) for order 2, (3, n) for order 1: each word with its head, label and third nodes."""
    words = np.arange(1, len(heads))
    own = np.stack((words, heads[1:], labels[1:]))
    if order == 1:
        return own
    return np.concatenate((own, third_nodes(np.tile(heads, (len(words), 1)), words, heads[1:])))


def feature_cells(keys: Mapping[int, NodeKeys], bits: int, bases: Ints, factors: Ints) -> tuple[Ints, Ints]:
    """(columns of ``factors``, cells): of all features of words of trees, one entry an occurrence.

    factors: (6, K) or (3, K), of K words (:func:`tree_factors`). bases: (K,), node 0 of their sentences in the batch.
    """
    dependent, head, label = factors[0] + bases, factors[1] + bases, factors[2]
    found = [_both(places(keys[EDGE], bits, head, dependent), label)]
    arcs, between = between_places(keys[EDGE], bits, head, dependent)
    found.append((np.tile(arcs, 2), _both(between[:, None], label[arcs])[1]))
    if len(factors) > 3:
        sign = np.where(head < dependent, 1, -1)
        none = len(keys[EDGE].head) - 1
        third = Third(*factors[3:])
        for factor, distance, start, direction in (
            (SIBLING, third.sibling, head, sign),
            (INNER, third.inner, dependent, -sign),
            (OUTER, third.outer, dependent, sign),
        ):
            node = np.where(distance > 0, start + direction * distance, none)
            found.append(_both(places(keys[factor], bits, head, dependent, node), label))
    owners, cells = zip(*found, strict=True)
    return np.concatenate(owners), np.concatenate(cells)


def _both(rows: Ints, labels: Ints) -> tuple[Ints, Ints]:
    """(rows, cells): the cell for all labels and that of the edge's label, of each feature of each row."""
    owner = np.repeat(np.arange(len(rows)), rows.shape[1])
    return np.tile(owner, 2), np.concatenate((rows.ravel(), (rows + labels[:, None] + 1).ravel()))


def _passive_aggressive(
    weights: NDArray[np.int32], cells: Ints, counts: Ints, cost: float, most: float
) -> NDArray[np.int32]:
    """The smallest change that makes the gold tree better than the found one by its cost; ``most`` limits it."""
    margin = int((weights[cells].astype(np.int64) * counts).sum())
    norm = int((counts * counts).sum())
    size = max(0.0, min((cost * UNIT - margin) / max(norm, 1), most * UNIT))
    return np.rint(counts * size).astype(np.int32)


def _adagrad(squares: NDArray[np.float32], cells: Ints, counts: Ints, rate: float) -> NDArray[np.int32]:
    """A step along the gradient of the hinge loss, the smaller the more a weight has moved (Duchi et al. 2011)."""
    squares[cells] += (counts * counts).astype(np.float32)
    return np.rint(UNIT * rate * counts / np.sqrt(squares[cells])).astype(np.int32)
