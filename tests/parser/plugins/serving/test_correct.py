"""Scores and kept arcs over HTTP, and the page on which trees are corrected."""

import json
from io import StringIO

import crossarc
import pytest
from crossarc.parser.treebank.sentence import misc_entries
from installed import needs
from service import answered, ask

pytestmark = needs("annotation", "raw_text")

TEXT = "the cat sees zum dog. the dog barks."
WORD = "document.querySelector('article .word[data-word=\"{}\"]')"
READY = "document.documentElement?.dataset.ready === 'true' && document.querySelector('article.drawn figure') !== null"


def asked(service, sentences, query):
    return answered(service, f"/parse?{query}", json.dumps({"sentences": sentences}).encode())["sentences"]


def test_scores_are_those_of_the_model(raw):
    words = ["the", "dog", "barks", "."]
    (found,) = asked(raw, [words], "scores=1")
    (parsed,) = crossarc.open_parser(raw.model).parse([words], scores=True)
    pairs = zip(found["conf"], found["conf_head"], strict=True)
    assert parsed.column("misc") == tuple(f"Conf={arc:.2f}|ConfHead={head:.2f}" for arc, head in pairs)
    assert "conf" not in asked(raw, [words], "")[0]


def test_given_arcs_are_kept_only_if_asked(raw):
    words = [{"form": form} for form in ("the", "dog", "barks", ".")]
    free = asked(raw, [words], "")[0]
    head = 3 if free["heads"][0] != 3 else 2
    words[0] |= {"head": head, "deprel": "odd"}
    assert asked(raw, [words], "")[0] == free
    kept = asked(raw, [words, ["the", "dog"]], "keep=1&scores=1")[0]
    assert (kept["heads"][0], kept["deprels"][0], kept["conf"][0]) == (head, "odd", 1)


@pytest.mark.parametrize(
    ("arcs", "query", "message"),
    [
        ([{"head": 2}, {"head": 1}], "keep=1", "the arcs to keep of words 1 2 form a cycle"),
        ([{"head": 9}, {}], "keep=1", "sentence 1: "),
        ([{}, {}], "keep=yes", "keep: found 'yes', expected 0 or 1"),
    ],
)
def test_arcs_that_cannot_be_kept_are_refused(raw, arcs, query, message):
    words = [{"form": form, **arc} for form, arc in zip(("dogs", "bark"), arcs, strict=True)]
    status, answer = ask(raw, f"/parse?{query}", json.dumps({"sentences": [words]}).encode())
    assert (status, message in answer) == (400, True), answer


@pytest.fixture
def page(raw, browser):
    """The page with the trees of :data:`TEXT`."""
    browser.open(f"{raw.address}/")
    browser.evaluate(f"document.querySelector('textarea').value = {json.dumps(TEXT)}; document.forms[0].submit(), 0")
    browser.wait(READY)
    return browser


def test_warnings_about_the_text_are_on_the_page(raw, browser):
    text = "狗叫。" * 30
    browser.open(f"{raw.address}/")
    browser.evaluate(f"document.querySelector('textarea').value = {json.dumps(text)}; document.forms[0].submit(), 0")
    browser.wait(READY)
    assert "of the characters never occurred in training" in browser.evaluate("byId('totals').textContent")
    assert ask(raw, "/", b"data=It+barks&mdoel=x", {"Content-Type": "application/x-www-form-urlencoded"})[0] == 400


def test_words_are_coloured_by_confidence(raw, page):
    model = crossarc.open_parser(raw.model)
    parsed = list(model.parse(model.tokenize(TEXT), scores=True))
    low = sum(value < "Conf=0.9" for sentence in parsed for value in sentence.column("misc"))
    assert page.evaluate("data.sentences.flatMap(confidences).filter((conf) => conf < 0.9).length") == low
    page.evaluate("data.sentences[0].conf.splice(0, 4, 0.3, 0.6, 0.9, 1); drawAgain(document.querySelector('article'))")
    classes = page.evaluate("[...document.querySelectorAll('.word[data-word]')].map((own) => own.classList[1] ?? '')")
    assert classes[:4] == ["doubtful", "unsure", "likely", ""]


def test_a_fixed_arc_is_kept_and_saved(page):
    page.evaluate(f"{WORD.format(1)}.dispatchEvent(new MouseEvent('click', {{bubbles: true}})), 0")
    assert page.evaluate("byId('correct').open && byId('correct-word').textContent") == "1 the"
    page.evaluate("byId('correct-head').value = '4'; byId('correct-label').value = 'odd'; 0")
    page.evaluate("byId('correct').querySelector('form').requestSubmit(), 0")
    page.wait("!byId('correct').open")
    assert page.evaluate("[data.sentences[0].trees[0].heads[1], data.sentences[0].trees[0].deprels[1]]") == [4, "odd"]
    assert page.evaluate(f"{WORD.format(1)}.classList.contains('fixed')")
    saved = page.evaluate("data.sentences.map(conlluOf).join('')")
    assert len(list(crossarc.read_sentences(StringIO(saved), "conllu"))) == 2
    row = next(line for line in saved.splitlines() if line.startswith("1\t")).split("\t")
    assert (row[6], row[7], row[9]) == ("4", "odd", "Keep=Yes")
    assert page.complaints == []


def test_saved_sentences_keep_comments_and_what_is_decided_of_tags(page):
    text = page.evaluate(
        "((sentence) => { sentence.comments = ['# newdoc id = x', ...sentence.comments];"
        "sentence.keeps = new Map([[1, 'upos'], [2, 'head,deprel'], [3, 'upos,head']]);"
        "keepArc(sentence, 1, true); keepArc(sentence, 2, false); keepArc(sentence, 3, false);"
        "return conlluOf(sentence); })(data.sentences[0])"
    )
    (saved,) = crossarc.read_sentences(StringIO(text), "conllu")
    assert saved.comments[0] == "# newdoc id = x"
    assert len([comment for comment in saved.comments if comment.startswith("# text =")]) == 1
    kept = [misc_entries(misc).get("Keep") for misc in saved.column("misc")]
    assert kept[:4] == ["upos,head,deprel", None, "upos", None]


def test_the_keyboard_fixes_and_releases(page):
    page.evaluate("document.querySelector('figure').focus(), 0")
    page.press("ArrowRight", "ArrowRight", "Enter")
    assert page.evaluate("byId('correct').open && byId('correct-word').textContent") == "2 cat"
    before = page.evaluate("data.sentences[0].trees[0].heads[2]")
    page.press("Tab", "Enter")
    page.wait("!byId('correct').open")
    assert page.evaluate("[...fixedWords(data.sentences[0])]") == [2]
    assert page.evaluate("data.sentences[0].trees[0].heads[2]") == before
    page.press("ArrowLeft", "ArrowRight", "Enter")
    page.evaluate("byId('correct-release').click(), 0")
    page.wait("!byId('correct').open")
    assert page.evaluate("fixedWords(data.sentences[0]).size") == 0


def test_arcs_that_no_tree_has_are_reported_in_the_form(page):
    for word, head in ((1, 2), (2, 1)):
        page.evaluate(f"{WORD.format(word)}.dispatchEvent(new MouseEvent('click', {{bubbles: true}})), 0")
        page.evaluate(f"byId('correct-head').value = '{head}'; correct(true)")
    assert "form a cycle" in page.evaluate("byId('correct-error').textContent")
    assert page.evaluate("[...fixedWords(data.sentences[0])]") == [1]
