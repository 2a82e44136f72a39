"""Requests: their data become sentences, or a one-line error."""

import json
import tracemalloc
from functools import partial
from urllib.parse import unquote_to_bytes

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.plugins.serving.exchange import (
    INPUT_OPTIONS,
    INPUTS,
    OUTPUT_OPTIONS,
    OUTPUTS,
    named,
    read_form,
    read_format,
    read_json,
    read_text,
    to_text,
    wanted_model,
)
from crossarc.parser.plugins.serving.limits import Limits, TooMuchError
from crossarc.parser.treebank import conll_text
from crossarc.parser.treebank.faults import PLAIN_TEXT
from hypothesis import given, strategies as st
from refusals import refusal

LIMITS = Limits(words=5, sentence=3)
ROW = "{}\tw\t_\tX\t_\t_\t0\troot\t_\t_\n"


def conllu(*lengths):
    return "".join("".join(map(ROW.format, range(1, length + 1))) + "\n" for length in lengths)


def read(text, name, columns="gold"):
    return read_text(text, name, LIMITS, columns)


@pytest.mark.parametrize("text", ["It\tx\rbarks\ty\r", "It\tx\n\tfoo\nbarks\ty"])
def test_lines_of_vertical_text_without_a_word_or_an_end_are_refused(text):
    with pytest.raises(CrossarcError):
        read_text(text, "vertical", LIMITS)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("horizontal", "a b\n\n c \n", [("a", "b"), ("c",)]),
        ("vertical", "a\nb\n\n\nc\n", [("a", "b"), ("c",)]),
        ("horizontal", "10\u00a0000\tmen\r\n\u3000 x\r\n", [("10 000", "men"), ("\u3000", "x")]),
        ("vertical", "10 000\tNUM\r\nmen\tNOUN\r\n\t\r\nx\r\n", [("10 000", "men"), ("x",)]),
    ],
)
def test_words_are_read_and_may_contain_spaces(name, text, words):
    assert [sentence.column("form") for sentence in read(text, name)] == words


@pytest.mark.parametrize(
    ("said", "name"),
    [("conllu", "conllu"), ("conllu=v2", "conllu"), ("conllu=", "conllu"), ("conllx", "conllx"),
     ("horizontal", "horizontal"), ("conllu=v2;", "conllu"), ("conllu=v1;v2", "conllu")],
)  # fmt: skip
def test_names_and_options_of_udpipes_formats_are_accepted(said, name):
    assert read_format(said, "input", INPUTS, INPUT_OPTIONS) == name


@pytest.mark.parametrize("said", ["conllu=v1", "conllu;v2", "conllu=v2=1", "horizontal", "epe", "=v2", ""])
def test_unknown_output_formats_are_refused(said):
    assert refusal(lambda: read_format(said, "output", OUTPUTS, OUTPUT_OPTIONS)).endswith(
        "; allowed: conllu, conllu=v2, conllx, conll09"
    )


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("english-gum", "english-gum"), ("english", "english-ewt"), ("czech", "czech"), ("engl", None), ("g", "german")],
)
def test_models_may_be_named_by_prefixes(wanted, name):
    assert named(wanted, ["czech-pdt", "english-ewt", "english-gum", "czech", "german"]) == name


@pytest.mark.parametrize("name", ["conllu", "conllx", "conll09", "horizontal", "vertical"])
def test_blank_text_has_no_sentences(name):
    assert read_text(" \n", name, LIMITS) == []


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("x", "conllu", f"<stream>:1: 1 column, expected 10 (CoNLL-U), separated by TAB{PLAIN_TEXT}"),
        (conllu(4), "conllu", "a sentence of more than 3 words; allowed: 3 at most"),
        (conllu(3, 3), "conllu", "6 words or more; allowed: 5 at most in a request"),
    ],
)
def test_invalid_text_is_refused_in_one_line(text, name, message):
    assert refusal(partial(read, text, name)) == message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{", "invalid JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", 'found no list "sentences", expected {"model": name, "sentences": [[word, ...], ...]}'),
        ('{"sentences": [3]}', "sentence 1: found 3, expected a list of words"),
        ('{"sentences": [[]]}', "sentence 1: tokens: found none, expected one word or more"),
        ('{"sentences": [["a", "b", "c", "d"]]}', "a sentence of more than 3 words; allowed: 3 at most"),
        ('{"sentences": [], "model": 1}', "model: found 1, expected a name"),
        (
            '{"sentences": [[{"upos": "X"}]]}',
            "sentence 1: token 1: found {'upos': 'X'}, expected a mapping with 'form'",
        ),
    ],
)
def test_invalid_json_requests_are_refused(body, message):
    data = body.encode()
    assert refusal(lambda: (wanted_model(data, LIMITS), read_json(data, LIMITS, {"form"}))) == message


def test_deeply_nested_json_is_refused():
    with pytest.raises(CrossarcError, match=r"^invalid JSON: .*"):
        read_json(b"[" * 200_000, Limits(), {"form"})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["form", "upos", "head", "x"]), inner),
    max_leaves=12,
)


