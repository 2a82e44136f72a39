"""Views of sentences: their measures, and errors for unknown names and cycles."""

import pytest
from crossarc import CrossarcError, score_sentences
from crossarc.parser.plugins.drawing.view import View, measure_names, selected_by
from drawn import hearing, parsed_sentences, view
from hypothesis import given

CROSSED = [-1, 2, 0, 1, 2]
"""The arc from word 1 to word 3 crosses word 2 and needs one lift."""
FLAT = [-1, 2, 0, 2, 2]


@given(parsed_sentences())
def test_measures_equal_the_scores_of_evaluate(made):
    found = made.measures
    scores = score_sentences([made.sentence], made.parsed)
    assert (found["las"], found["uas"], found["la"]) == pytest.approx((scores.las, scores.uas, scores.la))
    assert found["errors"] == len(made.sentence) - scores.all.las_correct
    recall = scores.nonprojective.all.unlabelled
    assert found["crossing"] == recall.gold
    assert found["missed"] == recall.gold - recall.gold_correct
    assert found["spurious"] == recall.predicted - recall.predicted_correct
    assert found["nonprojective"] == (recall.gold > 0)


def test_measures_of_one_sentence():
    found = hearing().measures
    assert found == {
        "number": 1, "length": 6, "nonprojective": 1, "crossing": 1, "lifts": 1, "depth": 3, "arc": 3, "roots": 1,
        "multiword": 1, "empty": 1, "conf": 1.0,
        "las": 50.0, "uas": pytest.approx(200 / 3), "la": pytest.approx(200 / 3),
        "errors": 3, "missed": 1, "spurious": 0,
    }  # fmt: skip
    assert list(found) == list(measure_names(1))


def test_measures_of_a_second_parsed_file_have_other_names():
    made = view(CROSSED, CROSSED, FLAT)
    assert (made.measures["las"], made.measures["las2"], made.measures["differ"]) == (100.0, 75.0, 1)
    assert list(made.measures) == list(measure_names(2))


def test_names_of_scores_need_a_parsed_file():
    with pytest.raises(CrossarcError, match=r"name 'las'.*; allowed: number, length, .*conf$"):
        selected_by(where=["las < 80"])


def test_conf_is_the_mean_of_what_the_parser_said(sentences):
    """Words that a person has decided have no Conf and count as certain."""
    sentence = sentences[0]
    misc = ["Conf=0.20|ConfHead=0.90", "Keep=Yes", "ConfHead=0.10", *["Conf=1"] * len(sentence)][: len(sentence)]
    scored = sentence.with_columns({"misc": tuple(misc)})
    assert View(scored).measures["conf"] == pytest.approx(1 - 0.8 / len(sentence))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [("misc_Keep", True), ("misc_Keep = 2", True), ("misc_Keep > 2 or misc_Gloss", False), ("not misc_Ref", True)],
)
def test_conditions_name_keys_of_misc(condition, holds, sentences):
    sentence = sentences[0]
    misc = ["Keep=Yes", "X=1|Keep=head", *["_"] * len(sentence)][: len(sentence)]
    scored = sentence.with_columns({"misc": tuple(misc)})
    assert bool(selected_by(where=[condition])(View(scored))) == holds
