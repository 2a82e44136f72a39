"""The rows of the thesis' error analysis on trees counted by hand, and its published figures against themselves."""

from __future__ import annotations

from typing import Any

import pytest
from crossarc.experiments.harness.rows import published_rows
from crossarc.experiments.papers.nilsson_2009.chapters.ch8 import mean_row
from crossarc.experiments.papers.nilsson_2009.measures.errors import (
    clustering_row,
    pre_post_row,
    root_row,
    share_row,
    total_row,
)
from crossarc.parser.evaluate.scores import Scores
from handmade import one_sentence_scores


@pytest.fixture
def example() -> Scores:
    """The example of section 4.2.1: of ten words the fourth, fifth and eighth are wrong."""
    return one_sentence_scores([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {4: 2, 8: 0}, {5: "y"})


def test_rates_before_and_after_the_first_error(example: Scores) -> None:
    row = total_row(example)
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
    assert pre_post_row(example)["post_reduction"] is None
    assert pre_post_row(example, None, "uas")["total"] == 80.0


def test_clusters(example: Scores) -> None:
    assert clustering_row(example) == {
        "1": 25.0, "2": 0.0, "3": 50.0, "4": 100.0, "5": None, "6": None, "7": None, ">7": None
    }  # fmt: skip
    assert clustering_row(example, normalised=True)["3"] == pytest.approx(100 * 50 / 30)
    assert share_row(example) == pytest.approx({"1-2": 70.0, "3-7": 30.0, ">7": 0.0})


def test_root_and_other_words(example: Scores) -> None:
    """Of two words on node 0 in the predicted tree, and of one in the gold tree, one is right; of eight others six."""
    assert root_row(example) == pytest.approx(
        {"root_precision": 50.0, "other_precision": 100 * 6 / 8, "root_recall": 100.0, "other_recall": 100 * 6 / 9}
    )


def test_mean_of_reductions() -> None:
    rows = [{"las": 80.0, "las_reduction": 10.0, "p": "0.1"}, {"las": 90.0, "las_reduction": 5.0, "p": "0.2"}]
    assert mean_row(rows) == {"las_reduction": 7.5}


def published(table: str) -> list[dict[str, Any]]:
    return published_rows("nilsson-2009", table)


def test_published_rates_agree_with_one_another() -> None:
    for row in published("4.1"):
        share = row["pre_share"] / 100
        assert share * row["pre"] + (1 - share) * row["post"] == pytest.approx(row["total"], abs=0.1)
        for part in ("pre", "post"):
            assert 100 * row[part] / row["total"] == pytest.approx(row[f"{part}_normalised"], abs=0.5)
    rates = {row["parser"]: row["total"] for row in published("4.1")}
    for row in published("4.2"):
        assert row[">7"] < rates[row["parser"]] < row["1"]
    sums = {row["parser"]: sum(row[key] for key in ("1-2", "3-7", ">7")) for row in published("4.3")}
    assert sums.pop("MSTParser") == pytest.approx(103.9)
    assert list(sums.values()) == pytest.approx([100] * 3, abs=0.11)


def test_published_rates_of_chapter_7_agree_with_one_another() -> None:
    total = {"SVM(Q)": 79.18, "best TL": 79.12, "best GL": 80.07}
    combined = {row["las"] for row in published("7.2")}
    assert {total["best TL"], total["best GL"]} <= combined
    for row in published("7.3"):
        for part in ("pre", "post"):
            normalised = 100 * (100 - row[part]) / (100 - total[row["system"]])
            assert normalised == pytest.approx(row[f"{part}_normalised"], abs=0.6)
    plain = {row["system"]: row for row in published("7.4") if row["form"] == "error rate"}
    for row in published("7.4"):
        if row["form"] == "normalised":
            for step in ("1", "4", ">7"):
                rate = plain[row["system"]][step]
                assert 100 * rate / (100 - total[row["system"]]) == pytest.approx(row[step], abs=0.5)


def test_published_reductions_of_chapter_8_are_those_of_its_scores() -> None:
    """Those of table 8.2 are shares of the blend's errors, those of table 8.3 of the single parser's."""
    for row in published("8.2"):
        for score in ("las", "uas"):
            reduction = 100 * (row[score] - row[f"{score}_single"]) / (100 - row[score])
            assert reduction == pytest.approx(row[f"{score}_reduction"], abs=0.1), row
    table = {(row["system"], row["score"]): row for row in published("8.3")}
    for score in ("las", "uas"):
        single, blend = table["single", score], table["blend", score]
        for part in ("pre", "post"):
            reduction = 100 * (blend[part] - single[part]) / (100 - single[part])
            assert reduction == pytest.approx(blend[f"{part}_reduction"], abs=0.01)
    singles = {row["treebank"]: row["las_single"] for row in published("8.2")}
    best = {row["treebank"]: row["las"] for row in published("8.1") if row["parser"] == "arc-eager"}
    assert {name for name, value in singles.items() if value != best[name]} == {"Chinese", "average"}
