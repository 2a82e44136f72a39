"""Factored parsers: batches, long sentences, unlabelled charts, candidate heads, and saved state."""

from dataclasses import replace

import numpy as np
import pytest
from crossarc.features.address import FACTOR_NODES
from crossarc.features.extractor import ColumnSize
from crossarc.features.template import parse_feature_model
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.plugins.graph import factored_parser, scoring
from crossarc.parser.plugins.graph.edges import EdgeFilter, node_offsets
from crossarc.parser.plugins.graph.factored_parser import LONGEST, MOST_CUBES, FactoredParser, batches_by_cubes
from crossarc.parser.plugins.graph.features import EDGE, FactorFeatures, bins
from crossarc.parser.plugins.graph.loops import write_feature_rows
from crossarc.parser.plugins.graph.scoring import PRUNING_BITS, Pruner, table_size
from crossarc.transitions.trees import is_tree, roots
from factored import all_edges, random_words, split
from hypothesis import given, strategies as st

SIZES = {"upos": ColumnSize(6)}

BITS, LABELS = 10, 3
MODEL = parse_feature_model(
    "templates:\n- merge(upos(Head), upos(Dependent))\n- merge(upos(Sibling), upos(Dependent))\n"
    "- merge(upos(Dependent), upos(Grandchild))\n",
    "test",
    SIZES,
    FACTOR_NODES,
)


def every_label():
    return EdgeFilter(np.ones((6, 6, 2, LABELS), dtype=np.bool_), np.zeros(6, dtype=np.int64))


def parser(seed=0, **changes):
    weights = np.random.default_rng(seed).integers(-(10**6), 10**6, table_size(BITS, LABELS)).astype(np.int32)
    options = {
        "edge_filter": every_label(),
        "weights": weights,
        "unit": 2**20,
        "table_bits": BITS,
        "nonprojective": "npa",
        "single_root": True,
        "features": FactorFeatures(MODEL, SIZES),
    }
    return FactoredParser(**{**options, **changes}).quantized(weights)


def words(lengths, seed=0):
    return random_words(SIZES, lengths, np.random.default_rng(seed))


@given(st.lists(st.integers(0, 260), max_size=40), st.integers(1, 8))
def test_batches_hold_every_sentence_once_within_limits(lengths, size):
    batches = list(batches_by_cubes(lengths, size))
    assert sorted(number for batch in batches for number in batch) == list(range(len(lengths)))
    for batch in batches:
        own = [lengths[number] for number in batch]
        assert len(batch) <= size
        assert len(batch) == 1 or sum((n + 1) ** 3 for n in own) <= MOST_CUBES
        assert max(own) <= LONGEST or min(own) > LONGEST


def test_long_sentences_are_parsed_with_first_order_scores(monkeypatch):
    monkeypatch.setattr(factored_parser, "LONGEST", 7)
    factored = parser()
    for length, order in ((7, 2), (8, 1)):
        batch = words([length])
        _, _, scores = factored.candidates(batch)
        assert (scores.sibling.size > 0) == (order == 2)
        heads, _ = factored.trees(batch)
        assert is_tree(heads.tolist())
        assert len(roots(heads.tolist())) == 1


def test_saved_state_gives_the_same_parser():
    batch = words([6, 5, 2])
    for factored in (parser(), parser(pruner=pruner(2))):
        again = FactoredParser.from_state(*factored.state(), SIZES, 6, LABELS)
        for one, other in zip(factored.trees(batch), again.trees(batch), strict=True):
            assert one.tolist() == other.tolist()
    assert (again.pruner.most, again.pruner.unit) == (2, 100.0)
    assert (again.pruner.weights == factored.pruner.weights).all()


