"""Tables of experiments: rendering, and the rows of the papers' tables from scores counted by hand."""

from __future__ import annotations

import numpy as np
from crossarc.experiments.harness.rows import (
    ARCS,
    OVERALL,
    arc_row,
    overall_row,
    published_rows,
    score_table,
    significance_table,
)
from crossarc.experiments.harness.tables import markdown_table
from crossarc.parser.evaluate import evaluate, mcnemar, significance_json
from handmade import words_tree


def test_markdown_is_aligned_and_escaped() -> None:
    assert markdown_table(["a", "long"], [["x|y", "1"], ["z", "22.00"]]).splitlines() == [
        "| a    |  long |",
        "| ---- | ----: |",
        "| x\\|y |     1 |",
        "| z    | 22.00 |",
    ]


def test_published_figures_follow_ours_with_the_difference_where_asked_for() -> None:
    ours = {"P0": {"las": 80.0, "n": 5}, "P9": {"las": None, "n": 6}}
    theirs = {"P0": {"las": 79.65, "n": 7}}
    columns = {"las": "LAS", "n": "n"}
    assert score_table(columns, ours, theirs, difference=True).splitlines()[2:] == [
        "| P0               | 80.00 |   5 |",
        "| *P0, published*  | 79.65 |   7 |",
        "| *P0, difference* | +0.35 |  -2 |",
        "| P9               |     – |   6 |",
    ]
    assert "difference" not in score_table(columns, ours, theirs, label="published for another treebank, Czech")


def test_rows_of_the_papers_tables() -> None:
    # 1 -> 3 and 4 -> 2 cross in the gold tree of the first sentence; the second is projective and right
    gold = [
        words_tree([-1, 0, 4, 1, 1], ["", "r", "x", "x", "x"], ["a", "b", "c", "d"]),
        words_tree([-1, 0, 1], ["", "r", "x"], ["a", "b"]),
    ]
    parsed = [words_tree([-1, 0, 1, 1, 1], ["", "r", "x", "x", "x"], ["a", "b", "c", "d"]), gold[1]]
    scores = evaluate(gold, parsed)
    assert overall_row(scores) == {"las": 500 / 6, "uas": 500 / 6, "lem": 50.0, "uem": 50.0}
    row = arc_row(scores)
    assert list(row) == list(ARCS)
    assert (row["all_projective_p"], row["all_projective_r"]) == (500 / 6, 100.0)
    assert (row["all_nonprojective_p"], row["all_nonprojective_r"]) == (None, 0.0)
    assert (row["projective_projective_p"], row["projective_projective_r"]) == (100.0, 100.0)
    assert (row["nonprojective_projective_p"], row["nonprojective_projective_r"]) == (75.0, 100.0)
    assert row["nonprojective_nonprojective_r"] == 0.0


def test_published_tables_have_the_columns_of_ours() -> None:
    for table, columns in (("2", OVERALL), ("3", ARCS), ("4", OVERALL), ("5", ARCS)):
        rows = published_rows("kuhlmann-nivre-2010", table, language="German")
        assert [row["parser"] for row in rows] == ["P0", "P1", "P2", "P3"]
        assert all(set(columns) <= set(row) for row in rows)
    assert published_rows("kuhlmann-nivre-2010", "4", language="German", parser="P1")[0]["las"] == 84.07


def test_tests_of_significance_say_who_is_better() -> None:
    worse, better = np.zeros(100, dtype=np.bool_), np.ones(100, dtype=np.bool_)
    tests = {
        "las": {("A", "B"): mcnemar(worse, better)},
        "uas": {("A", "B"): mcnemar(better, worse)},
        "lem": {("A", "B"): mcnemar(worse, worse)},
    }
    assert significance_table(tests).splitlines()[2] == (
        "| A : B | B < 0.01 (0:100) | A < 0.01 (100:0) | – (0:0, p = 1.000) |"
    )
    (found,) = significance_json(tests)["las"]  # type: ignore[misc,union-attr]
    assert (found["first"], found["second"], found["winner"]) == ("A", "B", "second")  # type: ignore[index,call-overload]
