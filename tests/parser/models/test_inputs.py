"""Checks of the input before a model parses it."""

import io
from collections import namedtuple
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models.inputs import FIRST, MIN_VALUES, SAMPLE, InputCheck, check_input, tagged_by
from crossarc.parser.models.pieces import PieceParser
from crossarc.parser.treebank import Format, Sentence, SymbolTable, conll_text, read_pieces, read_sentences
from crossarc.parser.treebank.tree import FlatTrees
from hypothesis import given, strategies as st

TABLES = {
    "form": SymbolTable(tuple(f"word{number}" for number in range(3000))),
    "lemma": SymbolTable(tuple("abc")),
    "upos": SymbolTable(("NOUN", "VERB")),
    "xpos": SymbolTable(("N", "V")),
    "feats": SymbolTable.build("feats", [["A=B|C=D"]]),
}
Reader = namedtuple("Reader", "looked_at annotation filled provenance segmenter", defaults=("gold", (), {}, None))


def reader(*names):
    return Reader({name: TABLES[name] for name in names})


def words(count=1, form="word1", **columns):
    return Sentence.from_tokens([form] * count, **{name: [value] * count for name, value in columns.items()})


TAGGED, BARE = words(upos="NOUN"), words()


@pytest.mark.parametrize(
    ("read", "sentences", "refused"),
    [
        (
            ("form", "upos", "xpos", "feats"),
            [BARE],
            "sentence 1: the sentence has no tags, but the model reads UPOS, XPOS",
        ),
        (
            ("form", "upos", "feats"),
            [words(feats="A=B")],
            "sentence 1: the sentence has no tags, but the model reads UPOS",
        ),
        (("form", "upos", "xpos"), [BARE, BARE, TAGGED], "sentence 1: the sentence and 1 other have no tags"),
        (("form", "upos"), [TAGGED, BARE, TAGGED, BARE, BARE], "sentence 2: the sentence and 2 others have no tags"),
        (
            ("form", "upos"),
            [TAGGED] * FIRST + [BARE] * 3,
            f"sentence {FIRST + 1}: the sentence and 2 others have no tags",
        ),
        (("form", "xpos"), [TAGGED], "sentence 1: the sentence has no tags, but the model reads XPOS"),
        (("form", "upos", "xpos"), [TAGGED], ""),
        (("form", "lemma", "feats"), [BARE], ""),
        ((), [BARE], ""),
        (("form", "upos"), [], ""),
    ],
)
def test_sentences_without_tags_are_refused_unless_allowed(read, sentences, refused):
    warned = []
    assert list(InputCheck(reader(*read), True, warned.append).sentences(sentences)) == sentences
    within = bool(refused) and any(BARE.columns == sentence.columns for sentence in sentences[:FIRST])
    assert any("no tags" in line for line in warned) == (within or "XPOS" in refused or "UPOS" in refused)
    check = InputCheck(reader(*read), warn=lambda line: None).sentences(sentences)
    if not refused:
        assert list(check) == sentences
        return
    with pytest.raises(CrossarcError, match=f"^{refused}.*; tag the words first, .*--allow-empty-columns"):
        list(check)


KINDS = {"tagged": TAGGED, "bare": BARE, "of another column": words(xpos="N", lemma="a"), "long": words(9, upos="NOUN")}


@given(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=7), st.integers(1, 4), st.integers(0, 300))
def test_refusals_do_not_depend_on_neighbours(names, hold, size):
    """Lists, iterators and files of any batch size refuse the same sentences."""
    sentences = [KINDS[name] for name in names]
    wrong = [number for number, name in enumerate(names, 1) if name not in ("tagged", "long")]
    check = InputCheck(reader("upos"), warn=lambda line: None, hold=hold)
    if wrong:
        with pytest.raises(CrossarcError, match=f"^sentence {wrong[0]}: "):
            list(check.sentences(iter(sentences)))
    else:
        assert list(check.sentences(iter(sentences))) == sentences
    data = "".join(map(conll_text, sentences)).encode()
    lines = [1 + sum(len(sentence) + 1 for sentence in sentences[: number - 1]) for number in wrong]
    model = SimpleNamespace(**reader("upos")._asdict(), longest=None, annotate=no_trees)
    found = [PieceParser(model)(piece) for piece in read_pieces(io.BytesIO(data), "conllu", size=size)]
    untagged = [piece.untagged for piece in found if piece.untagged]
    assert sum(piece.number for piece in untagged) == len(wrong)
    assert [piece.place for piece in untagged][:1] == [f"<stream>:{line}" for line in lines[:1]]
    assert all(not piece.data for piece in found if piece.untagged)


