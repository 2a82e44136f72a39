"""Page of a treebank in a browser: drawings, filters, links, keys and appearance."""

import json
import time

import pytest
from command_line import conllu
from crossarc import CrossarcError, read_treebank
from crossarc.parser.plugins.drawing.arcs import arcs_against, levels
from crossarc.parser.plugins.drawing.treebank_page import treebank_page
from crossarc.parser.plugins.drawing.view import View, selected_by, views
from crossarc.transitions.trees import nonprojective_arcs
from drawn import HOSTILE, hearing, hostile, sentence, view

CONDITIONS = (
    "nonprojective and las < 80",
    "length - 3 >= 2 or not nonprojective",
    "not (crossing = 0) and lifts",
    "uas != las",
    "number > 2 and (errors <= 1 or la == 100)",
    "not not lifts or 1.5 + las - 2 < uas",
    "not " * 240 + "lifts",
    "length = 4,6 and number != 2,5",
    "crossing=0,1",
)
REFUSED = (
    *("", "las <", "las 80", "(las", "las)", "las not 1", "1 < las < 2", "1 < not las", "lass", "las ; 1", "²"),
    *("las + uas = 1,2", "las = 1,2 + 3"),
)


@pytest.fixture(scope="module")
def made():
    """Views of a sentence with errors, and of small trees with and without crossing arcs, each with a parse."""
    flat, crossed = [-1, 2, 0, 2, 2], [-1, 2, 0, 1, 2]
    small = [view(own, other, name=f"s{k}") for k, (own, other) in enumerate([(flat, flat), (crossed, flat)], 2)]
    return [
        View(drawn_view.sentence, drawn_view.parsed, number) for number, drawn_view in enumerate([hearing(), *small], 1)
    ]


@pytest.fixture
def opened(browser, made, tmp_path):
    browser.show(treebank_page(made, ["gold", "parsed"]), tmp_path)
    return browser


def listed(browser):
    return browser.evaluate("shown.sentences.map((sentence) => sentence.id)")


def fill(browser, control, value, event="input"):
    node = f"document.getElementById({json.dumps(control)})"
    browser.evaluate(f"{node}.value = {json.dumps(value)}; {node}.dispatchEvent(new Event({json.dumps(event)}))")
    browser.evaluate("refresh()")


def test_page_opens_and_draws_the_sentences(opened):
    assert opened.complaints == []
    assert len(opened.requests) == 1
    opened.wait("document.querySelectorAll('article.drawn').length === 3")
    drawn = opened.evaluate("[...document.querySelectorAll('article svg')][0].textContent")
    for text in ("hearing", "hearing's", "being", "advmod", "NOUN"):
        assert text in drawn
    assert opened.evaluate("document.querySelectorAll('#list li').length") == 3


def test_faults_and_crossing_arcs_have_css_classes(opened):
    classes = opened.evaluate(
        "[...document.querySelector('svg').querySelectorAll('.arc')].map((g) => g.classList.value)"
    )
    assert classes == [
        "arc right", "arc wrong-label", "arc right", "arc wrong-head", "arc right", "arc wrong-both",
        "arc missed crossing", "arc missed",
    ]  # fmt: skip


def test_no_arc_crosses_in_a_tree_with_words_without_a_head(browser, tmp_path):
    whole = view([-1, 0, 1, 1]).sentence
    partial = View(whole.with_columns({"head": ("0", "_", "1"), "deprel": ("root", "_", "obj")}))
    browser.show(treebank_page([partial], ["part"]), tmp_path)
    browser.wait("document.querySelector('article.drawn svg') !== null")
    assert partial.measures["crossing"] == 0
    assert browser.evaluate("document.querySelectorAll('svg .crossing').length") == 0


def test_browser_and_python_agree(opened, made):
    """They compute the same arc heights, non-projective arcs and values of conditions."""
    for place, drawn_view in enumerate(made):
        arcs = arcs_against(*drawn_view.trees)
        in_page = f"arcsOf(...[1, 0].map((k) => treeOf(data.sentences[{place}], k)), false)"
        assert opened.evaluate(f"levelsOf({in_page}, {len(drawn_view.sentence)})") == levels(
            arcs, len(drawn_view.sentence)
        )
        assert opened.evaluate(f"crossingWords({drawn_view.trees[0].heads})") == nonprojective_arcs(
            drawn_view.trees[0].heads
        )
    for text in CONDITIONS:
        selection = selected_by(where=[text], parsed=1)
        holds = f"parseCondition({json.dumps(text)}, Object.keys(data.measures))"
        held = f"data.sentences.map((sentence) => Boolean({holds}(valuesOf(sentence))))"
        assert opened.evaluate(held) == [selection(own) for own in made]
    tried = (
        "(text) => { try { parseCondition(text, Object.keys(data.measures)); return true; } catch { return false; } }"
    )
    assert opened.evaluate(f"{json.dumps(REFUSED)}.filter({tried})") == []
    for text in REFUSED:
        with pytest.raises(CrossarcError):
            selected_by(where=[text], parsed=1)


