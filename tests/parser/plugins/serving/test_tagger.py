"""Tagging over HTTP, with the parameters of UDPipe's service."""

import json

import crossarc
from command_line import conllu, without_trees
from installed import needs
from service import TAGGED, answered, form, sentences_of


def without_comments(text):
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


@needs("tagging")
def test_words_are_tagged_and_parsed(service):
    """As in UDPipe's service, ``tagger`` replaces tags and lemmas, and ``parser`` replaces trees."""
    parser = crossarc.open_parser(service.model.with_name(TAGGED))
    gold = list(sentences_of(conllu(70, 3)))
    words = [list(sentence.column("form")) for sentence in gold]
    tagged_and_parsed = "".join(map(crossarc.parser.treebank.conll_text, parser.parse(words)))
    texts = {
        "horizontal": "".join(f"{' '.join(word)}\n" for word in words),
        "vertical": "\n".join("".join(f"{word}\n" for word in own) for own in words),
        "conllu": without_trees("".join(map(crossarc.parser.treebank.conll_text, gold))),
    }

    def result(**fields):
        return answered(service, "/process", form(model="tagged", output="conllu", **fields))

    for name, text in texts.items():
        found = result(input=name, data=text, tagger="", parser="")
        assert "warnings" not in found
        if name != "conllu":
            assert without_comments(found["result"]) == tagged_and_parsed
            assert without_comments(result(input=name, data=text, parser="")["result"]) == tagged_and_parsed
        assert [sentence.column("lemma") for sentence in sentences_of(found["result"])] == [
            sentence.column("lemma") for sentence in sentences_of(tagged_and_parsed)
        ]
        assert result(input=name, data=text, tagger="")["result"] == without_trees(found["result"])
    kept = result(input="conllu", data=texts["conllu"], parser="")
    assert [sentence.column("upos") for sentence in sentences_of(kept["result"])] == [
        sentence.column("upos") for sentence in gold
    ]
    warning = "the input has values of LEMMA, UPOS, XPOS, but the model was trained on values"
    assert kept["warnings"][0].startswith(warning)
    for path in ("/parse", "/parse?tagger="):
        body = json.dumps({"model": "tagged", "sentences": words}).encode()
        (first, *_) = answered(service, path, body)["sentences"]
        (sentence, *_) = sentences_of(tagged_and_parsed)
        assert first["upos"] == list(sentence.column("upos"))
        assert first["heads"] == sentence.heads()[1:]
