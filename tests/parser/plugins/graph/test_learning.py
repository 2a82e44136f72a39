"""Scores as sums of feature weights, edge filters, and learning of graph-based parsers."""

import numpy as np
import pytest
from crossarc.features.address import FACTOR_NODES
from crossarc.features.extractor import ColumnSize
from crossarc.features.template import parse_feature_model
from crossarc.parser.plugins.graph.decode import Decoding
from crossarc.parser.plugins.graph.edges import EdgeFilter, node_offsets
from crossarc.parser.plugins.graph.factored_parser import FactoredParser
from crossarc.parser.plugins.graph.features import FactorFeatures, WordColumns, bins
from crossarc.parser.plugins.graph.learning import UNIT, GraphBatch, learn
from crossarc.parser.plugins.graph.loops import word_cells
from crossarc.parser.plugins.graph.scoring import score, table_size
from crossarc.parser.transforms.lifting.projectivize import projectivize
from factored import all_edges, decoded, random_words, split, tree_score
from handmade import any_heads
from hypothesis import given, strategies as st

SIZES = {"form": ColumnSize(40), "upos": ColumnSize(6)}
BITS = 14
LABELS = 3
SECOND = (
    "merge(upos(Head), upos(Sibling), upos(Dependent), distance(Dependent, Sibling))",
    "merge(form(Dependent), upos(Grandchild))",
    "merge(upos(Head), upos(Grandchild), distance(Head, Grandchild))",
)
FIRST = (
    "merge(form(Head), form(Dependent))",
    "merge(upos(Head), upos(Dependent), distance(Head, Dependent))",
    "merge(upos(Head), upos(Between), upos(Dependent))",
)


def features(order):
    templates = FIRST if order == 1 else (*FIRST, *SECOND)
    lines = "\n".join(f"- {template}" for template in templates)
    return FactorFeatures(parse_feature_model(f"templates:\n{lines}\n", "test", SIZES, FACTOR_NODES), SIZES)


def batch(lengths, seed, projective=True):
    generator = np.random.default_rng(seed)
    words = random_words(SIZES, lengths, generator)
    heads = [any_heads(n, seed + k) for k, n in enumerate(lengths)]
    if projective:
        heads = [projectivize(head)[0] for head in heads]
    labels = [np.append(-1, generator.integers(0, LABELS, n)) for n in lengths]
    return GraphBatch(words, np.concatenate(heads), np.concatenate(labels))


def edge_filter(batches):
    arcs = []
    for sentence in batches:
        start = 0
        for heads, labels in split((sentence.heads, sentence.labels), node_offsets(sentence.words.lengths)):
            tags = sentence.words.tags[start : start + len(heads)]
            start += len(heads)
            words = np.arange(1, len(heads))
            arcs.append((tags[heads[1:]], tags[1:], heads[1:] < words, labels[1:]))
    return EdgeFilter.build(
        (SIZES["upos"].values, LABELS), *(np.concatenate(column) for column in zip(*arcs, strict=True))
    )


def untrained(order, own, nonprojective):
    weights = np.zeros(table_size(BITS, LABELS), dtype=np.int32)
    return FactoredParser(features(order), own, weights, UNIT, BITS, nonprojective, single_root=False)


@given(st.lists(st.integers(1, 7), min_size=1, max_size=3), st.sampled_from([1, 2]), st.integers(0, 10**6))
def test_the_score_of_a_tree_is_the_sum_of_feature_weights(lengths, order, seed):
    """The sum is computed in another way, from the cells that learning changes for a tree."""
    sentence = batch(lengths, seed, projective=False)
    edges = all_edges(lengths, LABELS)
    keys = features(order).node_keys(sentence.words, order)
    weights = np.random.default_rng(seed).integers(-99, 99, table_size(BITS, LABELS)).astype(np.int32)
    scores = score(edges, keys, weights, BITS)
    cells = np.empty(999, dtype=np.int64)
    for number, (heads, labels) in enumerate(
        split((sentence.heads, sentence.labels), node_offsets(sentence.words.lengths))
    ):
        total = 0
        for word in range(1, len(heads)):
            base = edges.offsets[number]
            count = word_cells(keys, bins(99), np.uint64(64 - BITS), base, heads, labels, word, cells)
            total += weights[cells[:count]].sum()
        assert tree_score(edges, scores, number, heads, labels) == total


@pytest.mark.parametrize(("order", "nonprojective"), [(1, "none"), (1, "mst"), (2, "none"), (2, "npa")])
def test_training_trees_are_learned(order, nonprojective):
    batches = [batch([4, 5, 6], 10 * seed, nonprojective == "none") for seed in range(4)]
    own = edge_filter(batches)
    parser = learn(batches, untrained(order, own, nonprojective), candidates=10, epochs=15)
    right = total = 0
    for each in batches:
        edges = own.edges(each.words.lengths, each.words.tags)
        scores = score(edges, features(order).node_keys(each.words, order), parser.weights, BITS)
        found = decoded(edges, scores, Decoding(nonprojective, 0, False))
        expected = split((each.heads, each.labels), edges.offsets)
        for (heads, labels), (gold, names) in zip(found, expected, strict=True):
            right += int(((heads == gold) & (labels == names))[1:].sum())
            total += len(gold) - 1
    assert right / total > 0.9


def test_words_with_unknown_tags_get_a_head():
    known = batch([5], 1)
    own = edge_filter([known])
    unknown = np.array([1, 2, 2, 2, 2])
    edges = own.edges(np.array([4]), unknown)
    weights = np.zeros(table_size(BITS, LABELS), dtype=np.int32)
    words = WordColumns(np.array([4]), {name: np.array([[1, 2, 2, 2, 2, 0]]) for name in SIZES})
    scores = score(edges, features(2).node_keys(words, 2), weights, BITS)
    for single_root in (True, False):
        [(heads, labels)] = decoded(edges, scores, Decoding("none", 0, single_root))
        assert (labels[1:] == own.fallback[2]).all()
        assert (heads[1:] >= 0).all()


def test_edge_filters_admit_seen_edges_and_fallbacks_only():
    # training arcs: node 0 to a verb (3) with label 0, a verb to nouns (4) on its left with 1, on its right with 2
    heads, dependents = np.array([1, 3, 3]), np.array([3, 4, 4])
    own = EdgeFilter.build((6, 3), heads, dependents, np.array([True, False, True]), np.array([0, 1, 2]))
    edges = own.edges(np.array([3]), np.array([1, 4, 3, 4]))
    found = set(zip(edges.head.tolist(), edges.dependent.tolist(), edges.label.tolist(), strict=True))
    # other arcs to the next word get the fallback label of its tag; for nouns, this is the lower label of two
    assert found == {(0, 2, 0), (2, 1, 1), (2, 3, 2), (0, 1, 1), (1, 2, 0)}


def test_gold_heads_are_candidates_after_training():
    batches = [batch([6, 7, 8], 10 * (seed % 3)) for seed in range(8)]
    lines = []
    learn(batches, untrained(2, edge_filter(batches), "none"), candidates=3, epochs=1, progress=lines.append)
    [found] = [line for line in lines if line.startswith("candidate heads: ")]
    count, share = float(found.split()[2]), float(found.split()[5])
    assert 1 < count < 4
    assert share > 95
