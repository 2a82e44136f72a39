"""Objects in model files: what is packed comes back, and other classes than the allowed ones are refused."""

import json

import numpy as np
import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.plugins.further_learners.packing import packed, unpacked


class Own:
    """An own class with attributes of all kinds."""

    def __init__(self, **values):
        self.__dict__.update(values)


KNOWN = {"own": Own}


def test_values_of_all_kinds_come_back():
    fields = np.zeros(2, np.dtype({"names": ["a", "b"], "formats": ["<i8", "u1"], "itemsize": 16}))
    values = {
        "plain": [None, True, 3, 0.5, float("inf"), "ä"],
        "nested": {"a": (1, [2]), 4: {}},
        "array": np.arange(6, dtype=np.float32).reshape(2, 3),
        "empty": np.zeros((0, 2)),
        "number": np.float64(2.5),
        "fields": fields,
        "inner": Own(x=1),
        "random": np.random.default_rng(0),
    }
    found = unpacked(packed(Own(**values), KNOWN, "own"), KNOWN)
    assert type(found) is Own
    for name in ("plain", "nested", "number"):
        assert getattr(found, name) == values[name]
    assert type(found.number) is np.float64
    for name in ("array", "empty", "fields"):
        np.testing.assert_array_equal(getattr(found, name), values[name])
        assert getattr(found, name).dtype == values[name].dtype
    assert found.inner.x == 1
    assert found.random is None


@pytest.mark.parametrize("value", [open, lambda: None, {1}, np.array([None]), range(3), object(), type])
def test_other_objects_are_refused_and_named(value):
    with pytest.raises(CrossarcError, match=r"^own\.inner\.x: an object of \w+ cannot be saved in a model$"):
        packed(Own(inner=Own(x=value)), KNOWN, "own")


def test_cycles_are_refused():
    own = Own()
    own.self = own
    with pytest.raises(CrossarcError, match="nested too deeply"):
        packed(own, KNOWN, "own")


@pytest.mark.parametrize(
    "structure",
    [
        ["call", "os.system", ["list", "true"], None],
        ["call", "builtins.eval", ["list", "1"], None],
        ["new", "sklearn.base.warnings", ["list"], None],
        ["new", "sklearn.utils.validation.Bunch.x", ["list"], None],
        ["new", "other", ["list"], None],
        ["array", "|O", [1], 0],
        ["array", "<f8", [10**9], 0],
        ["array", "<f8", [1], 10**9],
        ["array"],
        [],
        ["nonsense"],
    ],
)
def test_forged_structures_are_refused(structure):
    arrays = {"structure": np.frombuffer(json.dumps(structure).encode(), np.uint8), "numbers": np.zeros(64, np.uint8)}
    with pytest.raises(ShapeError, match="holds no classifier"):
        unpacked(arrays, KNOWN)
