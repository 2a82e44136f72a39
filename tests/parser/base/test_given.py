"""Arguments from Python callers: public functions refuse wrong trees and outcomes in one line."""

from contextlib import suppress
from functools import partial

import crossarc
import numpy as np
import pytest
from hypothesis import given, strategies as st
from refusals import refusal

HEADS, DEPRELS, FORMS = [-1, 2, 0], ["", "a", "b"], ["x", "y"]
HEAD = "allowed: 0 to 2, -1 for none"


def refused(function, *arguments, **named):
    return refusal(partial(function, *arguments, **named))


REPORTED = ("swap", [HEADS], [DEPRELS], ["s"])


@pytest.mark.parametrize(
    ("function", "arguments", "named", "message"),
    [
        ("draw_tree", (None, DEPRELS, FORMS), {}, "heads: found None, expected a list"),
        ("draw_tree", ([], [], []), {}, "heads: found none, expected -1 for node 0 and a head for each word"),
        ("draw_tree", ([-1, 2.0, 0], DEPRELS, FORMS), {}, f"heads: word 1 has head 2.0; {HEAD}"),
        ("draw_tree", ([-1, 2, 3], DEPRELS, FORMS), {}, f"heads: word 2 has head 3; {HEAD}"),
        ("draw_tree", (HEADS, ["", "a"], FORMS), {}, "deprels: found a list of length 2, expected 3"),
        ("draw_tree", (HEADS, [0, 1, 2], FORMS), {}, "deprels: found 0, expected text"),
        ("draw_tree", (HEADS, DEPRELS, ["x"]), {}, "forms: found a list of length 1, expected 2"),
        ("draw_tree", (HEADS, DEPRELS, FORMS), {"notes": ["n"]}, "notes: found a list of length 1, expected 2"),
        ("draw_tree", (HEADS, DEPRELS, FORMS), {"width": -1}, "width: found -1; allowed: "),
        ("oracle_report", ("swp", *REPORTED[1:]), {}, "transition system 'swp' (did you mean 'swap'?); allowed: "),
        ("oracle_report", ("swap", [[-1, 3, 0]], *REPORTED[2:]), {}, "s: word 1 has head 3; allowed: 0 to 2"),
        ("oracle_report", ("swap", None, *REPORTED[2:]), {}, "trees: found None, expected a list"),
        ("oracle_report", (*REPORTED[:3], []), {}, "ids: found a list of length 0, expected 1"),
        ("oracle_report", ("swap", [HEADS], [[1, 2, 3]], ["s"]), {}, "s: deprels: found 1, expected text"),
        ("oracle_report", ("swap", [[-1, -1, 0]], *REPORTED[2:]), {}, "s: word 1 has head -1; allowed: 0 to 2"),
        ("oracle_report", ("swap", [[-1, 2, 1]], *REPORTED[2:]), {}, "s: the heads are not a tree: words 1 2 "),
        ("oracle_report", REPORTED, {"oracle_name": "lasy"}, "oracle of swap 'lasy' (did you mean 'lazy'?); allowed: "),
        ("oracle_report", REPORTED, {"labels": ("a",)}, "labels: found a list of length 1, expected 2"),
        ("oracle_report", REPORTED, {"single_root": 1}, "single_root: found 1; allowed"),
    ],
)
def test_wrong_arguments_are_refused(function, arguments, named, message):
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


@given(JUNK, JUNK, JUNK)
def test_arbitrary_arguments_raise_only_crossarc_errors(one, two, three):
    for function, arguments in (
        (crossarc.draw_tree, (one, two, three)),
        (crossarc.mcnemar, (one, two)),
        (crossarc.oracle_report, ("swap", one, two, three)),
    ):
        with suppress(crossarc.CrossarcError):
            function(*arguments)
