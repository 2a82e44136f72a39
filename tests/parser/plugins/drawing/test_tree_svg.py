"""Trees as SVG and TikZ: words, labels, classes of arcs, layout, and escaped text."""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from crossarc.parser.plugins.drawing.arcs import arcs_against, arcs_of, levels
from crossarc.parser.plugins.drawing.layout import label_width, lay_out
from crossarc.parser.plugins.drawing.tikz import tikz_document, tikz_tree
from crossarc.parser.plugins.drawing.tree_svg import tree_svg, trees_svg
from crossarc.parser.plugins.drawing.word_line import EmptyNode, MultiwordToken, WordLine, word_line
from crossarc.parser.treebank.tree import Tree
from drawn import HOSTILE, hearing, parsed_sentences
from hypothesis import given

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg):
    return ElementTree.fromstring(svg)


def texts(svg):
    return [node.text for node in drawn(svg).iter(f"{SVG}text")]


def test_svg_has_labels_words_multiword_tokens_and_empty_nodes():
    view = hearing()
    line = word_line(view.sentence, ["upos"])
    assert (line.multiword, line.empty) == ([MultiwordToken(2, 3, "hearing's")], [EmptyNode(3, "being")])
    found = texts(tree_svg(line, arcs_of(view.trees[0]), "s1"))
    labels, rest = found[1:7], found[7:]
    assert found[0] == "s1"
    assert labels == ["det", "nsubj", "root", "acl", "advmod", "punct"]
    words = [text for form, tag in zip(line.forms, line.below[0], strict=True) for text in (form, tag)]
    assert rest == [*words, "being", "hearing's"]


def test_crossing_arcs_and_errors_have_css_classes():
    arcs = arcs_against(*hearing().trees)
    svg = tree_svg(word_line(hearing().sentence, []), arcs)
    classes = [own for node in drawn(svg).iter(f"{SVG}g") if (own := node.get("class"))]
    assert classes == [f"arc {own}" for own in ("right", "wrong-label", "right", "wrong-head", "right", "wrong-both")]


def test_hostile_words_and_labels_do_not_become_markup():
    n = len(HOSTILE)
    svg = tree_svg(WordLine(HOSTILE), arcs_of(Tree([-1, *range(n)], ["", *HOSTILE])), HOSTILE[0])
    allowed = ("svg", "title", "rect", "g", "path", "text")
    assert {node.tag for node in drawn(svg).iter()} <= {f"{SVG}{name}" for name in allowed}
    assert [text for text in texts(svg) if text == HOSTILE[0]] == [HOSTILE[0]] * 3


@given(parsed_sentences())
def test_labels_at_one_height_do_not_overlap(view):
    line, arcs = word_line(view.sentence, []), arcs_against(*view.trees)
    layout = lay_out(line, arcs)
    spans = {}
    for arc, ends, height in zip(arcs, layout.ends, layout.heights, strict=True):
        if arc.head:
            assert max(ends) - min(ends) >= label_width(arc.deprel)
            spans.setdefault(height, []).append((min(ends), max(ends)))
    for row in spans.values():
        row.sort()
        assert all(left[1] <= right[0] for left, right in pairwise(row))
    assert list(layout.middles) == sorted(layout.middles)
    assert all(0 <= x <= layout.width for ends in layout.ends for x in ends)


@given(parsed_sentences())
def test_arcs_of_the_same_word_do_not_meet(view):
    """Their ends at the word are apart, and no horizontal line of one meets the vertical line of another."""
    arcs = arcs_of(view.trees[0])
    layout = lay_out(word_line(view.sentence), arcs)
    heights = levels(arcs, len(view.sentence))
    for number, arc in enumerate(arcs):
        for other, second in enumerate(arcs):
            for node, x in ((second.head, layout.ends[other][0]), (second.dependent, layout.ends[other][1])):
                if other != number and node and node in (arc.head, arc.dependent) and arc.head and second.head:
                    low, high = sorted(layout.ends[number])
                    assert x not in (low, high)
                    assert not low < x < high or heights[other] < heights[number]


def test_right_to_left_layout_is_the_mirror_image():
    line, arcs = word_line(hearing().sentence), arcs_of(hearing().trees[0])
    layout, mirrored = lay_out(line, arcs), lay_out(replace(line, right_to_left=True), arcs)
    assert mirrored.middles == [layout.width - x for x in layout.middles]
    assert mirrored.empty == [layout.width - x for x in layout.empty]


@pytest.mark.parametrize(
    ("forms", "expected"), [(["שלום", "!"], True), (["سلام", "abc"], True), (["a", "ש"], False), ([], False)]
)
def test_right_to_left_scripts_are_recognised(forms, expected):
    line = word_line(replace(hearing().sentence, columns=(tuple(forms),) * 10, extras=()))
    assert line.right_to_left is expected


