"""Plain-text reports of scores: headings, notes and cells."""

import re

from crossarc.parser.evaluate.percent import error_reduction
from crossarc.parser.evaluate.report import format_scores, score_tables
from handmade import CROSSING, MISPARSED, evaluate


def cells(report, start):
    (line,) = [line for line in report.split("\n") if line.startswith(start)]
    return line[len(start) :].split()


PLAIN = {"", "all tokens", "tokens", "total", "deprel", "upos", "sentence length", "sentences"}
"""Headings that need no explanation."""


def test_headings_are_explained_once_at_their_first_use():
    tables = score_tables(evaluate([CROSSING], [MISPARSED]))
    seen = []
    for table in tables:
        notes = [name for name, _ in table.notes]
        assert set(notes) <= {*table.header, *(row[0].partition(",")[0] for row in table.rows)}
        seen += notes
        for heading in table.header:
            general = heading.partition(",")[0]
            assert general in seen or heading in PLAIN or heading.startswith(("no punctuation", "arcs")), heading
    assert len(seen) == len(set(seen))
    report = format_scores(evaluate([CROSSING], [MISPARSED]))
    assert [name for name in seen if not re.search(rf"^  {re.escape(name)}  +\S", report, re.M)] == []


def test_report_states_which_tokens_the_breakdowns_count():
    report = format_scores(evaluate([CROSSING], [MISPARSED], breakdowns="no_punct", punctuation="upos:P"))
    assert "arcs (no punctuation, here and below)" in report
    assert "no punctuation (upos:P)" in report
    assert cells(report, "projective, all sentences")[-2:] == ["4", "3"]


def test_report_on_an_empty_corpus_has_no_scores():
    report = format_scores(evaluate([], []))
    assert cells(report, "LAS") == ["-", "-"]
    assert "deprel" not in report


def test_error_reduction_is_a_share_of_the_errors():
    """Example of Nilsson (2009): from 80 % to 85 % is a reduction by a quarter."""
    assert error_reduction(80, 85) == 25
    assert error_reduction(80, 75) == -25
    assert error_reduction(100, 100) is None
    assert error_reduction(None, 85) is None
    assert error_reduction(80, None) is None
