"""Checks of the input before a model parses it."""

import io
from collections import namedtuple
from dataclasses import replace
from types import SimpleNamespace

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models.inputs import FIRST, SAMPLE, InputCheck, check_input
from crossarc.parser.treebank import Sentence, SymbolTable, conll_text, read_pieces, read_sentences
from hypothesis import given, strategies as st

TABLES = {
    "form": SymbolTable(tuple(f"word{number}" for number in range(3000))),
    "lemma": SymbolTable(tuple("abc")),
    "upos": SymbolTable(("NOUN", "VERB")),
    "xpos": SymbolTable(("N", "V")),
    "feats": SymbolTable.build("feats", [["A=B|C=D"]]),
}
REFUSED = "the input has no tags, but the model reads"


Reader = namedtuple("Reader", "looked_at annotation taggers provenance tokenizer", defaults=("gold", (), {}, None))


def reader(*names):
    return Reader({name: TABLES[name] for name in names})


def words(count=1, form="word1", **columns):
    return Sentence.from_tokens([form] * count, **{name: [value] * count for name, value in columns.items()})


TAGGED, BARE = words(upos="NOUN"), words()


@pytest.mark.parametrize(
    ("read", "sentences", "refused"),
    [
        (("form", "upos", "xpos", "feats"), [BARE], "UPOS, XPOS, FEATS"),
        (("form", "upos"), [words(feats="A=B")], "UPOS"),
        (("form", "upos", "feats"), [words(feats="A=B")], ""),
        (("form", "upos", "xpos"), [BARE, BARE, TAGGED], ""),
        (("form", "xpos"), [TAGGED], "XPOS"),
        (("form", "lemma", "feats"), [BARE], ""),
        ((), [BARE], ""),
        (("form", "upos"), [], ""),
        (("form", "upos"), [BARE] * FIRST + [TAGGED], "UPOS"),
        (("form", "upos"), [BARE] * (FIRST - 1) + [TAGGED], ""),
    ],
)
def test_empty_tag_columns_are_refused_unless_allowed(read, sentences, refused):
    warned = []
    assert list(InputCheck(reader(*read), True, warned.append).sentences(sentences)) == sentences
    assert [line.partition(":")[0] for line in warned] == ([f"{REFUSED} {refused}"] if refused else [])
    check = InputCheck(reader(*read)).sentences(iter(sentences))
    if not refused:
        assert list(check) == sentences
        return
    with pytest.raises(CrossarcError, match=f"^{REFUSED} {refused}; tag the words first, .*--allow-empty-columns"):
        next(check)


def test_with_hold_1_the_first_sentence_decides():
    asked = []

    def stream(*sentences):
        for number, sentence in enumerate(sentences):
            asked.append(number)
            yield sentence

    with pytest.raises(CrossarcError, match=REFUSED):
        next(InputCheck(reader("upos"), hold=1).sentences(stream(BARE, TAGGED)))
    assert asked == [0]
    assert list(InputCheck(reader("upos"), hold=1).sentences(stream(TAGGED, BARE))) == [TAGGED, BARE]


def test_other_empty_columns_are_noted_once():
    noted = []
    check = InputCheck(reader("feats", "form", "lemma", "upos"), note=noted.append)
    assert len(list(check.sentences([TAGGED] * 5))) == 5
    assert noted == ["columns that the model reads are empty: LEMMA, FEATS"]
    assert list(InputCheck(reader("feats"), note=noted.append).sentences([])) == noted[1:] == []


@pytest.mark.parametrize(
    ("read", "sentence", "warned"),
    [
        ("form", words(60, "wort"), "FORM"),
        ("form", words(40, "wort"), ""),
        ("form", words(60, "word7"), ""),
        ("form", words(60, "_"), ""),
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
    ],
)
def test_tags_of_another_origin_than_in_training_cause_a_warning(predicted, provenance, sentences, retag, warned):
    """Given tags for a model trained on predicted ones, and tags of another tool, which a comment names."""
    taggers = [SimpleNamespace(column=name) for name in predicted]
    model = Reader({name: TABLES[name] for name in ("form", "upos")}, "gold", taggers, provenance)
    told = check_input(sentences, model, False, retag)
    assert [line.startswith(warned) for line in told] == [True] * bool(warned)


VALUES = {"upos": st.sampled_from("_N"), "feats": st.sampled_from(["_", "A=B"]), "lemma": st.sampled_from("_ax")}


@given(
    st.lists(st.fixed_dictionaries(VALUES), min_size=1, max_size=6),
    st.integers(1, 4),
    st.integers(0, 200),
    st.booleans(),
)
def test_pieces_get_the_checks_of_sentences(values, count, size, allow):
    sentences = [words(20 * count, **own) for own in values]
    data = "".join(map(conll_text, sentences)).encode()

    def told(pieces):
        found = []
        check = InputCheck(reader(*TABLES), allow, found.append, found.append)
        try:
            if pieces:
                assert b"\n\n".join(p.data for p in check.pieces(read_pieces(io.BytesIO(data), size=size))) == data[:-2]
            else:
                assert list(check.sentences(sentences)) == sentences
        except CrossarcError as error:
            found.append(str(error))
        return found

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
        model = Reader({"form": SymbolTable.build("form", [known])}, tokenizer=tokenizer)
        found = check_input([Sentence.from_tokens(given)] * 300, model, allow_empty=True)
        expected = f"words end with punctuation, such as {told!r}; to parse text that is not split, {remedy}"
        assert found == ([expected] if told else [])
