"""Conditions on sentences: their values, compared with Python's, and errors for invalid ones."""

import re
from contextlib import suppress

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.plugins.drawing.where import parse_condition
from hypothesis import given, strategies as st

VALUES = {"las": 75.0, "length": 12.0, "nonprojective": 1.0, "lifts": 0.0}

ATOMS = st.sampled_from([*VALUES, "0", "12", "75.5"])
SUMS = st.recursive(ATOMS, lambda inner: st.tuples(inner, st.sampled_from("+-"), ATOMS).map(" ".join), max_leaves=3)
COMPARISONS = st.tuples(SUMS, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), SUMS).map(" ".join)
CONDITIONS = st.recursive(
    st.one_of(COMPARISONS, SUMS),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map(lambda text: f"not ({text})"),
        inner.map(lambda text: f"({text})"),
    ),
    max_leaves=6,
)


NOT_CONDITIONS = ("1 < las < 2", "las ** 2", "-las", "'a'", "True", "las if las else 1", "las.real", "(lambda: 1)()")


@given(CONDITIONS)
def test_conditions_have_the_same_value_as_in_python(text):
    assert bool(parse_condition(text, VALUES)(VALUES)) == bool(eval(text, {}, VALUES))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not nonprojective or las<80", True),
        ("las=75", True),
        ("not not lifts", False),
        (" 3 ", True),
        ("not " * 240 + "lifts", False),
        (" + ".join(["1"] * 240) + " = 240", True),
    ],
)
def test_values_of_conditions(text, expected):
    assert bool(parse_condition(text, VALUES)(VALUES)) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "condition '': invalid syntax"),
        ("(las > 1", "condition '(las > 1': '(' was never closed"),
        ("(" * 500 + "1" + ")" * 500, "condition of 1001 characters; allowed: 1000"),
        ("(" * 400 + "1" + ")" * 400, "condition '((((((((((((((((("),
        ("lass > 3", "condition 'lass > 3': name 'lass' (did you mean 'las'?); allowed: las, length, nonprojective"),
        ("las > 3; import os", "condition 'las > 3; import os': invalid syntax"),
        ("²", "condition '²': invalid character '²'"),
        *((own, f"condition {own!r}: allowed: names, numbers, and, or, not") for own in NOT_CONDITIONS),
    ],
)
def test_invalid_conditions_are_refused(text, message):
    with pytest.raises(CrossarcError, match=f"^{re.escape(message)}"):
        parse_condition(text, VALUES)


@given(st.text(max_size=20))
def test_any_text_is_a_condition_or_refused(text):
    with suppress(CrossarcError):
        assert isinstance(parse_condition(text, VALUES)(VALUES), float | int)