@pytest.mark.parametrize(
    ("control", "value", "event", "expected"),
    [
        ("where", "nonprojective", "change", ["s1", "s3"]),
        ("where", "las < 100 and length < 5", "change", ["s3"]),
        ("text", "HEARING", "input", ["s1"]),
        ("text", "s2", "input", ["s2"]),
        ("deprel", "acl", "change", ["s1"]),
        ("order", "length up", "change", ["s2", "s3", "s1"]),
        ("order", "las down", "change", ["s2", "s3", "s1"]),
    ],
)
def test_filters_select_and_sort(opened, control, value, event, expected):
    fill(opened, control, value, event)
    assert listed(opened) == expected
    assert opened.evaluate("document.getElementById('count').textContent") == f"{len(expected)} of 3 sentences"


def test_search_ignores_the_dots_of_turkish_letters(opened):
    texts = ["\u0130STANBUL", "istanbul", "ISTANBUL", "\u0131stanbul"]
    assert {opened.evaluate(f"folded('{text}')") for text in texts} == {"istanbul"}


def test_invalid_conditions_keep_the_last_valid_one(opened):
    opened.press("w", *"nonprojective", "Enter")
    assert listed(opened) == ["s1", "s3"]
    opened.press(*" and lass", "Enter")
    message = opened.evaluate("document.getElementById('where-error').textContent")
    assert message.startswith("Condition: no name “lass”; allowed: number, length,")
    assert message.endswith(". Still applied: nonprojective.")
    fill(opened, "order", "length up", "change")
    assert listed(opened) == ["s3", "s1"]
    opened.press("Escape")
    assert opened.evaluate("control.where.value") == "nonprojective and lass"
    fill(opened, "where", "")
    assert opened.evaluate("document.getElementById('where-error').textContent") == ""
    assert listed(opened) == ["s2", "s3", "s1"]


def test_links_select_sentences(opened):
    opened.press("j", "j")
    opened.wait("location.hash === '#sentence=2'")
    opened.evaluate("document.querySelector('article a').click()")
    opened.wait("shown.current === 0")
    fill(opened, "where", "nonprojective", "change")
    opened.evaluate("void (location.hash = '#sentence=2')")
    opened.wait("shown.current === 1")
    assert listed(opened) == ["s1", "s2", "s3"]
    opened.evaluate("void (location.hash = '#sentence=s4')")
    opened.wait("document.getElementById('count').textContent === 'no sentence “s4” on this page'")


def test_page_opened_by_a_link_selects_the_sentence(browser, made, tmp_path):
    browser.show(treebank_page(made, ["gold", "parsed"]), tmp_path, fragment="sentence=s3")
    assert browser.evaluate("document.querySelector('[aria-current=true] .name').textContent") == "s3"


def test_first_screen_of_a_phone_shows_a_tree(browser, made, tmp_path):
    browser.show(treebank_page(made, ["gold", "parsed"]), tmp_path, width=390, height=760)
    browser.wait("document.querySelectorAll('article.drawn').length > 0")
    assert browser.evaluate("document.querySelector('figure svg').getBoundingClientRect().bottom") < 760
    browser.press("w")
    assert browser.evaluate("document.activeElement.id") == "where"
    browser.resize(1280, 900)
    browser.wait("document.getElementById('filters').checkVisibility()")


def test_page_can_be_used_by_keys_alone(opened):
    opened.press("c")
    assert listed(opened) == ["s1", "s3"]
    opened.press("e", "j")
    assert listed(opened) == ["s1", "s3"]
    assert opened.evaluate("document.querySelector('[aria-current=true] .name').textContent") == "s1"
    opened.press("ArrowRight", "ArrowRight")
    tip = opened.evaluate("document.getElementById('tip').innerText.replace(/\\s+/g, ' ')")
    assert tip == "id 2 form hearing upos NOUN head 3 deprel nsubj head, parsed 3 obj"
    opened.press("ArrowLeft")
    assert "form\nA\n" in opened.evaluate("document.getElementById('tip').innerText")
    opened.press("Escape")
    assert opened.evaluate("document.getElementById('tip').hidden")
    opened.press("j")
    assert opened.evaluate("document.querySelector('[aria-current=true] .name').textContent") == "s3"
    opened.press("k", "/", "s", "3")
    opened.wait("shown.sentences.length === 1")
    assert listed(opened) == ["s3"]
    opened.press("Escape", "?")
    assert opened.evaluate("document.getElementById('help').open")
    opened.press("Escape")
    assert not opened.evaluate("document.getElementById('help').open")
    assert opened.complaints == []


