"""Raw text to sentences and words: nothing is lost, and the division into blocks does not matter."""

import io
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from crossarc import Sentence, read_sentences
from crossarc.parser.base.data_warnings import DataWarning
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.plugins.raw_text import reading
from crossarc.parser.plugins.raw_text.characters import Characters, combined, is_space
from crossarc.parser.plugins.raw_text.features import token_features
from crossarc.parser.plugins.raw_text.linear import HashedClassifier
from crossarc.parser.plugins.raw_text.raw_text import escaped, gold_text, unescaped
from crossarc.parser.plugins.raw_text.reading import conllu_of, sentences_of
from crossarc.parser.plugins.raw_text.splitting import BREAK, edited, edits_of
from crossarc.parser.plugins.raw_text.tokenizer import Tokenizer
from crossarc.parser.plugins.raw_text.training import BLOCK, spread
from hypothesis import given, strategies as st
from spoken import treebank


def sentences(count, seed):
    return list(read_sentences(io.StringIO(treebank(count, seed))))


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.fit(sentences(150, 1), sentences(40, 2))


def joined(found):
    return "".join(sentence.before + "".join(form + after for form, after, _ in sentence.tokens) for sentence in found)


def test_another_sample_of_the_language_is_segmented_without_errors(tokenizer):
    gold = gold_text(sentences(80, 3))
    found = list(sentences_of(tokenizer, [gold.text]))
    assert [form for sentence in found for form, _, _ in sentence.tokens] == [token.form for token in gold.tokens]
    assert [words for sentence in found for _, _, words in sentence.tokens] == [token.words for token in gold.tokens]
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
    assert [[form for form, _, _ in sentence.tokens] for sentence in at_once] == [
        [form for form, _, _ in sentence.tokens] for sentence in found
    ]


def test_conllu_keeps_forms_and_spaces(tokenizer):
    text = "\n the dog barks.\tthe\xa0cat  barks!\r\n\r\nthe bird | barks .\n"
    parsed = list(read_sentences(io.StringIO("".join(conllu_of(sentences_of(tokenizer, [text]), "x")))))
    assert "SpacesBefore=\\n\\s" in parsed[0].column("misc")[0]
    assert gold_text(parsed).text == text.lstrip()
    assert parsed[0].comments[:2] == ("# newdoc id = x", "# newpar")
    assert [comment for sentence in parsed for comment in sentence.comments].count("# newpar") == 2


def test_long_paragraphs_are_divided_with_constant_memory(tokenizer, monkeypatch):
    text = gold_text(sentences(400, 4)).text.replace("\n\n", " ")
    whole = list(sentences_of(tokenizer, [text]))
    monkeypatch.setattr(reading, "BLOCK", 100)
    monkeypatch.setattr(reading, "LONGEST", 1000)
    parts = list(sentences_of(tokenizer, [text[start : start + 30] for start in range(0, len(text), 30)]))
    assert [sentence.tokens for sentence in parts] == [sentence.tokens for sentence in whole]
    assert sum(part.paragraph for part in parts) == 1
    long = "a" * 5000
    assert joined(list(sentences_of(tokenizer, [long]))) == long
    words = "elephant " * 300
    forms = [form for part in sentences_of(tokenizer, [words], lines=True) for form, _, _ in part.tokens]
    assert forms == ["elephant"] * 300


def test_lines_are_sentences_of_any_length_within_the_limits(tokenizer, monkeypatch):
    monkeypatch.setattr(reading, "BLOCK", 100)
    monkeypatch.setattr(reading, "LONGEST", 1000)
    text = "elephant " * 300 + "\n" + "a" * 5000 + "\nthe dog barks\n"
    assert len(list(sentences_of(tokenizer, [text], lines=True))) == 3
    monkeypatch.setattr(reading.limits, "LINE", 4000)
    with pytest.raises(CrossarcError, match="a line of more than 4000 characters"):
        list(sentences_of(tokenizer, [text], lines=True))


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("size", [7, 100, 10**6])
def test_lines_begin_paragraphs_after_empty_lines_alone(tokenizer, monkeypatch, size, at_once):
    monkeypatch.setattr(reading, "BLOCK", 100)
    text = "the dog barks\n" * 40 + "\n" + "the cat barks\n" * 40 + " \n\n" + "a bird\n"
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    found = list(sentences_of(tokenizer, parts, lines=True, at_once=at_once))
    assert [number for number, sentence in enumerate(found) if sentence.paragraph] == [0, 40, 80]
    assert len(found) == 81