def no_trees(words, scores):
    heads = np.zeros(int(words.lengths.sum()), dtype=np.int64)
    return FlatTrees(words.lengths, heads, heads, ("root",))


def test_with_hold_1_each_sentence_is_decided_when_it_comes():
    asked = []

    def stream(*sentences):
        for number, sentence in enumerate(sentences):
            asked.append(number)
            yield sentence

    with pytest.raises(CrossarcError, match=r"^sentence 1: the sentence has no tags"):
        next(InputCheck(reader("upos"), hold=1).sentences(stream(BARE, TAGGED)))
    assert asked == [0]
    check = InputCheck(reader("upos"), hold=1).sentences(stream(TAGGED, BARE))
    assert next(check) == TAGGED
    with pytest.raises(CrossarcError, match=r"^sentence 2: the sentence has no tags"):
        next(check)


def test_other_empty_columns_cause_one_warning():
    """Short input may have no morphological features."""
    told = []
    check = InputCheck(reader("feats", "form", "lemma", "upos"), warn=told.append)
    assert len(list(check.sentences([TAGGED] * 5))) == 5
    assert len(list(check.sentences([words(MIN_VALUES, upos="NOUN")]))) == 1
    empty = "columns that the model reads are empty: LEMMA"
    assert told == [empty, f"{empty}, FEATS"]


@pytest.mark.parametrize(("tagged", "warned"), [(1, True), (30, True), (59, False), (60, False)])
def test_words_without_a_part_of_speech_are_told(tagged, warned):
    """Also beside words that have one, of the same sentence or of others."""
    whole = words(60, upos="NOUN")
    gaps = whole.with_columns({"upos": tuple("NOUN" if word < tagged else "_" for word in range(60))})
    told = f"{60 - tagged} of the first 60 words have no UPOS, but all words of training had one: expect poor trees"
    assert check_input([gaps], reader("upos"), False) == ([told] if warned else [])


@pytest.mark.parametrize(
    ("read", "sentence", "warned"),
    [
        ("form", words(60, "wort"), "FORM"),
        ("form", words(40, "wort"), ""),
        ("form", words(60, "word7"), ""),
        ("upos", words(60, upos="SUBST"), "UPOS"),
        ("feats", words(60, feats="X=Y|A=B"), ""),
        ("feats", words(60, feats="X=Y"), "FEATS"),
        ("lemma", words(60, lemma="d"), ""),
    ],
)
def test_values_unknown_to_the_model_cause_a_warning(read, sentence, warned):
    """Small training sets lack most forms of any text, so only tags and large vocabularies are checked."""
    message = f"the model does not know most values of {warned}; use a model trained on the same language and tags"
    assert check_input([sentence], reader(read), False) == ([message] if warned else [])


def test_unknown_values_are_counted_in_the_first_sentences_only():
    known, unknown = words(10, "word1"), words(10, "wort")
    assert check_input([known] * SAMPLE + [unknown] * 10 * SAMPLE, reader("form"), False) == []
    assert len(check_input([unknown] * SAMPLE + [known] * 10 * SAMPLE, reader("form"), False)) == 1


@pytest.mark.parametrize("trained", ["gold", "predicted"])
def test_conll_2009_columns_unlike_in_training_cause_a_warning(trained):
    row = "\t".join(["1", "word1", "l", "l", "N", "V", "_", "_", "0", "0", "root", "root", "_", "_"])
    for columns in ("gold", "predicted"):
        sentences = list(read_sentences(io.StringIO(row), "conll09", columns))
        told = check_input(sentences, Reader({"form": TABLES["form"]}, trained), False)
        assert len(told) == (columns != trained)


PREDICTED = (
    "the input has values of {}, but the model was trained on values that it predicts; crossarc parse --retag replaces "
)
TOOL = "the input was tagged by UDPipe 2, but the model was trained on other tags; train on tags of that tool, or with "
MARKED = replace(TAGGED, comments=("# newdoc", "# generator = UDPipe 2"))
STANZA = replace(TAGGED, comments=("# generator = Stanza",))


