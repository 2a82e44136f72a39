"""The section of a report that explains the headings of its tables."""

from crossarc.experiments.harness.results import explained, own_headings
from crossarc.parser.drawing.report_page import Heading, Text


def test_words_of_headings_are_explained():
    columns = ["in proj. trees: proj. P", "proj. R", "in non-proj. trees: proj. P", "non-proj. R"]
    title, *parts = explained(["parser", "LAS", "Pre, normalised", "treebank", *columns, "% NP"])
    notes = [part.text for part in parts if isinstance(part, Text) and part.item]
    assert title == Heading(2, "What the headings mean")
    assert notes[0].startswith("**LAS**: labelled attachment score: % of tokens")
    named = {line[2 : line.index("**:")] for line in notes}
    arcs = {"P", "R", "proj.", "non-proj.", "in proj. trees", "in non-proj. trees"}
    assert named == {"LAS", "Pre", "normalised", "% NP"} | arcs
    assert f"**% NP**: {own_headings()['% NP']}" in notes


def test_without_known_headings_the_section_is_omitted():
    assert explained(["treebank", "P0"]) == []
