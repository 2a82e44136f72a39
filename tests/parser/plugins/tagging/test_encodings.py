"""Labels of taggers: values are restored from their labels."""

import random
import string
import unicodedata

import pytest
from crossarc import Sentence, load_config, train
from crossarc.parser.plugins.tagging import encodings as tag_encodings
from crossarc.parser.plugins.tagging.encodings import (
    attributes_of,
    composed,
    edits_of,
    keys_of,
    known_lemmas,
    labels_of,
    lemma_by,
    marks_of_lemmas,
    open_attributes,
    value_of,
)
from hypothesis import given, strategies as st


@given(st.text(min_size=1, max_size=12), st.text(min_size=1, max_size=12))
def test_edits_restore_the_lemma_they_are_made_from(form, lemma):
    assert lemma_by(*edits_of(form, lemma), form) == lemma


EDITS = st.tuples(st.sampled_from(["", "lower ", "end ", "="]), st.text(alphabet="<>+= a", max_size=9)).map("".join)


@given(EDITS, EDITS, st.text(min_size=1, max_size=5))
def test_any_text_is_accepted_as_an_edit(front, end, form):
    assert isinstance(lemma_by(front, end, form), str)


@pytest.mark.parametrize(
    ("form", "lemma", "other", "expected"),
    [
        ("Dogs", "dog", "cats", "cat"),
        ("Walking", "walk", "TALKING", "talk"),
        ("gekauft", "kaufen", "gemacht", "machen"),
        ("IBM", "IBM", "Google", "Google"),
        ("LONDON", "London", "PARIS", "Paris"),
        ("was", "be", "is", "be"),
        ("gataihan", "ga-teihan", "gawaihts", "ga-weihts"),
        ("지배하에", "지배+하+에", "준비하에", "준비+하+에"),
    ],
)
def test_edits_apply_to_other_words(form, lemma, other, expected):
    assert lemma_by(*edits_of(form, lemma), other) == expected


def test_long_words_are_not_compared():
    long = "ab" * tag_encodings.LONGEST
    assert edits_of(long, long) == edits_of("a", "a")
    assert edits_of(long, long[:-1]) == (f"={long[:-1]}", "end ")


def test_large_tag_sets_are_predicted_piece_by_piece():
    feats = ["_", *(f"Case={case}|Number[psor]={number}" for case in range(40) for number in range(40))]
    positional = [f"{a}-{b}" for a in string.ascii_letters for b in string.ascii_letters]
    assert keys_of("feats", feats) == ("Case", "Number[psor]")
    assert keys_of("xpos", positional) == ("1", "2", "3")
    assert keys_of("xpos", positional[: tag_encodings.MOST_VALUES]) == keys_of("feats", [*feats, "x|y"]) == ("",)
    for column, values in (("feats", feats), ("xpos", positional)):
        labels = {key: labels_of(column, key, [], [values])[0] for key in keys_of(column, values)}
        for number, value in enumerate(values):
            assert value_of(column, "form", {key: own[number] for key, own in labels.items()}) == value
    assert composed({"Case": "_", "Number": "_"}) == composed({"1": "_"}) == "_"


def test_attributes_are_open_where_form_and_part_of_speech_do_not_decide_them():
    """Five of 100 words differ in Case from the usual value of their form, two in Number, none in Person."""
    words = [("a", "NOUN", "Case=Nom|Number=Sing|Person=3")] * 93 + [("a", "VERB", "Person=1")] * 2
    words += [("a", "NOUN", "Case=Acc|Number=Sing|Person=3")] * 3 + [("a", "NOUN", "Case=Acc|Number=Plur|Person=3")] * 2
    contexts, values = [word[:2] for word in words], [word[2] for word in words]
    keys = attributes_of(set(values))
    assert keys == ("Case", "Number", "Person")
    assert open_attributes(keys, values, contexts) == ("Case", "Number")
    assert open_attributes(keys, values, [""] * len(words)) == ("Case", "Number", "Person")
    assert open_attributes((), [], []) == open_attributes(("Case", "Number"), [], []) == ()
    assert open_attributes(("Case",), values, contexts) == ()  # a single attribute is the whole value


def test_lemmas_are_known_if_form_and_part_of_speech_always_have_the_same():
    words = [("Saw", "NOUN", "saw"), ("saw", "NOUN", "saw"), ("saw", "VERB", "see"), ("saw", "VERB", "saw")]
    words += [("Rome", "PROPN", "Rome"), ("rome", "PROPN", "_"), ("dog", "NOUN", "_")]
    assert known_lemmas(words) == {("saw", "NOUN"): "saw", ("rome", "PROPN"): "Rome"}


def test_rare_edits_are_not_learned():
    forms, lemmas = [["dogs", "cats", "oxen"]], [["dog", "cat", "ox"]]
    assert labels_of("lemma", "front", forms, lemmas) == [["lower "] * 3]
    assert labels_of("lemma", "end", forms, lemmas) == [["end <", "end <", ""]]


POINTS = "\u0300\u0301\u0323"


@given(
    st.text("abש" + POINTS, min_size=1),
    st.text("abcש" + POINTS[:1], min_size=1),
    st.sampled_from([None, "", POINTS[0]]),
)
def test_edits_of_pointed_forms_restore_the_lemma(form, lemma, kept):
    form, lemma = unicodedata.normalize("NFC", form), unicodedata.normalize("NFC", lemma)
    assert lemma_by(*edits_of(form, lemma, kept), form) == lemma


def test_forms_lose_the_marks_that_no_lemma_has():
    """The lemma keeps the mark that distinguishes letters; unseen points of unseen words are lost."""
    forms = [["x\u0323o\u0300t", "m\u0301eq"], ["x\u0323\u0301ot", "qe\u0301l"]]
    lemmas = [["x\u0323ot", "meq"], ["x\u0323ot", "qel"]]
    assert marks_of_lemmas(forms, lemmas) == "\u0323"
    (front,), (end,) = (
        {label for own in labels_of("lemma", key, forms, lemmas) for label in own} for key in ("front", "end")
    )
    assert lemma_by(front, end, "p\u0302x\u0323\u0301ut\u0304") == "px\u0323ut"
    assert marks_of_lemmas(lemmas, lemmas) is None
    assert marks_of_lemmas([["caf\u00e9"]], [["caf\u00e9"]]) is None


def test_lemmas_of_pointed_words_are_learned(tmp_path):
    rng = random.Random(1)
    roots = ["".join(rng.choices("bdgklmnprst", k=3)) for _ in range(150)]

    def sentence():
        lemmas = rng.choices(roots, k=5)
        forms = ["".join(sign + rng.choice(POINTS) for sign in lemma) for lemma in lemmas]
        return Sentence.from_tokens(forms, lemma=lemmas, upos=["X"] * 5).with_tree(
            [-1, 0, 1, 1, 1, 1], ["", *["x"] * 5]
        )

    train_part, test = [sentence() for _ in range(100)], [sentence() for _ in range(20)]
    model = train(load_config("arc-standard", ["features=small", "tags=[lemma]"]), sentences=train_part)
    tagged = model.tagged(test, True)
    right = [
        a == b
        for gold, sentence in zip(test, tagged, strict=True)
        for a, b in zip(gold.column("lemma"), sentence.column("lemma"), strict=True)
    ]
    assert sum(right) > 0.95 * len(right)
