"""Page of derivations in a browser: steps by keys, buttons, slider and links, and their drawings."""

import pytest
from crossarc.parser.plugins.analysis.derivation import system_derivation
from crossarc.parser.plugins.drawing.derivation_page import derivation_page
from crossarc.parser.plugins.drawing.view import View
from drawn import HOSTILE, hearing, hostile, sentence, wrong_derivation


@pytest.fixture
def opened(browser, tmp_path):
    """Page with swap and a derivation with an error, then Covington and three-step."""
    own = hearing().sentence
    pairs = [
        (View(own), [system_derivation(own, "swap"), wrong_derivation()]),
        (View(own, (), 7), [system_derivation(own, "covington"), system_derivation(own, "three-step")]),
    ]
    browser.show(derivation_page(pairs, "derivations"), tmp_path)
    return browser


def counters(browser):
    return browser.evaluate("[...document.querySelectorAll('output')].map((node) => node.textContent)")


def nodes(browser, panel, name):
    return browser.evaluate(
        f"[...document.querySelectorAll('.panel')[{panel}].querySelectorAll('.{name} li')].map((n) => n.textContent)"
    )


def test_keys_step_forward_and_back(opened):
    assert opened.complaints == []
    assert len(opened.requests) == 1
    assert counters(opened) == ["0 / 14", "0 / 3"]
    opened.press(*["ArrowRight"] * 6)
    assert counters(opened) == ["6 / 14", "3 / 3"]
    assert nodes(opened, 0, "stack") == ["ROOT0", "hearing2", "scheduled4"]
    assert nodes(opened, 0, "buffer") == ["is3", "today5", ".6"]
    assert nodes(opened, 0, "moved") == nodes(opened, 0, "buffer .moved")
    assert opened.evaluate("document.querySelector('.moved').textContent") == "is3"
    opened.press("ArrowLeft")
    assert counters(opened) == ["5 / 14", "2 / 3"]
    opened.press("Home")
    assert counters(opened) == ["0 / 14", "0 / 3"]
    opened.press("End")
    assert counters(opened) == ["14 / 14", "3 / 3"]
    assert opened.evaluate("document.querySelectorAll('.panel')[0].querySelectorAll('.arc').length") == 6
    assert opened.complaints == []


def test_first_error_is_shown_with_its_cost(opened):
    opened.press("e")
    assert counters(opened)[1] == "1 / 3"
    panel = "document.querySelectorAll('.panel')[1]"
    assert opened.evaluate(f"{panel}.querySelector('.verdict').textContent") == (
        "puts 2 gold arcs out of reach; the first error; the oracle takes SHIFT"
    )
    rows = opened.evaluate(
        f"[...{panel}.querySelectorAll('tr')].map((row) => [...row.children].map((c) => c.textContent))"
    )
    assert rows == [
        ["transition", "score", "confidence", "costs", ""],
        ["LEFT-ARC(x)", "1.250", "0.75", "2", "taken"],
        ["SHIFT", "1.000", "0.25", "0", "oracle"],
    ]
    assert opened.evaluate(f"{panel}.querySelector('.reasons').textContent") == "+0.500 upos(Stack[0]) = <X>"


def test_new_and_missed_arcs_have_css_classes(opened):
    opened.press("ArrowRight", "ArrowRight")
    classes = "[...document.querySelectorAll('.panel')[{}].querySelectorAll('.arc')].map((g) => g.classList.value)"
    assert opened.evaluate(classes.format(1)) == ["arc wrong-both new", "arc missed", "arc missed"]
    opened.press("ArrowRight")
    assert opened.evaluate(classes.format(0))[0] == "arc right new"


def test_derivations_can_be_stepped_separately(opened):
    opened.evaluate("document.getElementById('together').click()")
    opened.press("ArrowRight", "2", "ArrowRight", "ArrowRight")
    assert counters(opened) == ["1 / 14", "2 / 3"]


def test_slider_and_buttons_change_the_step(opened):
    slider = "document.querySelector('input[type=range]')"
    opened.evaluate(f"{slider}.value = 4; {slider}.dispatchEvent(new Event('input'))")
    assert counters(opened)[0] == "4 / 14"
    opened.evaluate("document.querySelector('[aria-label=\"one on\"]').click()")
    assert counters(opened)[0] == "5 / 14"
    opened.evaluate("document.querySelectorAll('.moves button')[1].click()")
    assert counters(opened)[0] == "2 / 14"


def test_links_select_sentence_and_steps(opened):
    opened.press(*["ArrowRight"] * 5)
    opened.wait("location.hash === '#sentence=1&step=5-3'")
    opened.evaluate("void (location.hash = '#sentence=7&step=4')")
    opened.wait("shown.sentence === 1")
    assert counters(opened)[0].startswith("4 / ")
    assert counters(opened)[1].startswith("4 / ")
    opened.evaluate("void (location.hash = '#sentence=unknown&step=x-99')")
    opened.wait("shown.sentence === 0")
    assert counters(opened) == ["0 / 14", "3 / 3"]
    opened.evaluate("void (location.hash = '#sentence=s1&step=2')")
    opened.wait("shown.panels[0].count === 2")