def test_trees_are_drawn_below_each_other():
    line, arcs = WordLine(["Go"]), arcs_of(Tree([-1, 0], ["", "root"]))
    assert texts(tree_svg(WordLine([]), [])) == []
    both = trees_svg([("gold", line, arcs), ("parsed", line, arcs)])
    assert float(drawn(both).get("height")) == 2 * (float(drawn(tree_svg(line, arcs)).get("height")) + 22)
    assert texts(both) == ["gold", "root", "Go", "parsed", "root", "Go"]


def test_tikz_commands_of_a_tree():
    view = hearing()
    found = tikz_tree(word_line(view.sentence, []), arcs_against(*view.trees)).splitlines()
    assert found[2] == r"  A \& hearing \& is \& scheduled \& today \& . \\"
    assert found[4:7] == [
        r"\depedge[edge height=4ex]{2}{1}{det}",
        r"\depedge[edge height=4ex, wrong label]{3}{2}{obj}",
        r"\deproot[edge height=12ex]{3}{root}",
    ]
    assert r"\wordgroup{1}{2}{3}{token2} % hearing's" in found


def test_tikz_begins_on_the_right_in_scripts_from_right_to_left():
    forms = ["אבא", "ראה", "כלב"]
    tree = Tree([-1, 2, 0, 2], ["", "nsubj", "root", "obj"])
    line = WordLine(forms, multiword=[MultiwordToken(1, 2, "אבאראה")], right_to_left=True)
    shown = tikz_tree(line, arcs_of(tree)).splitlines()
    assert re.findall("[א-ת]+", shown[2]) == forms[::-1]
    assert {own.rpartition("]")[2] for own in shown if "edge[" in own or "root[" in own} == {
        "{2}{3}{nsubj}",
        "{2}{root}",
        "{2}{1}{obj}",
    }
    assert any(own.startswith(r"\wordgroup{1}{2}{3}") for own in shown)


def test_special_characters_are_escaped_in_tikz():
    words = ["100%", r"\end", "a_b{c}", "x~y^z", "<&>", 'a"b|$#']
    text = tikz_tree(WordLine(words), arcs_of(Tree([-1, 0, 1, 1, 1, 1, 1], ["", "root", *["a\nb"] * 5])))
    (row,) = [line for line in text.splitlines() if line.startswith("  ")]
    assert row == (
        r"  100\% \& \textbackslash{}end \& a\_b\{c\} \& x\textasciitilde{}y\textasciicircum{}z \& "
        r"\textless{}\&\textgreater{} \& a\textquotedbl{}b\textbar{}\$\# \\"
    )
    assert "{a b}" in text


def test_latex_prints_the_words_of_the_treebank():
    """Letters that are names of lists elsewhere, signs that fonts join, and a bracket behind a separator."""
    words = ["θάλασσα", "λ", "--", "``", "''", ",,", "[", "*"]
    text = tikz_tree(WordLine(words, [words]), arcs_of(Tree([-1, 0, *[1] * 7], ["", "root", *["x"] * 7])))
    first, second = [line for line in text.splitlines() if line.startswith("  ")]
    cells = r"θάλασσα & λ & -{}- & \textasciigrave{}\textasciigrave{} & '{}' & ,{}, & {}[ & {}*"
    assert re.split(r" \\&(?:\[[\d.]+em\])? ", first.strip(" \\")) == cells.split(" & ")
    assert second == f"  {cells.replace('&', chr(92) + '&')} " + r"\\"


def test_tikz_documents_define_exactly_the_styles_used():
    view = hearing()
    drawn = [arcs_of(view.trees[0]), arcs_against(*view.trees)]
    document = tikz_document([tikz_tree(word_line(view.sentence, []), arcs) for arcs in drawn])
    used = {name for options in re.findall(r"\[edge height=\d+ex, ([^]]*)\]", document) for name in options.split(", ")}
    assert used == {"crossing", "wrong head", "wrong label", "wrong both"}
    assert used == set(re.findall(r"\\depstyle\{([^}]*)\}", document))


@given(parsed_sentences())
def test_words_in_tikz_are_far_enough_apart_for_labels(made):
    """Without further space, labels overlap with those of other arcs. Widths in em: 0.5 per letter, 0.4 in labels."""
    tree = arcs_of(made.trees[0])
    arcs = [arc._replace(deprel="nsubj:outer:passive") for arc in tree]
    forms = ["a"] * max(arc.dependent for arc in arcs)
    row = tikz_tree(WordLine(forms), arcs).splitlines()[2]
    more = [float(own or 0) for own in re.findall(r"\\&(?:\[([\d.]+)em\])?", row)]
    places = [0.0]
    for own in more:
        places.append(places[-1] + 0.5 + 1 + own)
    assert len(places) == len(forms)
    for arc in arcs:
        if arc.head:
            assert abs(places[arc.head - 1] - places[arc.dependent - 1]) >= 0.4 * len(arc.deprel)
