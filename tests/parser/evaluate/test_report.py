"""The plain-text reports: what stands in which cell."""

from __future__ import annotations

import re

from crossarc.parser.evaluate import (
    McNemar,
    error_reduction,
    evaluate,
    format_comparison,
    format_scores,
    format_significance,
    score_tables,
)
from crossarc.parser.evaluate.headings import HEADINGS
from handmade import words_tree

GOLD = words_tree(
    [-1, 3, 3, 0, 2, 3], ["", "det", "subj", "root", "rel", "punct"], ["A", "man", "came", "who", "."], list("DNVRP")
)
PREDICTED = GOLD._replace(heads=[-1, 2, 3, 0, 3, 3], deprels=["", "det", "subj", "root", "rel", "obj"])


def cells(report: str, start: str) -> list[str]:
    (line,) = [line for line in report.split("\n") if line.startswith(start)]
    return line[len(start) :].split()


def test_scores_stand_under_their_names():
    report = format_scores(evaluate([GOLD], [PREDICTED]))
    assert cells(report, "UEM") == ["0.00", "0.00"]
    assert report.split("\n")[1].split() == ["LAS", "40.00", "50.00"]
    assert cells(report, "tokens") == ["5", "4"]
    assert cells(report, "projective, all sentences") == ["60.00", "75.00", "40.00", "50.00", "5", "4"]
    assert cells(report, "non-projective, all sentences") == ["-", "0.00", "-", "0.00", "0", "1"]
    assert cells(report, "non-projective, projective sentences") == ["-", "-", "-", "-", "0", "0"]
    assert cells(report, "non-projective, right") == ["0.00", "0.00", "100.00", "1"]
    assert cells(report, "punct as obj") == ["1", "1"]
    assert max(map(len, report.split("\n"))) < 100
    assert not any(line != line.rstrip() for line in report.split("\n"))


PLAIN = {"", "all tokens", "tokens", "total", "deprel", "upos", "sentence length", "sentences"}
"""Headings that say themselves what stands below."""


def test_every_heading_is_explained_once_where_it_comes_first():
    tables = score_tables(evaluate([GOLD], [PREDICTED]))
    seen: list[str] = []
    for table in tables:
        notes = [name for name, _ in table.notes]
        assert set(notes) <= {*table.header, *(row[0].partition(",")[0] for row in table.rows)}
        seen += notes
        for heading in table.header:
            general = heading.partition(",")[0]
            assert general in seen or heading in PLAIN or heading.startswith(("no punctuation", "arcs")), heading
    assert len(seen) == len(set(seen))
    report = format_scores(evaluate([GOLD], [PREDICTED]))
    assert [name for name in seen if not re.search(rf"^  {re.escape(name)}  +\S", report, re.M)] == []


def test_why_precision_and_recall_of_crossing_arcs_may_differ_so_much_is_said():
    comparison = " ".join(format_comparison({"x": evaluate([GOLD], [PREDICTED])}).split())
    assert "np P can be 0 beside an np R of 4" in comparison
    assert "These are different sets: an arc may be right and yet cross nothing" in HEADINGS["non-projective"]
    assert HEADINGS["b"] == "how many only B has right"


def test_the_headings_of_tests_are_explained_unless_they_have_been():
    tests = {("P0", "P1"): McNemar(40, 10, 4.1012, 0.0000411, 0.01, "second")}
    assert "  b               how many only B has right\n" in format_significance(tests)
    assert format_significance(tests, notes=False).count("\n") == 2


def test_error_propagation_is_reported_with_its_normalisation():
    """LAS: wrong at words 1, 4 and 5 of 5, so Pre is 1/1, Post 2/4, and cluster 1 (words 1, 2, 5) 2/3."""
    report = format_scores(evaluate([GOLD], [PREDICTED]))
    las = [line for line in report.split("\n") if line.startswith("LAS ")][-1]
    assert las.split()[1:] == ["60.00", "100.00", "(166.67)", "50.00", "(83.33)", "20.00", "66.67", "(111.11)"]


def test_the_tokens_of_the_breakdowns_are_named():
    report = format_scores(evaluate([GOLD], [PREDICTED], breakdowns="no_punct", punctuation="upos:P"))
    assert "arcs (no punctuation, here and below)" in report
    assert "no punctuation (upos:P)" in report
    assert cells(report, "projective, all sentences")[-2:] == ["4", "3"]


def test_an_empty_corpus_is_reported():
    report = format_scores(evaluate([], []))
    assert cells(report, "LAS") == ["-", "-"]
    assert "deprel" not in report


def test_significance_table():
    tests = {
        ("P0", "P1"): McNemar(40, 10, 4.1012, 0.0000411, 0.01, "second"),
        ("P0", "P2"): McNemar(1, 9, None, 0.0215, 0.05, "first"),
        ("P1", "P2"): McNemar(5, 5, None, 1.0, None, None),
    }
    report = format_significance(tests)
    assert cells(report, "P0 : P1") == ["40", "10", "4.1012", "4.11e-05", "0.01", "P1"]
    assert cells(report, "P0 : P2") == ["1", "9", "-", "0.0215", "0.05", "P0"]
    assert cells(report, "P1 : P2") == ["5", "5", "-", "1", "-", "-"]
    assert format_significance({}) == ""


def test_error_reduction_is_a_share_of_the_errors():
    """The example of the thesis: from 80 % to 85 % is a reduction by a quarter."""
    assert error_reduction(80, 85) == 25
    assert error_reduction(80, 75) == -25
    assert error_reduction(100, 100) is None
    assert error_reduction(None, 85) is None
    assert error_reduction(80, None) is None
