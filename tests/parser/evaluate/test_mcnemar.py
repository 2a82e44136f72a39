"""McNemar's test: its results equal scipy's binomial test and the formulas written out."""

import math

import numpy as np
import pytest
from crossarc import CrossarcError, mcnemar
from crossarc.parser.evaluate.comparison import compare
from crossarc.parser.evaluate.mcnemar import pairwise, significance
from handmade import CROSSING, words_tree
from hypothesis import given, strategies as st
from refusals import refusal
from scipy.stats import binomtest, norm


def outcomes(a, b, c, d):
    """Outcomes of two parsers: a items are correct in both, b only in the second, c only in the first, d in neither."""
    pairs = [(True, True)] * a + [(False, True)] * b + [(True, False)] * c + [(False, False)] * d
    table = np.array(pairs, dtype=np.bool_).reshape(-1, 2)
    return table[:, 0], table[:, 1]


@given(st.integers(0, 25), st.integers(0, 25), st.integers(0, 5), st.integers(0, 5))
def test_few_disagreements_use_the_exact_binomial(b, total, a, d):
    c = max(total - b, 0)
    b = min(b, 25 - c)
    found = mcnemar(*outcomes(a, b, c, d))
    expected = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert (found.b, found.c, found.z) == (b, c, None)
    assert found.p == pytest.approx(expected, abs=1e-12)
    assert found.level == (0.01 if expected < 0.01 else 0.05 if expected < 0.05 else None)
    assert found.winner == (None if found.level is None else "second" if b > c else "first")


@given(st.integers(0, 300), st.integers(0, 300))
def test_many_disagreements_use_the_normal_approximation(b, c):
    if b + c <= 25:
        b += 26
    found = mcnemar(*outcomes(3, b, c, 2))
    corrected_chi_square = (abs(b - c) - 1) ** 2 / (b + c) if b != c else 0
    assert found.z == pytest.approx(math.sqrt(corrected_chi_square))
    assert found.p == pytest.approx(2 * norm.sf(found.z), rel=1e-9)
    assert found.level == (0.01 if found.z > 2.5758 else 0.05 if found.z > 1.9600 else None)
    assert found.winner == (None if found.level is None else "second" if b > c else "first")


def test_exact_binomial_is_used_up_to_25_disagreements():
    assert mcnemar(*outcomes(0, 20, 5, 0)).z is None
    assert mcnemar(*outcomes(0, 20, 6, 0)).z == pytest.approx(13 / math.sqrt(26))


def test_unpaired_outcomes_are_refused():
    with pytest.raises(CrossarcError, match=r"^McNemar's test needs pairs: 2 outcomes against 3$"):
        mcnemar(np.ones(2, dtype=np.bool_), np.ones(3, dtype=np.bool_))


FLAT = CROSSING._replace(heads=[-1, 3, 3, 0, 3, 3])
UNLABELLED = CROSSING._replace(deprels=["", "x", "x", "x", "x", "x"])


def counts(first, second, score, **options):
    gold = [CROSSING] * len(first)
    found = significance(compare(gold, first), compare(gold, second), score, **options)
    return found.b, found.c


def test_observations_are_tokens_or_sentences():
    assert counts([FLAT] * 3, [CROSSING] * 3, "uas") == (3, 0)
    assert counts([UNLABELLED], [FLAT], "las") == (4, 0)
    assert counts([UNLABELLED], [FLAT], "uas") == (0, 1)
    assert counts([UNLABELLED], [FLAT], "la") == (5, 0)
    assert counts([FLAT, FLAT], [CROSSING, FLAT], "lem") == (1, 0)
    assert counts([UNLABELLED, FLAT], [FLAT, UNLABELLED], "uem") == (1, 1)
    assert counts([UNLABELLED], [CROSSING], "las", counted="no_punct") == (4, 0)


def test_observations_can_be_limited_to_a_class_of_arcs():
    assert counts([FLAT], [CROSSING], "uas", arcs="nonprojective") == (1, 0)
    assert counts([FLAT], [CROSSING], "uas", arcs="projective") == (0, 0)


def test_every_pair_of_parsers_is_compared_once():
    gold = [CROSSING] * 9
    parsers = {"P0": compare(gold, [FLAT] * 9), "P1": compare(gold, gold), "P2": compare(gold, [UNLABELLED] * 9)}
    found = pairwise(parsers)
    assert list(found) == ["las", "uas", "lem", "uem"]
    assert list(found["las"]) == [("P0", "P1"), ("P0", "P2"), ("P1", "P2")]
    assert (found["uem"]["P0", "P1"].winner, found["uem"]["P0", "P1"].level) == ("second", 0.01)
    assert found["uas"]["P1", "P2"].winner is None
    assert found["las"]["P1", "P2"].winner == "first"
    assert found["las"]["P1", "P2"].to_json()["level"] == 0.01


SHORT = words_tree([-1, 0], ["", "root"], ["a"])


@pytest.mark.parametrize(
    ("first", "second", "score", "options", "message"),
    [
        (CROSSING, FLAT, "las", {}, "significance: the two parsers were scored against different gold trees"),
        (CROSSING, SHORT, "las", {}, "significance: the two parsers were scored on different sentences"),
        (CROSSING, CROSSING, "lass", {}, "score 'lass' (did you mean 'las'?); allowed: las, uas, la, lem, uem"),
        (CROSSING, CROSSING, "lem", {"arcs": "projective"}, "lem is a score of sentences: it has no projective arcs"),
    ],
)
def test_invalid_comparisons_are_refused(first, second, score, options, message):
    comparisons = compare([first], [first]), compare([second], [second])
    assert refusal(lambda: significance(*comparisons, score, **options)) == message
