"""The section of a report that explains the headings of its tables."""

from __future__ import annotations

from crossarc.experiments.harness.headings import OURS, TITLE, explain_headings, headings_of
from crossarc.experiments.harness.rows import ARCS
from crossarc.experiments.harness.tables import markdown_table

REPORT = f"""# Title

Text with LEM in it, which is no heading.

{markdown_table(["parser", "LAS", "Pre, normalised"], [["P0", "1", "2"]])}
{markdown_table(["treebank", *ARCS.values(), "% NP"], [["one", *("1" for _ in ARCS), "2"]])}"""


def test_the_words_of_headings_are_explained_at_the_end() -> None:
    text = explain_headings(REPORT)
    head, _, notes = text.partition(f"\n{TITLE}\n")
    assert head == REPORT.rstrip("\n") + "\n"
    assert notes.startswith("\n- **LAS**: labelled attachment score: % of tokens")
    named = {line[4 : line.index("**:")] for line in notes.strip().splitlines()}
    arcs = {"P", "R", "proj.", "non-proj.", "in proj. trees", "in non-proj. trees"}
    assert named == {"LAS", "Pre", "normalised", "% NP"} | arcs
    assert f"- **% NP**: {OURS['% NP']}\n" in notes
    assert explain_headings(text) == text


def test_a_report_without_known_headings_gets_no_section() -> None:
    assert explain_headings("# Title\n") == "# Title\n"
    assert headings_of(markdown_table(["treebank", "P0"], [["one", "1"]])) == {}
