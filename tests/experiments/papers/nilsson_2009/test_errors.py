"""Error analysis of Nilsson (2009): rows agree with counts by hand."""

import pytest
from crossarc.experiments.harness.settings import load_settings
from crossarc.experiments.harness.tables import picked
from crossarc.experiments.papers.nilsson_2009.chapters.ch8 import mean_row
from crossarc.experiments.papers.nilsson_2009.measures.errors import pre_post_row, share_row
from handmade import one_sentence_scores

ROWS = load_settings("nilsson-2009-ch8").measures


@pytest.fixture
def example():
    """The example of section 4.2.1: of ten words the fourth, fifth and eighth are wrong."""
    return one_sentence_scores([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {4: 2, 8: 0}, {5: "y"})


def test_error_rates_before_and_after_the_first_error(example):
    row = picked(example.propagation["las"], ROWS["total"])
    third = 100 / 3
    assert row == pytest.approx(
        {
            "total": 30.0,
            "pre": 25.0,
            "pre_share": 40.0,
            "post": third,
            "pre_normalised": 100 * 25 / 30,
            "post_normalised": 100 * third / 30,
        }
    )
    better = one_sentence_scores([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {4: 2})
    assert pre_post_row(better, example) == pytest.approx(
        {
            "total": 90.0,
            "pre": 75.0,
            "pre_normalised": 250.0,
            "pre_reduction": 0.0,
            "post": 100.0,
            "post_normalised": 0.0,
            "post_reduction": 100.0,
        }
    )
    assert pre_post_row(example, example)["post_reduction"] is None
    assert pre_post_row(example, example, "uas")["total"] == 80.0


def test_error_rates_by_distance_from_the_previous_error(example):
    errors = example.propagation["las"]
    assert picked(errors, ROWS["error rate"]) == {
        "1": 25.0, "2": 0.0, "3": 50.0, "4": 100.0, "5": None, "6": None, "7": None, ">7": None
    }  # fmt: skip
    assert picked(errors, ROWS["normalised"])["3"] == pytest.approx(100 * 50 / 30)
    assert share_row(example) == pytest.approx({"1-2": 70.0, "3-7": 30.0, ">7": 0.0})


def test_precision_and_recall_of_root_and_other_words(example):
    """Node 0 has two predicted dependents and one gold dependent, which is right. Six other words are right."""
    assert picked(example, ROWS["root"]) == pytest.approx(
        {"root_precision": 50.0, "other_precision": 100 * 6 / 8, "root_recall": 100.0, "other_recall": 100 * 6 / 9}
    )


def test_mean_row_has_means_of_error_reductions_only():
    rows = [{"las": 80.0, "las_reduction": 10.0, "p": "0.1"}, {"las": 90.0, "las_reduction": 5.0, "p": "0.2"}]
    assert mean_row(rows) == {"las_reduction": 7.5}
