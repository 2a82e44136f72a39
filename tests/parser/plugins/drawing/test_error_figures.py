"""Figures of errors by position and by arc length: points on trees counted by hand."""

import pytest
from crossarc.parser.plugins.drawing.error_figures import length_precisions, position_rates
from handmade import one_sentence_scores


@pytest.fixture
def example():
    """Example of Nilsson (2009, section 4.2.1): words 4, 5 and 8 of ten are wrong."""
    return one_sentence_scores([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {4: 2, 8: 0}, {5: "y"})


def test_position_rates_have_bins_of_five_words(example):
    assert position_rates(example) == [(5, pytest.approx(100 * 40 / 30)), (10, pytest.approx(100 * 20 / 30))]
    chain = list(range(60))
    late = one_sentence_scores(chain, {42: 40, 60: 50})
    assert position_rates(late)[-2:] == [(40, 0.0), (45, pytest.approx(100 * (2 / 20) / (2 / 60)))]


def test_arc_lengths_count_in_both_directions(example):
    """Seven predicted arcs have length 1, one of them with a wrong label; one has length 2."""
    assert length_precisions(example) == [(1, pytest.approx(100 * 6 / 7)), (2, 0.0)]
    backward = one_sentence_scores([2, 0, 1, 2], {3: 4})
    assert length_precisions(backward) == [(1, pytest.approx(50.0)), (2, 100.0)]
    long = one_sentence_scores([0, *[1] * 40], {41: 2})
    lengths = dict(length_precisions(long))
    assert max(lengths) == 16
    assert lengths[16] == pytest.approx(100 * 24 / 25)