def test_quantized_weights_keep_their_proportions():
    own = parser()
    weights = np.random.default_rng(0).integers(-(10**6), 10**6, table_size(BITS, LABELS))
    assert np.abs(own.weights).max() == 2**15 - 1
    assert np.abs(own.weights / own.unit - weights / 2**20).max() <= 0.5 / own.unit + 1e-9


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("weights", lambda array: array[:-1], "array weights: found int16 of shape"),
        ("weights", lambda array: array.astype(np.int32), "array weights: found int32; expected int16"),
        ("filter/allowed", lambda array: array[:-1], "array filter/allowed: found bool of shape"),
        ("filter/allowed", lambda array: array + 1, "array filter/allowed: found int64 of shape"),
        ("filter/fallback", lambda array: array + 9, "array filter/fallback: found int64 of shape"),
        ("pruner/weights", lambda array: array[:-1], "array pruner/weights: found int16 of shape"),
        ("pruner/weights", lambda array: array.astype(np.int32), "array pruner/weights: found int32; expected int16"),
    ],
)
def test_invalid_arrays_are_refused(name, change, message):
    values, arrays = parser(pruner=pruner(2)).state()
    with pytest.raises(ShapeError, match=message):
        FactoredParser.from_state(values, {**arrays, name: change(arrays[name])}, SIZES, 6, LABELS)


@pytest.mark.parametrize(
    ("key", "value"),
    [("nonprojective", 3), ("nonprojective", "mst"), ("unit", 0), ("table_bits", 99), ("candidate_unit", 0)],
)
def test_invalid_values_are_refused(key, value):
    values, arrays = parser(pruner=pruner(2)).state()
    with pytest.raises(ShapeError, match=rf"^{key}: found {value}; expected "):
        FactoredParser.from_state({**values, key: value}, arrays, SIZES, 6, LABELS)


def test_every_edge_is_a_candidate_if_every_label_was_seen():
    edges = every_label().edges(np.array([3]), np.array([1, 3, 4, 5]))
    everything = all_edges([3], LABELS)
    assert edges.arc_head.tolist() == everything.arc_head.tolist()
    assert edges.label.tolist() == everything.label.tolist()


def test_features_of_unknown_columns_are_refused():
    values, arrays = parser().state()
    with pytest.raises(ShapeError, match=r"^features: .*unknown "):
        FactoredParser.from_state({**values, "features": ["form(Head[0])"]}, arrays, SIZES, 6, LABELS)


def pruner(most, seed=0):
    weights = np.random.default_rng(seed).integers(-999, 999, 2**PRUNING_BITS)
    return Pruner(most, 100.0, weights.astype(np.int16))


@given(st.lists(st.integers(1, 8), min_size=1, max_size=3), st.integers(1, 5), st.integers(0, 10**6))
def test_candidates_are_the_best_and_sufficiently_likely_heads(lengths, most, seed):
    own, batch = pruner(most, seed), words(lengths, seed)
    keys = parser().features.node_keys(batch, 1)[EDGE]
    heads, dependents = every_label().arcs(node_offsets(batch.lengths), batch.tags)
    kept = set(zip(*(side.tolist() for side in own.candidates(keys, heads, dependents)), strict=True))
    rows = np.empty(9, dtype=np.int64)
    for word in set(dependents.tolist()):
        score = {}
        for head in heads[dependents == word].tolist():
            none = len(keys.head) - 1
            count = write_feature_rows(
                keys, keys.head.shape[1], bins(99), np.uint64(64 - PRUNING_BITS), head, word, none, rows, 0
            )
            score[head] = int(own.weights[rows[:count]].sum())
        least = max(sorted(score.values())[-most:][0], max(score.values()) - scoring.PRUNING_MARGIN * own.unit)
        expected = {head for head, value in score.items() if value >= least or head + 1 == word}
        assert {head for head, other in kept if other == word} == expected


def test_pruning_that_keeps_all_heads_changes_no_tree(monkeypatch):
    monkeypatch.setattr(scoring, "PRUNING_MARGIN", 10.0**6)
    monkeypatch.setattr(factored_parser, "LABEL_MARGIN", 10.0**6)
    for seed in range(5):
        factored, batch = parser(seed), words([9, 4, 1], seed)
        pruned = replace(factored, pruner=pruner(9, seed))
        for one, other in zip(pruned.trees(batch), factored.trees(batch), strict=True):
            assert one.tolist() == other.tolist()


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("nonprojective", ["none", "npa"])
def test_one_candidate_head_per_word_still_gives_trees(single_root, nonprojective):
    for seed in range(20):
        factored = parser(seed, single_root=single_root, nonprojective=nonprojective, pruner=pruner(1, seed))
        for heads, _ in split(factored.trees(words([9, 6, 2, 1], seed)), [0, 10, 17, 20, 22]):
            assert is_tree(heads.tolist())
            assert not single_root or len(roots(heads.tolist())) == 1