def test_gold_and_parsed_trees_can_be_drawn_separately(opened):
    opened.press("o")
    opened.wait("document.querySelectorAll('article.drawn').length === 3")
    assert opened.evaluate("[...document.querySelectorAll('article')][0].querySelectorAll('svg').length") == 2
    assert opened.evaluate("document.querySelectorAll('.missed.arc').length") == 0


def test_confusions_select_their_sentences(opened):
    opened.evaluate("document.querySelector('#confusions summary').click()")
    opened.wait("document.querySelectorAll('#confusions button').length > 0")
    names = opened.evaluate("[...document.querySelectorAll('#confusions button')].map((b) => b.textContent)")
    assert names == ["nsubj > obj  1", "punct > obj  1"]
    title = opened.evaluate("document.querySelector('#confusions button').title")
    assert title == "gold nsubj, parsed as obj: 1 word"
    opened.evaluate("document.querySelector('#confusions button').click()")
    assert listed(opened) == ["s1"]
    opened.evaluate("document.querySelector('#confusions button').click()")
    assert listed(opened) == ["s1", "s2", "s3"]


def test_hovering_shows_columns_of_multiword_tokens_and_empty_nodes(opened):
    extra_rows = {".multiword text": "id\n2-3\nform\nhearing's", ".empty text": "id\n3.1\nform\nbeing"}
    for selector, expected in extra_rows.items():
        x, y = opened.evaluate(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
            f"(document.querySelector('{selector}').getBoundingClientRect())"
        )
        opened.hover(x, y)
        opened.wait(f"document.getElementById('tip').innerText === {json.dumps(expected)}")


def test_hostile_words_are_not_executed(browser, tmp_path):
    bad = hostile()
    browser.show(treebank_page([View(bad, (bad,))], [HOSTILE[0], "b"]), tmp_path)
    browser.press("j", "ArrowRight", "ArrowRight")
    assert browser.complaints == []
    assert browser.evaluate("document.title") == f"{HOSTILE[0]} · b"
    assert browser.evaluate("document.querySelectorAll('img').length") == 0
    assert browser.evaluate("document.querySelector('.form').textContent") == HOSTILE[0]


def test_right_to_left_sentences_are_mirrored(browser, tmp_path):
    words = ["ספר", "טוב", "מאוד"]
    made = View(sentence(words, [0, 1, 2], ["root", "amod", "advmod"]))
    browser.show(treebank_page([made], ["he"]), tmp_path)
    places = browser.evaluate("[...document.querySelectorAll('.word .form')].map((t) => Number(t.getAttribute('x')))")
    assert places == sorted(places, reverse=True)
    browser.press("j", "ArrowLeft", "ArrowLeft")
    assert browser.evaluate("document.querySelector('.chosen').dataset.word") == "2"


@pytest.mark.parametrize("width", [1280, 400])
def test_long_sentences_scroll_within_their_figure(browser, tmp_path, width):
    long = view([-1, 0, *range(1, 80)])
    browser.show(treebank_page([long], ["gold"]), tmp_path, width=width)
    browser.wait("document.querySelectorAll('article.drawn').length === 1")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    wider = "(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)"
    assert browser.evaluate(f"{wider}(document.querySelector('figure'))")


@pytest.mark.parametrize("dark", [False, True])
def test_contrasts_are_sufficient(browser, made, tmp_path, dark):
    """Text and lines have a contrast of at least 4.5 to 1 with the background (WCAG 2.2, 1.4.3)."""
    browser.show(treebank_page(made, ["gold", "parsed"]), tmp_path, dark=dark)
    style = "getComputedStyle(document.documentElement)"
    names = ["ground", "raised", "ink", "pale", "crossing", "error", "mark"]
    colours = {name: browser.evaluate(f"{style}.getPropertyValue('--{name}').trim()") for name in names}
    for ink in ("ink", "pale", "crossing", "error"):
        for ground in ("ground", "raised") if ink != "error" else ("ground",):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    assert contrast(colours["ink"], colours["mark"]) >= 4.5


def contrast(one, other):
    def luminance(colour):
        shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.slow
def test_page_of_2000_sentences_is_small_and_opens_fast(browser, tmp_path):
    path = tmp_path / "all.conllu"
    path.write_text(conllu(1, 2000, rate=0.3), "utf-8")
    sentences = read_treebank(path).sentences
    made = list(views(((sentence, sentence) for sentence in sentences), selected_by(parsed=1)))
    page = treebank_page(made, ["gold", "parsed"])
    assert len(page.encode()) < 5_000_000
    assert browser.show(page, tmp_path) < 2
    start = time.monotonic()
    fill(browser, "where", "nonprojective", "change")
    assert time.monotonic() - start < 1
    assert browser.evaluate("document.querySelectorAll('article.drawn').length") < 20
