"""Raw text to sentences and words: nothing is lost, and the division into blocks does not matter."""

import io
from itertools import pairwise

import numpy as np
import pytest
from crossarc import read_sentences
from crossarc.parser.tokenizer import Tokenizer, reading
from crossarc.parser.tokenizer.characters import Characters, combined, is_space
from crossarc.parser.tokenizer.features import token_features
from crossarc.parser.tokenizer.raw_text import escaped, gold_text, unescaped
from crossarc.parser.tokenizer.reading import conllu_of, sentences_of
from crossarc.parser.tokenizer.splitting import BREAK, edited, edits_of
from hypothesis import given, strategies as st
from spoken import treebank


def sentences(count, seed):
    return list(read_sentences(io.StringIO(treebank(count, seed))))


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.fit(sentences(150, 1), sentences(40, 2))


def joined(found):
    return "".join(own.before + "".join(form + after for form, after, _ in own.tokens) for own in found)


def test_another_sample_of_the_language_is_segmented_without_errors(tokenizer):
    gold = gold_text(sentences(80, 3))
    found = list(sentences_of(tokenizer, [gold.text]))
    assert [form for own in found for form, _, _ in own.tokens] == [token.form for token in gold.tokens]
    assert [words for own in found for _, _, words in own.tokens] == [token.words for token in gold.tokens]
    assert len(found) == len(gold.last)


HARD = st.text("ab. \n\t\r\xa0\ufeff\u200b\u0301é😀\x00\x1c\x85Dr'n", max_size=60) | st.text(max_size=40)


@given(HARD, st.lists(st.integers(0, 60), max_size=3))
def test_joining_forms_and_spaces_gives_the_text(tokenizer, text, cuts):
    found = list(sentences_of(tokenizer, [text] if text else []))
    if not all(map(is_space, text)):
        assert joined(found) == text
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = [text[a:b] for a, b in pairwise(places) if a < b]
    assert list(sentences_of(tokenizer, parts)) == found
    at_once = list(sentences_of(tokenizer, parts, at_once=True))
    assert [[form for form, _, _ in own.tokens] for own in at_once] == [
        [form for form, _, _ in own.tokens] for own in found
    ]


def test_conllu_keeps_forms_and_spaces(tokenizer):
    text = "\n the dog barks.\tthe\xa0cat  barks!\r\n\r\nthe bird | barks .\n"
    parsed = list(read_sentences(io.StringIO("".join(conllu_of(sentences_of(tokenizer, [text]), "x")))))
    assert "SpacesBefore=\\n\\s" in parsed[0].column("misc")[0]
    assert gold_text(parsed).text == text.lstrip()
    assert parsed[0].comments[:2] == ("# newdoc id = x", "# newpar")
    assert [own for sentence in parsed for own in sentence.comments].count("# newpar") == 2


def test_long_paragraphs_are_divided_with_constant_memory(tokenizer, monkeypatch):
    text = gold_text(sentences(400, 4)).text.replace("\n\n", " ")
    whole = list(sentences_of(tokenizer, [text]))
    monkeypatch.setattr(reading, "BLOCK", 100)
    monkeypatch.setattr(reading, "LONGEST", 1000)
    parts = list(sentences_of(tokenizer, [text[start : start + 30] for start in range(0, len(text), 30)]))
    assert [own.tokens for own in parts] == [own.tokens for own in whole]
    assert sum(own.paragraph for own in parts) == 1
    long = "a" * 5000
    assert joined(list(sentences_of(tokenizer, [long]))) == long


@given(
    st.text("abcé", min_size=1, max_size=6), st.lists(st.text("abcde", min_size=1, max_size=4), min_size=2, max_size=4)
)
def test_edits_give_the_words(form, words):
    edits = edits_of(form, words)
    assert len(edits) == len(form)
    assert edited(form, edits) == words
    assert sum(edit.count(BREAK) for edit in edits) == len(words) - 1


@given(st.text(" \t\r\n|\\ps\xa0", max_size=8))
def test_escaped_spaces_are_restored(spaces):
    assert unescaped(escaped(spaces)) == spaces
    assert not set(escaped(spaces)) & set("\t\r\n |")


@given(st.text(st.sampled_from("aAbB1. \n"), min_size=1, max_size=30), st.data())
def test_equal_substrings_have_equal_hashes(text, data):
    characters = Characters(text)
    spans = data.draw(st.lists(st.tuples(*[st.integers(0, len(text))] * 2).map(sorted), min_size=2, max_size=6))
    starts, ends = (np.array(own) for own in zip(*spans, strict=True))
    hashes = characters.hashes("form", starts, ends).tolist()
    for a, one in zip(hashes, spans, strict=True):
        for b, two in zip(hashes, spans, strict=True):
            assert (a == b) == (text[slice(*one)] == text[slice(*two)])


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ('a "b" c.', [True, False]),
        ('" a . " b . " c . "', [True, False, True, False]),
        ('a "b " c " d "e" " f "', [True, False, True, True, False, True, False]),
        ('" a\n\n" b', [True, True]),
        ('a" b " c', [False, True]),
    ],
)
def test_quotation_marks_open_or_close(text, opening):
    marks = np.array([at for at, character in enumerate(text) if character == '"'])
    found = Characters(text)
    opened = found.hashes("shape", marks, marks + 1) == Characters('"a').hashes("shape", np.array([0]), np.array([1]))
    assert opened.tolist() == opening


def test_distances_to_final_marks_end_with_paragraphs():
    text = Characters("a b . c d ?\n\na b")
    starts = np.flatnonzero(~text.space)
    found = token_features("since until", text, starts, starts + 1)
    for column, distances in enumerate(([0, 1, 2, 0, 1, 2, 0, 1], [1, 0, 2, 1, 0, 1, 0, 0])):
        scaled = np.array([0, 2, 3], np.uint64)[distances]
        assert found[:, column].tolist() == combined(scaled, np.full(1, column + 1, np.uint64)).tolist()


ARABIC = str.maketrans("abcdefghijklmnopqrstuvwxyz.?", "ابجدهوزحطيكلمنسعفصقرشتثخذض۔؟")


def test_text_from_right_to_left_is_segmented():
    def translated(count, seed):
        own = []
        for row in treebank(count, seed).split("\n"):
            number, *cells = row.split("\t")
            own.append("\t".join([number, *(cell.translate(ARABIC) for cell in cells[:2]), *cells[2:]]))
        return list(read_sentences(io.StringIO("\n".join(own))))

    learned, gold = Tokenizer.fit(translated(150, 1), translated(40, 2)), gold_text(translated(80, 3))
    assert "۔" in gold.text
    found = list(sentences_of(learned, [gold.text]))
    assert [(form, words) for own in found for form, _, words in own.tokens] == [own[:2] for own in gold.tokens]
    assert len(found) == len(gold.last)


def test_unseen_multiword_tokens_may_contain_any_space(tokenizer):
    for form in ("du\xa0m", "no\u2003t n't"):
        assert tokenizer.split([form])[form]
