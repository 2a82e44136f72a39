"""Features of factors: cells recomputed from their definition, and templates that are refused."""

from hashlib import blake2b

import numpy as np
import pytest
from crossarc.features.address import FACTOR_NODES
from crossarc.features.extractor import DISTANCE_BINS, ColumnSize
from crossarc.features.template import TemplateError, parse_feature_model
from crossarc.parser.plugins.graph.features import EDGE, INNER, OUTER, SIBLING, FactorFeatures, bins
from crossarc.parser.plugins.graph.loops import write_feature_rows
from factored import random_words
from hypothesis import given, strategies as st
from refusals import refusal

SIZES = {"form": ColumnSize(9), "upos": ColumnSize(6), "feats": ColumnSize(7, 2)}
BITS = 12


def model(*templates):
    lines = "\n".join(f"- {template}" for template in templates)
    return parse_feature_model(f"templates:\n{lines}\n", "test", SIZES, FACTOR_NODES)


def words(lengths, seed):
    return random_words(SIZES, lengths, np.random.default_rng(seed), 2)


def number(text):
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def value(data, sentence, node, column, steps=""):
    """The value of a column at a node, or at a word before it (one per p in ``steps``) or after it (one per s)."""
    for step in steps:
        if node is None or node == 0:
            return 0
        node = node - 1 if step == "p" else node + 1
        node = node if 1 <= node <= data.lengths[sentence] else None
    return 0 if node is None else int(data.columns[column][sentence, node])


def bin_of(distance):
    return sum(int(bound) <= distance for bound in DISTANCE_BINS)


def cell(template, factor, values, rightward):
    total = number(f"{template} {factor} {'right' if rightward else 'left'}")
    for place, own in enumerate(values):
        total += own * (number(f"{template} {factor} {place}") | 1)
    return (total % 2**64) >> (64 - BITS)


def places(features, data, factor, head, dependent, third):
    keys = features.node_keys(data, 2)[factor]
    rows = np.empty(99, dtype=np.int64)
    shift = np.uint64(64 - BITS)
    count = write_feature_rows(keys, keys.head.shape[1], bins(99), shift, head, dependent, third, rows, 0)
    return [int(row) for row in rows[:count]]


@given(st.lists(st.integers(2, 6), min_size=1, max_size=3), st.integers(0, 10**6), st.data())
def test_features_use_the_cells_of_their_definition(lengths, seed, data):
    edge = "merge(form(pred(Head)), upos(Dependent), distance(Head, Dependent))"
    two = "merge(upos(Head), form(succ(succ(Grandchild))), distance(Dependent, Grandchild), distance(Head, Grandchild))"
    sibling = "merge(upos(Sibling), distance(Sibling, Dependent))"
    features = FactorFeatures(model(edge, two, sibling), SIZES)
    assert features.order == 2
    own = words(lengths, seed)
    sentence = data.draw(st.integers(0, len(lengths) - 1))
    n = lengths[sentence]
    h, m, t = data.draw(st.permutations(range(n + 1)).filter(lambda order: order[1] > 0))[:3]
    none = data.draw(st.booleans())
    base = sum(lengths[:sentence]) + sentence
    last = sum(lengths) + len(lengths)
    nodes = base + h, base + m, last if none else base + t
    found = places(features, own, EDGE, base + h, base + m, last)
    values = [value(own, sentence, h, "form", "p"), value(own, sentence, m, "upos"), bin_of(abs(h - m))]
    assert found == [cell(edge, EDGE, values, h < m)]
    node = None if none else t
    for factor in (INNER, OUTER):
        found = places(features, own, factor, *nodes)
        distances = [0, 0] if none else [bin_of(abs(m - t)), bin_of(abs(h - t))]
        values = [value(own, sentence, h, "upos"), value(own, sentence, node, "form", "ss"), *distances]
        assert found == [cell(two, factor, values, h < m)]
    found = places(features, own, SIBLING, *nodes)
    values = [value(own, sentence, node, "upos"), 0 if none else bin_of(abs(m - t))]
    assert found == [cell(sibling, SIBLING, values, h < m)]


@given(st.integers(1, 9), st.integers(0, 10**6), st.data())
def test_each_distinct_value_between_counts_once(n, seed, data):
    template = "merge(upos(Head), upos(Between))"
    features = FactorFeatures(model(template, "form(Head)"), SIZES)
    own = words([2, n], seed)
    h, m = data.draw(st.permutations(range(n + 1)).filter(lambda order: order[1] > 0))[:2]
    _, *found = places(features, own, EDGE, 3 + h, 3 + m, n + 4)
    between = {value(own, 1, k, "upos") for k in range(min(h, m) + 1, max(h, m))}
    expected = [cell(template, EDGE, [value(own, 1, h, "upos"), other], h < m) for other in between]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("merge(form(Sibling), form(Grandchild))", "found several of Between, Sibling and Grandchild; allowed: one"),
        ("feats(Head)", "found feats, a set of values; allowed: columns with one value, morph"),
        ("deprel(Head)", "found deprel; allowed in features of graph-based parsers: columns and distance"),
        ("arity(Head)", "found arity; allowed in features of graph-based parsers: columns and distance"),
        ("form(ldep(Head))", "found ldep(Head); allowed functions: pred or succ, once or twice"),
        ("form(pred(succ(Head)))", "found pred(succ(Head)); allowed functions: pred or succ"),
        ("distance(Head, pred(Dependent))", "allowed: distances between two of Head, Dependent, Sibling, Grandchild"),
        ("distance(Between, Dependent)", "allowed: distances between two of Head, Dependent, Sibling, Grandchild"),
        ("distance(Head, Head)", "allowed: distances between two of Head, Dependent, Sibling, Grandchild"),
    ],
)
def test_templates_unsupported_in_factors_are_refused(template, message):
    said = refusal(lambda: FactorFeatures(model(template), SIZES), TemplateError)
    assert said.startswith(f"template {template!r}: ")
    assert message in said


def test_templates_name_the_nodes_of_factors():
    said = refusal(lambda: model("form(Stack[0])"), TemplateError)
    assert "unknown source 'Stack'; allowed: Head, Dependent, Between, Sibling, Grandchild" in said
    with pytest.raises(TemplateError, match=r"found '\[', expected '\)'"):
        model("form(Head[0])")
    assert model("form(pred(Head))").lines() == ["form(pred(Head))"]