def test_one_row_is_marked_as_taken_at_each_step(opened):
    """Exactly one option of each step has the name of the transition, including its label."""
    steps = opened.evaluate("data.sentences.flatMap(({ derivations }) => derivations).flatMap(({ steps }) => steps)")
    taken = [
        [row["transition"] for row in step["options"]].count(step["transition"]) for step in steps if "options" in step
    ]
    assert set(taken) == {1}
    opened.press(*["ArrowRight"] * 2)
    assert opened.evaluate("document.querySelectorAll('.panel')[0].querySelectorAll('tr.taken').length") == 1


@pytest.mark.parametrize(("width", "word"), [(1280, "word"), (400, "word"), (400, "מילה")])
def test_drawings_scroll_to_new_arcs(browser, tmp_path, width, word):
    own = sentence([f"{word}{k}" for k in range(40)], [0, *range(1, 40)], ["x"] * 40)
    browser.show(derivation_page([(View(own), [system_derivation(own, "arc-eager")])], "long"), tmp_path, width=width)
    inside = (
        "(({ left, right }) => [...document.querySelectorAll('.new')].map((node) => node.getBoundingClientRect())"
        ".every((own) => own.left >= left && own.right <= right))"
        "(document.querySelector('figure').getBoundingClientRect())"
    )
    for _ in range(browser.evaluate("data.sentences[0].derivations[0].steps.length")):
        browser.press("ArrowRight")
        assert browser.evaluate(inside)
    assert browser.evaluate("Math.abs(document.querySelector('figure').scrollLeft)") > 0


def test_inactive_stack_is_shown(browser, tmp_path):
    browser.show(derivation_page([(hearing(), [system_derivation(hearing().sentence, "2-planar")])], "t"), tmp_path)
    assert browser.evaluate("[...document.querySelectorAll('.row .name')].map((node) => node.textContent)") == [
        "active", "inactive", "buffer",
    ]  # fmt: skip
    assert nodes(browser, 0, "aside") == ["ROOT0"]


def test_covingtons_lists_and_valencies_are_shown(opened):
    opened.press("j", *["ArrowRight"] * 5)
    assert nodes(opened, 0, "stack") == ["ROOT0"]
    assert nodes(opened, 0, "aside") == ["A1", "hearing2"]
    opened.press(*["ArrowRight"] * 14)
    assert nodes(opened, 1, "waiting") == ["acl scheduled4"]
    drawn = opened.evaluate("document.querySelectorAll('.panel')[1].querySelector('svg').textContent")
    assert "↘acl" in drawn
    opened.press("k")
    assert counters(opened) == ["0 / 14", "0 / 3"]


def test_hostile_words_are_not_executed(browser, tmp_path):
    own = hostile()
    browser.show(derivation_page([(View(own), [system_derivation(own, "swap")])], HOSTILE[0]), tmp_path)
    browser.press("End", "Home", "ArrowRight")
    assert browser.complaints == []
    assert browser.evaluate("document.title") == HOSTILE[0]


def test_the_quiz_tells_what_each_answer_costs(browser, tmp_path):
    """At each step of arc-eager, answers are right that cost nothing; then the derivation goes on."""
    derivation = system_derivation(sentence(list("abcd"), [2, 0, 4, 2], ["x", "root", "y", "z"]), "arc-eager")
    browser.show(
        derivation_page([(View(sentence(list("abcd"), [2, 0, 4, 2], ["x"] * 4)), [derivation])], "quiz"), tmp_path
    )
    browser.press("q")
    for number, step in enumerate(derivation.steps):
        assert counters(browser)[0].startswith(f"{number} / ")
        assert browser.evaluate("document.querySelector('table')") is None
        costs = {option.transition: option.cost for option in step.options}
        told = browser.evaluate(
            "[...document.querySelectorAll('.answer')].map((node) => { node.click(); return [node.textContent, "
            "node.classList.contains('right'), document.querySelector('.verdict').textContent]; })"
        )
        assert [name for name, *_ in told] == sorted(costs or [step.transition])
        for name, right, text in told:
            assert right == (costs.get(name, 0) in (0, None))
            assert ("out of reach" in text) == bool(costs.get(name))
        browser.evaluate(
            "[...document.querySelectorAll('.answer.right')][0].click(), document.querySelector('.go-on').click()"
        )
    browser.press("q")
    assert browser.evaluate("document.querySelector('.next').textContent") == "terminal configuration"
    assert browser.complaints == []
