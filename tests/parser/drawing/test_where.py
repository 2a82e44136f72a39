"""Conditions on sentences: their values, compared with Python's, and errors for invalid ones."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.drawing.where import parse_condition
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


@given(CONDITIONS)
def test_conditions_have_the_same_value_as_in_python(text: str) -> None:
    assert bool(parse_condition(text, VALUES)(VALUES)) == bool(eval(text, {}, VALUES))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not nonprojective or las<80", True),
        ("las=75", True),
        ("not not lifts", False),
        (" 3 ", True),
        ("not " * 5000 + "lifts", False),
        ("(" * 5000 + "1" + ")" * 5000, True),
        (" or ".join(["lifts"] * 3000), False),
        (" + ".join(["1"] * 3000) + " = 3000", True),
    ],
)
def test_values_of_conditions(text: str, expected: bool) -> None:
    assert bool(parse_condition(text, VALUES)(VALUES)) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "condition '': found the end, expected a name, a number or '('"),
        ("(las > 1", "condition '(las > 1': found the end, expected an operator or ')'"),
        ("las not 1", "condition 'las not 1': found 'not', expected an operator or the end"),
        ("1 < las < 2", "condition '1 < las < 2': found '<', expected 'and', 'or' or the end"),
        ("1 < not las", "condition '1 < not las': found 'not', expected a name, a number or '('"),
        (
            "lass > 3",
            "condition 'lass > 3': name 'lass' (did you mean 'las'?); allowed: las, length, nonprojective, lifts",
        ),
        ("las > 3; import os", "condition 'las > 3; import os': found ';', expected an operator or the end"),
        ("²", "condition '²': found '²', expected a name, a number or '('"),
    ],
)
def test_invalid_conditions_are_refused(text: str, message: str) -> None:
    with pytest.raises(CrossarcError, match=f"^{re.escape(message)}$"):
        parse_condition(text, VALUES)


@given(st.text(max_size=20))
def test_any_text_is_a_condition_or_refused(text: str) -> None:
    with suppress(CrossarcError):
        assert isinstance(parse_condition(text, VALUES)(VALUES), float | int)
