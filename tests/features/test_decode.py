"""Decoding of feature keys: their values, and the values as text."""

import math

import numpy as np
import pytest
from crossarc.features.decode import PartValue, decode_key, value_text
from crossarc.features.extractor import ABSENT, ColumnSize, Extractor
from crossarc.features.template import FeatureModel, parse_template
from crossarc.transitions.configuration import Configuration
from hypothesis import given, strategies as st

TEMPLATES = (
    "form(Stack[0])",
    "merge(form(Stack[0]), upos(Input[0]), deprel(ldep(Stack[0])))",
    "merge(distance(Stack[0], Input[0]), feats(Input[0]))",
    "arity(Stack[0], left)",
)
EXTRACTOR = Extractor(
    FeatureModel(tuple(parse_template(text, "here") for text in TEMPLATES)),
    {"form": ColumnSize(9), "upos": ColumnSize(5), "feats": ColumnSize(6, 2)},
    labels=3,
)


def text(value):
    return value_text(value, lambda column, number: f"{column}{number}", lambda number: f"label{number}")


def test_values_of_a_configuration_are_decoded():
    c = Configuration(np.array([3]))
    columns = {
        "form": np.array([[1, 5, 6, 7, 0]]),
        "upos": np.array([[1, 3, 4, 3, 0]]),
        "feats": np.array([[[0, 0], [3, 5], [4, 0], [0, 0], [0, 0]]]),
    }
    c.push(c.pop_buffer())
    c.push(c.pop_buffer())
    c.add_arc(c.stack(0), np.array([2]), c.stack(1))
    c.remove(1)
    keys = EXTRACTOR.keys(c, columns)[0]
    found = {
        ", ".join(f"{value.part}={text(value)}" for value in decode_key(EXTRACTOR, slot, int(key)))
        for slot, key in enumerate(keys)
    }
    assert found == {
        "form(Stack[0])=form6",
        "form(Stack[0])=form6, upos(Input[0])=upos3, deprel(ldep(Stack[0]))=label2",
        "arity(Stack[0], left)=1",
        "",
    }


@given(st.data())
def test_decoding_inverts_the_mixed_radix_encoding(data):
    slot = data.draw(st.integers(0, len(EXTRACTOR.slots) - 1))
    column = EXTRACTOR.slots[slot]
    key = data.draw(st.integers(column.offset, column.offset + column.size - 1))
    values = decode_key(EXTRACTOR, slot, key)
    sizes = [EXTRACTOR.size(value.part) for value in values]
    assert all(0 <= value.value < size for value, size in zip(values, sizes, strict=True))
    again = sum(value.value * math.prod(sizes[k + 1 :]) for k, value in enumerate(values))
    assert column.offset + again == key


def test_absent_keys_are_empty_and_keys_of_other_slots_are_refused():
    assert decode_key(EXTRACTOR, 0, ABSENT) == ()
    for slot, column in enumerate(EXTRACTOR.slots):
        for key in (column.offset - 1, column.offset + column.size):
            if key != ABSENT:
                with pytest.raises(ValueError, match=f"expected {column.offset} to "):
                    decode_key(EXTRACTOR, slot, key)


@pytest.mark.parametrize(
    ("template", "value", "expected"),
    [
        ("distance(Stack[0], Input[0])", 0, "-"),
        ("distance(Stack[0], Input[0])", 1, "0"),
        ("distance(Stack[0], Input[0])", 6, "5 to 6"),
        ("distance(Stack[0], Input[0])", 9, "15 or more"),
        ("arity(Stack[0])", 5, "5"),
        ("arity(Stack[0])", 6, "6 or more"),
        ("deprel(Stack[0])", 0, "-"),
        ("deprel(Stack[0])", 1, "label0"),
        ("dependents(Stack[0], left)", 3, "label2"),
        ("upos(Stack[0])", 4, "upos4"),
    ],
)
def test_values_as_text(template, value, expected):
    assert text(PartValue(parse_template(template, "here").parts[0], value)) == expected
