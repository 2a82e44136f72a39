"""Arguments from Python callers: public functions refuse wrong trees and outcomes in one line."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import crossarc
import numpy as np
import pytest
from hypothesis import given, strategies as st
from refusals import refusal

HEADS, DEPRELS, FORMS = [-1, 2, 0], ["", "a", "b"], ["x", "y"]
HEAD = "allowed: 0 to 2, -1 for none"


def refused(function: Callable[..., object], *arguments: object, **named: object) -> str:
    return refusal(partial(function, *arguments, **named))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, DEPRELS, FORMS), "heads: found None, expected a list"),
        (([], [], []), "heads: found none, expected -1 for node 0 and a head for each word"),
        (([-1, 2.0, 0], DEPRELS, FORMS), f"heads: word 1 has head 2.0; {HEAD}"),
        (([-1, 2, 3], DEPRELS, FORMS), f"heads: word 2 has head 3; {HEAD}"),
        ((HEADS, ["", "a"], FORMS), "deprels: found a list of length 2, expected 3"),
        ((HEADS, [0, 1, 2], FORMS), "deprels: found 0, expected text"),
        ((HEADS, DEPRELS, ["x"]), "forms: found a list of length 1, expected 2"),
    ],
)
def test_draw_tree_refuses_invalid_sentences(arguments: tuple[object, ...], message: str) -> None:
    assert refused(crossarc.draw_tree, *arguments) == message


@pytest.mark.parametrize("wrong", [None, 1, "TF", [[True], [False]], [0.5, 1.0], [0, 2], ["a", "b"], [True, [False]]])
def test_mcnemar_refuses_values_other_than_outcomes(wrong: object) -> None:
    for place, pair in (("first", (wrong, [True, False])), ("second", ([True, False], wrong))):
        message = refused(crossarc.mcnemar, *pair)
        assert message == f"{place}: found {wrong!r}, expected one row of truth values"


def test_mcnemar_accepts_lists_and_arrays_of_flags_or_numbers() -> None:
    rows: list[Any] = [[True] * 20, [1] * 20, np.ones(20, dtype=np.int8), np.ones(20, dtype=np.bool_)]
    assert {crossarc.mcnemar(row, [False] * 20).winner for row in rows} == {"first"}
    assert crossarc.mcnemar([], []).p == 1.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("swp", [HEADS], [DEPRELS], ["s"]), "transition system 'swp' (did you mean 'swap'?); allowed: arc-standard, "),
        (("swap", [[-1, 3, 0]], [DEPRELS], ["s"]), "s: word 1 has head 3; allowed: 0 to 2"),
        (("swap", None, [DEPRELS], ["s"]), "trees: found None, expected a list"),
        (("swap", [HEADS], [DEPRELS], []), "ids: found a list of length 0, expected 1"),
        (("swap", [HEADS], [[1, 2, 3]], ["s"]), "s: deprels: found 1, expected text"),
        (("swap", [[-1, -1, 0]], [DEPRELS], ["s"]), "s: word 1 has head -1; allowed: 0 to 2"),
        (("swap", [[-1, 2, 1]], [DEPRELS], ["s"]), "s: the heads are not a tree: words 1 2 form a cycle"),
    ],
)
def test_oracle_report_refuses_unknown_systems_and_invalid_trees(arguments: tuple[object, ...], message: str) -> None:
    assert refused(crossarc.oracle_report, *arguments).startswith(message)


def test_oracle_report_refuses_wrong_options() -> None:
    treebank = ([HEADS], [DEPRELS], ["s"])
    assert refused(crossarc.oracle_report, "swap", *treebank, oracle_name="lasy").startswith(
        "oracle of swap 'lasy' (did you mean 'lazy'?); allowed: lazy, eager"
    )
    assert (
        refused(crossarc.oracle_report, "swap", *treebank, labels=("a",))
        == "labels: found a list of length 1, expected 2"
    )
    assert refused(crossarc.oracle_report, "swap", *treebank, single_root=1).startswith("single_root: found 1; allowed")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.floats() | st.text(max_size=2),
    lambda own: st.lists(own, max_size=4),
)


def test_draw_tree_refuses_wrong_notes_and_widths() -> None:
    assert (
        refused(crossarc.draw_tree, HEADS, DEPRELS, FORMS, notes=["n"]) == "notes: found a list of length 1, expected 2"
    )
    assert refused(crossarc.draw_tree, HEADS, DEPRELS, FORMS, width=-1).startswith("width: found -1; allowed: ")


@given(JUNK, JUNK, JUNK)
def test_arbitrary_arguments_raise_only_crossarc_errors(one: Any, two: Any, three: Any) -> None:
    for function, arguments in (
        (crossarc.draw_tree, (one, two, three)),
        (crossarc.mcnemar, (one, two)),
        (crossarc.oracle_report, ("swap", one, two, three)),
    ):
        with suppress(crossarc.CrossarcError):
            function(*arguments)  # type: ignore[operator]