@pytest.mark.parametrize("space", [" ", "\xa0", "\u202f"])
def test_tokens_with_any_space_inside_are_found(space):
    dice = random.Random(1)
    made = []
    for _ in range(120):
        words = ["we", "saw", f"{dice.randint(1, 99)}{space}000", dice.choice(["dogs", "cats"]), "."]
        made.append(Sentence.from_tokens(words, misc=["_", "_", "_", "SpaceAfter=No", "_"]))
    tokenizer = Tokenizer.fit(made[:90])
    text = gold_text(made[90:])
    found = [form for sentence in sentences_of(tokenizer, [text.text]) for form, _, _ in sentence.tokens]
    right = sum(form in found for form in {token.form for token in text.tokens if space in token.form})
    assert right > 0.9 * len({token.form for token in text.tokens if space in token.form})


@given(
    st.text("abcé", min_size=1, max_size=6), st.lists(st.text("abcde", min_size=1, max_size=4), min_size=2, max_size=4)
)
def test_edits_give_the_words(form, words):
    edits = edits_of(form, words)
    assert len(edits) == len(form)
    assert edited(form, edits) == words
    assert sum(edit.count(BREAK) for edit in edits) == len(words) - 1


@given(st.text(" \t\r\n|\\psu0A\xa0\u202f\u3000\u2028\x0b\x0c\x85", max_size=12))
def test_escaped_spaces_are_restored(spaces):
    assert unescaped(escaped(spaces)) == spaces
    assert not any(character.isspace() or character == "|" for character in escaped(spaces))


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
    assert [(form, words) for sentence in found for form, _, words in sentence.tokens] == [
        token[:2] for token in gold.tokens
    ]
    assert len(found) == len(gold.last)


def test_unseen_multiword_tokens_may_contain_any_space(tokenizer):
    for form in ("du\xa0m", "no\u2003t n't"):
        assert tokenizer.splitter.split([form])[0]


def marked(sentences, share, way):
    """The sentences, a share of which begin a paragraph, by a comment or by the spaces before them."""
    found = []
    for number, sentence in enumerate(sentences):
        begins = int(number * share) != int((number - 1) * share)
        comments = [comment for comment in sentence.comments if not comment.startswith(("# newpar", "# newdoc"))]
        misc = list(sentence.column("misc"))
        if way == "spaces":
            follows = int((number + 1) * share) != int(number * share)
            misc[-1] = "SpacesAfter=\\n\\n" if follows else "_"
        elif begins:
            comments.append(f"# {way}")
        found.append(replace(sentence.with_columns({"misc": tuple(misc)}), comments=tuple(comments)))
    return found


@pytest.mark.parametrize("way", ["newpar", "newdoc id = x", "spaces"])
def test_marks_at_most_sentences_are_no_paragraphs(way):
    train, gold = sentences(150, 1), gold_text(marked(sentences(40, 3), 0, "newpar"))

    def segmented(share):
        tokenizer = Tokenizer.fit(marked(train, share, way))
        return [[form for form, _, _ in sentence.tokens] for sentence in sentences_of(tokenizer, [gold.text])]

    for share in (0.6, 0.95, 1):
        with pytest.warns(DataWarning, match="most sentences of the training treebank begin a paragraph"):
            assert segmented(share) == segmented(0)
    assert len(segmented(0)) == len(segmented(0.1)) == len(gold.last)


