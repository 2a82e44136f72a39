"""Parameters are described once: their constructors, checks, messages and documentation agree."""

import math
from dataclasses import dataclass

import pytest
from crossarc.parser.base.parameters import (
    FLAG,
    LABEL,
    TEXT,
    Allowed,
    check_parameters,
    one_of,
    optional,
    parameter,
    parameter_values,
    parameters_of,
    real,
    shown,
    whole,
)
from crossarc.parser.learners.registry import LEARNERS
from crossarc.parser.transforms.registry import TRANSFORMS
from refusals import refusal

KINDS: list[type] = [*LEARNERS.values(), *TRANSFORMS.values()]


@pytest.mark.parametrize(
    ("allowed", "yes", "no"),
    [
        (real(), [0, -1.5, 1e300, 10**300], [math.nan, math.inf, 10**400, True, "1", None]),
        (real(above=0), [1e-300, 3], [0, 0.0, -1]),
        (real(least=0), [0, 0.0, 3], [-1e-9]),
        (whole(1), [1, 2**31 - 1], [0, 2**31, 2**63, 1.0, True, "1", None]),
        (one_of("a", "b"), ["a", "b"], ["c", "", None, 1, ["a"]]),
        (optional(whole(0)), [None, 0], [-1, False]),
        (FLAG, [True, False], [0, 1, "true", None]),
        (TEXT, ["", "x"], [None, 1]),
        (LABEL, ["x"], ["", None]),
    ],
    ids=lambda value: value.words if isinstance(value, Allowed) else "",
)
def test_allowed_values_are_accepted_and_others_refused(allowed, yes, no):
    assert [value for value in yes if not allowed.holds(value)] == []
    assert [value for value in no if allowed.holds(value)] == []


@dataclass(kw_only=True)
class Example:
    amount: float = parameter(0.5, real(above=0), "how much")
    kind: str = parameter("fast", one_of("fast", "slow"), "how")
    most: int | None = parameter(None, optional(whole(1)), "how many at most")
    unrelated: int = 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"amount": -1}, "x.amount: found -1; allowed: a number above 0"),
        ({"amount": "a\nb"}, r"x.amount: found 'a\nb'; allowed: a number above 0"),
        ({"amount": 10**5000}, "x.amount: found a number of thousands of digits; allowed: a number above 0"),
        ({"amount": "y" * 99}, f"x.amount: found '{'y' * 59}...; allowed: a number above 0"),
        ({"kind": "slaw"}, "x.kind: found 'slaw' (did you mean 'slow'?); allowed: fast, slow"),
        ({"most": 0}, "x.most: found 0; allowed: none, or a whole number from 1 to 2147483647"),
    ],
)
def test_other_values_are_refused_in_one_line(given, message):
    assert refusal(lambda: check_parameters(Example(**given), "x.")) == message


def test_only_declared_fields_are_parameters():
    check_parameters(Example(), "")
    assert parameter_values(Example(amount=2)) == {"amount": 2, "kind": "fast", "most": None}
    assert parameters_of(int) == {}
    assert len(shown("x" * 1000)) < 70


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_defaults_are_allowed_and_all_fields_are_described(kind):
    described = parameters_of(kind)
    assert kind.summary
    for declared in described.values():
        assert declared.meaning
        assert "\n" not in declared.meaning + declared.allowed.words
        if declared.name not in ("guides", "label"):  # parameters that must be given
            assert declared.allowed.holds(declared.default)
    needed = {"label": "dep"} if "label" in described else {}
    for name, value in vars(kind(**needed)).items():
        assert name in described or name.startswith("_"), value
