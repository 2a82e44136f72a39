"""Error propagation: Pre, Post and error clusters on the example and figures of Nilsson (2009), and naive counts."""

import numpy as np
import pytest
from crossarc.parser.evaluate.metrics import propagation
from crossarc.parser.evaluate.scores import ErrorRate
from hypothesis import given, strategies as st

EXAMPLE = "+++--++-++"


def measure(sentences, **options):
    right = np.array([mark == "+" for mark in "".join(sentences)], dtype=np.bool_)
    return propagation(right, np.array([len(s) for s in sentences], dtype=np.int64), **options)


def test_example_of_nilsson_2009():
    found = measure([EXAMPLE])
    assert found.pre == ErrorRate(1, 4)
    assert found.post == ErrorRate(2, 6)
    assert found.clusters[:5] == (ErrorRate(1, 4), ErrorRate(0, 3), ErrorRate(1, 2), ErrorRate(1, 1), ErrorRate(0, 0))
    assert found.pre.rate == 25
    assert found.pre.normalised(found.total) == pytest.approx(25 / 0.3)


def test_table_4_1_is_consistent_with_the_definition():
    """Figures of MaltParser: Total 19.8, Pre 12.0 on 42.2 % of the tokens, Post 25.5; normalised 60.7 and 128.7.

    The test constructs 250 sentences of 20 tokens with these rates. Each has its first error after 7 or 8 correct
    tokens, so 250 of the 2110 tokens up to it are wrong; of the 2890 tokens that follow, 740 are wrong.
    """
    before = [7] * 140 + [8] * 110
    later = [3] * 240 + [2] * 10
    sentences = []
    for right, wrong in zip(before, later, strict=True):
        rest = 20 - right - 1
        sentences.append("+" * right + "-" + "-" * wrong + "+" * (rest - wrong))
    found = measure(sentences)
    assert found.total.rate == pytest.approx(19.8, abs=0.05)
    assert found.pre.rate == pytest.approx(12.0, abs=0.2)
    assert 100 * found.pre.tokens / found.total.tokens == pytest.approx(42.2, abs=0.05)
    assert found.post.rate == pytest.approx(25.5, abs=0.15)
    assert found.pre.normalised(found.total) == pytest.approx(60.7, abs=1)
    assert found.post.normalised(found.total) == pytest.approx(128.7, abs=1)


def test_normalised_errors_are_undefined_without_errors_or_without_words():
    perfect = measure(["+++"])
    assert perfect.pre.rate == 0
    assert perfect.pre.normalised(perfect.total) is None
    assert perfect.post.rate is None
    empty = measure([])
    assert empty.total == empty.pre == empty.clusters[0] == ErrorRate(0, 0)
    assert empty.to_json()["pre"] == {"rate": None, "normalised": None, "share": None, "errors": 0, "tokens": 0}


@given(st.lists(st.text("+-", max_size=15), max_size=6), st.integers(1, 9))
def test_rates_equal_naive_counts(sentences, steps):
    counts = {key: [0, 0] for key in ("pre", "post", *range(1, steps + 2))}
    for sentence in sentences:
        latest, part = 0, "pre"
        for place, mark in enumerate(sentence, 1):
            for key in (part, min(place - latest, steps + 1)):
                counts[key][0] += mark == "-"
                counts[key][1] += 1
            if mark == "-":
                latest, part = place, "post"
    found = measure(sentences, steps=steps)
    assert found.pre == ErrorRate(*counts["pre"])
    assert found.post == ErrorRate(*counts["post"])
    assert found.clusters == tuple(ErrorRate(*counts[k]) for k in range(1, steps + 2))
    assert found.pre.tokens + found.post.tokens == found.total.tokens == sum(c.tokens for c in found.clusters)
