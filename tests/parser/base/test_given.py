"""Arguments from Python callers: public functions refuse wrong trees and outcomes in one line."""

from contextlib import suppress
from functools import partial

import crossarc
import numpy as np
import pytest
from hypothesis import given, strategies as st
from refusals import refusal

DOGS = crossarc.Sentence.from_tokens(["x", "y"], heads=[2, 0], deprels=["a", "b"])
LOOP = crossarc.Sentence.from_tokens(["x", "y"], heads=[2, 1])


def refused(function, *arguments, **named):
    return refusal(partial(function, *arguments, **named))


@pytest.mark.parametrize(
    ("function", "arguments", "named", "message"),
    [
        ("draw_tree", (None,), {}, "sentence 1: found NoneType, expected a Sentence or a list of words"),
        ("draw_tree", (DOGS,), {"notes": ["n"]}, "notes: found a list of length 1, expected 2"),
        ("draw_tree", (DOGS,), {"notes": 1}, "notes: found 1, expected a list"),
        ("draw_tree", (DOGS,), {"width": -1}, "width: found -1; allowed: "),
        ("oracle_report", ("swp", [DOGS]), {}, "transition system 'swp' (did you mean 'swap'?); allowed: "),
        ("oracle_report", ("swap", None), {}, "sentences: found NoneType, expected a list"),
        ("oracle_report", ("swap", [LOOP]), {}, "<memory>:1: not a tree, words 1 2 form a cycle"),
        ("oracle_report", ("swap", [DOGS]), {"oracle": "lasy"}, "oracle of swap 'lasy' (did you mean 'lazy'?)"),
        ("oracle_report", ("swap", [DOGS]), {"single_root": 1}, "single_root: found 1; allowed"),
    ],
)
def test_wrong_arguments_are_refused(function, arguments, named, message):
    if not hasattr(crossarc, function):
        pytest.skip("a plugin is not installed")
    assert refused(getattr(crossarc, function), *arguments, **named).startswith(message)


@pytest.mark.parametrize("wrong", [None, 1, "TF", [[True], [False]], [0.5, 1.0], [0, 2], ["a", "b"], [True, [False]]])
def test_mcnemar_refuses_values_other_than_outcomes(wrong):
    for place, pair in (("first", (wrong, [True, False])), ("second", ([True, False], wrong))):
        message = refused(crossarc.mcnemar, *pair)
        assert message == f"{place}: found {wrong!r}, expected one row of truth values"


def test_mcnemar_accepts_lists_and_arrays_of_flags_or_numbers():
    rows = [[True] * 20, [1] * 20, np.ones(20, dtype=np.int8), np.ones(20, dtype=np.bool_)]
    assert {crossarc.mcnemar(row, [False] * 20).winner for row in rows} == {"first"}
    assert crossarc.mcnemar([], []).p == 1.0


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.floats() | st.text(max_size=2),
    lambda own: st.lists(own, max_size=4),
)


@given(JUNK, JUNK)
def test_arbitrary_arguments_raise_only_crossarc_errors(one, two):
    for name, arguments in (
        ("draw_tree", (one,)),
        ("mcnemar", (one, two)),
        ("oracle_report", (one, two)),
        ("oracle_report", ("swap", two)),
        ("compare_sentences", (one, two)),
    ):
        with suppress(crossarc.CrossarcError):
            getattr(crossarc, name, lambda *values: None)(*arguments)