@given(JSON)
def test_any_json_gives_a_sentence_or_a_one_line_error(value):
    reason = ""
    try:
        sentences = read_json(json.dumps({"sentences": [value]}).encode(), Limits(), {"form", "upos", "head"})
    except CrossarcError as error:
        reason = str(error)
    else:
        assert len(sentences) == 1
    assert "\n" not in reason


def test_columns_that_the_model_does_not_read_are_dropped_and_unknown_names_refused():
    words = [{"form": "a", "upos": "X", name: "x"} for name in ("lemma", "head", "misc")]
    (sentence,) = read_json(json.dumps({"sentences": [words]}).encode(), LIMITS, {"form", "upos", "xpos"})
    assert sentence.format.names[-1] == "misc"
    assert sentence.column("upos") == ("X", "X", "X")
    assert set(sentence.column("misc")) == set(sentence.column("lemma")) == {"_"}
    for body, message in (
        ({"sentences": [[{"form": "a", "upso": "X"}]]}, "column 'upso' (did you mean 'upos'?)"),
        ({"sentences": [["a"]], "modle": "x"}, "key 'modle' (did you mean 'model'?); allowed: model, sentences"),
    ):
        assert message in refusal(lambda body=body: read_json(json.dumps(body).encode(), LIMITS, {"form", "upos"}))
    for text in (
        '{"sentences": [["a"]], "sentences": []}',
        '{"sentences": [[{"form": "a", "upos": "X", "upos": "Y"}]]}',
    ):
        assert "is given twice" in refusal(lambda text=text: read_json(text.encode(), LIMITS, {"form", "upos"}))
    numbered = json.dumps({"sentences": [[{"id": "1-2", "form": "ab"}]]}).encode()
    assert "column 'id'" in refusal(lambda: read_json(numbered, LIMITS, {"form"}))


def test_too_long_json_is_refused_before_parsing():
    with pytest.raises(TooMuchError, match=r"^5 words or more; allowed: 5 at most in a request$"):
        read_json(b'{"sentences": [' + b"[]," * 13, LIMITS, {"form"})


@pytest.mark.parametrize(("name", "part"), [("horizontal", "a "), ("horizontal", "a\n"), ("vertical", "a\n")])
def test_long_text_is_read_only_up_to_its_limit(name, part):
    text = part * 10**6
    tracemalloc.start()
    with pytest.raises(TooMuchError, match=" at most"):
        read(text, name)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 * len(text)


def test_limits_are_positive_whole_numbers():
    with pytest.raises(CrossarcError, match="limit words: found 0; allowed: a whole number from 1 to "):
        Limits(words=0)


@given(st.binary(max_size=40).map(lambda own: own.replace(b"\xff", b"%").replace(b"\xfe", b"%09")))
def test_arbitrary_forms_are_read_as_by_the_standard_library(body):
    told, told_by_library = "", ""
    try:
        found = read_form(body)
    except CrossarcError as error:
        told = str(error)
    parts = [part.replace(b"+", b" ").partition(b"=") for part in body.split(b"&") if part]
    try:
        expected = {unquote_to_bytes(name).decode(): unquote_to_bytes(value).decode() for name, _, value in parts}
    except UnicodeDecodeError:
        told_by_library = "the form is not UTF-8"
    names = [unquote_to_bytes(name) for name, _, _ in parts]
    if len(set(names)) < len(names) and not told_by_library:
        assert told.endswith("is given twice, expected one value")
        return
    assert told == told_by_library
    assert told or found == expected


def test_forms_with_too_many_fields_are_refused():
    with pytest.raises(CrossarcError, match=r"^not a valid form: more than 100 fields$"):
        read_form(b"&".join([b"a=b"] * 101))
    assert len(read_form(b"&".join(b"a%d=b" % number for number in range(100)))) == 100


@pytest.mark.parametrize("text", [conllu(2, 3), conllu(2).strip(), "\n\n" + conllu(1, 1) + "\n"])
def test_sentences_keep_the_text_of_a_request(text):
    assert "".join(map(conll_text, read(text, "conllu"))).strip() == text.strip()


def test_gold_or_predicted_columns_are_read_as_requested():
    text = "1\tform\tl\tl\tgold\tpredicted\t_\t_\t0\t0\troot\troot\t_\t_\n\n"
    for columns in ("gold", "predicted"):
        [sentence] = read(text, "conll09", columns)
        assert sentence.column("upos") == (columns,)


@pytest.mark.parametrize("comment", ["", "# text =\n", "# text = Vamos al mar.\n"])
def test_plain_text_joins_words_as_the_sentence_does(comment):
    rows = ["1\tVamos", "2-3\tal", "2\ta", "3\tel", "4\tmar", "5\t."]
    misc = {"4\tmar": "SpaceAfter=No"}
    text = "".join(f"{row}\t_\t_\t_\t_\t_\t_\t_\t{misc.get(row, '_')}\n" for row in rows)
    assert to_text(f"{comment}{text}\n", "plaintext") == "Vamos al mar.\n"
