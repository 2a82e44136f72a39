"""Raw text over HTTP: UDPipe's parameter, plain text, the page for browsers, and models without a tokenizer."""

import json

import crossarc
import pytest
from installed import needs
from service import answered, ask, form

pytestmark = needs("raw_text", "tagging")

TEXT = "zum dog barks.\n\nthe cat didn't see it!"
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}


def conllu(sentences):
    return "".join(map(crossarc.parser.treebank.conll_text, sentences))


def test_raw_text_is_split_tagged_and_parsed(raw):
    model = crossarc.open_parser(raw.model)
    assert answered(raw, "/models")["models"] == {"raw": ["tokenizer", "tagger", "parser", "scores"]}

    def result(**fields):
        return answered(raw, "/process", form(data=TEXT, **fields))["result"]

    assert result(tokenizer="", tagger="", parser="") == conllu(model(TEXT))
    assert result(tokenizer="ranges") == conllu(model.tokenize(TEXT, ranges=True))
    assert len(result(tokenizer="presegmented", parser="").split("\n\n")) == 3


def test_plain_text_gives_words_and_trees(raw):
    expected = crossarc.open_parser(raw.model)(TEXT)
    found = answered(raw, "/parse?tokenizer=ranges", TEXT.encode(), PLAIN)["sentences"]
    assert [tuple(row["form"]) for row in found] == [sentence.column("form") for sentence in expected]
    assert [row["heads"] for row in found] == [sentence.heads()[1:] for sentence in expected]
    assert found[1]["misc"][0] == "TokenRange=16:19"
    words = {"sentences": [list(sentence.column("form")) for sentence in expected]}
    assert "form" not in answered(raw, "/parse", json.dumps(words).encode())["sentences"][0]
    assert answered(raw, "/parse", b" \n", PLAIN)["sentences"] == []


def test_the_page_shows_the_trees_of_a_text(raw):
    assert "<option>raw</option>" in ask(raw, "/")[1]
    status, answer = ask(raw, "/", form(data=TEXT, model="raw"))
    assert status == 200
    assert '"cat"' in answer


@pytest.mark.parametrize(
    ("path", "body", "kind", "message"),
    [
        ("/process", form(data="x", tokenizer="range"), None, "tokenizer 'range' (did you mean 'ranges'?); allowed: "),
        ("/parse", b"a\xff", PLAIN, "<stream>: invalid UTF-8 at byte 1; convert the text to UTF-8"),
    ],
)
def test_wrong_requests_for_raw_text_are_refused(raw, path, body, kind, message):
    status, answer = ask(raw, path, body, kind or {})
    assert status == 400
    assert answer.startswith(message)


def test_texts_are_answered_without_trees(raw):
    """The formats of UDPipe without trees, for sentences of two paragraphs."""

    def result(**fields):
        return answered(raw, "/process", form(data="zum dog barks. the cat sees it!\n\nthe dog barks.", **fields))[
            "result"
        ]

    sentences = ["zum dog barks.", "the cat sees it!", "", "the dog barks."]
    for said in ("plaintext", "plaintext=normalized_spaces"):
        assert result(tokenizer="", output=said).splitlines() == sentences
    horizontal = result(tokenizer="", output="horizontal").splitlines()
    assert horizontal[1:] == ["the cat sees it !", "", "the dog barks ."]
    vertical = result(input="generic_tokenizer", output="vertical")
    assert vertical.split("\n\n")[1].splitlines() == horizontal[1].split()
    assert result(input="generic_tokenizer=ranges") == result(tokenizer="ranges")
    given = {"data": horizontal[1], "input": "horizontal", "output": "vertical"}
    assert answered(raw, "/process", form(**given))["result"].split() == horizontal[1].split()


def test_udapis_client_works(raw):
    """The client of another project, installed from its package, as its documentation uses it."""
    client_module = pytest.importorskip("udapi.tool.udpipeonline")
    from udapi.core.root import Root

    client = client_module.UDPipeOnline("raw", server=raw.address.rstrip("/"))
    assert client.list_models() == ["raw"]
    assert client.segment_text("the dog barks. the cat sees it!") == ["the dog barks.", "the cat sees it!"]
    root = Root(text="the dog barks.")
    (tree,) = client.tokenize_tag_parse_tree(root)
    assert [node.form for node in tree.descendants] == ["the", "dog", "barks", "."]
    assert all(node.deprel for node in tree.descendants)
    several = client.tokenize_tag_parse_tree(Root(text="the dog barks. the cat sees it!"), resegment=True)
    assert len(several) == 2
    client.tag_parse_tree(tree)
    assert len(tree.descendants) == 4