@pytest.mark.parametrize(
    ("predicted", "provenance", "sentences", "retag", "warned"),
    [
        (("upos", "lemma"), {}, [BARE, TAGGED, TAGGED], False, PREDICTED.format("UPOS")),
        (("upos", "lemma"), {}, [words(upos="NOUN", lemma="a")], False, PREDICTED.format("LEMMA, UPOS")),
        (("upos", "lemma"), {}, [TAGGED], True, ""),
        (("lemma",), {}, [TAGGED], False, ""),
        (("upos",), {}, [BARE], False, ""),
        (("upos",), {}, [MARKED], True, ""),
        ((), {}, [MARKED, TAGGED], False, TOOL),
        ((), {"tagged_by": "UDPipe 2"}, [MARKED, TAGGED], False, ""),
        ((), {"tagged_by": "UDPipe 2"}, [MARKED, STANZA], False, TOOL.replace("UDPipe 2", "Stanza")),
        ((), {"tagged_by": "Stanza, UDPipe 2"}, [MARKED, STANZA], False, ""),
        ((), {"tagged_by": "Stanza, UDPipe 2"}, [MARKED], False, ""),
    ],
)
def test_tags_of_another_origin_than_in_training_cause_a_warning(predicted, provenance, sentences, retag, warned):
    """Given tags for a model trained on predicted ones, and tags of another tool, which a comment names."""
    model = Reader({name: TABLES[name] for name in ("form", "upos")}, "gold", predicted, provenance)
    told = check_input(sentences, model, False, retag)
    assert [line.startswith(warned) for line in told] == [True] * bool(warned)


VALUES = {"upos": st.sampled_from("_N"), "feats": st.sampled_from(["_", "A=B"]), "lemma": st.sampled_from("_ax")}


@given(st.lists(st.fixed_dictionaries(VALUES), min_size=1, max_size=6), st.integers(1, 4), st.integers(0, 200))
def test_pieces_get_the_checks_of_sentences(values, count, size):
    sentences = [words(20 * count, **value) for value in values]
    data = "".join(map(conll_text, sentences)).encode()

    def told(pieces):
        found = []
        check = InputCheck(reader(*TABLES), True, found.append)
        if pieces:
            assert b"\n\n".join(p.data for p in check.pieces(read_pieces(io.BytesIO(data), size=size))) == data[:-2]
        else:
            assert list(check.sentences(sentences)) == sentences
        return [line.partition(": ")[2] if "no tags" in line else line for line in found]

    assert told(True) == told(False)


@pytest.mark.parametrize(
    ("known", "given", "told"),
    [
        (["dog", ","], ["dog,", "barks"], "dog,"),
        (["dog", "."], ["dog", "barks."], "barks."),
        (["dog"], ["dog,", "barks."], ""),
        (["dog", ".", "etc."], ["dog", "barks."], ""),
        (["dog", ",", "."], [",", "dog", ".", "..."], "..."),
        (["dog", ",", "."], [",", "dog", "."], ""),
    ],
)
def test_punctuation_at_words_causes_one_warning_if_training_had_none(known, given, told):
    for tokenizer, remedy in (
        (None, "use crossarc train --set input=text, then crossarc parse --format text"),
        (object(), "use crossarc parse --format text"),
    ):
        model = Reader({"form": SymbolTable.build("form", [known])}, segmenter=tokenizer)
        found = check_input([Sentence.from_tokens(given)] * 300, model, allow_empty=True)
        expected = f"words end with punctuation, such as {told!r}; to parse text that is not split, {remedy}"
        assert found == ([expected] if told else [])


def test_every_sentence_can_name_its_tagger():
    plain = Sentence.from_tokens(["a"])
    named = replace(plain, comments=("# generator = UDPipe",))
    assert tagged_by([named, plain]) == tagged_by([plain, named]) == {"tagged_by": "UDPipe"}
    assert tagged_by([plain]) == tagged_by([]) == {}
    other = replace(plain, comments=("# generator = Stanza",))
    assert tagged_by([named, other, named]) == {"tagged_by": "UDPipe, Stanza"}


def test_predicted_values_without_a_column_are_told():
    row_format = Format("conllu", ("id", "form"))
    sentence = Sentence(row_format, (("1",), ("word1",)))
    model = Reader({"form": TABLES["form"]}, filled=("upos", "lemma"))
    told = "the input has no column LEMMA, UPOS: predicted values are used, but not written"
    assert check_input([sentence], model, False) == [told]
    assert check_input([sentence, BARE], model, False) == []
