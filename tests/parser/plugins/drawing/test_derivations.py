"""Derivations as text, as SVG and as data of a page."""

import json
import re
from xml.etree import ElementTree

import crossarc
import pytest
from crossarc.parser.plugins.analysis.derivation import system_derivation
from crossarc.parser.plugins.drawing.derivation_page import derivation_page
from crossarc.parser.plugins.drawing.derivation_svg import derivation_svgs
from crossarc.parser.plugins.drawing.derivation_text import derivation_text
from crossarc.parser.plugins.drawing.tikz import tikz_derivation
from crossarc.parser.plugins.drawing.view import View
from drawn import HOSTILE, hearing, hostile, sentence, wrong_derivation


def derived(system):
    return system_derivation(hearing().sentence, system)


def test_text_of_a_derivation():
    assert derivation_text(wrong_derivation()).splitlines() == [
        "# model",
        "## arc-standard",
        "  0   ROOT | a b SHIFT",
        "  1 ROOT a | b   LEFT-ARC(x)  1.25 (75 %)  2 → 1  costs 2  first error  oracle: SHIFT",
        "      runner-up SHIFT, 0.250 below",
        "      +0.500  upos(Stack[0]) = <X>",
        "  2   ROOT | b   SHIFT  by default",
        "  3 ROOT b |",
    ]


def test_text_has_covingtons_lists_and_valencies():
    assert "  4                    ROOT A · hearing | is scheduled today .           NO-ARC" in derivation_text(
        derived("covington")
    )
    assert "ROOT A hearing · ROOT hearing | is" in derivation_text(derived("2-planar"))
    assert "PUT-VALENCY↘(acl)  θ acl:4" in derivation_text(derived("three-step"))


@pytest.mark.parametrize("system", ["swap", "covington", "three-step"])
def test_text_fits_the_width(system):
    found = derived(system)
    for width in range(70, 120):
        lines = derivation_text(found, width).splitlines()
        assert max(map(len, lines)) <= width
        assert len(lines) > len(found.steps)


def texts(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("system", ["arc-eager", "covington", "2-planar"])
def test_words_from_right_to_left_keep_their_places_in_the_text(system):
    """A terminal that orders whole lines would else move words between stack and buffer."""
    words = ["שלום", "עולם", "גדול"]
    heads, deprels = [0, 1, 2], ["root", "x", "y"]
    hebrew = crossarc.Sentence.from_tokens(words, heads=heads, deprels=deprels)
    latin = crossarc.Sentence.from_tokens(["salo", "olam", "gado"], heads=heads, deprels=deprels)
    text, other = (derivation_text(system_derivation(sentence, system)) for sentence in (hebrew, latin))
    assert all(text.count(f"\u2068{word}\u2069") == text.count(word) > 2 for word in words)
    names = dict(zip(words, ["salo", "olam", "gado"], strict=True))
    assert re.sub("|".join(words), lambda word: names[word[0]], re.sub("[\u2068\u2069]", "", text)) == other


def test_each_configuration_has_a_picture():
    pictures = derivation_svgs(derived("swap"))
    assert len(pictures) == 15
    assert texts(pictures[0])[0] == "0  initial configuration"
    assert texts(pictures[6])[0] == "6  SWAP"
    assert pictures[5].count('stroke-dasharray="5 3"') == 0
    assert pictures[6].count('stroke-dasharray="5 3"') == 1
    assert texts(pictures[7])[-1] == "new: hearing → scheduled"
    assert "θ" in texts(derivation_svgs(derived("three-step"))[19])
    assert "λ2" in texts(derivation_svgs(derived("covington"))[4])
    assert "inactive" in texts(derivation_svgs(derived("2-planar"))[4])
    assert texts(derivation_svgs(wrong_derivation())[2])[0] == "2  LEFT-ARC(x)  (first error)"


@pytest.mark.parametrize("system", ["arc-standard", "three-step"])
def test_lines_of_text_fit_into_pictures(system):
    """DejaVu Sans Bold needs about 0.55 of the font size per letter."""
    for picture in derivation_svgs(derived(system)):
        svg = ElementTree.fromstring(picture)
        for node in svg.iter("{http://www.w3.org/2000/svg}text"):
            if "text-anchor" not in node.attrib:
                end = float(node.get("x", 0)) + 0.55 * float(node.get("font-size", 0)) * len(node.text or "")
                assert end <= float(svg.get("width", 0)), node.text


def test_hostile_words_are_escaped_in_pictures_and_pages():
    own = hostile()
    found = system_derivation(own, "swap")
    for picture in derivation_svgs(found):
        ElementTree.fromstring(picture)
    page = derivation_page([(View(own), [found])], HOSTILE[0])
    assert page.count("</script>") == 2
    assert "<img" not in page


def test_data_of_the_page():
    page = derivation_page([(hearing(), [wrong_derivation()])], "title")
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    ((row,),) = [sentence["derivations"] for sentence in data["sentences"]]
    assert row["error"] == 1
    assert row["start"] == {"heads": [-1, -1, -1], "deprels": ["", "", ""]}
    step = row["steps"][1]
    assert (step["transition"], step["cost"], step["oracle"]) == ("LEFT-ARC(x)", 2, "SHIFT")
    assert (step["stack"], step["buffer"], step["arcs"]) == ([0, 1], [2], [[1, 2, "x"]])
    assert step["options"][1] == {"transition": "SHIFT", "score": 1.0, "confidence": 0.25, "cost": 0}
    assert step["reasons"] == [[0.5, "upos(Stack[0]) = <X>"]]
    assert row["end"] == {"stack": [0, 2], "buffer": []}


def test_latex_begins_on_the_right_and_has_greek_names_of_lists():
    hebrew = system_derivation(sentence(["הילד", "אכל"], [2, 0], ["nsubj", "root"]), "arc-eager")
    assert r"  אכל \& הילד \\" in tikz_derivation(hebrew)[0].splitlines()
    greek = system_derivation(sentence(["λάμπει"], [0], ["root"]), "covington")
    first = tikz_derivation(greek)[0]
    assert r"$\lambda$1: " in first
    assert r"  λάμπει \\" in first.splitlines()
