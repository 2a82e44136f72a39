"""Tagging over HTTP, with the parameters of UDPipe's service."""

import json

import crossarc
import pytest
from command_line import conllu, without_trees
from service import TAGGED, ask, form, sentences_of

for name in ("starlette", "uvicorn", "python_multipart", "prometheus_client"):
    pytest.importorskip(name, reason=f"{name} is not installed: the extra crossarc[serve]")


def without_comments(text):
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


def test_words_are_tagged_and_parsed(service):
    """As in UDPipe's service, ``tagger`` replaces tags and lemmas, and ``parser`` replaces trees."""
    parser = crossarc.open_parser(service.model.with_name(TAGGED))
    gold = list(sentences_of(conllu(70, 3)))
    words = [list(own.column("form")) for own in gold]
    tagged_and_parsed = "".join(map(crossarc.parser.treebank.conll_text, parser.parse(words)))
    texts = {
        "horizontal": "".join(f"{' '.join(own)}\n" for own in words),
        "vertical": "\n".join("".join(f"{word}\n" for word in own) for own in words),
        "conllu": without_trees("".join(map(crossarc.parser.treebank.conll_text, gold))),
    }

    def result(**fields):
        status, answer = ask(service, "/process", form(model="tagged", output="conllu", **fields))
        assert status == 200, answer
        found = json.loads(answer)
        return found

    for name, text in texts.items():
        found = result(input=name, data=text, tagger="", parser="")
        assert "warnings" not in found
        if name != "conllu":
            assert without_comments(found["result"]) == tagged_and_parsed
            assert without_comments(result(input=name, data=text, parser="")["result"]) == tagged_and_parsed
        assert [own.column("lemma") for own in sentences_of(found["result"])] == [
            own.column("lemma") for own in sentences_of(tagged_and_parsed)
        ]
        tags = result(input=name, data=text, tagger="")["result"]
        assert tags == without_trees(found["result"])
    kept = result(input="conllu", data=texts["conllu"], parser="")
    assert [own.column("upos") for own in sentences_of(kept["result"])] == [own.column("upos") for own in gold]
    assert kept["warnings"][0].startswith(
        "the input has values of LEMMA, UPOS, XPOS, but the model was trained on values"
    )
    for path in ("/parse", "/parse?tagger="):
        status, answer = ask(service, path, json.dumps({"model": "tagged", "sentences": words}).encode())
        assert status == 200
        (first, *_) = json.loads(answer)["sentences"]
        (own, *_) = sentences_of(tagged_and_parsed)
        assert first["upos"] == list(own.column("upos"))
        assert first["heads"] == own.heads()[1:]
