"""Labels of taggers: values are restored from their labels."""

import pytest
from crossarc.parser.plugins.tagging import encodings as tag_encodings
from crossarc.parser.plugins.tagging.encodings import composed, edits_of, keys_of, labels_of, lemma_by, value_of
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
    feats = ["_", *(f"Case={case}|Number[psor]={number}" for case in range(30) for number in range(30))]
    positional = [f"{a}-{b}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"]
    assert keys_of("feats", feats) == ("Case", "Number[psor]")
    assert keys_of("xpos", positional) == ("1", "2", "3")
    assert keys_of("xpos", positional[: tag_encodings.MOST_VALUES]) == keys_of("feats", [*feats, "x|y"]) == ("",)
    for column, values in (("feats", feats), ("xpos", positional)):
        labels = {key: labels_of(column, key, [], [values])[0] for key in keys_of(column, values)}
        for number, value in enumerate(values):
            assert value_of(column, "form", {key: own[number] for key, own in labels.items()}) == value
    assert composed({"Case": "_", "Number": "_"}) == composed({"1": "_"}) == "_"


def test_rare_edits_are_not_learned():
    forms, lemmas = [["dogs", "cats", "oxen"]], [["dog", "cat", "ox"]]
    assert labels_of("lemma", "front", forms, lemmas) == [["lower "] * 3]
    assert labels_of("lemma", "end", forms, lemmas) == [["end <", "end <", ""]]
