"""Sentences, treebanks and parsers as notebooks show them."""

from xml.etree import ElementTree

import crossarc
import pytest
from crossarc.parser.treebank import Treebank

CROSSING = crossarc.Sentence.from_tokens(
    ["a", "<b>", "c", "d"], upos=["X", "Y", "Z", "W"], heads=[3, 4, 0, 3], deprels=["x", "y", "root", "z"]
)


def test_sentences_are_drawn_with_their_trees():
    svg = CROSSING._repr_svg_()
    root = ElementTree.fromstring(svg)
    texts = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert {"a", "<b>", "c", "d", "X", "root"} <= texts
    assert svg.count('class="arc right crossing"') == 1
    html = CROSSING._repr_html_()
    assert html.startswith('<div style="overflow-x: auto"><svg')
    ElementTree.fromstring(html)


@pytest.mark.parametrize(
    ("heads", "arcs"), [(None, 0), ([2, 1], 0), ([0, None], 1)], ids=["no tree", "cycle", "half a tree"]
)
def test_sentences_without_a_tree_are_drawn_as_words_with_the_arcs_that_they_have(heads, arcs):
    tree = {"heads": heads, "deprels": ["x", "y"]} if heads else {}
    svg = crossarc.Sentence.from_tokens(["a", "b"], **tree)._repr_svg_()
    assert ">a<" in svg
    assert svg.count('class="arc') == arcs


def test_treebanks_show_their_first_trees():
    treebank = Treebank([CROSSING] * 7, CROSSING.format, "<own>.conllu")
    html = treebank._repr_html_()
    assert "&lt;own&gt;.conllu: 7 sentences, 28 words" in html
    assert html.count("<svg") == 5
    assert "and 2 more" in html
    assert "more" not in Treebank([CROSSING], CROSSING.format, "own")._repr_html_()


def test_parsers_show_their_facts(trained):
    html = trained("swap")._repr_html_()
    assert html.startswith("<pre>config       system=swap, ")