def made(texts, space):
    """Sentences of words, each with the same MISC."""
    return [Sentence.from_tokens(words, misc=[space] * len(words)) for words in texts]


ONE_CLASS = {
    "words of one character": (
        made([list("abc"), list("ca"), list("bbca")] * 9, "SpaceAfter=No"),
        "one decision for all",
    ),
    "sentences of one word": (made([["ab"], ["cd"], ["ef"]] * 9, "_"), "each word ends a sentence"),
    "one sentence": (made([["ab", "cd", "."]], "SpaceAfter=No"), "only ends of paragraphs end sentences"),
    "spaces between all words": (made([["ab", "cd"], ["ab", "."]] * 9, "_"), "only splits at spaces"),
}


@pytest.mark.parametrize(("train", "warning"), ONE_CLASS.values(), ids=ONE_CLASS)
def test_decisions_without_examples_are_constant_and_named(train, warning):
    with pytest.warns(DataWarning, match=warning):
        tokenizer = Tokenizer.fit(train)
    again = Tokenizer.from_content(*tokenizer.content())
    text = gold_text(train).text
    found = list(sentences_of(again, [text]))
    assert joined(found) == text
    assert [form for sentence in found for form, _, _ in sentence.tokens] == [
        token.form for token in gold_text(train).tokens
    ]


def test_the_last_tenth_alone_may_have_examples():
    alike, other = made([list("abc")] * 27, "SpaceAfter=No"), made([["ab", "c"]] * 3, "_")
    for train in ([*alike, *other], [*other, *alike]):
        text = gold_text(train).text
        assert joined(list(sentences_of(Tokenizer.fit(train), [text]))) == text


@pytest.mark.parametrize("classes", [[0, 0, 0], [1, 1, 1], [2, 2, 1], [0, 1, 1]])
def test_a_classifier_without_examples_or_features_prefers_the_most_frequent_class(classes):
    numbers = np.array(classes)
    features = np.arange(3, dtype=np.uint64)[:, None] << np.uint64(50)
    learned = HashedClassifier.fit(features, numbers, 1.0, min_count=2)
    assert learned.constant
    scores = learned.scores(features)
    best = scores.argmax(axis=1) if max(classes) > 1 else (scores[:, 0] > 0).astype(int)
    assert set(best.tolist()) == {max(set(classes), key=classes.count)}


@given(st.lists(st.integers(1, 30), max_size=700), st.integers(1, 3000))
def test_large_treebanks_are_learned_from_in_blocks(lengths, most):
    sentences = [Sentence.from_tokens(["w"] * length) for length in lengths]
    some = spread(sentences, most)
    numbers = [next(k for k, sentence in enumerate(sentences) if sentence is one) for one in some]
    assert numbers == sorted({*numbers})
    assert (numbers == list(range(len(sentences)))) >= (sum(lengths) <= most)
    assert all(number % BLOCK == 0 for number in numbers if number - 1 not in numbers)
    largest = max((sum(lengths[start : start + BLOCK]) for start in range(0, len(lengths), BLOCK)), default=0)
    assert min(sum(lengths), most) - largest <= sum(map(len, some)) <= max(most, 0) + largest


@pytest.mark.parametrize("header", ["ID FORM UPOS HEAD DEPREL MISC", "ID UPOS FORM HEAD DEPREL MISC"])
def test_the_text_of_multiword_tokens_is_that_of_their_columns(header):
    rows = [{"ID": "1-2", "FORM": "ab", "MISC": "SpaceAfter=No"}, *({"ID": str(k), "FORM": "xyz"[k]} for k in (1, 2))]
    lines = ["\t".join(row.get(name, "_") for name in header.split()) for row in rows]
    text = "\n".join([f"# global.columns = {header}", *lines, "", ""])
    (sentence,) = read_sentences(io.StringIO(text))
    assert gold_text([sentence]).text.strip() == "ab"
