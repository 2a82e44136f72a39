"""Conditions: their values, compared with Python's, comparisons of text, and errors for invalid ones."""

import re
from contextlib import suppress

import pytest
from crossarc.parser.base.errors import CrossarcError, check_names
from crossarc.parser.plugins.drawing.where import parse_condition
from hypothesis import given, strategies as st

NUMBERS = {"las": 75.0, "length": 12.0, "nonprojective": 1.0, "lifts": 0.0}
TEXTS = {
    "label": "nsubj",
    "form": "(who)",
    "feats": "Case=Nom|PronType=Int,Rel",
    "misc.Year": "1984",
    "misc.Gloss": "'s",
}
VALUES = NUMBERS | TEXTS

ATOMS = st.sampled_from([*NUMBERS, "0", "12", "75.5"])
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


LONG = "(" * 500 + "1" + ")" * 500
NOT_CONDITIONS = ("1 < las < 2", "las ** 2", "-las", "'1'", "las[1]", "[1]", "~las", "las(1)")


def kind_of(name):
    check_names("name", [name], VALUES)
    return "number" if name in NUMBERS else "entry" if "." in name else "texts" if name == "feats" else "text"


def holds(text):
    return parse_condition(text, kind_of)(VALUES.__getitem__)


@given(CONDITIONS)
def test_conditions_have_the_same_value_as_in_python(text):
    assert holds(text) == bool(eval(text, {}, NUMBERS))


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
    assert holds(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("label=nsubj and not lifts", True),
        ("label == obj, nsubj", None),
        ("label=obj,nsubj", True),
        ("(label=obj or label~^n)and las>80", False),
        ("not label!='nsubj'", True),
        ("form=(who)", True),
        ("form~^.(w|x)ho and las", True),
        ("(form~\\))", True),
        ("feats=Case=Nom and feats=PronType=Int,Rel and feats!=Rel", True),
        ("feats!=Case=Nom,Case=Gen", False),
        ("misc.Year > 1983 + lifts and misc.Year=1984", True),
        ("misc.Gloss > 1 or misc.Gloss <= 1", False),
        ("misc.Gloss", False),
        ("misc.Gloss or label=nsubj", True),
        ("misc.Gloss and label=nsubj", False),
        ("not misc.Gloss and misc.Gloss != 3", True),
        ("las=74,75 and las != 1,2", True),
        ("las=1,2", False),
        ("misc.Gloss + 1", False),
        ("misc.Gloss - 1 > 0 or 1 - misc.Gloss < 2", False),
        ("las + lifts = 74,75", None),
        ("las=74,75 + 1", None),
        ("las < lifts = 1,2", None),
        ("form~^\\((w|(x|i)o)", True),
        ("label=" + ",".join(["x"] * 900) + ",nsubj", True),
        ("misc.Gloss='s and misc.Gloss=\"'s\"", True),
        ("label", None),
        ("label=", None),
        ("label > 3", None),
        ("label~(", None),
        ("label~'('", None),
        ("labl=x", None),
    ],
)
def test_texts_are_compared_in_conditions(text, expected):
    """None: the condition is refused."""
    if expected is None:
        with pytest.raises(CrossarcError, match=re.escape(repr(text))):
            holds(text)
    else:
        assert holds(text) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "condition '': invalid syntax"),
        ("(las > 1", "condition '(las > 1': '(' was never closed"),
        (LONG, f"condition {LONG!r}: found 1001 characters without the texts; allowed: 1000"),
        ("(" * 400 + "1" + ")" * 400, "condition '((((((((((((((((("),
        ("lass > 3", "condition 'lass > 3': name 'lass' (did you mean 'las'?); allowed: las, length, nonprojective"),
        ("las > 3; import os", "condition 'las > 3; import os': name 'import'"),
        ("las > 3; las", "condition 'las > 3; las': invalid syntax"),
        ("²", "condition '²': name '²'"),
        ("§", "condition '§': invalid character '§'"),
        *((text, f"condition {text!r}: allowed: names, numbers, and, or, not") for text in NOT_CONDITIONS),
        *((text, f"condition {text!r}: name ") for text in ("True", "las.real", "(lambda: 1)()")),
    ],
)
def test_invalid_conditions_are_refused(text, message):
    with pytest.raises(CrossarcError, match=f"^{re.escape(message)}"):
        holds(text)


@given(st.text(max_size=20))
def test_any_text_is_a_condition_or_refused(text):
    with suppress(CrossarcError):
        assert isinstance(holds(text), bool)
