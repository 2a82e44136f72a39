"""The section of a report that explains the headings of its tables."""

from __future__ import annotations

from crossarc.experiments.harness.headings import TITLE, explained, own_headings


def test_words_of_headings_are_explained() -> None:
    columns = ["in proj. trees: proj. P", "proj. R", "in non-proj. trees: proj. P", "non-proj. R"]
    _, title, _, *notes = explained(["parser", "LAS", "Pre, normalised", "treebank", *columns, "% NP"])
    assert title == TITLE
    assert notes[0].startswith("- **LAS**: labelled attachment score: % of tokens")
    named = {line[4 : line.index("**:")] for line in notes}
    arcs = {"P", "R", "proj.", "non-proj.", "in proj. trees", "in non-proj. trees"}
    assert named == {"LAS", "Pre", "normalised", "% NP"} | arcs
    assert f"- **% NP**: {own_headings()['% NP']}" in notes


def test_without_known_headings_the_section_is_omitted() -> None:
    assert explained(["treebank", "P0"]) == []
