"""Sentences made in Python, text streams, and wrong arguments of callers."""

import io
from dataclasses import replace

import numpy as np
import pytest
from crossarc import CrossarcError, Sentence, check, read_sentences, read_treebank, write_sentences
from crossarc.parser.treebank import conll_text, only_sentences
from crossarc.parser.treebank.sentence import file_texts
from refusals import refusal

DOGS = Sentence.from_tokens(["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0], deprels=["nsubj", "root"])
ROWS = "1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def test_sentences_from_lists_equal_sentences_from_files():
    assert conll_text(DOGS) == ROWS
    (read,) = read_sentences(io.StringIO(ROWS), "conllu")
    assert (read.format, read.columns) == (DOGS.format, DOGS.columns)
    assert DOGS.heads() == [-1, 2, 0]
    assert DOGS.with_tree([-1, 0, 1], ["", "a", "b"]).heads() == [-1, 0, 1]
    without_tree = Sentence.from_tokens(["Dogs"])
    assert refusal(without_tree.heads) == "<memory>:1: HEAD '_', expected a number from 0 to 1"


def test_sentences_from_mappings_keep_additional_columns():
    words = [
        {"form": "Dogs", "upos": "NOUN", "head": np.int32(2), "deprel": "nsubj"},
        {"form": "bark", "upos": "VERB", "head": 0, "deprel": "root", "colour": "red"},
    ]
    sentence = Sentence.from_tokens(words)
    assert sentence.column("colour") == ("_", "red")
    declared, text = "".join(file_texts([sentence])).split("\n", 1)
    assert declared.startswith("# global.columns = ID FORM ")
    assert text == ROWS.replace("_\n2", "_\t_\n2").replace("_\n\n", "_\tred\n\n")
    assert Sentence.from_tokens(words, colour=["a", "b"]).column("colour") == ("a", "b")


@pytest.mark.parametrize(
    ("tokens", "columns", "message"),
    [
        ("Dogs bark", {}, "tokens: found 'Dogs bark', expected a list"),
        ({"form": "x"}, {}, "tokens: found {'form': 'x'}, expected a list"),
        ([], {}, "tokens: found none, expected one word or more"),
        (["a", 5], {}, "form of word 2: found 5, expected text on one line, without tabs"),
        (["a\tb"], {}, r"form of word 1: found 'a\tb', expected text on one line, without tabs"),
        (["a", ""], {}, "form of word 2: found '', expected text on one line, without tabs"),
        (["a"], {"upos": ["X", "Y"]}, "upos: found a list of length 2, expected 1"),
        (["a"], {"upos": "X"}, "upos: found 'X', expected a list"),
        (["a"], {"upos": [1]}, "upos of word 1: found 1, expected text on one line, without tabs"),
        (["a"], {"heads": [2]}, "head of word 1: found 2, expected 0 to 1"),
        (["a"], {"heads": ["0"]}, "head of word 1: found '0', expected 0 to 1"),
        (["a"], {"id": ["1"]}, "tokens: found a column 'id'; remove it, words are numbered automatically"),
        ([{"form": "a"}, "b"], {}, "token 2: found 'b', expected a mapping with 'form'"),
        ([{"word": "a"}], {}, "token 1: found {'word': 'a'}, expected a mapping with 'form'"),
        (["a", "b\udcffc"], {}, r"form of word 2: found 'b\udcffc', half of a surrogate pair, expected Unicode"),
        (["a"], {"lemma": ["\ud83d"]}, r"lemma of word 1: found '\ud83d', half of a surrogate pair, expected Unicode"),
        (["a"], {"Side": ["left"]}, "tokens: found a column 'Side', expected a name in lower case without spaces"),
        (["a"], {"my side": ["l"]}, "tokens: found a column 'my side', expected a name in lower case without spaces"),
    ],
)
def test_invalid_words_and_columns_are_refused(tokens, columns, message):
    assert refusal(lambda: Sentence.from_tokens(tokens, **columns)) == message


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((["The", "dog"], ("a", "b")), "sentence: found list and tuple, expected a Format and tuples; make sentences "),
        ((DOGS.format, (("1",),)), "sentence: found 1 columns, expected 10 tuples of text, one for each column "),
        ((DOGS.format, (["1"],) * 10), "sentence: found 10 columns, expected 10 tuples of text, one for each "),
        ((DOGS.format, (("1",),) * 9 + ((),)), "sentence: found columns of different lengths, make sentences "),
    ],
)
def test_invalid_formats_and_columns_of_sentences_are_refused(parts, message):
    assert refusal(lambda: Sentence(*parts)).startswith(message)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["The", "dog"], "sentence 1: found str, expected a Sentence or a list of words"),
        ("The dog", "sentences: found str, expected a list of sentences; make sentences with Sentence.from_tokens"),
        (DOGS, "sentences: found Sentence, expected a list of sentences; make sentences with Sentence.from_tokens"),
        ([DOGS, []], "sentence 2: tokens: found none, expected one word or more"),
        ([["The"], ("b\tc",)], "sentence 2: form of word 1: found 'b\\tc', expected text on one line, without tabs"),
    ],
)
def test_values_other_than_sentences_are_refused(values, message, tmp_path):
    assert refusal(lambda: list(only_sentences(values))) == message
    assert refusal(lambda: write_sentences(values, tmp_path / "x")) == message
    assert list(tmp_path.iterdir()) == []


def test_text_streams_are_read_and_written(tmp_path):
    text = ROWS.replace("Dogs", "Hünde 🐕") * 3
    sentences = list(read_sentences(io.StringIO(text)))
    assert [sentence.columns for sentence in sentences] == [
        sentence.columns for sentence in read_sentences(io.BytesIO(text.encode()))
    ]
    assert check(io.StringIO(text)).sentences == 3
    out = io.StringIO()
    write_sentences(sentences, out)
    assert out.getvalue() == text
    path = tmp_path / "a.conllu"
    with path.open("w", encoding="utf-8") as file:
        write_sentences(sentences, file)
    with path.open(encoding="utf-8") as file:
        assert [sentence.columns for sentence in read_sentences(file)] == [sentence.columns for sentence in sentences]
    with pytest.raises(CrossarcError, match=r"<stream>:1: byte 0xed at position 3 of the line, expected UTF-8"):
        list(read_sentences(io.StringIO("1\t\ud800\t_\tX\t_\t_\t0\troot\t_\t_\n")))


@pytest.mark.parametrize("target", [b"1\tx", 5, None, ["a"], DOGS])
def test_values_other_than_files_are_refused(target):
    found = f"found {type(target).__name__}"
    for read in (read_sentences, read_treebank, check):
        with pytest.raises(TypeError, match=f"expected a path, '-' or an open file to read, {found}"):
            read(target)
    with pytest.raises(TypeError, match=f"expected a path, '-' or an open file to write, {found}"):
        write_sentences([DOGS], target)


def test_user_columns_survive_a_round_trip(tmp_path):
    made = Sentence.from_tokens(["Dogs", "\U0001f600"], heads=[2, 0], side=["left", "right"])
    write_sentences([made, made], tmp_path / "own.conllu")
    for again in read_sentences(tmp_path / "own.conllu"):
        assert again.column("side") == ("left", "right")
        assert again.columns == made.columns


@pytest.mark.parametrize("comment", ["# a\n1\tb", "# a\r", "no sign"])
def test_comments_that_cannot_be_written_are_refused(comment):
    assert "expected one line that begins with #" in refusal(lambda: replace(DOGS, comments=(comment,)))
