"""Declared shapes: other values and arrays are refused, with their place and the expected shape."""

from typing import Any

import numpy as np
import pytest
from crossarc.parser.base.parameters import TEXT, real, whole
from crossarc.parser.base.shapes import (
    ANY,
    Array,
    ListOf,
    MapOf,
    Record,
    ShapeError,
    check_arrays,
    check_table,
    check_values,
    within,
)
from refusals import refusal

STAGE = Record({"fallback": ListOf(whole(0), 2, 2), "names": MapOf(TEXT)}, {"scale": real(above=0)})
GOOD: dict[str, Any] = {"fallback": [0, 7], "names": {"a": "b"}, "scale": 0.5, "more": None}


def test_values_of_the_declared_shape_are_accepted():
    check_values(GOOD, STAGE)
    check_values({"fallback": [0, 1], "names": {}}, STAGE)
    check_values([None, {}], ListOf(ANY))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fallback": None}, "s.fallback: found None; expected a list of 2, each a whole number from 0 to 2147483647"),
        ({"fallback": [1]}, "s.fallback: found a list of 1; expected a list of 2, each a whole number from 0 to "),
        ({"fallback": [0, -1]}, "s.fallback[1]: found -1; expected a whole number from 0 to 2147483647"),
        ({"fallback": [True, 1]}, "s.fallback[0]: found True; expected a whole number from 0 to 2147483647"),
        ({"names": []}, "s.names: found a list of 0; expected a mapping of names, each to text"),
        ({"names": {"a\nb": 1}}, r"s.names.a\nb: found 1; expected text"),
        ({"scale": 10**5000}, "s.scale: found a number of thousands of digits; expected a number above 0"),
    ],
)
def test_values_of_another_shape_are_refused_with_their_place(change, message):
    assert refusal(lambda: check_values({**GOOD, **change}, STAGE, "s"), ShapeError).startswith(message)


def test_missing_keys_and_mappings_are_refused():
    with pytest.raises(ShapeError, match=r"^names: found none; expected a mapping of names, each to text$"):
        check_values({"fallback": [0, 1]}, STAGE)
    with pytest.raises(ShapeError, match=r"^found 3; expected a mapping with fallback, names$"):
        check_values(3, STAGE)


def test_places_begin_with_the_outermost_block():
    with pytest.raises(ShapeError) as caught, within("stages[0]"), within("guide"):
        check_arrays({}, {"rank": Array("i", ("classes",), least=0, below="classes")}, {"classes": 3})
    expected = "expected whole numbers of shape (classes), from 0, below classes"
    assert str(caught.value) == f"stages[0].guide: array rank: found none; {expected}"
    with pytest.raises(ShapeError, match=r"^stages\[0\]\[1\]: found 2; expected text$"), within("stages[0]"):
        check_values(["", 2], ListOf(TEXT))


SHAPES = {
    "keys": Array("i", ("features",), least=0, rising=True, filled=True),
    "weights": Array("f", ("features", "classes")),
    "starts": Array("i", ("features",), least=0, below="classes+1"),
    "seen": Array("b", ("classes",)),
}
ARRAYS: dict[str, np.ndarray] = {
    "keys": np.array([0, 2, 5]),
    "weights": np.zeros((3, 2), np.float16),
    "starts": np.array([0, 2, 0], np.uint8),
    "seen": np.array([True, False]),
}


def test_accepted_arrays_determine_the_named_lengths():
    assert check_arrays(ARRAYS, SHAPES, {"classes": 2}) == {"classes": 2, "features": 3}
    check_arrays({**ARRAYS, "weights": np.zeros((3, 2), int)}, SHAPES, {"classes": 2})
    check_arrays({**ARRAYS, "weights": np.full((3, 2), np.nan)}, SHAPES, {"classes": 2})


@pytest.mark.parametrize(
    ("name", "array", "found"),
    [
        ("keys", np.array([0, 2, 2]), "found int64 of shape (3), 0 to 2"),
        ("keys", np.array([0, 5, 2]), "found int64 of shape (3), 0 to 5"),
        ("keys", np.array([-1, 2, 5]), "found int64 of shape (3), -1 to 5"),
        ("keys", np.array([0.0, 2.0, 5.0]), "found float64 of shape (3), 0.0 to 5.0"),
        ("keys", np.array([0, 2, 2**63], np.uint64), f"found uint64 of shape (3), 0 to {2**63}"),
        ("keys", np.array([[0], [2], [5]]), "found int64 of shape (3 x 1), 0 to 5"),
        ("keys", np.array([], int), "found int64 of shape (0)"),
        ("keys", np.array(["a"]), "found str32 of shape (1)"),
        ("weights", np.zeros((2, 3)), "found float64 of shape (2 x 3), 0.0 to 0.0"),
        ("weights", np.zeros((3, 2), bool), "found bool of shape (3 x 2)"),
        ("starts", np.array([0, 1]), "found int64 of shape (2), 0 to 1"),
        ("starts", np.array([0, 1, 3]), "found int64 of shape (3), 0 to 3"),
        ("seen", np.array([1, 0]), "found int64 of shape (2), 0 to 1"),
    ],
)
def test_arrays_of_other_shapes_are_refused(name, array, found):
    said = refusal(lambda: check_arrays({**ARRAYS, name: array}, SHAPES, {"classes": 2}), ShapeError)
    assert said.startswith(f": array {name}: {found}; expected {SHAPES[name].words}")


def test_bounds_exclude_nan_but_not_infinity():
    shape = {"a": Array("f", (None,), least=0)}
    check_arrays({"a": np.array([0.0, np.inf])}, shape, {})
    with pytest.raises(ShapeError):
        check_arrays({"a": np.array([0.0, np.nan])}, shape, {})


def test_large_tables_need_many_stored_numbers():
    check_table(2**13, 2**13, 0)
    check_table(2**20, 2**10, 2**20)
    with pytest.raises(ShapeError, match=r"^found 5 stored numbers, too few for a table of 8192 x 8193$"):
        check_table(2**13, 2**13 + 1, 5)
