"""Models see the same text in all normal forms of Unicode; files keep theirs."""

import unicodedata
from io import BytesIO

import crossarc
import numpy as np
import pytest
from command_line import conllu
from crossarc.parser.models.pieces import PieceParser
from crossarc.parser.plugins.raw_text.reading import sentences_of
from crossarc.parser.plugins.raw_text.tokenizer import Tokenizer
from crossarc.parser.treebank import conll_text, read_pieces
from hypothesis import given, strategies as st
from installed import needs
from spoken import treebank

FORMS = ("NFC", "NFD")


def read(text):
    return list(crossarc.read_sentences(BytesIO(text.encode()), "conllu"))


def marked(text, form):
    """The sentences of a text with marks on vowels of forms and lemmas, in a normal form."""

    def values(column):
        return tuple(unicodedata.normalize(form, own.replace("a", "á").replace("o", "ǫ̈")) for own in column)

    return [
        sentence.with_columns({name: values(sentence.column(name)) for name in ("form", "lemma")})
        for sentence in read(text)
    ]


@pytest.mark.parametrize("trained", FORMS)
@pytest.mark.parametrize("kind", ["arc-standard-small", "graph-first-order"])
@needs("graph", "tagging")
def test_trees_tags_and_lemmas_do_not_depend_on_the_normal_form(trained, kind):
    settings = ["tags=auto", *(["graph.epochs=1", "graph.table_bits=12"] if kind.startswith("graph") else [])]
    config = crossarc.load_config(kind, settings)
    model = crossarc.train(config, sentences=marked(conllu(1, 20), trained))
    composed = crossarc.train(config, sentences=marked(conllu(1, 20), "NFC"))
    assert model.state()[0]["columns"] == composed.state()[0]["columns"]
    results = {}
    for form in FORMS:
        sentences = marked(conllu(60, 8), form)
        (piece,) = read_pieces(BytesIO("".join(map(conll_text, sentences)).encode()), "conllu")
        parsed = read(PieceParser(model, retag=True)(piece).data.decode())
        assert [sentence.column("form") for sentence in parsed] == [sentence.column("form") for sentence in sentences]
        assert [own.columns for own in model.parse(sentences, retag=True)] == [own.columns for own in parsed]
        results[form] = [
            [sentence.column(name) for name in ("lemma", "upos", "feats", "head", "deprel")] for sentence in parsed
        ]
    assert results["NFC"] == results["NFD"]


@pytest.fixture(scope="module")
def tokenizers():
    """Tokenizers of one language with marks, learned from both normal forms."""
    return {form: Tokenizer.fit(marked(treebank(150, 1), form)) for form in FORMS}


def test_sentences_and_words_do_not_depend_on_the_normal_form(tokenizers):
    text = "the dǫ̈g bárks! Dr. hǫ̈rse didn't see it. zum cát sees."
    results = []
    for tokenizer in tokenizers.values():
        for form in FORMS:
            raw = unicodedata.normalize(form, text)
            found = list(sentences_of(tokenizer, [raw]))
            assert "".join(form + after for sentence in found for form, after, _ in sentence.tokens) == raw
            results.append(
                [[unicodedata.normalize("NFC", form) for form, _, _ in sentence.tokens] for sentence in found]
            )
    assert all(result == results[0] for result in results)
    assert len(results[0]) == 3
    assert np.array_equal(tokenizers["NFC"].gaps.classifier.weights, tokenizers["NFD"].gaps.classifier.weights)


@given(st.text("ae.\u0301\u0308\u0327 가\u1100\u1161\u11a8é\n\u09c7\u09be", max_size=30))
def test_no_character_is_lost_in_any_form(tokenizers, text):
    found = list(sentences_of(tokenizers["NFD"], [text] if text else []))
    whole = "".join(sentence.before + "".join(form + after for form, after, _ in sentence.tokens) for sentence in found)
    assert whole == text or not text.strip()
