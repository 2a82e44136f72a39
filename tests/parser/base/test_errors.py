"""A message is one line, whatever names a file has in it."""

from __future__ import annotations

import pickle

import pytest
from crossarc.parser.base.errors import CrossarcError, UnknownPartError, choices
from crossarc.parser.transforms import parse_transform
from hypothesis import given, strategies as st


@pytest.mark.parametrize("kind", [CrossarcError, UnknownPartError])
@given(st.text())
def test_a_message_is_one_line(kind: type[CrossarcError], text: str) -> None:
    message = str(kind(f"x{text}"))
    assert len(message.splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(kind(text)))) == str(kind(text))
    if text.isprintable():
        assert message == f"x{text}"


def test_a_transform_of_several_lines() -> None:
    """Found by fuzzing."""
    with pytest.raises(CrossarcError, match=r"^transform a\\n\\nb: found 'c'; allowed: parameter=value, .*$"):
        parse_transform("a\n\nb:c")


def test_what_is_found_is_not_repeated_at_any_length() -> None:
    assert choices("swap" * 100_000, ["swap"]) == f"'{'swap' * 25}...'; allowed: swap"
